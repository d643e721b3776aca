/* The line of the POSIX build (TDP section 2): TCP, where a newer connection replaces the older; a serial port; or a
 * pseudo terminal in its place.
 */
#ifndef PORT_H
#define PORT_H

#include "options.h"
#include "../core/line.h"

enum { PORT_OUT_BYTES = 4096 };

struct port {
    const struct options *options;
    char host[64];
    uint16_t number;
    int listener;   /* of TCP; -1: none, or unplugged */
    int terminal;   /* -1: TCP, or the adapter is away */
    int connection; /* -1: none */
    uint8_t out[PORT_OUT_BYTES];
    size_t out_count;
};

/* Open the port that the options name. False: a message was printed. */
bool port_open(struct port *port, const struct options *options);

/* Pull the cable, and put it in again. False: errno has the reason. */
void port_unplug(struct port *port);
bool port_plug(struct port *port);

/* Print the port's name as `cardshoe` takes it. */
void port_print_name(const struct port *port);

struct line port_line(struct port *port);

/* Take a connection. True if it replaces one, which is lost. */
bool port_accept(struct port *port);

/* Read what is there. Return the bytes; -1: the connection is lost. */
long port_read(struct port *port, uint8_t *bytes, size_t room);

void port_flush(struct port *port); /* a closed connection is noticed by the next read */

#endif
