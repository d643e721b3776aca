#include "link.h"

enum { /* section 6 */
    RETRY_MS = 250,
    ACK_WITHIN_MS = 10,
    ALIVE_AFTER_MS = 400,
    SILENCE_MS = 1500,
    GIVE_UP_MS = 3000,
};

enum { /* section 4 */
    OPEN_BYTES = 5,
    AT_LOWEST = 0,
    AT_HIGHEST = 1,
    AT_WINDOW = 2,
    AT_PAYLOAD = 3,
    AT_SECURITY = 4,
    ACCEPT_BYTES = 4,
    RESET_BYTES = 3,
    PAYLOAD_MIN = 16,
    NUMBER_BITS = 0xFF, /* D, of a session H.D */
};

enum { BAUD_PER_WINDOW_BYTE = 100 }; /* section 2: window x (payload + 13) <= baud / 100 */

_Static_assert((STREAM_IN_BYTES & (STREAM_IN_BYTES - 1)) == 0, "the ring's index is masked");
_Static_assert((STREAM_OUT_BYTES & (STREAM_OUT_BYTES - 1)) == 0, "the ring's index is masked");
_Static_assert((size_t)STREAM_IN_BYTES > (size_t)FRAME_PAYLOAD_MAX, "a frame must find room");
_Static_assert((size_t)STREAM_OUT_BYTES >= (size_t)WINDOW_MAX * FRAME_PAYLOAD_MAX, "so must a full window");

void link_start(struct link *link, const struct line *line, const struct link_settings *settings)
{
    bytes_fill(link, 0, sizeof *link);
    link->line = line;
    link->settings = *settings;
    link->next_number = settings->first_number;
}

bool link_is_open(const struct link *link)
{
    return link->established.exists;
}

/* --- sessions ------------------------------------------------------------------------------------------------- */

static void end_established(struct link *link)
{
    link->established.exists = false;
    link->owes_answer = false;
    link->owes_nak = false;
    link->out_count = 0;
    link->under_way = 0;
    link->next_to_send = 0;
    link->in_count = 0;
}

static void end_accepted(struct link *link)
{
    link->accepted.exists = false;
    link->owes_accept = false;
}

/* The session accepted last is confirmed, and ends the one before. */
static void begin_session(struct link *link, uint32_t now_ms)
{
    end_established(link);
    link->established = link->accepted;
    end_accepted(link);
    link->sessions++;
    link->first_sequence = 0;
    link->expected = 0;
    link->has_requested = false;
    link->received_ms = now_ms;
    link->sent_ms = now_ms;
}

static void owe_reset(struct link *link, uint16_t session, enum reset_reason reason)
{
    if (link->owed_resets < RESETS_MAX) {
        link->resets[link->owed_resets] = (struct link_reset){session, reason};
        link->owed_resets++;
    }
}

static void answer_with_reset(struct link *link, uint16_t session, enum reset_reason reason)
{
    if (!link->has_answered_batch) {
        link->has_answered_batch = true;
        owe_reset(link, session, reason);
    }
}

static void lose(struct link *link)
{
    owe_reset(link, link->established.number, RESET_LOST);
    end_established(link);
}

void link_close(struct link *link)
{
    if (link->established.exists) {
        owe_reset(link, link->established.number, RESET_CLOSED);
        end_established(link);
    }
    if (link->accepted.exists) {
        owe_reset(link, link->accepted.number, RESET_CLOSED);
        end_accepted(link);
    }
}

void link_line_lost(struct link *link)
{
    if (frame_reader_reset(&link->reader)) {
        link->skipped++;
    }
    end_established(link);
    end_accepted(link);
    link->owed_resets = 0;
}

/* --- opening -------------------------------------------------------------------------------------------------- */

static uint8_t smaller(uint8_t one, uint8_t other)
{
    return (one < other) ? one : other;
}

static bool carries(uint32_t baud, const struct link_terms *terms)
{
    uint32_t bytes = (uint32_t)terms->window * ((uint32_t)terms->payload + WIRE_BYTES_OVER_PAYLOAD);
    return (baud == 0U) || (bytes <= baud / BAUD_PER_WINDOW_BYTE);
}

/* What both ends can, and the line carries in 0.1 s: the window shrinks first, then the payload. */
static struct link_terms agreed(const struct link *link, const uint8_t *offer)
{
    struct link_terms terms = {smaller(offer[AT_WINDOW], WINDOW_MAX), smaller(offer[AT_PAYLOAD], FRAME_PAYLOAD_MAX)};
    while (!carries(link->settings.baud, &terms) && (terms.window > 1U)) {
        terms.window--;
    }
    while (!carries(link->settings.baud, &terms) && (terms.payload > PAYLOAD_MIN)) {
        terms.payload--;
    }
    return terms;
}

static void accept(struct link *link, const struct frame *frame)
{
    bool is_new = !link->accepted.exists || ((link->accepted.number & ~(uint32_t)NUMBER_BITS) != frame->session);
    if (is_new) {
        link->accepted.number = frame->session | link->next_number;
        link->accepted.terms = agreed(link, frame->payload);
        link->accepted.exists = true;
        link->next_number = (link->next_number == NUMBER_BITS) ? 1U : (uint8_t)(link->next_number + 1U);
    }
    link->owes_accept = true;
}

/* True unless the offer breaks a rule. */
static bool take_open(struct link *link, const struct frame *frame)
{
    const uint8_t *offer = frame->payload;
    if ((frame->length < OPEN_BYTES) || ((frame->session & NUMBER_BITS) != 0U) ||
        (offer[AT_LOWEST] > offer[AT_HIGHEST]) || (offer[AT_WINDOW] == 0U) || (offer[AT_PAYLOAD] < PAYLOAD_MIN)) {
        return false;
    }
    if (link->established.exists && ((link->established.number & ~(uint32_t)NUMBER_BITS) == frame->session)) {
        return true; /* a copy, whatever it offers now */
    }
    if ((offer[AT_LOWEST] > PROTOCOL_VERSION) || (offer[AT_HIGHEST] < PROTOCOL_VERSION)) {
        answer_with_reset(link, frame->session, RESET_NO_COMMON_VERSION);
    } else if (offer[AT_SECURITY] != link->settings.security) {
        answer_with_reset(link, frame->session, RESET_OTHER_SECURITY);
    } else {
        accept(link, frame);
    }
    return true;
}

static bool take_reset(struct link *link, const struct frame *frame)
{
    if (frame->length < RESET_BYTES) {
        return false;
    }
    if (link->established.exists && (link->established.number == frame->session)) {
        end_established(link);
    } else if (link->accepted.exists && (link->accepted.number == frame->session)) {
        end_accepted(link);
    } else {
        return false;
    }
    return true;
}

/* --- the stream, inwards -------------------------------------------------------------------------------------- */

static void owe_answer(struct link *link, uint32_t now_ms)
{
    if (!link->owes_answer) {
        link->owes_answer = true;
        link->answer_due_ms = now_ms + ACK_WITHIN_MS;
    }
}

/* Bytes were skipped, or a number came too early: a NAK, unless one was sent less than RETRY_MS ago. */
static void request_again(struct link *link, uint32_t now_ms)
{
    if (!link->has_requested || has_come(now_ms, link->requested_ms + RETRY_MS)) {
        link->owes_nak = true;
        link->has_requested = true;
        link->requested_ms = now_ms;
    }
}

static void send_again(struct link *link, uint32_t now_ms)
{
    link->next_to_send = 0;
    link->retry_from_ms = now_ms;
}

/* All frames before number `next` have arrived at the host. */
static void take_acknowledgement(struct link *link, uint8_t next, uint32_t now_ms)
{
    uint8_t arrived = (uint8_t)(next - link->first_sequence);
    if ((arrived == 0U) || (arrived > link->under_way)) {
        return; /* nothing new, or of what was not sent */
    }
    for (uint8_t i = 0; i < arrived; i++) {
        link->out_first = (link->out_first + link->lengths[i]) & (STREAM_OUT_BYTES - 1);
        link->out_count -= link->lengths[i];
    }
    for (uint8_t i = arrived; i < link->under_way; i++) {
        link->lengths[i - arrived] = link->lengths[i];
    }
    link->under_way -= arrived;
    link->next_to_send = (link->next_to_send > arrived) ? (uint8_t)(link->next_to_send - arrived) : 0U;
    link->first_sequence = next;
    link->retry_from_ms = now_ms;
    link->progress_ms = now_ms;
}

static void deliver(struct link *link, const struct frame *frame)
{
    for (uint8_t i = 0; i < frame->length; i++) {
        link->in[(link->in_first + link->in_count) & (STREAM_IN_BYTES - 1)] = frame->payload[i];
        link->in_count++;
    }
    link->expected++;
    link->has_requested = false;
}

static void take_data(struct link *link, const struct frame *frame, uint32_t now_ms)
{
    uint8_t ahead = (uint8_t)(frame->sequence - link->expected);
    if ((ahead == 0U) && (frame->length <= STREAM_IN_BYTES - link->in_count)) {
        deliver(link, frame);
    } else if ((ahead > 0U) && (ahead < link->established.terms.window)) {
        request_again(link, now_ms);
    } else {
        /* a copy, too far ahead, or no room: dropped, and answered */
    }
    owe_answer(link, now_ms);
}

/* True if the frame may come in a session with these terms. */
static bool fits(const struct frame *frame, uint8_t payload)
{
    return (frame->kind == KIND_DATA) ? ((frame->length > 0U) && (frame->length <= payload)) : (frame->length == 0U);
}

static bool take_of_session(struct link *link, const struct frame *frame, uint32_t now_ms)
{
    bool confirms = link->accepted.exists && (link->accepted.number == frame->session);
    bool is_established = link->established.exists && (link->established.number == frame->session);
    if (!confirms && !is_established) {
        if (fits(frame, FRAME_PAYLOAD_MAX) && ((frame->session & NUMBER_BITS) != 0U)) {
            answer_with_reset(link, frame->session, RESET_UNKNOWN_SESSION);
        }
        return false;
    }
    if (!fits(frame, confirms ? link->accepted.terms.payload : link->established.terms.payload)) {
        return false;
    }
    if (confirms) {
        begin_session(link, now_ms);
    }
    link->received_ms = now_ms;
    take_acknowledgement(link, frame->acknowledgement, now_ms);
    if (frame->kind == KIND_DATA) {
        take_data(link, frame, now_ms);
    } else if (frame->kind == KIND_NAK) {
        send_again(link, now_ms);
    } else {
        /* ACK: its numbers were read above */
    }
    return true;
}

static bool take_frame(struct link *link, const struct frame *frame, uint32_t now_ms)
{
    switch (frame->kind) {
    case KIND_OPEN:
        return take_open(link, frame);
    case KIND_RESET:
        return take_reset(link, frame);
    case KIND_DATA:
    case KIND_ACK:
    case KIND_NAK:
        return take_of_session(link, frame, now_ms);
    case KIND_ACCEPT:
    default:
        return false; /* for the host */
    }
}

void link_begin_batch(struct link *link)
{
    link->has_answered_batch = false;
}

bool link_put(struct link *link, uint8_t byte, uint32_t now_ms)
{
    struct frame frame;
    switch (frame_reader_put(&link->reader, byte, &frame)) {
    case READING_FRAME:
        if (!take_frame(link, &frame, now_ms)) {
            link->dropped++;
        }
        return true;
    case READING_SKIPPED:
        link->skipped++;
        if (link->established.exists) {
            request_again(link, now_ms);
        }
        return false;
    case READING_MORE:
    default:
        return false;
    }
}

size_t link_read(struct link *link, uint8_t *bytes, size_t room)
{
    size_t count = 0;
    while ((count < room) && (link->in_count > 0U)) {
        bytes[count] = link->in[link->in_first];
        link->in_first = (link->in_first + 1U) & (STREAM_IN_BYTES - 1);
        link->in_count--;
        count++;
    }
    return count;
}

/* --- time ----------------------------------------------------------------------------------------------------- */

void link_tick(struct link *link, uint32_t now_ms)
{
    if (link->accepted.exists && !link->owes_accept && has_come(now_ms, link->accepted_until_ms)) {
        end_accepted(link);
    }
    if (!link->established.exists) {
        return;
    }
    bool is_silent = has_come(now_ms, link->received_ms + SILENCE_MS);
    bool is_deaf = (link->under_way > 0U) && has_come(now_ms, link->progress_ms + GIVE_UP_MS);
    if (is_silent || is_deaf) {
        lose(link);
    } else if ((link->under_way > 0U) && has_come(now_ms, link->retry_from_ms + RETRY_MS)) {
        send_again(link, now_ms);
    } else {
        /* nothing is late */
    }
}

static uint32_t earlier(uint32_t one_ms, uint32_t other_ms)
{
    return has_come(other_ms, one_ms) ? one_ms : other_ms;
}

uint32_t link_due_ms(const struct link *link, uint32_t now_ms)
{
    uint32_t due_ms = now_ms + SILENCE_MS;
    if (link->accepted.exists && !link->owes_accept) {
        due_ms = earlier(due_ms, link->accepted_until_ms);
    }
    if (link->established.exists) {
        due_ms = earlier(due_ms, link->received_ms + SILENCE_MS);
        due_ms = earlier(due_ms, link->sent_ms + ALIVE_AFTER_MS);
        if (link->owes_answer) {
            due_ms = earlier(due_ms, link->answer_due_ms);
        }
        if (link->under_way > 0U) {
            due_ms = earlier(due_ms, link->retry_from_ms + RETRY_MS);
            due_ms = earlier(due_ms, link->progress_ms + GIVE_UP_MS);
        }
    }
    return due_ms;
}

/* --- the stream, outwards ------------------------------------------------------------------------------------- */

size_t link_space(const struct link *link)
{
    return link->established.exists ? (size_t)(STREAM_OUT_BYTES - link->out_count) : 0U;
}

void link_write(struct link *link, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        link->out[(link->out_first + link->out_count) & (STREAM_OUT_BYTES - 1)] = bytes[i];
        link->out_count++;
    }
}

bool link_has_sent_all(const struct link *link)
{
    return link->out_count == 0U;
}

static bool has_room(const struct link *link, size_t payload)
{
    return link->line->room(link->line->context) >= payload + WIRE_BYTES_OVER_PAYLOAD;
}

static void send_frame(struct link *link, const struct frame *frame)
{
    uint8_t wire[WIRE_BYTES_MAX];
    link->line->write(link->line->context, wire, frame_write(frame, wire));
}

/* Send a frame of the established session. Each one acknowledges, and is a sign of life. */
static void send_of_session(struct link *link, struct frame *frame, uint32_t now_ms)
{
    frame->session = link->established.number;
    frame->acknowledgement = link->expected;
    send_frame(link, frame);
    link->sent_ms = now_ms;
    link->owes_answer = false;
}

static void send_resets(struct link *link)
{
    uint8_t sent = 0;
    while ((sent < link->owed_resets) && has_room(link, RESET_BYTES)) {
        uint8_t payload[RESET_BYTES] = {(uint8_t)link->resets[sent].reason, PROTOCOL_VERSION, PROTOCOL_VERSION};
        struct frame frame = {KIND_RESET, link->resets[sent].session, 0, 0, payload, RESET_BYTES};
        send_frame(link, &frame);
        sent++;
    }
    for (uint8_t i = sent; i < link->owed_resets; i++) {
        link->resets[i - sent] = link->resets[i];
    }
    link->owed_resets -= sent;
}

static void send_accept(struct link *link, uint32_t now_ms)
{
    if (!link->owes_accept || !has_room(link, ACCEPT_BYTES)) {
        return;
    }
    const struct link_terms *terms = &link->accepted.terms;
    uint8_t payload[ACCEPT_BYTES] = {PROTOCOL_VERSION, terms->window, terms->payload, link->settings.security};
    struct frame frame = {KIND_ACCEPT, link->accepted.number, 0, 0, payload, ACCEPT_BYTES};
    send_frame(link, &frame);
    link->owes_accept = false;
    link->accepted_until_ms = now_ms + SILENCE_MS;
}

static void send_bare(struct link *link, enum frame_kind kind, uint32_t now_ms)
{
    struct frame frame = {kind, 0, 0, 0, NULL, 0};
    send_of_session(link, &frame, now_ms);
}

/* Cut a frame from what waits, if the window has a place. */
static void cut_frame(struct link *link, uint32_t now_ms)
{
    uint16_t waiting = link->out_count;
    for (uint8_t i = 0; i < link->under_way; i++) {
        waiting -= link->lengths[i];
    }
    if ((waiting == 0U) || (link->under_way == link->established.terms.window)) {
        return;
    }
    if (link->under_way == 0U) {
        link->retry_from_ms = now_ms;
        link->progress_ms = now_ms;
    }
    uint8_t payload = link->established.terms.payload;
    link->lengths[link->under_way] = (waiting < payload) ? (uint8_t)waiting : payload;
    link->under_way++;
}

static void send_data(struct link *link, uint32_t now_ms)
{
    uint8_t payload[FRAME_PAYLOAD_MAX];
    uint16_t at = link->out_first;
    for (uint8_t i = 0; i < link->next_to_send; i++) {
        at += link->lengths[i];
    }
    uint8_t length = link->lengths[link->next_to_send];
    for (uint8_t i = 0; i < length; i++) {
        payload[i] = link->out[(at + i) & (STREAM_OUT_BYTES - 1)];
    }
    uint8_t sequence = (uint8_t)(link->first_sequence + link->next_to_send);
    struct frame frame = {KIND_DATA, 0, sequence, 0, payload, length};
    send_of_session(link, &frame, now_ms);
    link->next_to_send++;
}

void link_send(struct link *link, uint32_t now_ms)
{
    send_resets(link);
    send_accept(link, now_ms);
    if (!link->established.exists) {
        return;
    }
    if (link->owes_nak && has_room(link, 0)) {
        send_bare(link, KIND_NAK, now_ms);
        link->owes_nak = false;
    }
    while (has_room(link, FRAME_PAYLOAD_MAX)) {
        if (link->next_to_send == link->under_way) {
            cut_frame(link, now_ms);
        }
        if (link->next_to_send == link->under_way) {
            break;
        }
        send_data(link, now_ms);
    }
    bool owes_ack = link->owes_answer && has_come(now_ms, link->answer_due_ms);
    if ((owes_ack || has_come(now_ms, link->sent_ms + ALIVE_AFTER_MS)) && has_room(link, 0)) {
        send_bare(link, KIND_ACK, now_ms);
    }
}
