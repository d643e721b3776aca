/* Numbers and byte strings as the page writes them: high byte first (TDP section 7). */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void put_u16(uint8_t *to, uint16_t value);
void put_u32(uint8_t *to, uint32_t value);
uint16_t get_u16(const uint8_t *from);
uint32_t get_u32(const uint8_t *from);

void bytes_copy(void *to, const void *from, size_t count);
void bytes_fill(void *to, uint8_t value, size_t count);
bool bytes_equal(const void *one, const void *other, size_t count);

/* Compares two u64: below 0, 0 or above 0 as the first is smaller, equal or larger. */
int compare_u64(const uint8_t *one, const uint8_t *other);

/* True once `now_ms` has reached `due_ms`. Both wrap after 49 days; they must lie less than 24 days apart. */
bool has_come(uint32_t now_ms, uint32_t due_ms);

#endif
