#include "frame.h"

#include "crc32c.h"

enum {
    DELIMITER = 0,
    AT_VERSION = 0,
    AT_KIND = 1,
    AT_SESSION = 2,
    AT_SEQUENCE = 4,
    AT_ACKNOWLEDGEMENT = 5,
    AT_PAYLOAD = FRAME_HEAD_BYTES,
};

bool frame_reader_reset(struct frame_reader *reader)
{
    bool was_waiting = (reader->count > 0U) || reader->is_overlong;
    reader->count = 0;
    reader->is_overlong = false;
    return was_waiting;
}

/* Undo COBS in place. Return the bytes that are left, 0 if it was none. */
static size_t undo_cobs(uint8_t *bytes, size_t count)
{
    size_t from = 0;
    size_t to = 0;
    while (from < count) {
        size_t run = bytes[from];
        if (from + run > count) {
            return 0;
        }
        for (size_t i = 1; i < run; i++) {
            bytes[to] = bytes[from + i];
            to++;
        }
        from += run;
        if (from < count) {
            bytes[to] = 0;
            to++;
        }
    }
    return to;
}

/* The tests of section 3 from the second on, in their order. */
static bool is_sound(uint8_t *bytes, size_t count, size_t *length)
{
    size_t whole = undo_cobs(bytes, count);
    if (whole < (size_t)FRAME_BYTES_MIN) {
        return false;
    }
    size_t checked = whole - FRAME_CHECK_BYTES;
    if (crc32c(bytes, checked) != get_u32(&bytes[checked])) {
        return false;
    }
    *length = checked - FRAME_HEAD_BYTES;
    return (bytes[AT_VERSION] == PROTOCOL_VERSION) && (bytes[AT_KIND] >= KIND_OPEN) && (bytes[AT_KIND] <= KIND_RESET);
}

static enum frame_reading end_of_run(struct frame_reader *reader, struct frame *frame)
{
    size_t count = reader->count;
    bool was_overlong = reader->is_overlong;
    size_t length = 0;
    (void)frame_reader_reset(reader);
    if (was_overlong || (count == 0U)) {
        return READING_MORE; /* skipped as it came; or two delimiters */
    }
    if (!is_sound(reader->bytes, count, &length)) {
        return READING_SKIPPED;
    }
    frame->kind = (enum frame_kind)reader->bytes[AT_KIND];
    frame->session = get_u16(&reader->bytes[AT_SESSION]);
    frame->sequence = reader->bytes[AT_SEQUENCE];
    frame->acknowledgement = reader->bytes[AT_ACKNOWLEDGEMENT];
    frame->payload = &reader->bytes[AT_PAYLOAD];
    frame->length = (uint8_t)length;
    return READING_FRAME;
}

enum frame_reading frame_reader_put(struct frame_reader *reader, uint8_t byte, struct frame *frame)
{
    if (byte == DELIMITER) {
        return end_of_run(reader, frame);
    }
    if (!reader->is_overlong && (reader->count < COBS_BYTES_MAX)) {
        reader->bytes[reader->count] = byte;
        reader->count++;
        return READING_MORE;
    }
    reader->is_overlong = true;
    return READING_SKIPPED; /* with the 236th byte, and with each after it */
}

size_t frame_write(const struct frame *frame, uint8_t *wire)
{
    uint8_t bytes[FRAME_BYTES_MAX];
    bytes[AT_VERSION] = PROTOCOL_VERSION;
    bytes[AT_KIND] = (uint8_t)frame->kind;
    put_u16(&bytes[AT_SESSION], frame->session);
    bytes[AT_SEQUENCE] = frame->sequence;
    bytes[AT_ACKNOWLEDGEMENT] = frame->acknowledgement;
    bytes_copy(&bytes[AT_PAYLOAD], frame->payload, frame->length);
    size_t checked = (size_t)FRAME_HEAD_BYTES + frame->length;
    put_u32(&bytes[checked], crc32c(bytes, checked));

    size_t run_at = 1;
    size_t to = 2;
    wire[0] = DELIMITER;
    for (size_t i = 0; i < checked + FRAME_CHECK_BYTES; i++) {
        if (bytes[i] != 0U) {
            wire[to] = bytes[i];
        } else {
            wire[run_at] = (uint8_t)(to - run_at);
            run_at = to;
        }
        to++;
    }
    wire[run_at] = (uint8_t)(to - run_at);
    wire[to] = DELIMITER;
    return to + 1U;
}
