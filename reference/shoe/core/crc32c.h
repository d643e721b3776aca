/* The check of a frame (TDP section 3), and of a record in the device's own memory. */
#ifndef CRC32C_H
#define CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc32c(const uint8_t *bytes, size_t count);

#endif
