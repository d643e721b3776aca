/* Frames: how they are found on the line, and written to it (TDP section 3). */
#ifndef FRAME_H
#define FRAME_H

#include "bytes.h"

enum {
    PROTOCOL_VERSION = 1,
    FRAME_PAYLOAD_MAX = 224,
    FRAME_HEAD_BYTES = 6,
    FRAME_CHECK_BYTES = 4,
    FRAME_BYTES_MIN = FRAME_HEAD_BYTES + FRAME_CHECK_BYTES,
    FRAME_BYTES_MAX = FRAME_BYTES_MIN + FRAME_PAYLOAD_MAX,
    COBS_BYTES_MAX = FRAME_BYTES_MAX + 1, /* COBS adds one byte: no run reaches 254 */
    WIRE_BYTES_OVER_PAYLOAD = 13,         /* head, check, COBS and both delimiters */
    WIRE_BYTES_MAX = FRAME_PAYLOAD_MAX + WIRE_BYTES_OVER_PAYLOAD,
};

enum frame_kind {
    KIND_OPEN = 1,
    KIND_ACCEPT = 2,
    KIND_DATA = 3,
    KIND_ACK = 4,
    KIND_NAK = 5,
    KIND_RESET = 6,
};

struct frame {
    enum frame_kind kind;
    uint16_t session;
    uint8_t sequence;
    uint8_t acknowledgement;
    const uint8_t *payload; /* of a frame that was read: valid until the reader's next byte */
    uint8_t length;         /* of the payload, bytes */
};

enum frame_reading {
    READING_MORE,    /* nothing is complete */
    READING_FRAME,   /* a sound frame */
    READING_SKIPPED, /* bytes that are no frame */
};

struct frame_reader {
    uint8_t bytes[COBS_BYTES_MAX];
    uint8_t count;
    bool is_overlong;
};

/* Forget what has come: the line was lost, or is new. True if bytes were waiting, which are skipped by that. */
bool frame_reader_reset(struct frame_reader *reader);

/* Take a byte from the line. `frame` is written only if the answer is READING_FRAME. */
enum frame_reading frame_reader_put(struct frame_reader *reader, uint8_t byte, struct frame *frame);

/* Write a frame with both delimiters; `wire` has room for WIRE_BYTES_MAX. Return its bytes. */
size_t frame_write(const struct frame *frame, uint8_t *wire);

#endif
