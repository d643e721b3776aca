/* What is no firmware: the cards in the shoe, and what hands do to it. A board without a mechanism plays one.
 *
 * The position in the stack is not kept here: it is the shoe's own count. So no power cut can come between a card that
 * was reported and the card that left.
 */
#ifndef WORLD_H
#define WORLD_H

#include "../core/shoe.h"

enum {
    STACK_MAX = 416, /* eight decks */
    DECK = 52,
    CUT_CARD_FROM_END = 14,
    NO_CUT_CARD = 0xFFFF,
};

struct world {                /* outlives the power of the device, and the process */
    uint8_t stack[STACK_MAX]; /* as messages write cards, the first to leave first */
    uint16_t cards;           /* that were put in */
    uint16_t cut_card_behind; /* so many of them; NO_CUT_CARD */
    bool is_cut_card_out;
    bool is_next_unreadable;
    bool will_jam;
    struct sensors sensors;
    uint32_t chance; /* of the next shuffle; never 0 */
};

void world_begin(struct world *world, uint32_t seed); /* an empty shoe */
void world_shuffle(struct world *world);              /* eight decks, the cut card before the last 14 */

/* The text of a card, such as "8S", and back; 0 is no card. `text` has room for two characters and a zero. */
void card_text(uint8_t card, char *text);
uint8_t card_of_text(const char *text);

#endif
