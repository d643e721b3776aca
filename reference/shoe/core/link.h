/* The device's end of the link: sessions, and a reliable stream of bytes in each (TDP sections 4 to 6).
 *
 * It owns no clock: the time is an argument, in milliseconds, from any beginning. It sends nothing while it reads:
 * `link_send` does, so that an answer of the application and an acknowledgement share a frame.
 */
#ifndef LINK_H
#define LINK_H

#include "frame.h"
#include "line.h"

enum {
    WINDOW_MAX = 4,
    STREAM_OUT_BYTES = 1024, /* a full window of the longest frames, and 128 that wait */
    STREAM_IN_BYTES = 256,   /* a power of two, and room for the longest frame */
    RESETS_MAX = 2,          /* both sessions of state REOPENING are closed at once */
};

enum reset_reason {
    RESET_UNKNOWN_SESSION = 1,
    RESET_CLOSED = 2,
    RESET_NO_COMMON_VERSION = 3,
    RESET_OTHER_SECURITY = 4,
    RESET_LOST = 5,
};

struct link_settings {
    uint8_t security;     /* byte 4 of OPEN: 0 plain, 1 TLS 1.3 */
    uint32_t baud;        /* of a line slower than 115200; 0: any other */
    uint8_t first_number; /* D of the first session, 1 to 255: random, so that it differs from the last start's */
};

struct link_terms {
    uint8_t window;  /* frames */
    uint8_t payload; /* bytes in a frame */
};

struct link_session {
    bool exists;
    uint16_t number; /* H in the upper 8 bits, D in the lower */
    struct link_terms terms;
};

struct link_reset {
    uint16_t session;
    enum reset_reason reason;
};

struct link {
    const struct line *line;
    struct link_settings settings;
    struct frame_reader reader;

    struct link_session established; /* OPEN, or REOPENING with the next */
    struct link_session accepted; /* ACCEPTING, or REOPENING with the one before */
    uint32_t accepted_until_ms;
    uint8_t next_number; /* D */
    uint32_t sessions;   /* established since the start: the application compares it */

    bool owes_accept;
    struct link_reset resets[RESETS_MAX];
    uint8_t owed_resets;
    bool has_answered_batch; /* with a RESET */

    uint32_t received_ms;
    uint32_t sent_ms;
    bool owes_answer;
    uint32_t answer_due_ms;
    bool owes_nak;
    bool has_requested; /* by a NAK, and the expected frame has not come since */
    uint32_t requested_ms;

    uint8_t out[STREAM_OUT_BYTES]; /* a ring: what is not acknowledged, then what was not sent */
    uint16_t out_first;
    uint16_t out_count;
    uint8_t lengths[WINDOW_MAX]; /* payloads of the frames under way, oldest first */
    uint8_t under_way;
    uint8_t next_to_send; /* of those, when they are sent again; else the same as under_way */
    uint8_t first_sequence;
    uint32_t retry_from_ms;
    uint32_t progress_ms;

    uint8_t in[STREAM_IN_BYTES]; /* a ring */
    uint16_t in_first;
    uint16_t in_count;
    uint8_t expected;

    uint32_t skipped; /* runs of bytes that were no frame; bytes of an overlong one */
    uint32_t dropped; /* frames of no known session, or that break a rule */
};

/* Begin to listen, with no session. */
void link_start(struct link *link, const struct line *line, const struct link_settings *settings);

/* A read of the port begins: in answer to it, one RESET at most is sent. */
void link_begin_batch(struct link *link);

/* Take a byte from the line. True if a frame was complete: the application should read the stream. */
bool link_put(struct link *link, uint8_t byte, uint32_t now_ms);

/* The line was lost, and with it every session. */
void link_line_lost(struct link *link);

/* See what time has brought about: silence, a session not confirmed, frames not acknowledged. */
void link_tick(struct link *link, uint32_t now_ms);

/* Send what is due, as far as the line takes it. */
void link_send(struct link *link, uint32_t now_ms);

/* When `link_tick` and `link_send` must be called again at the latest, if nothing comes before. */
uint32_t link_due_ms(const struct link *link, uint32_t now_ms);

/* The application closes what there is (RESET 2). The device listens again at once. */
void link_close(struct link *link);

bool link_is_open(const struct link *link);

/* The stream of the established session. */
size_t link_space(const struct link *link);
void link_write(struct link *link, const uint8_t *bytes, size_t count); /* at most `link_space` */
size_t link_read(struct link *link, uint8_t *bytes, size_t room);
bool link_has_sent_all(const struct link *link); /* and all is acknowledged */

#endif
