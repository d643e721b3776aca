#include "bytes.h"

enum { U64_BYTES = 8 };

void put_u16(uint8_t *to, uint16_t value)
{
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

void put_u32(uint8_t *to, uint32_t value)
{
    put_u16(to, (uint16_t)(value >> 16));
    put_u16(&to[2], (uint16_t)value);
}

uint16_t get_u16(const uint8_t *from)
{
    return (uint16_t)(((uint32_t)from[0] << 8) | from[1]);
}

uint32_t get_u32(const uint8_t *from)
{
    return ((uint32_t)get_u16(from) << 16) | get_u16(&from[2]);
}

void bytes_copy(void *to, const void *from, size_t count)
{
    uint8_t *target = to;
    const uint8_t *source = from;
    for (size_t i = 0; i < count; i++) {
        target[i] = source[i];
    }
}

void bytes_fill(void *to, uint8_t value, size_t count)
{
    uint8_t *target = to;
    for (size_t i = 0; i < count; i++) {
        target[i] = value;
    }
}

bool bytes_equal(const void *one, const void *other, size_t count)
{
    const uint8_t *left = one;
    const uint8_t *right = other;
    for (size_t i = 0; i < count; i++) {
        if (left[i] != right[i]) {
            return false;
        }
    }
    return true;
}

int compare_u64(const uint8_t *one, const uint8_t *other)
{
    for (size_t i = 0; i < U64_BYTES; i++) {
        if (one[i] != other[i]) {
            return (one[i] < other[i]) ? -1 : 1;
        }
    }
    return 0;
}

bool has_come(uint32_t now_ms, uint32_t due_ms)
{
    return (int32_t)(now_ms - due_ms) >= 0;
}
