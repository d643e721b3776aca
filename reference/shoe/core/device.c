#include "device.h"

enum {
    SECOND_MS = 1000,
    HELLO_BYTES = 147,
    HEARTBEAT_BYTES = 17,
    SESSION_NUMBERS = 255, /* D: 1 to 255 */
    BOOT_STEP = 89,        /* has no divisor in common with 255: each of 255 starts begins with another number */
};

_Static_assert((size_t)ANSWER_BYTES_MAX <= (size_t)STREAM_OUT_BYTES, "an answer must find room in an empty stream");

bool device_start(struct device *device, const struct board *board, uint32_t now_ms)
{
    bytes_fill(device, 0, sizeof *device);
    device->board = board;
    device->second_ms = now_ms;
    if (memory_open(&device->memory, board->fram) == MEMORY_DAMAGED) {
        return false;
    }
    shoe_start(&device->shoe, &device->memory, &board->sensors, board->reason);
    commands_start(&device->commands, board->identity, &device->shoe);
    uint32_t start = (board->chance % SESSION_NUMBERS) + ((device->memory.kept.boot % SESSION_NUMBERS) * BOOT_STEP);
    const struct link_settings settings = {
        .security = board->security->number,
        .baud = board->baud,
        .first_number = (uint8_t)(1U + (start % SESSION_NUMBERS)),
    };
    link_start(&device->link, board->line, &settings);
    return true;
}

/* --- sending -------------------------------------------------------------------------------------------------- */

static bool has_space(const struct device *device, size_t count)
{
    const struct security *security = device->board->security;
    return security->space(security->context, &device->link) >= count;
}

static void send_message(struct device *device, const uint8_t *bytes, size_t count)
{
    const struct security *security = device->board->security;
    security->write(security->context, &device->link, bytes, count);
}

static uint32_t capabilities(const struct identity *identity)
{
    uint32_t bits = CAN_READ_CARDS | CAN_COUNT_CARDS | CAN_DETECT_CUT_CARD | CAN_LOCK | CAN_KEEP_EVENTS |
                    CAN_REMEMBER_ROOTS;
    return (identity->sign != NULL) ? (bits | CAN_ATTEST) : bits;
}

static void send_hello(struct device *device)
{
    const struct identity *identity = device->board->identity;
    uint8_t bytes[HELLO_BYTES];
    struct message message;
    message_begin(&message, bytes, REPORT_HELLO);
    message_u8(&message, MESSAGE_VERSION);
    message_text(&message, identity->maker);
    message_text(&message, identity->model);
    message_text(&message, identity->serial);
    message_u16(&message, identity->hardware_revision);
    message_text(&message, identity->firmware_version);
    message_bytes(&message, identity->image_digest, DIGEST_BYTES);
    message_u32(&message, identity->security_counter);
    message_u32(&message, device->memory.kept.boot);
    message_u8(&message, (uint8_t)device->board->reason);
    message_u32(&message, capabilities(identity));
    send_message(device, bytes, message_end(&message));
}

static void send_heartbeat(struct device *device, uint32_t now_ms)
{
    uint8_t bytes[HEARTBEAT_BYTES];
    struct message message;
    message_begin(&message, bytes, REPORT_HEARTBEAT);
    message_u32(&message, device->uptime_s);
    message_u32(&message, device->memory.kept.boot);
    message_u32(&message, device->memory.kept.number);
    message_u16(&message, (uint16_t)memory_pending(&device->memory));
    send_message(device, bytes, message_end(&message));
    device->beat_ms = now_ms;
}

/* Events first, in order; then Status, if they or anything else have changed it. */
static void send_events(struct device *device)
{
    const struct kept *kept = &device->memory.kept;
    if ((int32_t)(device->next_event - kept->first) < 0) {
        device->next_event = kept->first; /* the host has acknowledged what it knew from before */
    }
    while ((device->next_event != kept->next) && has_space(device, EVENT_BYTES)) {
        uint8_t bytes[EVENT_BYTES];
        size_t count = memory_event(&device->memory, device->next_event, bytes);
        send_message(device, bytes, count);
        device->next_event++;
    }
}

static bool has_sent_events(const struct device *device)
{
    return device->next_event == device->memory.kept.next;
}

static void send_status(struct device *device)
{
    uint8_t bytes[STATUS_BYTES];
    shoe_status(&device->shoe, bytes);
    if (!bytes_equal(bytes, device->status, sizeof bytes) && has_space(device, sizeof bytes)) {
        bytes_copy(device->status, bytes, sizeof bytes);
        send_message(device, bytes, sizeof bytes);
    }
}

/* Section 8, "At the start of a session": each step once, as soon as there is room for it. */
static void send_greeting(struct device *device, uint32_t now_ms)
{
    if ((device->greeting == GREETING_HELLO) && has_space(device, HELLO_BYTES)) {
        send_hello(device);
        device->greeting = GREETING_STATUS;
    }
    if ((device->greeting == GREETING_STATUS) && has_space(device, STATUS_BYTES)) {
        send_status(device); /* always differs: the stored one was emptied */
        device->greeting = GREETING_EVENTS;
    }
    if (device->greeting == GREETING_EVENTS) {
        send_events(device);
        if (has_sent_events(device) && has_space(device, HEARTBEAT_BYTES)) {
            send_heartbeat(device, now_ms);
            device->greeting = GREETING_OVER;
        }
    }
}

static void send_reports(struct device *device, uint32_t now_ms)
{
    send_greeting(device, now_ms);
    if (device->greeting != GREETING_OVER) {
        return;
    }
    send_events(device);
    if (has_sent_events(device)) {
        send_status(device);
    }
    if (has_come(now_ms, device->beat_ms + SECOND_MS) && has_space(device, HEARTBEAT_BYTES)) {
        send_heartbeat(device, now_ms);
    }
}

/* --- reading -------------------------------------------------------------------------------------------------- */

static void take_message(struct device *device)
{
    uint8_t answer[ANSWER_BYTES_MAX];
    size_t count = commands_take(&device->commands, device->reader.bytes, device->reader.count, answer);
    send_message(device, answer, count);
}

/* Read messages as long as an answer would find room: what stays unread stays in the link, which then takes no more. */
static void read_messages(struct device *device, uint32_t now_ms)
{
    const struct security *security = device->board->security;
    uint8_t byte;
    while ((device->greeting > GREETING_STATUS) && has_space(device, ANSWER_BYTES_MAX) &&
           (security->read(security->context, &device->link, &byte, 1) == 1U)) {
        enum record_reading reading = record_reader_put(&device->reader, byte);
        if (reading == RECORD_IMPOSSIBLE) {
            link_close(&device->link);
            return;
        }
        if (reading == RECORD_MESSAGE) {
            take_message(device);
            send_reports(device, now_ms);
        }
    }
}

/* --- sessions ------------------------------------------------------------------------------------------------- */

/* A session has ended, in any way, or another is established: the permit ends with it. */
static void follow_session(struct device *device)
{
    uint32_t session = link_is_open(&device->link) ? device->link.sessions : 0U;
    if (session == device->session) {
        return;
    }
    shoe_lock(&device->shoe);
    device->session = session;
    device->greeting = GREETING_HELLO;
    device->next_event = device->memory.kept.first;
    record_reader_reset(&device->reader);
    bytes_fill(device->status, 0, sizeof device->status);
    device->board->security->begin(device->board->security->context);
}

static void run_application(struct device *device, uint32_t now_ms)
{
    const struct security *security = device->board->security;
    follow_session(device);
    if (device->session == 0U) {
        return;
    }
    enum security_state state = security->work(security->context, &device->link, now_ms);
    if (state == SECURITY_UP) {
        send_reports(device, now_ms);
        read_messages(device, now_ms);
        state = security->work(security->context, &device->link, now_ms);
    }
    if (state == SECURITY_FAILED) {
        link_close(&device->link);
    }
    follow_session(device);
}

static void count_seconds(struct device *device, uint32_t now_ms)
{
    while (has_come(now_ms, device->second_ms + SECOND_MS)) {
        device->second_ms += SECOND_MS;
        device->uptime_s++;
    }
}

void device_receive(struct device *device, const uint8_t *bytes, size_t count, uint32_t now_ms)
{
    link_begin_batch(&device->link);
    for (size_t i = 0; i < count; i++) {
        if (link_put(&device->link, bytes[i], now_ms)) {
            run_application(device, now_ms); /* at once: a RESET behind this frame would drop what it brought */
        }
    }
}

void device_line_lost(struct device *device, uint32_t now_ms)
{
    link_line_lost(&device->link);
    run_application(device, now_ms);
}

void device_work(struct device *device, uint32_t now_ms)
{
    count_seconds(device, now_ms);
    link_tick(&device->link, now_ms);
    run_application(device, now_ms);
    link_send(&device->link, now_ms);
}

uint32_t device_due_ms(const struct device *device, uint32_t now_ms)
{
    uint32_t due_ms = link_due_ms(&device->link, now_ms);
    uint32_t beat_ms = device->beat_ms + SECOND_MS;
    bool beats = (device->session != 0U) && (device->greeting == GREETING_OVER);
    return (beats && has_come(due_ms, beat_ms)) ? beat_ms : due_ms;
}
