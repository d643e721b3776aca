#include "port.h"
#include "shoe.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    READ_BYTES = 4096,
    MS_PER_S = 1000,
    NS_PER_MS = 1000000,
};

enum { /* in the list of what is waited for */
    POLL_INPUT,
    POLL_LISTENER,
    POLL_CONNECTION,
    POLLED,
};

static uint32_t clock_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * MS_PER_S + (uint64_t)now.tv_nsec / NS_PER_MS);
}

static void plug(void *runner, bool is_plugged)
{
    struct port *port = runner;
    if (!is_plugged) {
        port_unplug(port);
    } else if (!port_plug(port)) {
        perror("shoe: the port cannot be opened again");
    } else {
        /* it is open */
    }
}

static void work(struct posix_shoe *shoe, struct port *port)
{
    shoe->now_ms = clock_ms();
    if (shoe->hands.has_power) {
        device_work(&shoe->device, shoe->now_ms);
    }
    port_flush(port);
}

static void line_lost(struct posix_shoe *shoe)
{
    if (shoe->hands.has_power) {
        device_line_lost(&shoe->device, shoe->now_ms);
    }
}

static void read_line(struct posix_shoe *shoe, struct port *port)
{
    uint8_t bytes[READ_BYTES];
    long count = port_read(port, bytes, sizeof bytes);
    if (count < 0) {
        line_lost(shoe);
    } else if (shoe->hands.has_power) {
        device_receive(&shoe->device, bytes, (size_t)count, shoe->now_ms);
    } else {
        /* without power the bytes are lost */
    }
}

/* Obey what was typed. False: standard input has ended. */
static bool read_input(struct posix_shoe *shoe, struct port *port)
{
    char bytes[READ_BYTES];
    char answer[HANDS_ANSWER_BYTES];
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; i++) {
        if (shoe_type(shoe, bytes[i])) {
            work(shoe, port);
            hands_execute(&shoe->hands, shoe->typed, answer);
            work(shoe, port);
            (void)puts(answer);
            (void)fflush(stdout);
        }
    }
    return (count > 0) && !shoe->hands.is_over;
}

static int wait_ms(const struct posix_shoe *shoe)
{
    if (!shoe->hands.has_power) {
        return -1;
    }
    int32_t left_ms = (int32_t)(device_due_ms(&shoe->device, shoe->now_ms) - clock_ms());
    return (left_ms > 0) ? left_ms : 1; /* what is late waits for a line that takes no more */
}

static bool serve(struct posix_shoe *shoe, struct port *port)
{
    struct pollfd polled[POLLED] = {
        [POLL_INPUT] = {STDIN_FILENO, POLLIN, 0},
        [POLL_LISTENER] = {port->listener, POLLIN, 0},
        [POLL_CONNECTION] = {port->connection, (port->out_count > 0U) ? (POLLIN | POLLOUT) : POLLIN, 0},
    };
    bool goes_on = true;
    if (poll(polled, POLLED, wait_ms(shoe)) < 0) {
        return errno == EINTR;
    }
    shoe->now_ms = clock_ms();
    if ((polled[POLL_CONNECTION].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
        read_line(shoe, port);
    }
    if (((polled[POLL_LISTENER].revents & POLLIN) != 0) && port_accept(port)) {
        line_lost(shoe);
    }
    if ((polled[POLL_INPUT].revents & (POLLIN | POLLHUP)) != 0) {
        goes_on = read_input(shoe, port);
    }
    work(shoe, port);
    return goes_on;
}

int run_on_port(struct posix_shoe *shoe, const struct options *options)
{
    static struct port port;
    const struct line line = port_line(&port);
    (void)signal(SIGPIPE, SIG_IGN); /* of a connection that the host has closed */
    if (!port_open(&port, options)) {
        return 1;
    }
    shoe->runner = &port;
    shoe->plug = plug;
    shoe->now_ms = clock_ms();
    if (!shoe_begin(shoe, options, &line)) {
        return 1;
    }
    (void)fputs("{\"port\": \"", stdout);
    port_print_name(&port);
    (void)printf("\", \"settings\": %s}\n", (shoe->tls == NULL) ? "{\"security\": \"plain\"}" : "{}");
    (void)fflush(stdout);
    work(shoe, &port);
    while (serve(shoe, &port)) {
    }
    return 0;
}
