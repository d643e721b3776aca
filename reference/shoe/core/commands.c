#include "commands.h"

enum {
    AT_ID = 1,
    AT_FIELDS = 5,
    EVENT_ACKNOWLEDGED_BYTES = 9,
    LAMP_MODES = 3,
};

enum { /* bytes of commands with their type */
    BARE_BYTES = 5,
    UNLOCK_BYTES = 11,
    CLEAR_FAULT_BYTES = 7,
    SET_LAMP_BYTES = 7,
    ATTEST_BYTES = 37,
    REMEMBER_ROOT_BYTES = COMMAND_BYTES_MAX,
    RECALL_ROOT_BYTES = 37,
};

static const char ATTESTATION_PREFIX[] = "TDP/1 attestation"; /* with its 00 (section 11) */
static const uint8_t NO_SIZE[SIZE_BYTES] = {0};

void commands_start(struct commands *commands, const struct identity *identity, struct shoe *shoe)
{
    bytes_fill(commands, 0, sizeof *commands);
    commands->identity = identity;
    commands->shoe = shoe;
}

/* --- reports that come before Done ---------------------------------------------------------------------------- */

static size_t write_meters(const struct commands *commands, uint32_t id, uint8_t *bytes)
{
    const struct meters *meters = &commands->shoe->memory->kept.meters;
    struct message message;
    message_begin(&message, bytes, REPORT_METERS);
    message_u32(&message, id);
    message_u32(&message, 0); /* shuffles done */
    message_u32(&message, 0); /* shuffles failed */
    message_u16(&message, 0); /* cards per shuffle */
    message_u32(&message, meters->cards_read);
    message_u32(&message, meters->cards_not_read);
    message_u32(&message, meters->misfeeds);
    message_u32(&message, meters->power_cycles);
    message_u32(&message, meters->cover_openings);
    return message_end(&message);
}

/* The part of the attestation that is signed and sent alike: nonce, digest, counter, boot state. */
static void write_attested(const struct commands *commands, const uint8_t *nonce, struct message *message)
{
    message_bytes(message, nonce, DIGEST_BYTES);
    message_bytes(message, commands->identity->image_digest, DIGEST_BYTES);
    message_u32(message, commands->identity->security_counter);
    message_u8(message, BOOT_UNVERIFIED);
}

static size_t write_attestation(const struct commands *commands, uint32_t id, const uint8_t *nonce, uint8_t *bytes)
{
    const struct identity *identity = commands->identity;
    uint8_t signed_bytes[sizeof ATTESTATION_PREFIX + DIGEST_BYTES + DIGEST_BYTES + sizeof(uint32_t) + 1U];
    uint8_t signature[SIGNATURE_MAX];
    struct message message = {signed_bytes, 0};
    message_bytes(&message, (const uint8_t *)ATTESTATION_PREFIX, sizeof ATTESTATION_PREFIX);
    write_attested(commands, nonce, &message);
    size_t count = identity->sign(identity->sign_context, signed_bytes, message.count, signature);

    message_begin(&message, bytes, REPORT_ATTESTATION);
    message_u32(&message, id);
    write_attested(commands, nonce, &message);
    message_bytes(&message, signature, count);
    return message_end(&message);
}

static size_t write_root(const struct commands *commands, uint32_t id, const uint8_t *log, uint8_t *bytes)
{
    const struct memory *memory = commands->shoe->memory;
    struct root root;
    struct message message;
    if (!memory_recall(memory, log, &root)) {
        bytes_fill(&root, 0, sizeof root);
    }
    message_begin(&message, bytes, REPORT_ROOT_REMEMBERED);
    message_u32(&message, id);
    message_bytes(&message, log, DIGEST_BYTES);
    message_bytes(&message, root.size, SIZE_BYTES);
    message_bytes(&message, root.digest, DIGEST_BYTES);
    message_u32(&message, memory->kept.logs);
    return message_end(&message);
}

/* --- doing ---------------------------------------------------------------------------------------------------- */

static enum refusal remember_root(struct memory *memory, const uint8_t *fields)
{
    struct root given;
    struct root kept;
    bytes_copy(&given, fields, sizeof given);
    if (memory_recall(memory, given.log, &kept)) {
        int difference = compare_u64(given.size, kept.size);
        if (difference < 0) {
            return REFUSED_SMALLER_TREE;
        }
        if ((difference == 0) && !bytes_equal(given.digest, kept.digest, DIGEST_BYTES)) {
            return REFUSED_OTHER_ROOT;
        }
    }
    memory_remember(memory, &given);
    return DONE;
}

/* Do a command that may be done: known, of the right length, new. */
static enum refusal perform(struct commands *commands, const uint8_t *bytes)
{
    struct shoe *shoe = commands->shoe;
    const uint8_t *fields = &bytes[AT_FIELDS];
    switch (bytes[0]) {
    case COMMAND_UNLOCK:
        return shoe_unlock(shoe, get_u16(fields), get_u32(&fields[2]));
    case COMMAND_LOCK:
        shoe_lock(shoe);
        return DONE;
    case COMMAND_CLEAR_FAULT:
        return shoe_clear_fault(shoe, fields[0], fields[1]);
    case COMMAND_SET_LAMP:
        shoe->lamps[fields[0]] = fields[1];
        return DONE;
    case COMMAND_REMEMBER_ROOT:
        return remember_root(shoe->memory, fields);
    default:
        return DONE; /* it only asks */
    }
}

/* --- answering ------------------------------------------------------------------------------------------------ */

static size_t write_answer(const struct commands *commands, const uint8_t *bytes, enum refusal refusal, uint8_t *answer)
{
    uint32_t id = get_u32(&bytes[AT_ID]);
    size_t count = 0;
    struct message message;
    if ((refusal == DONE) && (bytes[0] == COMMAND_READ_METERS)) {
        count = write_meters(commands, id, answer);
    } else if ((refusal == DONE) && (bytes[0] == COMMAND_ATTEST)) {
        count = write_attestation(commands, id, &bytes[AT_FIELDS], answer);
    } else if ((refusal == DONE) && (bytes[0] == COMMAND_RECALL_ROOT)) {
        count = write_root(commands, id, &bytes[AT_FIELDS], answer);
    } else {
        /* Done or Refused is the whole answer */
    }
    message_begin(&message, &answer[count], (refusal == DONE) ? REPORT_DONE : REPORT_REFUSED);
    message_u32(&message, id);
    if (refusal != DONE) {
        message_u8(&message, (uint8_t)refusal);
    }
    return count + message_end(&message);
}

/* Bytes of a command of this type; 0: the shoe does not know it. Those for which it lacks the capability are among the
 * unknown ones, as section 10 allows. */
static size_t bytes_of_command(const struct commands *commands, uint8_t type)
{
    switch (type) {
    case COMMAND_UNLOCK:
        return UNLOCK_BYTES;
    case COMMAND_LOCK:
    case COMMAND_READ_METERS:
        return BARE_BYTES;
    case COMMAND_CLEAR_FAULT:
        return CLEAR_FAULT_BYTES;
    case COMMAND_SET_LAMP:
        return SET_LAMP_BYTES;
    case COMMAND_ATTEST:
        return (commands->identity->sign != NULL) ? ATTEST_BYTES : 0U;
    case COMMAND_REMEMBER_ROOT:
        return REMEMBER_ROOT_BYTES;
    case COMMAND_RECALL_ROOT:
        return RECALL_ROOT_BYTES;
    default:
        return 0;
    }
}

static bool has_allowed_values(const uint8_t *bytes)
{
    const uint8_t *fields = &bytes[AT_FIELDS];
    switch (bytes[0]) {
    case COMMAND_UNLOCK:
        return get_u16(fields) > 0U;
    case COMMAND_SET_LAMP:
        return (fields[0] < LAMPS) && (fields[1] < LAMP_MODES);
    case COMMAND_REMEMBER_ROOT:
        return compare_u64(&fields[DIGEST_BYTES], NO_SIZE) > 0;
    default:
        return true;
    }
}

static const struct answer *find_answer(const struct commands *commands, uint32_t id)
{
    for (uint8_t i = 0; i < ANSWERS_KEPT; i++) {
        if ((id != 0U) && (commands->answers[i].id == id)) {
            return &commands->answers[i];
        }
    }
    return NULL;
}

/* Do a command for the first time: its id is durable before (rule C2), its answer is remembered after. */
static enum refusal take_new(struct commands *commands, const uint8_t *bytes, size_t count)
{
    struct memory *memory = commands->shoe->memory;
    struct answer *answer = &commands->answers[commands->next_answer];
    memory->kept.highest_id = get_u32(&bytes[AT_ID]);
    memory_commit(memory);
    answer->id = memory->kept.highest_id;
    answer->count = (uint8_t)count;
    bytes_copy(answer->command, bytes, count);
    answer->refusal = perform(commands, bytes);
    commands->next_answer = (uint8_t)((commands->next_answer + 1U) % ANSWERS_KEPT);
    return answer->refusal;
}

/* The reasons of section 10, in its order. */
static enum refusal take_command(struct commands *commands, const uint8_t *bytes, size_t count)
{
    uint32_t id = get_u32(&bytes[AT_ID]);
    size_t right = bytes_of_command(commands, bytes[0]);
    if (right == 0U) {
        return REFUSED_NOT_SUPPORTED;
    }
    if ((count != right) || !has_allowed_values(bytes)) {
        return REFUSED_BAD_VALUE;
    }
    const struct answer *before = find_answer(commands, id);
    if (before != NULL) {
        bool is_same = (before->count == count) && bytes_equal(before->command, bytes, count);
        return is_same ? before->refusal : REFUSED_CONFLICTING_ID; /* rule C3 */
    }
    if (id <= commands->shoe->memory->kept.highest_id) {
        return REFUSED_OLD_ID; /* so is 0, which is never above */
    }
    return take_new(commands, bytes, count);
}

size_t commands_take(struct commands *commands, const uint8_t *bytes, size_t count, uint8_t *answer)
{
    if ((bytes[0] >= COMMAND_FIRST) && (count >= COMMAND_BYTES_MIN)) {
        enum refusal refusal = take_command(commands, bytes, count);
        return write_answer(commands, bytes, refusal, answer);
    }
    if ((bytes[0] == EVENT_ACKNOWLEDGED) && (count == EVENT_ACKNOWLEDGED_BYTES)) {
        struct event_key key = {get_u32(&bytes[1]), get_u32(&bytes[1 + sizeof(uint32_t)])};
        shoe_acknowledged(commands->shoe, &key);
    } else {
        commands->skipped++; /* without an id there is nothing to answer */
    }
    return 0;
}
