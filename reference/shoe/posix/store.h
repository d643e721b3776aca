/* The FRAM and the world in a file that is mapped into memory: what was written outlives `kill -9`. */
#ifndef STORE_H
#define STORE_H

#include "../hands/world.h"

struct store {
    uint8_t *fram;
    struct world *world;
    bool is_new;
};

/* Map a file, made if it is not there; NULL: memory that ends with the process. False: errno says why. */
bool store_open(struct store *store, const char *path);

/* The FRAM, for the core. */
struct fram store_fram(struct store *store);

#endif
