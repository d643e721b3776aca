/* A line over TCP (TDP section 2): one connection; a newer one replaces the older. */
#ifndef TCP_H
#define TCP_H

#include "../core/line.h"

enum { TCP_OUT_BYTES = 4096 };

struct tcp {
    char host[64];
    uint16_t port;
    int listener;   /* -1: unplugged */
    int connection; /* -1: none */
    uint8_t out[TCP_OUT_BYTES];
    size_t out_count;
};

/* Read HOST:PORT, an IPv4 address of this machine. False: it is none. */
bool tcp_address(struct tcp *tcp, const char *text);

bool tcp_listen(struct tcp *tcp); /* false: errno says why; `port` is the true one afterwards */
void tcp_unplug(struct tcp *tcp);
struct line tcp_line(struct tcp *tcp);

/* Take a connection. True if it replaces one, which is lost. */
bool tcp_accept(struct tcp *tcp);

/* Read what is there. Return the bytes; -1: the connection is lost. */
long tcp_read(struct tcp *tcp, uint8_t *bytes, size_t room);

void tcp_flush(struct tcp *tcp); /* a closed connection is noticed by the next read */

#endif
