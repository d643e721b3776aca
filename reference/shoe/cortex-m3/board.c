#include "board.h"

enum {
    CLOCK_HZ = 25000000,
    TICKS_PER_MS = CLOCK_HZ / 1000,
    BAUD = 115200,
    RECEIVED_BYTES = 512, /* powers of two */
    TO_SEND_BYTES = 512,
    CONTROL_BYTES = 64,
    SLEEP_MS_MAX = 10000,
};

/* --- registers of the board (Arm CMSDK: APB UART, APB timer) and of the core ----------------------------------- */

struct uart {
    volatile uint32_t data;
    volatile uint32_t state;
    volatile uint32_t control;
    volatile uint32_t interrupts; /* written with a bit: that one is over */
    volatile uint32_t divider;
};

struct timer {
    volatile uint32_t control;
    volatile uint32_t value; /* counts down */
    volatile uint32_t reload;
    volatile uint32_t interrupts;
};

enum { /* bits */
    STATE_SENDER_FULL = 1U << 0,
    STATE_RECEIVED = 1U << 1,
    CONTROL_SEND = 1U << 0,
    CONTROL_RECEIVE = 1U << 1,
    CONTROL_SEND_INTERRUPT = 1U << 2,
    CONTROL_RECEIVE_INTERRUPT = 1U << 3,
    INTERRUPT_SENT = 1U << 0,
    INTERRUPT_RECEIVED = 1U << 1,
    TIMER_RUNS = 1U << 0,
    TIMER_INTERRUPT = 1U << 3,
};

enum { /* numbers of interrupts: bits of the enable register */
    IRQ_UART0_RECEIVED = 1U << 0,
    IRQ_UART0_SENT = 1U << 1,
    IRQ_UART1_RECEIVED = 1U << 2,
    IRQ_TIMER1 = 1U << 9,
};

static struct timer *const TIMER0 = (struct timer *)0x40000000U;
static struct timer *const TIMER1 = (struct timer *)0x40001000U;
static struct uart *const UART0 = (struct uart *)0x40004000U;
static struct uart *const UART1 = (struct uart *)0x40005000U;
static volatile uint32_t *const INTERRUPT_ENABLE = (volatile uint32_t *)0xE000E100U;

static void forbid_interrupts(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}

static void allow_interrupts(void)
{
    __asm__ volatile("cpsie i" ::: "memory");
}

/* --- rings between interrupts and the loop --------------------------------------------------------------------- */

struct ring {
    uint8_t *bytes;
    uint16_t size;
    volatile uint16_t in; /* counted without end */
    volatile uint16_t out;
};

static uint8_t received_bytes[RECEIVED_BYTES];
static uint8_t to_send_bytes[TO_SEND_BYTES];
static uint8_t control_bytes[CONTROL_BYTES];
static struct ring received = {received_bytes, RECEIVED_BYTES, 0, 0};
static struct ring to_send = {to_send_bytes, TO_SEND_BYTES, 0, 0};
static struct ring control = {control_bytes, CONTROL_BYTES, 0, 0};

static uint16_t ring_count(const struct ring *ring)
{
    return (uint16_t)(ring->in - ring->out);
}

static void ring_put(struct ring *ring, uint8_t byte)
{
    ring->bytes[ring->in & (ring->size - 1U)] = byte;
    ring->in++;
}

static uint8_t ring_take(struct ring *ring)
{
    uint8_t byte = ring->bytes[ring->out & (ring->size - 1U)];
    ring->out++;
    return byte;
}

/* Move received bytes into the ring. A full ring leaves the byte in the UART and disables the interrupt until it is
 * read: bytes that come meanwhile are lost on a wire, and the link repeats them. */
static void receive_into(struct ring *ring, struct uart *uart)
{
    uart->interrupts = INTERRUPT_RECEIVED;
    while ((uart->state & STATE_RECEIVED) != 0U) {
        if (ring_count(ring) == ring->size) {
            uart->control &= ~(uint32_t)CONTROL_RECEIVE_INTERRUPT;
            return;
        }
        ring_put(ring, (uint8_t)uart->data);
    }
}

static size_t read_ring(struct ring *ring, struct uart *uart, uint8_t *bytes, size_t room)
{
    size_t count = 0;
    while ((count < room) && (ring_count(ring) > 0U)) {
        bytes[count] = ring_take(ring);
        count++;
    }
    if ((uart->control & CONTROL_RECEIVE_INTERRUPT) == 0U) {
        forbid_interrupts();
        uart->control |= CONTROL_RECEIVE_INTERRUPT;
        receive_into(ring, uart);
        allow_interrupts();
    }
    return count;
}

static void send_some(void)
{
    while ((ring_count(&to_send) > 0U) && ((UART0->state & STATE_SENDER_FULL) == 0U)) {
        UART0->data = ring_take(&to_send);
    }
}

void uart0_received(void);
void uart0_sent(void);
void uart1_received(void);
void timer1_over(void);

void uart0_received(void)
{
    receive_into(&received, UART0);
}

void uart0_sent(void)
{
    UART0->interrupts = INTERRUPT_SENT;
    send_some();
}

void uart1_received(void)
{
    receive_into(&control, UART1);
}

void timer1_over(void)
{
    TIMER1->control = 0;
    TIMER1->interrupts = 1;
}

/* --- for the program -------------------------------------------------------------------------------------------- */

void board_start(void)
{
    TIMER0->reload = UINT32_MAX;
    TIMER0->value = UINT32_MAX;
    TIMER0->control = TIMER_RUNS;
    UART0->divider = CLOCK_HZ / BAUD;
    UART0->control = CONTROL_SEND | CONTROL_RECEIVE | CONTROL_SEND_INTERRUPT | CONTROL_RECEIVE_INTERRUPT;
    UART1->divider = CLOCK_HZ / BAUD;
    UART1->control = CONTROL_SEND | CONTROL_RECEIVE | CONTROL_RECEIVE_INTERRUPT;
    *INTERRUPT_ENABLE = IRQ_UART0_RECEIVED | IRQ_UART0_SENT | IRQ_UART1_RECEIVED | IRQ_TIMER1;
    allow_interrupts();
}

uint32_t board_clock_ms(void)
{
    static uint32_t last = UINT32_MAX;
    static uint32_t ticks; /* less than a millisecond that is not counted yet */
    static uint32_t ms;
    uint32_t now = TIMER0->value;
    ticks += last - now;
    last = now;
    ms += ticks / TICKS_PER_MS;
    ticks %= TICKS_PER_MS;
    return ms;
}

void board_sleep(uint32_t until_ms)
{
    int32_t left_ms = (int32_t)(until_ms - board_clock_ms());
    if (left_ms <= 0) {
        return;
    }
    TIMER1->control = 0;
    TIMER1->value = (uint32_t)((left_ms < SLEEP_MS_MAX) ? left_ms : SLEEP_MS_MAX) * TICKS_PER_MS;
    TIMER1->control = TIMER_RUNS | TIMER_INTERRUPT;
    forbid_interrupts(); /* one that comes from here on ends the sleep, and runs after it */
    if ((ring_count(&received) == 0U) && (ring_count(&control) == 0U)) {
        __asm__ volatile("wfi" ::: "memory");
    }
    allow_interrupts();
}

static size_t line_room(void *context)
{
    (void)context;
    return (size_t)TO_SEND_BYTES - ring_count(&to_send);
}

static void write_line(void *context, const uint8_t *bytes, size_t count)
{
    (void)context;
    for (size_t i = 0; i < count; i++) {
        ring_put(&to_send, bytes[i]);
    }
    forbid_interrupts();
    send_some();
    allow_interrupts();
}

struct line board_line(void)
{
    return (struct line){NULL, line_room, write_line};
}

size_t board_read_line(uint8_t *bytes, size_t room)
{
    return read_ring(&received, UART0, bytes, room);
}

size_t board_read_control(uint8_t *bytes, size_t room)
{
    return read_ring(&control, UART1, bytes, room);
}

void board_write_control(const char *text)
{
    for (size_t i = 0; text[i] != '\0'; i++) {
        while ((UART1->state & STATE_SENDER_FULL) != 0U) {
        }
        UART1->data = (uint8_t)text[i];
    }
}

/* --- FRAM -------------------------------------------------------------------------------------------------------- */

static volatile uint8_t fram_bytes[FRAM_BYTES] __attribute__((section(".nonvolatile"), aligned(4)));

static void read_fram(void *context, uint32_t at, void *bytes, size_t count)
{
    (void)context;
    for (size_t i = 0; i < count; i++) {
        ((uint8_t *)bytes)[i] = fram_bytes[at + i];
    }
}

static void write_fram(void *context, uint32_t at, const void *bytes, size_t count)
{
    (void)context;
    for (size_t i = 0; i < count; i++) {
        fram_bytes[at + i] = ((const uint8_t *)bytes)[i];
    }
}

struct fram board_fram(void)
{
    return (struct fram){NULL, read_fram, write_fram};
}
