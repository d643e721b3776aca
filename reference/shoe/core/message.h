/* Messages: their numbers, their lengths, and how they are cut from the stream (TDP sections 7 to 10). */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "bytes.h"

enum {
    MESSAGE_VERSION = 1,
    LENGTH_BYTES = 2,      /* before each message */
    MESSAGE_MAX = 1024,    /* a longer one cannot be skipped */
    COMMAND_BYTES_MIN = 5, /* type and id: what is needed to answer */
    COMMAND_BYTES_MAX = 77, /* RememberRoot */
    DIGEST_BYTES = 32,
    TEXT_BYTES = 24,
    SIZE_BYTES = 8, /* u64, which the device only compares */
    SIGNATURE_MAX = 128, /* the page allows 512; ECDSA on P-256 in DER needs 72, Ed25519 64 */
};

enum report_type {
    REPORT_HELLO = 0x01,
    REPORT_STATUS = 0x02,
    REPORT_HEARTBEAT = 0x03,
    REPORT_DONE = 0x04,
    REPORT_REFUSED = 0x05,
    REPORT_METERS = 0x06,
    REPORT_ATTESTATION = 0x07,
    REPORT_ROOT_REMEMBERED = 0x08,
};

enum event_type {
    EVENT_CARD_DRAWN = 0x10,
    EVENT_CUT_CARD_DRAWN = 0x12,
    EVENT_STACK_LOADED = 0x13,
    EVENT_COVER_OPENED = 0x17,
    EVENT_COVER_CLOSED = 0x18,
    EVENT_FAULT = 0x19,
    EVENT_FAULT_CLEARED = 0x1A,
    EVENT_KEY_TURNED = 0x1B,
    EVENT_POWER_RESTORED = 0x1C,
};

enum command_type {
    EVENT_ACKNOWLEDGED = 0x41, /* no command: it has no answer */
    COMMAND_FIRST = 0x50,
    COMMAND_UNLOCK = 0x52,
    COMMAND_LOCK = 0x53,
    COMMAND_CLEAR_FAULT = 0x56,
    COMMAND_SET_LAMP = 0x57,
    COMMAND_READ_METERS = 0x58,
    COMMAND_ATTEST = 0x59,
    COMMAND_REMEMBER_ROOT = 0x5A,
    COMMAND_RECALL_ROOT = 0x5B,
};

enum refusal {
    DONE = 0,
    REFUSED_NOT_SUPPORTED = 1,
    REFUSED_BAD_VALUE = 2,
    REFUSED_FAULT = 5,
    REFUSED_COVER_OPEN = 6,
    REFUSED_OUT_OF_CARDS = 7,
    REFUSED_EVENTS_PENDING = 8,
    REFUSED_OLD_ID = 9,
    REFUSED_CONFLICTING_ID = 10,
    REFUSED_SMALLER_TREE = 11,
    REFUSED_OTHER_ROOT = 12,
};

enum capability { /* bits */
    CAN_READ_CARDS = 1U << 2,
    CAN_COUNT_CARDS = 1U << 3,
    CAN_DETECT_CUT_CARD = 1U << 4,
    CAN_LOCK = 1U << 5,
    CAN_ATTEST = 1U << 8,
    CAN_KEEP_EVENTS = 1U << 9,
    CAN_REMEMBER_ROOTS = 1U << 10,
};

enum state {
    STATE_IDLE = 0,
    STATE_LOADED = 1,
    STATE_FAULT = 5,
};

enum condition { /* bits */
    CONDITION_LOCKED = 1U << 0,
    CONDITION_COVER_OPEN = 1U << 1,
    CONDITION_FAULT = 1U << 2,
    CONDITION_OUTBOX_FULL = 1U << 3,
    CONDITION_CUT_CARD_SEEN = 1U << 4,
};

enum boot_reason {
    BOOT_POWER_ON = 1,
};

enum boot_state {
    BOOT_UNVERIFIED = 0,
};

enum face {
    FACE_UNKNOWN = 0,
    FACE_DOWN = 1,
};

enum fault_code {
    FAULT_NONE = 0,
    FAULT_STUCK_AT_EXIT = 3,
    FAULT_MEMORY = 14,
};

enum record_reading {
    RECORD_MORE,
    RECORD_MESSAGE, /* `bytes` and `count` have it, its type first */
    RECORD_IMPOSSIBLE, /* a length that cannot be skipped: close the session */
};

/* Cuts the stream into messages. Only as many bytes are kept as the longest command has: the rest of a longer message
 * is counted, for it is refused for its length alone. */
struct record_reader {
    uint8_t bytes[COMMAND_BYTES_MAX];
    uint16_t count;   /* of the message so far, kept or not */
    uint16_t length;  /* of the message; 0: not known yet */
    uint8_t prefixes; /* bytes of the length that came */
};

void record_reader_reset(struct record_reader *reader);
enum record_reading record_reader_put(struct record_reader *reader, uint8_t byte);

/* A message that is being written: its length is filled in by `message_end`. */
struct message {
    uint8_t *bytes;
    size_t count;
};

void message_begin(struct message *message, uint8_t *bytes, uint8_t type);
void message_u8(struct message *message, uint8_t value);
void message_u16(struct message *message, uint16_t value);
void message_u32(struct message *message, uint32_t value);
void message_bytes(struct message *message, const uint8_t *bytes, size_t count);
void message_text(struct message *message, const char *text); /* text 24; a longer one is cut */
size_t message_end(struct message *message); /* its bytes, with the length before it */

#endif
