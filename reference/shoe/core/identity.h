/* The device's identity: from the board, constant while it runs (TDP section 8, Hello). */
#ifndef IDENTITY_H
#define IDENTITY_H

#include "message.h"

struct identity {
    const char *maker; /* printable ASCII, at most 24 characters, as all texts */
    const char *model;
    const char *serial;
    const char *firmware_version;
    uint16_t hardware_revision;
    uint32_t security_counter;
    uint8_t image_digest[DIGEST_BYTES]; /* SHA-256 of the image that runs */

    /* Sign with the device's key; return the signature's bytes, at most SIGNATURE_MAX, or 0 if it cannot be done.
     * NULL: the board has no key, and the device does not attest. */
    size_t (*sign)(void *context, const uint8_t *bytes, size_t count, uint8_t *signature);
    void *sign_context;
};

#endif
