/* TLS 1.3 by OpenSSL, and the device's key (TDP section 11). What the library allocates is not the core's. */
#ifndef TLS_H
#define TLS_H

#include "../core/memory.h"
#include "../core/security.h"

struct tls;

struct tls_files { /* PEM; NULL: not given */
    const char *certificate;
    const char *key;
    const char *authority;
    const char *revoked; /* X.509 CRL of the authority */
};

/* Read the files. NULL: `problem` has the reason. `memory` keeps the authority's time over power cuts. */
struct tls *tls_open(const struct tls_files *files, struct memory *memory, const char **problem);

/* The memory was opened: take the list of revoked certificates, if there is one. False: an older one than is known. */
bool tls_started(struct tls *tls);

struct security tls_security(struct tls *tls);

/* The signer of attestations, for `struct identity`; its context is what `key_open` returns. */
void *key_open(const char *path);
size_t key_sign(void *context, const uint8_t *bytes, size_t count, uint8_t *signature);

/* SHA-256 of a file. False: it cannot be read. */
bool digest_of_file(const char *path, uint8_t *digest);

#endif
