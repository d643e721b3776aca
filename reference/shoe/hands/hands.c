#include "hands.h"

enum {
    CONFIDENCE_PERCENT = 99,
    KEY_POSITION_MAX = 255,
    DECIMAL = 10,
    DIGITS_MAX = 10,
};

/* --- text ----------------------------------------------------------------------------------------------------- */

struct text {
    char *to;
    size_t count;
};

static void add(struct text *text, const char *more)
{
    for (size_t i = 0; (more[i] != '\0') && (text->count < HANDS_ANSWER_BYTES - 1U); i++) {
        text->to[text->count] = more[i];
        text->count++;
    }
    text->to[text->count] = '\0';
}

static void add_number(struct text *text, const char *before, uint32_t number)
{
    char digits[DIGITS_MAX + 1];
    size_t at = DIGITS_MAX;
    digits[at] = '\0';
    do {
        at--;
        digits[at] = (char)('0' + (char)(number % DECIMAL));
        number /= DECIMAL;
    } while (number > 0U);
    add(text, before);
    add(text, &digits[at]);
}

static bool is_same(const char *one, const char *other)
{
    size_t i = 0;
    while ((one[i] != '\0') && (one[i] == other[i])) {
        i++;
    }
    return one[i] == other[i];
}

/* Cut the first word off a line. Return it; `line` then points to the rest. */
static char *next_word(char **line)
{
    while (**line == ' ') {
        (*line)++;
    }
    char *word = *line;
    while ((**line != '\0') && (**line != ' ')) {
        (*line)++;
    }
    if (**line == ' ') {
        **line = '\0';
        (*line)++;
    }
    return word;
}

/* A number without sign, up to `most`. False: it is none. */
static bool read_number(const char *word, uint32_t most, uint32_t *number)
{
    *number = 0;
    for (size_t i = 0; word[i] != '\0'; i++) {
        if ((word[i] < '0') || (word[i] > '9') || (*number > most / DECIMAL)) {
            return false;
        }
        *number = (*number * DECIMAL) + (uint32_t)(word[i] - '0');
    }
    return (word[0] != '\0') && (*number <= most);
}

/* --- acts ----------------------------------------------------------------------------------------------------- */

static uint16_t stack_cards(const struct hands *hands)
{
    return hands->device->memory.kept.stack_cards;
}

static uint16_t next_card_at(const struct hands *hands)
{
    return (uint16_t)(hands->world->cards - stack_cards(hands));
}

static bool is_cut_card_next(const struct hands *hands)
{
    const struct world *world = hands->world;
    bool is_out = world->is_cut_card_out || hands->device->memory.kept.cut_card_seen;
    return !is_out && (world->cut_card_behind == next_card_at(hands));
}

void hands_started(struct hands *hands)
{
    if (stack_cards(hands) > hands->world->cards) {
        shoe_stack(&hands->device->shoe, 0); /* the process was killed while a hand loaded the shoe */
    }
}

/* The card at the mouth as the reader sees it; unreadable only once. */
static uint8_t read_card(struct hands *hands)
{
    uint8_t card = hands->world->is_next_unreadable ? (uint8_t)CARD_UNREAD : hands->world->stack[next_card_at(hands)];
    hands->world->is_next_unreadable = false;
    return card;
}

static void drew(uint8_t card, struct text *text)
{
    char name[3];
    card_text(card, name);
    add(text, "ok: drew ");
    add(text, name);
}

static void draw(struct hands *hands, char *rest, struct text *text)
{
    struct shoe *shoe = &hands->device->shoe;
    struct world *world = hands->world;
    (void)rest;
    if (stack_cards(hands) == 0U) {
        add(text, "error: the shoe is empty; load it first");
    } else if (!shoe_is_unlocked(shoe)) {
        add(text, "error: held fast: the shoe is locked; the host must unlock it");
    } else if (is_cut_card_next(hands)) {
        shoe_cut_card_drawn(shoe);
        world->is_cut_card_out = true;
        add(text, "ok: drew the cut card");
    } else if (world->will_jam) {
        world->will_jam = false;
        world->sensors.is_exit_blocked = true;
        shoe_card_stuck(shoe);
        add(text, "error: the card sticks; pull-out or clear");
    } else {
        uint8_t card = world->stack[next_card_at(hands)];
        shoe_card_drawn(shoe, read_card(hands), CONFIDENCE_PERCENT);
        drew(card, text);
    }
}

static void pull_out(struct hands *hands, char *rest, struct text *text)
{
    (void)rest;
    if (!hands->world->sensors.is_exit_blocked) {
        add(text, "error: nothing sticks");
        return;
    }
    uint8_t card = hands->world->stack[next_card_at(hands)];
    hands->world->sensors.is_exit_blocked = false;
    shoe_stuck_card_drawn(&hands->device->shoe, read_card(hands), CONFIDENCE_PERCENT);
    drew(card, text);
}

static void move_cover(struct hands *hands, bool is_open)
{
    if (hands->world->sensors.is_cover_open != is_open) {
        hands->world->sensors.is_cover_open = is_open;
        if (hands->has_power) {
            shoe_cover(&hands->device->shoe, is_open);
        }
    }
}

static void free_exit(struct hands *hands)
{
    hands->world->sensors.is_exit_blocked = false;
    shoe_exit_is_free(&hands->device->shoe);
}

static void clear(struct hands *hands, char *rest, struct text *text)
{
    (void)rest;
    if (!hands->world->sensors.is_exit_blocked) {
        add(text, "error: nothing sticks");
        return;
    }
    move_cover(hands, true);
    free_exit(hands);
    move_cover(hands, false);
    shoe_stack(&hands->device->shoe, (uint16_t)(stack_cards(hands) - 1U));
    add(text, "ok: the stuck card was taken out under the cover");
}

/* The stack that is named, the cut card as CUT. False: it is no stack. */
static bool stack_of_text(struct world *world, char *rest, struct text *text)
{
    uint8_t stack[STACK_MAX];
    uint16_t cards = 0;
    uint16_t cut_card_behind = NO_CUT_CARD;
    for (char *word = next_word(&rest); word[0] != '\0'; word = next_word(&rest)) {
        uint8_t card = card_of_text(word);
        if (is_same(word, "CUT")) {
            cut_card_behind = cards;
        } else if ((card == 0U) || (word[2] != '\0') || (cards == STACK_MAX)) {
            add(text, (cards == STACK_MAX) ? "error: more than 416 cards" : "error: no card such as 8S, TD or CUT: ");
            add(text, word);
            return false;
        } else {
            stack[cards] = card;
            cards++;
        }
    }
    bytes_copy(world->stack, stack, cards);
    world->cards = cards;
    world->cut_card_behind = cut_card_behind;
    world->is_cut_card_out = false;
    return true;
}

static void load(struct hands *hands, char *rest, struct text *text)
{
    struct world *world = hands->world;
    uint32_t seed = 0;
    const char *word = next_word(&rest);
    if (is_same(word, "cards")) {
        if (!stack_of_text(world, rest, text)) {
            return;
        }
    } else if (word[0] == '\0') {
        world_shuffle(world);
    } else if (read_number(word, UINT32_MAX / DECIMAL, &seed) && (seed > 0U)) {
        world->chance = seed;
        world_shuffle(world);
    } else {
        add(text, "error: load takes a seed from 1 on, or: cards 8S KD CUT ...");
        return;
    }
    move_cover(hands, true);
    free_exit(hands);
    move_cover(hands, false);
    shoe_stack(&hands->device->shoe, world->cards);
    add_number(text, "ok: loaded cards: ", world->cards);
}

static void unload(struct hands *hands, char *rest, struct text *text)
{
    (void)rest;
    hands->world->cards = 0;
    move_cover(hands, true);
    free_exit(hands);
    move_cover(hands, false);
    shoe_stack(&hands->device->shoe, 0);
    add(text, "ok: it is empty");
}

static void unread(struct hands *hands, char *rest, struct text *text)
{
    (void)rest;
    hands->world->is_next_unreadable = true;
    add(text, "ok: the next card is covered");
}

static void jam(struct hands *hands, char *rest, struct text *text)
{
    (void)rest;
    hands->world->will_jam = true;
    add(text, "ok: the next card sticks at the exit");
}

/* The shoe's own button: it clears every fault whose cause is gone. */
static void press(struct hands *hands, char *rest, struct text *text)
{
    if (!is_same(next_word(&rest), "clear")) {
        add(text, "error: press clear");
        return;
    }
    shoe_press_clear(&hands->device->shoe);
    add(text, "ok: pressed");
}

static void cover(struct hands *hands, char *rest, struct text *text)
{
    const char *word = next_word(&rest);
    bool is_open = is_same(word, "open");
    if (!is_open && !is_same(word, "close")) {
        add(text, "error: cover open, or cover close");
    } else if (hands->world->sensors.is_cover_open == is_open) {
        add(text, "error: it is so already");
    } else {
        move_cover(hands, is_open);
        add(text, is_open ? "ok: open" : "ok: closed");
    }
}

static void key(struct hands *hands, char *rest, struct text *text)
{
    uint32_t position = 0;
    if (!read_number(next_word(&rest), KEY_POSITION_MAX, &position)) {
        add(text, "error: key takes a position, 0 to 255");
    } else if (hands->world->sensors.key_position == position) {
        add(text, "error: it is there already");
    } else {
        hands->world->sensors.key_position = (uint8_t)position;
        if (hands->has_power) {
            shoe_key(&hands->device->shoe, (uint8_t)position);
        }
        add_number(text, "ok: key at ", position);
    }
}

static void plug(struct hands *hands, bool is_plugged, struct text *text)
{
    if (hands->is_plugged == is_plugged) {
        add(text, "error: it is so already");
        return;
    }
    hands->is_plugged = is_plugged;
    hands->plug(hands->context, is_plugged);
    add(text, is_plugged ? "ok: plugged in" : "ok: unplugged");
}

static void unplug(struct hands *hands, char *rest, struct text *text)
{
    (void)rest;
    plug(hands, false, text);
}

static void replug(struct hands *hands, char *rest, struct text *text)
{
    (void)rest;
    plug(hands, true, text);
}

static void cut_power(struct hands *hands, char *rest, struct text *text)
{
    (void)rest;
    hands->has_power = false;
    (void)hands->power(hands->context, false);
    add(text, "ok: no power");
}

static void restore_power(struct hands *hands, char *rest, struct text *text)
{
    (void)rest;
    if (hands->has_power) {
        add(text, "error: it has power");
        return;
    }
    hands->has_power = hands->power(hands->context, true);
    if (hands->has_power) {
        add_number(text, "ok: boot ", hands->device->memory.kept.boot);
    } else {
        add(text, "error: the memory is damaged: the device does not start");
    }
}

static void status(struct hands *hands, char *rest, struct text *text)
{
    const struct device *device = hands->device;
    (void)rest;
    add_number(text, "ok: boot ", device->memory.kept.boot);
    add_number(text, ", stack ", device->memory.kept.stack_cards);
    add_number(text, ", count ", device->memory.kept.count);
    add_number(text, ", pending ", memory_pending(&device->memory));
    add_number(text, ", session ", device->session);
    add_number(text, ", may draw ", device->shoe.allowed);
    add(text, ", faults");
    for (uint8_t i = 0; i < device->memory.kept.faults_count; i++) {
        add_number(text, " ", device->memory.kept.faults[i].code);
    }
    add_number(text, "; skipped bytes ", device->link.skipped);
    add_number(text, ", frames ", device->link.dropped);
    add_number(text, ", messages ", device->commands.skipped);
}

static void quit(struct hands *hands, char *rest, struct text *text)
{
    (void)rest;
    hands->is_over = true;
    add(text, "ok: bye");
}

struct act {
    const char *word;
    bool needs_power;
    void (*perform)(struct hands *hands, char *rest, struct text *text);
};

static const struct act ACTS[] = {
    {"draw", true, draw},
    {"load", true, load},
    {"unload", true, unload},
    {"unread", false, unread},
    {"jam", false, jam},
    {"pull-out", true, pull_out},
    {"clear", true, clear},
    {"press", true, press},
    {"cover", false, cover},
    {"key", false, key},
    {"unplug", false, unplug},
    {"replug", false, replug},
    {"cut-power", true, cut_power},
    {"restore-power", false, restore_power},
    {"status", true, status},
    {"quit", false, quit},
};

void hands_execute(struct hands *hands, char *line, char *answer)
{
    struct text text = {answer, 0};
    char *rest = line;
    const char *word = next_word(&rest);
    for (size_t i = 0; i < sizeof ACTS / sizeof ACTS[0]; i++) {
        if (!is_same(word, ACTS[i].word)) {
            continue;
        }
        if (ACTS[i].needs_power && !hands->has_power) {
            add(&text, "error: no power; restore-power first");
        } else {
            ACTS[i].perform(hands, rest, &text);
        }
        return;
    }
    add(&text, "error: unknown command; there are:");
    for (size_t i = 0; i < sizeof ACTS / sizeof ACTS[0]; i++) {
        add(&text, " ");
        add(&text, ACTS[i].word);
    }
}
