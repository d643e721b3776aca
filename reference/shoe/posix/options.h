/* The options of the POSIX build. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "tls.h"

struct options {
    const char *tcp;    /* HOST:PORT to listen at */
    const char *tty;    /* serial port */
    const char *pty;    /* link to a pseudo terminal, which is made */
    bool is_given_time; /* the time comes from standard input, and the line as well */
    const char *keep;   /* file of what outlives power; NULL: nothing outlives the process */
    const char *serial;
    uint32_t baud; /* of a line slower than 115200; 0: any other */
    uint32_t seed; /* of session numbers and shuffles; 0: of the system's chance */
    struct tls_files files;
};

/* Read them. False: a message was printed. */
bool options_read(struct options *options, int count, char **words);

#endif
