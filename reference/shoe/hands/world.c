#include "world.h"

enum { RANKS = 13 };

static const char RANK_TEXT[] = "A23456789TJQK";
static const char SUIT_TEXT[] = "SHDC";

void world_begin(struct world *world, uint32_t seed)
{
    bytes_fill(world, 0, sizeof *world);
    world->cut_card_behind = NO_CUT_CARD;
    world->chance = (seed == 0U) ? 1U : seed;
}

/* Marsaglia's xorshift: enough for a demonstration, not for play. */
static uint32_t draw_number(struct world *world, uint32_t below)
{
    world->chance ^= world->chance << 13;
    world->chance ^= world->chance >> 17;
    world->chance ^= world->chance << 5;
    return world->chance % below;
}

void world_shuffle(struct world *world)
{
    for (uint16_t i = 0; i < STACK_MAX; i++) {
        uint16_t of_deck = i % DECK;
        uint8_t card = (uint8_t)((((of_deck / RANKS) + 1U) << 4) | ((of_deck % RANKS) + 1U));
        uint32_t to = draw_number(world, i + 1U);
        world->stack[i] = world->stack[to];
        world->stack[to] = card;
    }
    world->cards = STACK_MAX;
    world->cut_card_behind = STACK_MAX - CUT_CARD_FROM_END;
    world->is_cut_card_out = false;
}

void card_text(uint8_t card, char *text)
{
    text[0] = RANK_TEXT[(card & 0x0FU) - 1U];
    text[1] = SUIT_TEXT[(card >> 4) - 1U];
    text[2] = '\0';
}

static uint8_t index_of(const char *among, char one)
{
    uint8_t index = 0;
    while ((among[index] != '\0') && (among[index] != one)) {
        index++;
    }
    return index;
}

uint8_t card_of_text(const char *text)
{
    if ((text[0] == '\0') || (text[1] == '\0')) {
        return 0;
    }
    uint32_t rank = index_of(RANK_TEXT, text[0]);
    uint32_t suit = index_of(SUIT_TEXT, text[1]);
    bool is_card = (RANK_TEXT[rank] != '\0') && (SUIT_TEXT[suit] != '\0');
    return is_card ? (uint8_t)(((suit + 1U) << 4) | (rank + 1U)) : 0U;
}
