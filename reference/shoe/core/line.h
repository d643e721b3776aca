/* The line, for the link: the port's owner provides these two functions. */
#ifndef LINE_H
#define LINE_H

#include "bytes.h"

struct line {
    void *context;
    size_t (*room)(void *context); /* bytes that `write` can take now; the link writes only whole frames */
    void (*write)(void *context, const uint8_t *bytes, size_t count); /* at most `room`; does not wait */
};

#endif
