/* The whole shoe on POSIX, apart from where its time and its line come from. */
#ifndef POSIX_SHOE_H
#define POSIX_SHOE_H

#include "../hands/hands.h"
#include "options.h"
#include "store.h"
#include "tls.h"

enum { LINE_BYTES = 4096 }; /* of a control line: "load cards" with eight decks takes 1,300 */

struct posix_shoe {
    struct store store;
    struct fram fram;
    struct identity identity;
    struct tls *tls; /* NULL: plain */
    struct security security;
    struct line line;
    struct board board;
    struct device device;
    struct hands hands;
    uint32_t now_ms; /* the runner sets this before each call */
    uint32_t seed;

    void *runner;
    void (*plug)(void *runner, bool is_plugged);

    char typed[LINE_BYTES];
    size_t typed_count;
    bool is_too_long;
};

/* Put the shoe together and start it. False: a message was printed. */
bool shoe_begin(struct posix_shoe *shoe, const struct options *options, const struct line *line);

/* Take a byte of standard input. True: `typed` is a line, without its end, until the next byte. */
bool shoe_type(struct posix_shoe *shoe, char byte);

/* Run on a port in real time; or on the time and the line that standard input gives. Return the exit code. */
int run_on_port(struct posix_shoe *shoe, const struct options *options);
int run_on_given_time(struct posix_shoe *shoe, const struct options *options);

#endif
