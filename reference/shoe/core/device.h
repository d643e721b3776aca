/* The device: link, security, memory, shoe and commands together, and the order of reports (TDP sections 8 and 12).
 *
 * A board calls these four functions, from one thread: a read of the port, a lost line, and time. None waits.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include "commands.h"
#include "link.h"
#include "security.h"

struct board { /* all of it must outlive the device */
    const struct line *line;
    const struct security *security;
    const struct fram *fram;
    const struct identity *identity;
    uint32_t baud;        /* of a line slower than 115200; 0: any other */
    uint32_t chance;      /* any number, for session numbers; 0: no source, then the boot count alone decides */
    enum boot_reason reason;
    struct sensors sensors;
};

enum greeting {
    GREETING_HELLO,
    GREETING_STATUS,
    GREETING_EVENTS,
    GREETING_OVER,
};

struct device {
    const struct board *board;
    struct link link;
    struct memory memory;
    struct shoe shoe;
    struct commands commands;

    uint32_t session; /* `link.sessions` at the last call; 0: none */
    enum greeting greeting;
    struct record_reader reader;
    uint32_t next_event; /* to be sent in this session */
    uint8_t status[STATUS_BYTES]; /* as it was last sent in this session */

    uint32_t uptime_s;
    uint32_t second_ms; /* when the last second of the uptime was over */
    uint32_t beat_ms; /* of the last Heartbeat */
};

/* Start. False: the memory is damaged. The device must not run, for its reported events are unknown. */
bool device_start(struct device *device, const struct board *board, uint32_t now_ms);

/* A read of the port brought these bytes. */
void device_receive(struct device *device, const uint8_t *bytes, size_t count, uint32_t now_ms);

void device_line_lost(struct device *device, uint32_t now_ms);

/* Do what time and the mechanism have brought about, and send. Call it after every other call, and when it is due. */
void device_work(struct device *device, uint32_t now_ms);
uint32_t device_due_ms(const struct device *device, uint32_t now_ms);

#endif
