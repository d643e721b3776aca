/* From reset to `main`, and what the compiler may call. */
#include "../core/bytes.h"

extern uint32_t data_image[];
extern uint32_t data_begin[];
extern uint32_t data_end[];
extern uint32_t bss_begin[];
extern uint32_t bss_end[];
extern uint32_t stack_top[];

int main(void);
void uart0_received(void);
void uart0_sent(void);
void uart1_received(void);
void timer1_over(void);
void reset(void);
void *memcpy(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);

void *memcpy(void *to, const void *from, size_t count)
{
    bytes_copy(to, from, count);
    return to;
}

void *memset(void *to, int value, size_t count)
{
    bytes_fill(to, (uint8_t)value, count);
    return to;
}

static void stop(void) /* a fault of the core: nothing moves, and the mouth stays locked */
{
    for (;;) {
    }
}

void reset(void)
{
    bytes_copy(data_begin, data_image, (size_t)((uintptr_t)data_end - (uintptr_t)data_begin));
    bytes_fill(bss_begin, 0, (size_t)((uintptr_t)bss_end - (uintptr_t)bss_begin));
    (void)main();
    stop();
}

typedef void (*vector)(void);

/* The table of the core's exceptions, then the board's interrupts 0 to 9. */
__attribute__((section(".vectors"), used)) static const struct {
    const uint32_t *stack;
    vector exceptions[15];
    vector interrupts[10];
} VECTORS = {
    .stack = stack_top,
    .exceptions = {reset, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop},
    .interrupts = {uart0_received, uart0_sent, uart1_received, stop, stop, stop, stop, stop, stop, timer1_over},
};
