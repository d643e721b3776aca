#include "tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    BACKLOG = 4,
    PORT_MAX = 65535,
    DECIMAL = 10,
};

bool tcp_address(struct tcp *tcp, const char *text)
{
    const char *colon = strrchr(text, ':');
    struct in_addr address;
    char *end = NULL;
    if ((colon == NULL) || (colon == text) || ((size_t)(colon - text) >= sizeof tcp->host)) {
        return false;
    }
    memcpy(tcp->host, text, (size_t)(colon - text));
    tcp->host[colon - text] = '\0';
    long port = strtol(colon + 1, &end, DECIMAL);
    if ((colon[1] < '0') || (colon[1] > '9') || (*end != '\0') || (port > PORT_MAX)) {
        return false;
    }
    tcp->port = (uint16_t)port;
    tcp->listener = -1;
    tcp->connection = -1;
    tcp->out_count = 0;
    return inet_pton(AF_INET, tcp->host, &address) == 1;
}

bool tcp_listen(struct tcp *tcp)
{
    const int yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(tcp->port)};
    socklen_t bytes = sizeof address;
    (void)inet_pton(AF_INET, tcp->host, &address.sin_addr);
    tcp->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if ((tcp->listener < 0) || (setsockopt(tcp->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0) ||
        (bind(tcp->listener, (const struct sockaddr *)&address, sizeof address) != 0) ||
        (listen(tcp->listener, BACKLOG) != 0) ||
        (getsockname(tcp->listener, (struct sockaddr *)&address, &bytes) != 0)) {
        return false;
    }
    tcp->port = ntohs(address.sin_port);
    return true;
}

static void hang_up(struct tcp *tcp)
{
    if (tcp->connection >= 0) {
        (void)close(tcp->connection);
        tcp->connection = -1;
    }
    tcp->out_count = 0;
}

void tcp_unplug(struct tcp *tcp)
{
    hang_up(tcp);
    (void)close(tcp->listener);
    tcp->listener = -1;
}

bool tcp_accept(struct tcp *tcp)
{
    const int yes = 1;
    int connection = accept4(tcp->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (connection < 0) {
        return false; /* closed before it was accepted */
    }
    bool replaces = (tcp->connection >= 0);
    hang_up(tcp);
    (void)setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    tcp->connection = connection;
    return replaces;
}

long tcp_read(struct tcp *tcp, uint8_t *bytes, size_t room)
{
    ssize_t count = recv(tcp->connection, bytes, room, 0);
    if (count > 0) {
        return count;
    }
    if ((count < 0) && ((errno == EAGAIN) || (errno == EINTR))) {
        return 0;
    }
    hang_up(tcp);
    return -1;
}

void tcp_flush(struct tcp *tcp)
{
    if ((tcp->connection < 0) || (tcp->out_count == 0U)) {
        tcp->out_count = 0;
        return;
    }
    ssize_t sent = send(tcp->connection, tcp->out, tcp->out_count, MSG_NOSIGNAL);
    if (sent > 0) {
        tcp->out_count -= (size_t)sent;
        memmove(tcp->out, &tcp->out[sent], tcp->out_count);
    }
}

static size_t room(void *context)
{
    const struct tcp *tcp = context;
    return sizeof tcp->out - tcp->out_count;
}

static void write_line(void *context, const uint8_t *bytes, size_t count)
{
    struct tcp *tcp = context;
    memcpy(&tcp->out[tcp->out_count], bytes, count);
    tcp->out_count += count;
}

struct line tcp_line(struct tcp *tcp)
{
    return (struct line){tcp, room, write_line};
}
