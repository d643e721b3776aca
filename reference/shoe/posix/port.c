#include "port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

enum {
    BACKLOG = 4,
    PORT_MAX = 65535,
    DECIMAL = 10,
    USUAL_BAUD = 115200,
};

static bool print_error(const char *what, const char *why)
{
    (void)fprintf(stderr, "shoe: %s: %s\n", what, why);
    return false;
}

/* --- TCP ------------------------------------------------------------------------------------------------------ */

/* Read HOST:PORT, an IPv4 address of this machine. */
static bool read_address(struct port *port, const char *text)
{
    const char *colon = strrchr(text, ':');
    struct in_addr address;
    char *end = NULL;
    if ((colon == NULL) || (colon == text) || ((size_t)(colon - text) >= sizeof port->host)) {
        return false;
    }
    memcpy(port->host, text, (size_t)(colon - text));
    port->host[colon - text] = '\0';
    long number = strtol(colon + 1, &end, DECIMAL);
    port->number = (uint16_t)number;
    return (colon[1] >= '0') && (colon[1] <= '9') && (*end == '\0') && (number <= PORT_MAX) &&
           (inet_pton(AF_INET, port->host, &address) == 1);
}

/* Listen; `number` is the true one afterwards. */
static bool begin_to_listen(struct port *port)
{
    const int yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port->number)};
    socklen_t bytes = sizeof address;
    (void)inet_pton(AF_INET, port->host, &address.sin_addr);
    port->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if ((port->listener < 0) || (setsockopt(port->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0) ||
        (bind(port->listener, (const struct sockaddr *)&address, sizeof address) != 0) ||
        (listen(port->listener, BACKLOG) != 0) ||
        (getsockname(port->listener, (struct sockaddr *)&address, &bytes) != 0)) {
        return false;
    }
    port->number = ntohs(address.sin_port);
    return true;
}

bool port_accept(struct port *port)
{
    const int yes = 1;
    int connection = accept4(port->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (connection < 0) {
        return false; /* closed before it was accepted */
    }
    bool replaces = (port->connection >= 0);
    if (replaces) {
        (void)close(port->connection);
    }
    port->out_count = 0;
    (void)setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    port->connection = connection;
    return replaces;
}

/* --- terminals ------------------------------------------------------------------------------------------------ */

/* The system's code of a speed; 0: the usual one. B0: it has none. */
static speed_t code_of(uint32_t baud)
{
    static const struct {
        uint32_t baud;
        speed_t code;
    } SPEEDS[] = {
        {9600, B9600},     {19200, B19200},   {38400, B38400},   {57600, B57600},     {115200, B115200},
        {230400, B230400}, {460800, B460800}, {921600, B921600}, {1000000, B1000000},
    };
    for (size_t i = 0; i < sizeof SPEEDS / sizeof SPEEDS[0]; i++) {
        if (SPEEDS[i].baud == ((baud == 0U) ? (uint32_t)USUAL_BAUD : baud)) {
            return SPEEDS[i].code;
        }
    }
    return B0;
}

/* 8 data bits, no parity, 1 stop bit, no flow control (section 2). */
static bool set_terminal(int terminal, uint32_t baud)
{
    struct termios settings;
    if (tcgetattr(terminal, &settings) != 0) {
        return false;
    }
    cfmakeraw(&settings);
    settings.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    settings.c_cflag |= CLOCAL | CREAD;
    return (cfsetspeed(&settings, code_of(baud)) == 0) && (tcsetattr(terminal, TCSANOW, &settings) == 0);
}

/* A link from PATH to the host's end; one of a process that was killed is replaced. */
static bool link_pseudo_terminal(const char *name, const char *path)
{
    struct stat found;
    if ((lstat(path, &found) == 0) && S_ISLNK(found.st_mode)) {
        (void)unlink(path);
    }
    return symlink(name, path) == 0;
}

static int make_pseudo_terminal(const struct options *options)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if ((terminal < 0) || (grantpt(terminal) != 0) || (unlockpt(terminal) != 0)) {
        return -1;
    }
    const char *name = ptsname(terminal);
    int host_end = (name == NULL) ? -1 : open(name, O_RDWR | O_NOCTTY | O_CLOEXEC); /* open: a host may come and go */
    bool is_ready = (host_end >= 0) && set_terminal(host_end, options->baud) && link_pseudo_terminal(name, options->pty);
    return is_ready ? terminal : -1;
}

static int open_terminal(const struct options *options)
{
    int terminal = open(options->tty, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    return ((terminal >= 0) && set_terminal(terminal, options->baud)) ? terminal : -1;
}

/* --- both ----------------------------------------------------------------------------------------------------- */

static bool is_tcp(const struct port *port)
{
    return port->options->tcp != NULL;
}

bool port_open(struct port *port, const struct options *options)
{
    *port = (struct port){.options = options, .listener = -1, .terminal = -1, .connection = -1};
    if (is_tcp(port)) {
        if (!read_address(port, options->tcp)) {
            return print_error(options->tcp, "no HOST:PORT with an IPv4 address");
        }
        return begin_to_listen(port) || print_error(options->tcp, strerror(errno));
    }
    if (code_of(options->baud) == B0) {
        return print_error("--baud", "a serial line has 9600, 19200, 38400, 57600, 115200 ... or 1000000");
    }
    bool is_pseudo = (options->pty != NULL);
    port->terminal = is_pseudo ? make_pseudo_terminal(options) : open_terminal(options);
    port->connection = port->terminal;
    return (port->terminal >= 0) || print_error(is_pseudo ? options->pty : options->tty, strerror(errno));
}

void port_unplug(struct port *port)
{
    if (is_tcp(port)) {
        if (port->connection >= 0) {
            (void)close(port->connection);
        }
        (void)close(port->listener);
        port->listener = -1;
    }
    port->connection = -1;
    port->out_count = 0;
}

bool port_plug(struct port *port)
{
    uint8_t lost[PORT_OUT_BYTES];
    if (is_tcp(port)) {
        return begin_to_listen(port);
    }
    if (port->options->tty != NULL) { /* another adapter, perhaps */
        (void)close(port->terminal);
        port->terminal = open_terminal(port->options);
    }
    if (port->terminal < 0) {
        return false;
    }
    while (read(port->terminal, lost, sizeof lost) > 0) {
        /* bytes that the host sent into the open cable */
    }
    port->connection = port->terminal;
    return true;
}

void port_print_name(const struct port *port)
{
    if (is_tcp(port)) {
        (void)printf("socket://%s:%u", port->host, (unsigned)port->number);
    } else {
        (void)fputs((port->options->pty != NULL) ? port->options->pty : port->options->tty, stdout);
    }
}

long port_read(struct port *port, uint8_t *bytes, size_t room)
{
    ssize_t count = read(port->connection, bytes, room);
    if (count > 0) {
        return count;
    }
    if ((count < 0) && ((errno == EAGAIN) || (errno == EINTR))) {
        return 0;
    }
    if (is_tcp(port)) {
        (void)close(port->connection);
    }
    port->connection = -1;
    port->out_count = 0;
    return -1;
}

void port_flush(struct port *port)
{
    if ((port->connection < 0) || (port->out_count == 0U)) {
        port->out_count = 0;
        return;
    }
    ssize_t sent = write(port->connection, port->out, port->out_count);
    if (sent > 0) {
        port->out_count -= (size_t)sent;
        memmove(port->out, &port->out[sent], port->out_count);
    }
}

static size_t room(void *context)
{
    const struct port *port = context;
    return sizeof port->out - port->out_count;
}

static void write_line(void *context, const uint8_t *bytes, size_t count)
{
    struct port *port = context;
    memcpy(&port->out[port->out_count], bytes, count);
    port->out_count += count;
}

struct line port_line(struct port *port)
{
    return (struct line){port, room, write_line};
}
