/* The shoe: its lock, its permit, and its sensors (TDP sections 8 to 10, rules D1, D6 and D7).
 *
 * The mechanism calls these functions when a sensor changes. Each returns when its event is durable; only then may the
 * mechanism let the card go.
 */
#ifndef SHOE_H
#define SHOE_H

#include "memory.h"

enum {
    COVER = 1,         /* the maker's number of the one cover */
    MODULE_EXIT = 1,   /* of the mouth, where a card can stick */
    MODULE_MEMORY = 2, /* of the FRAM */
    CARD_UNREAD = 0,
    LAMPS = 3,
    STATUS_BYTES = 13,
};

/* The sensors' readings. The mechanism keeps them: they outlive a start. */
struct sensors {
    bool is_cover_open;
    bool is_exit_blocked;
    uint8_t key_position; /* 0 is for dealing */
};

struct shoe {
    struct memory *memory;
    struct sensors sensors;
    enum boot_reason reason;
    uint16_t allowed; /* cards that a hand may draw; 0: locked */
    uint32_t permit;  /* of the last Unlock */
    uint8_t lamps[LAMPS]; /* 0 off, 1 on, 2 blinking */
};

/* Count the start, report it (PowerRestored), then open covers, open faults and the key. */
void shoe_start(struct shoe *shoe, struct memory *memory, const struct sensors *sensors, enum boot_reason reason);

/* True if a hand can draw a card, or the cut card, now. The mechanism unlocks the mouth exactly then. */
bool shoe_is_unlocked(const struct shoe *shoe);

/* True while no card may leave for want of places (rule D6). */
bool shoe_is_full(const struct shoe *shoe);

/* --- from sensors --- */

/* A card has passed the reader at the unlocked mouth; `card` as in messages, CARD_UNREAD if it could not be read. */
void shoe_card_drawn(struct shoe *shoe, uint8_t card, uint8_t confidence_percent);
void shoe_cut_card_drawn(struct shoe *shoe);

/* A card sticks at the mouth: it is still in the shoe. */
void shoe_card_stuck(struct shoe *shoe);

/* It was pulled out, through the lock. */
void shoe_stuck_card_drawn(struct shoe *shoe, uint8_t card, uint8_t confidence_percent);
void shoe_exit_is_free(struct shoe *shoe);

void shoe_cover(struct shoe *shoe, bool is_open);
void shoe_stack(struct shoe *shoe, uint16_t cards); /* another stack is in the shoe, or none */
void shoe_key(struct shoe *shoe, uint8_t position);
void shoe_press_clear(struct shoe *shoe); /* the button that clears every fault whose cause is gone */

/* --- from the host --- */

enum refusal shoe_unlock(struct shoe *shoe, uint16_t cards, uint32_t permit);
void shoe_lock(struct shoe *shoe);
enum refusal shoe_clear_fault(struct shoe *shoe, uint8_t code, uint8_t module);
void shoe_acknowledged(struct shoe *shoe, const struct event_key *key);

/* Write Status as it goes into the stream. */
void shoe_status(const struct shoe *shoe, uint8_t *bytes);

#endif
