/* What outlives power: events, counts, faults, meters, roots (TDP section 12, rules D1 to D7, C2, R1 to R4).
 *
 * The parts are 16 KiB of memory that is written byte by byte and keeps every byte that was written (FRAM). The small
 * record `kept` is written whole, in turn to one of two places, with its number and its check: a power cut leaves the
 * one before. Events and roots are written to places that `kept` does not name yet. So all changes
 * since the last `memory_commit` take effect in the next, together or not at all.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include "message.h"

enum {
    FRAM_BYTES = 16384,
    EVENT_PLACES = 512, /* rule D5 */
    EVENT_RESERVE = 16, /* rule D6: for events that are no cards */
    EVENT_BYTES = 20,   /* CardDrawn and PowerRestored with their length, which are the longest */
    ROOT_LOGS = 8,      /* rule R1 */
    FAULTS_MAX = 2,     /* one for each fault that this shoe has */
};

struct fram {
    void *context;
    void (*read)(void *context, uint32_t at, void *bytes, size_t count);
    void (*write)(void *context, uint32_t at, const void *bytes, size_t count); /* in order, and done when it returns */
};

struct event_key {
    uint32_t boot;
    uint32_t number;
};

struct fault {
    uint8_t code;
    uint8_t module;
};

struct meters {
    uint32_t cards_read;
    uint32_t cards_not_read;
    uint32_t misfeeds;
    uint32_t power_cycles;
    uint32_t cover_openings;
};

struct kept {
    uint32_t boot;
    uint32_t number;        /* of the last event of this boot */
    struct event_key other; /* the last event that was no PowerRestored */
    uint32_t first;         /* the oldest event kept, counted from the first of all */
    uint32_t next;          /* the event that comes next, counted likewise */
    uint32_t highest_id;    /* of a command */
    uint16_t stack_cards;
    uint16_t count;         /* of cards since StackLoaded, modulo 2^16 */
    bool cut_card_seen;
    bool has_stopped;       /* an event found no place (rule D7) */
    bool owes_restored;     /* it was PowerRestored */
    bool owes_loaded;       /* or StackLoaded */
    uint8_t faults_count;
    struct fault faults[FAULTS_MAX]; /* reported and open, in the order of their reports */
    struct meters meters;
    uint32_t logs;                   /* that ever took a place */
    uint8_t roots_count;
    uint8_t roots[ROOT_LOGS];        /* places, the oldest `RememberRoot` first */
    uint64_t trusted_time_s;         /* since 1970: the latest that the authority has signed (section 11) */
    uint64_t revocations;            /* number of the newest list of revoked certificates */
};

struct root {
    uint8_t log[DIGEST_BYTES];
    uint8_t size[SIZE_BYTES];
    uint8_t digest[DIGEST_BYTES];
};

struct memory {
    const struct fram *fram;
    uint32_t commits;
    struct kept kept;
};

enum memory_found {
    MEMORY_KEPT,
    MEMORY_NEW,     /* nothing was ever written */
    MEMORY_DAMAGED, /* both places: no power cut does that */
};

enum memory_found memory_open(struct memory *memory, const struct fram *fram);
void memory_commit(struct memory *memory);

uint32_t memory_pending(const struct memory *memory);
uint32_t memory_places_free(const struct memory *memory);

/* Write an event to the next place and number it; it is kept from the next commit on. There must be a place. */
void memory_add_event(struct memory *memory, enum event_type type, const uint8_t *fields, size_t count);

/* Read an event as it goes into the stream, by its count from the first of all. Return its bytes. */
size_t memory_event(const struct memory *memory, uint32_t event, uint8_t *bytes);

/* Forget an event and all before it (rule D4). False if it is not kept; nothing changes then. */
bool memory_forget(struct memory *memory, const struct event_key *key);

/* Find what is remembered of a log. False: nothing. */
bool memory_recall(const struct memory *memory, const uint8_t *log, struct root *root);

/* Remember a root, durably when this returns (rules R1 and R3). */
void memory_remember(struct memory *memory, const struct root *root);

#endif
