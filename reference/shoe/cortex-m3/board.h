/* The MPS2 board with application note 385: two UARTs, two timers, 25 MHz. */
#ifndef BOARD_H
#define BOARD_H

#include "../core/line.h"
#include "../core/memory.h"

void board_start(void);

/* Milliseconds since the start, of TIMER0, which runs freely. Call it more often than every 171 s. */
uint32_t board_clock_ms(void);

/* Sleep until something comes over a UART, or a sender has room again, or the time. */
void board_sleep(uint32_t until_ms);

/* UART0: the line to the host. */
struct line board_line(void);
size_t board_read_line(uint8_t *bytes, size_t room);

/* UART1: control lines, in place of a mechanism. */
size_t board_read_control(uint8_t *bytes, size_t room);
void board_write_control(const char *text);

/* The memory that keeps its bytes without power. */
struct fram board_fram(void);

#endif
