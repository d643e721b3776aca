#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OWNER_ONLY = 0600,
    STORE_BYTES = FRAM_BYTES + sizeof(struct world),
};

static void read_fram(void *context, uint32_t at, void *bytes, size_t count)
{
    bytes_copy(bytes, &((const uint8_t *)context)[at], count);
}

static void write_fram(void *context, uint32_t at, const void *bytes, size_t count)
{
    volatile uint8_t *to = &((volatile uint8_t *)context)[at]; /* in order: a kill may come between any two bytes */
    for (size_t i = 0; i < count; i++) {
        to[i] = ((const uint8_t *)bytes)[i];
    }
}

struct fram store_fram(struct store *store)
{
    return (struct fram){store->fram, read_fram, write_fram};
}

static int open_sized(const char *path, bool *is_new)
{
    struct stat found;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, OWNER_ONLY);
    if ((file < 0) || (fstat(file, &found) != 0)) {
        return -1;
    }
    *is_new = (found.st_size == 0);
    if (!*is_new && (found.st_size != STORE_BYTES)) {
        errno = EINVAL; /* a file of something else: it must not be overwritten */
        return -1;
    }
    return (ftruncate(file, STORE_BYTES) == 0) ? file : -1;
}

bool store_open(struct store *store, const char *path)
{
    int file = -1;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    store->is_new = true;
    if (path != NULL) {
        file = open_sized(path, &store->is_new);
        flags = MAP_SHARED;
        if (file < 0) {
            return false;
        }
    }
    uint8_t *bytes = mmap(NULL, STORE_BYTES, PROT_READ | PROT_WRITE, flags, file, 0);
    if (bytes == MAP_FAILED) {
        return false;
    }
    store->fram = bytes;
    store->world = (struct world *)(void *)&bytes[FRAM_BYTES];
    return true;
}
