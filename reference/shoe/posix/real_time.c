#include "shoe.h"
#include "tcp.h"

#include <errno.h>
#include <poll.h>
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
    struct tcp *tcp = runner;
    if (!is_plugged) {
        tcp_unplug(tcp);
    } else if (!tcp_listen(tcp)) {
        perror("shoe: the port cannot be opened again");
    } else {
        /* it listens */
    }
}

static void work(struct posix_shoe *shoe, struct tcp *tcp)
{
    shoe->now_ms = clock_ms();
    if (shoe->hands.has_power) {
        device_work(&shoe->device, shoe->now_ms);
    }
    tcp_flush(tcp);
}

static void line_lost(struct posix_shoe *shoe)
{
    if (shoe->hands.has_power) {
        device_line_lost(&shoe->device, shoe->now_ms);
    }
}

static void read_line(struct posix_shoe *shoe, struct tcp *tcp)
{
    uint8_t bytes[READ_BYTES];
    long count = tcp_read(tcp, bytes, sizeof bytes);
    if (count < 0) {
        line_lost(shoe);
    } else if (shoe->hands.has_power) {
        device_receive(&shoe->device, bytes, (size_t)count, shoe->now_ms);
    } else {
        /* without power the bytes are lost */
    }
}

/* Obey what was typed. False: standard input has ended. */
static bool read_input(struct posix_shoe *shoe, struct tcp *tcp)
{
    char bytes[READ_BYTES];
    char answer[HANDS_ANSWER_BYTES];
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; i++) {
        if (shoe_type(shoe, bytes[i])) {
            work(shoe, tcp);
            hands_execute(&shoe->hands, shoe->typed, answer);
            work(shoe, tcp);
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

static bool serve(struct posix_shoe *shoe, struct tcp *tcp)
{
    struct pollfd polled[POLLED] = {
        [POLL_INPUT] = {STDIN_FILENO, POLLIN, 0},
        [POLL_LISTENER] = {tcp->listener, POLLIN, 0},
        [POLL_CONNECTION] = {tcp->connection, (tcp->out_count > 0U) ? (POLLIN | POLLOUT) : POLLIN, 0},
    };
    bool goes_on = true;
    if (poll(polled, POLLED, wait_ms(shoe)) < 0) {
        return errno == EINTR;
    }
    shoe->now_ms = clock_ms();
    if ((polled[POLL_CONNECTION].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
        read_line(shoe, tcp);
    }
    if (((polled[POLL_LISTENER].revents & POLLIN) != 0) && tcp_accept(tcp)) {
        line_lost(shoe);
    }
    if ((polled[POLL_INPUT].revents & (POLLIN | POLLHUP)) != 0) {
        goes_on = read_input(shoe, tcp);
    }
    work(shoe, tcp);
    return goes_on;
}

int run_on_tcp(struct posix_shoe *shoe, const struct options *options)
{
    static struct tcp tcp;
    const struct line line = tcp_line(&tcp);
    if (!tcp_address(&tcp, options->tcp)) {
        (void)fprintf(stderr, "shoe: --tcp %s: no HOST:PORT with an IPv4 address\n", options->tcp);
        return 2;
    }
    if (!tcp_listen(&tcp)) {
        (void)fprintf(stderr, "shoe: --tcp %s: %s\n", options->tcp, strerror(errno));
        return 1;
    }
    shoe->runner = &tcp;
    shoe->plug = plug;
    shoe->now_ms = clock_ms();
    if (!shoe_begin(shoe, options, &line)) {
        return 1;
    }
    (void)printf("{\"port\": \"socket://%s:%u\", \"settings\": %s}\n", tcp.host, (unsigned)tcp.port,
                 (shoe->tls == NULL) ? "{\"security\": \"plain\"}" : "{}");
    (void)fflush(stdout);
    work(shoe, &tcp);
    while (serve(shoe, &tcp)) {
    }
    return 0;
}
