#include "shoe.h"

enum { FIELDS_MAX = 9 }; /* of an event, bytes */

static const struct fault EXIT_FAULT = {FAULT_STUCK_AT_EXIT, MODULE_EXIT};
static const struct fault MEMORY_FAULT = {FAULT_MEMORY, MODULE_MEMORY};

/* --- reporting ------------------------------------------------------------------------------------------------ */

bool shoe_is_full(const struct shoe *shoe)
{
    return memory_places_free(shoe->memory) <= EVENT_RESERVE;
}

static bool has_fault(const struct shoe *shoe)
{
    return shoe->memory->kept.has_stopped || (shoe->memory->kept.faults_count > 0U);
}

bool shoe_is_unlocked(const struct shoe *shoe)
{
    return (shoe->allowed > 0U) && (shoe->memory->kept.stack_cards > 0U);
}

/* Keep an event with the next commit. False: there is no place, and the shoe stops until there are many (rule D7). */
static bool report(struct shoe *shoe, enum event_type type, const uint8_t *fields, size_t count)
{
    struct kept *kept = &shoe->memory->kept;
    if (kept->has_stopped || (memory_places_free(shoe->memory) == 0U)) {
        kept->has_stopped = true;
        shoe->allowed = 0;
        return false;
    }
    memory_add_event(shoe->memory, type, fields, count);
    if (shoe_is_full(shoe)) {
        shoe->allowed = 0;
    }
    return true;
}

static void report_restored(struct shoe *shoe)
{
    struct kept *kept = &shoe->memory->kept;
    uint8_t fields[FIELDS_MAX];
    put_u32(&fields[0], kept->other.boot);
    put_u32(&fields[4], kept->other.number);
    fields[8] = (uint8_t)shoe->reason;
    kept->owes_restored = !report(shoe, EVENT_POWER_RESTORED, fields, FIELDS_MAX);
}

static void report_loaded(struct shoe *shoe)
{
    struct kept *kept = &shoe->memory->kept;
    uint8_t fields[sizeof kept->stack_cards];
    put_u16(fields, kept->stack_cards);
    kept->owes_loaded = !report(shoe, EVENT_STACK_LOADED, fields, sizeof fields);
}

static void report_fault(struct shoe *shoe, enum event_type type, const struct fault *fault)
{
    const uint8_t fields[] = {fault->code, fault->module};
    (void)report(shoe, type, fields, sizeof fields);
}

/* The index of a reported fault that is open, or `faults_count`. */
static uint8_t find_fault(const struct kept *kept, const struct fault *fault)
{
    uint8_t index = 0;
    while ((index < kept->faults_count) && !bytes_equal(&kept->faults[index], fault, sizeof *fault)) {
        index++;
    }
    return index;
}

static void add_fault(struct kept *kept, const struct fault *fault)
{
    if (kept->faults_count < FAULTS_MAX) {
        kept->faults[kept->faults_count] = *fault;
        kept->faults_count++;
    }
}

static void remove_fault(struct kept *kept, uint8_t index)
{
    kept->faults_count--;
    for (uint8_t i = index; i < kept->faults_count; i++) {
        kept->faults[i] = kept->faults[i + 1U];
    }
}

static void report_cover(struct shoe *shoe)
{
    const uint8_t cover = COVER;
    (void)report(shoe, shoe->sensors.is_cover_open ? EVENT_COVER_OPENED : EVENT_COVER_CLOSED, &cover, sizeof cover);
}

static void report_key(struct shoe *shoe)
{
    (void)report(shoe, EVENT_KEY_TURNED, &shoe->sensors.key_position, sizeof shoe->sensors.key_position);
}

/* Section 9, "After a start". */
static void report_what_holds(struct shoe *shoe)
{
    if (shoe->sensors.is_cover_open) {
        report_cover(shoe);
    }
    for (uint8_t i = 0; i < shoe->memory->kept.faults_count; i++) {
        report_fault(shoe, EVENT_FAULT, &shoe->memory->kept.faults[i]);
    }
    if (shoe->sensors.key_position != 0U) {
        report_key(shoe);
    }
}

/* There is room again after events were dropped (rule D7): report what is known of them. */
static void resume(struct shoe *shoe)
{
    struct kept *kept = &shoe->memory->kept;
    uint8_t before = find_fault(kept, &MEMORY_FAULT);
    kept->has_stopped = false;
    if (before < kept->faults_count) {
        remove_fault(kept, before); /* open since the last time: reported again, and once */
    }
    if (kept->owes_restored) {
        report_restored(shoe);
    }
    if (kept->owes_loaded) {
        report_loaded(shoe);
    }
    report_fault(shoe, EVENT_FAULT, &MEMORY_FAULT);
    report_what_holds(shoe);
    add_fault(kept, &MEMORY_FAULT);
}

void shoe_start(struct shoe *shoe, struct memory *memory, const struct sensors *sensors, enum boot_reason reason)
{
    bytes_fill(shoe, 0, sizeof *shoe);
    shoe->memory = memory;
    shoe->sensors = *sensors;
    shoe->reason = reason;
    memory->kept.boot++;
    memory->kept.number = 0;
    memory->kept.meters.power_cycles++;
    report_restored(shoe);
    report_what_holds(shoe);
    memory_commit(memory);
}

/* --- sensors -------------------------------------------------------------------------------------------------- */

static void report_card(struct shoe *shoe, uint32_t permit, uint8_t card, uint8_t confidence_percent)
{
    struct kept *kept = &shoe->memory->kept;
    bool is_read = (card != CARD_UNREAD);
    uint8_t fields[FIELDS_MAX];
    kept->count++;
    if (kept->stack_cards > 0U) {
        kept->stack_cards--;
    }
    if (is_read) {
        kept->meters.cards_read++;
    } else {
        kept->meters.cards_not_read++;
    }
    put_u16(&fields[0], kept->count);
    put_u32(&fields[2], permit);
    fields[6] = card;
    fields[7] = is_read ? FACE_DOWN : FACE_UNKNOWN;
    fields[8] = is_read ? confidence_percent : 0U;
    (void)report(shoe, EVENT_CARD_DRAWN, fields, FIELDS_MAX);
    memory_commit(shoe->memory);
}

void shoe_card_drawn(struct shoe *shoe, uint8_t card, uint8_t confidence_percent)
{
    uint32_t permit = 0; /* it came through the lock */
    if (shoe->allowed > 0U) {
        shoe->allowed--;
        permit = shoe->permit;
    }
    report_card(shoe, permit, card, confidence_percent);
}

void shoe_stuck_card_drawn(struct shoe *shoe, uint8_t card, uint8_t confidence_percent)
{
    shoe->sensors.is_exit_blocked = false;
    report_card(shoe, 0, card, confidence_percent); /* the fault has ended the permit */
}

void shoe_cut_card_drawn(struct shoe *shoe)
{
    uint8_t fields[sizeof shoe->memory->kept.count];
    shoe->memory->kept.cut_card_seen = true;
    put_u16(fields, shoe->memory->kept.count);
    (void)report(shoe, EVENT_CUT_CARD_DRAWN, fields, sizeof fields);
    memory_commit(shoe->memory);
}

void shoe_card_stuck(struct shoe *shoe)
{
    shoe->sensors.is_exit_blocked = true;
    shoe->allowed = 0;
    shoe->memory->kept.meters.misfeeds++;
    report_fault(shoe, EVENT_FAULT, &EXIT_FAULT);
    add_fault(&shoe->memory->kept, &EXIT_FAULT);
    memory_commit(shoe->memory);
}

void shoe_exit_is_free(struct shoe *shoe)
{
    shoe->sensors.is_exit_blocked = false;
}

void shoe_cover(struct shoe *shoe, bool is_open)
{
    shoe->sensors.is_cover_open = is_open;
    if (is_open) {
        shoe->allowed = 0;
        shoe->memory->kept.meters.cover_openings++;
    }
    report_cover(shoe);
    memory_commit(shoe->memory);
}

void shoe_stack(struct shoe *shoe, uint16_t cards)
{
    struct kept *kept = &shoe->memory->kept;
    kept->stack_cards = cards;
    kept->count = 0;
    kept->cut_card_seen = false;
    report_loaded(shoe);
    memory_commit(shoe->memory);
}

void shoe_key(struct shoe *shoe, uint8_t position)
{
    shoe->sensors.key_position = position;
    report_key(shoe);
    memory_commit(shoe->memory);
}

/* --- the host ------------------------------------------------------------------------------------------------- */

enum refusal shoe_unlock(struct shoe *shoe, uint16_t cards, uint32_t permit)
{
    if (has_fault(shoe)) {
        return REFUSED_FAULT;
    }
    if (shoe->sensors.is_cover_open) {
        return REFUSED_COVER_OPEN;
    }
    if (shoe_is_full(shoe)) {
        return REFUSED_EVENTS_PENDING;
    }
    if (shoe->memory->kept.stack_cards == 0U) {
        return REFUSED_OUT_OF_CARDS;
    }
    shoe->allowed = cards;
    shoe->permit = permit;
    return DONE;
}

void shoe_lock(struct shoe *shoe)
{
    shoe->allowed = 0;
}

static bool is_cause_there(const struct shoe *shoe, uint8_t code)
{
    return (code == FAULT_STUCK_AT_EXIT) && shoe->sensors.is_exit_blocked;
}

enum refusal shoe_clear_fault(struct shoe *shoe, uint8_t code, uint8_t module)
{
    struct kept *kept = &shoe->memory->kept;
    struct fault fault = {code, module};
    uint8_t index = find_fault(kept, &fault);
    bool is_unreported = kept->has_stopped && bytes_equal(&fault, &MEMORY_FAULT, sizeof fault);
    if ((index == kept->faults_count) && !is_unreported) {
        return REFUSED_BAD_VALUE;
    }
    if (shoe->sensors.is_cover_open) {
        return REFUSED_COVER_OPEN;
    }
    if (kept->has_stopped || is_cause_there(shoe, code)) {
        return REFUSED_FAULT; /* a shoe that has stopped clears no fault: FaultCleared would have no place */
    }
    remove_fault(kept, index);
    report_fault(shoe, EVENT_FAULT_CLEARED, &fault);
    memory_commit(shoe->memory);
    return DONE;
}

void shoe_press_clear(struct shoe *shoe)
{
    const struct kept *kept = &shoe->memory->kept;
    for (uint8_t i = kept->faults_count; i > 0U; i--) { /* from the last: clearing one moves those behind it */
        const struct fault fault = kept->faults[i - 1U];
        (void)shoe_clear_fault(shoe, fault.code, fault.module);
    }
}

void shoe_acknowledged(struct shoe *shoe, const struct event_key *key)
{
    if (!memory_forget(shoe->memory, key)) {
        return;
    }
    if (shoe->memory->kept.has_stopped && !shoe_is_full(shoe)) {
        resume(shoe);
    }
    memory_commit(shoe->memory);
}

/* --- Status --------------------------------------------------------------------------------------------------- */

static uint16_t conditions(const struct shoe *shoe)
{
    uint32_t bits = 0;
    bits |= shoe_is_unlocked(shoe) ? 0U : CONDITION_LOCKED;
    bits |= shoe->sensors.is_cover_open ? CONDITION_COVER_OPEN : 0U;
    bits |= has_fault(shoe) ? CONDITION_FAULT : 0U;
    bits |= shoe_is_full(shoe) ? CONDITION_OUTBOX_FULL : 0U;
    bits |= shoe->memory->kept.cut_card_seen ? CONDITION_CUT_CARD_SEEN : 0U;
    return (uint16_t)bits;
}

static struct fault shown_fault(const struct shoe *shoe)
{
    const struct kept *kept = &shoe->memory->kept;
    if (kept->has_stopped) {
        return MEMORY_FAULT; /* rule D7 */
    }
    return (kept->faults_count > 0U) ? kept->faults[0] : (struct fault){FAULT_NONE, 0};
}

void shoe_status(const struct shoe *shoe, uint8_t *bytes)
{
    const struct kept *kept = &shoe->memory->kept;
    struct fault fault = shown_fault(shoe);
    enum state state = has_fault(shoe) ? STATE_FAULT : (kept->stack_cards > 0U) ? STATE_LOADED : STATE_IDLE;
    struct message message;
    message_begin(&message, bytes, REPORT_STATUS);
    message_u8(&message, (uint8_t)state);
    message_u16(&message, conditions(shoe));
    message_u8(&message, shoe->sensors.key_position);
    message_u16(&message, kept->stack_cards);
    message_u16(&message, kept->count);
    message_u8(&message, fault.code);
    message_u8(&message, fault.module);
    (void)message_end(&message);
}
