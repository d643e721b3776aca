/* The layer between the link's stream and the messages: none, or TLS 1.3 (TDP section 11).
 *
 * The core uses this interface only. `PLAIN` is for bring-up; posix/tls.c is an implementation by OpenSSL.
 */
#ifndef SECURITY_H
#define SECURITY_H

#include "link.h"

enum {
    SECURITY_PLAIN = 0,
    SECURITY_TLS_1_3 = 1,
};

enum security_state {
    SECURITY_OPENING, /* the host is not verified: no message passes */
    SECURITY_UP,
    SECURITY_FAILED, /* close the session */
};

struct security {
    void *context;
    uint8_t number;               /* byte 4 of OPEN */
    void (*begin)(void *context); /* a session is established: forget the one before */
    enum security_state (*work)(void *context, struct link *link, uint32_t now_ms);
    size_t (*read)(void *context, struct link *link, uint8_t *bytes, size_t room);
    size_t (*space)(void *context, const struct link *link); /* bytes that `write` takes now */
    void (*write)(void *context, struct link *link, const uint8_t *bytes, size_t count);
};

extern const struct security PLAIN;

#endif
