#include "memory.h"

#include "crc32c.h"

enum {
    COPY_BYTES = 256,
    COPIES = 2,
    ROOTS_AT = COPIES * COPY_BYTES,
    ROOT_PLACES = ROOT_LOGS + 1, /* one is free to be written */
    EVENTS_AT = 2048,
    AT_BOOT = 3, /* in an event: behind length and type */
    AT_NUMBER = 7,
    KEY_BYTES = 8,
};

static const uint32_t MAGIC = 0x54445031U; /* "TDP1": changes with the form of `struct copy` */

struct copy {
    uint32_t magic;
    uint32_t commits;
    struct kept kept;
    uint32_t check;
};

_Static_assert(sizeof(struct copy) <= COPY_BYTES, "a copy must fit into its place");
_Static_assert(ROOTS_AT + (ROOT_PLACES * sizeof(struct root)) <= EVENTS_AT, "the roots must end before the events");
_Static_assert(EVENTS_AT + (EVENT_PLACES * EVENT_BYTES) <= FRAM_BYTES, "the events must fit");
_Static_assert((EVENT_PLACES & (EVENT_PLACES - 1)) == 0, "events are counted modulo 2^32");

static uint32_t check_of(const struct copy *copy)
{
    return crc32c((const uint8_t *)copy, offsetof(struct copy, check));
}

static bool read_copy(const struct fram *fram, uint32_t place, struct copy *copy)
{
    fram->read(fram->context, place * COPY_BYTES, copy, sizeof *copy);
    return (copy->magic == MAGIC) && (copy->check == check_of(copy));
}

enum memory_found memory_open(struct memory *memory, const struct fram *fram)
{
    struct copy copies[COPIES];
    bool first_is_sound = read_copy(fram, 0, &copies[0]);
    bool second_is_sound = read_copy(fram, 1, &copies[1]);
    bytes_fill(memory, 0, sizeof *memory);
    memory->fram = fram;
    if (!first_is_sound && !second_is_sound) {
        /* The parts are delivered full of zeros. The first commit goes to the second place, and may have been cut. */
        return (copies[0].magic == 0U) ? MEMORY_NEW : MEMORY_DAMAGED;
    }
    bool second_is_newer = ((int32_t)(copies[1].commits - copies[0].commits) > 0);
    const struct copy *newest = (second_is_sound && (!first_is_sound || second_is_newer)) ? &copies[1] : &copies[0];
    memory->commits = newest->commits;
    memory->kept = newest->kept;
    return MEMORY_KEPT;
}

void memory_commit(struct memory *memory)
{
    struct copy copy;
    bytes_fill(&copy, 0, sizeof copy);
    memory->commits++;
    copy.magic = MAGIC;
    copy.commits = memory->commits;
    copy.kept = memory->kept;
    copy.check = check_of(&copy);
    memory->fram->write(memory->fram->context, (memory->commits % COPIES) * COPY_BYTES, &copy, sizeof copy);
}

/* --- events --------------------------------------------------------------------------------------------------- */

uint32_t memory_pending(const struct memory *memory)
{
    return memory->kept.next - memory->kept.first;
}

uint32_t memory_places_free(const struct memory *memory)
{
    return EVENT_PLACES - memory_pending(memory);
}

static uint32_t place_of_event(uint32_t event)
{
    return EVENTS_AT + ((event % EVENT_PLACES) * EVENT_BYTES);
}

void memory_add_event(struct memory *memory, enum event_type type, const uint8_t *fields, size_t count)
{
    struct kept *kept = &memory->kept;
    uint8_t bytes[EVENT_BYTES] = {0};
    struct message message;
    kept->number++;
    message_begin(&message, bytes, (uint8_t)type);
    message_u32(&message, kept->boot);
    message_u32(&message, kept->number);
    message_bytes(&message, fields, count);
    (void)message_end(&message);
    memory->fram->write(memory->fram->context, place_of_event(kept->next), bytes, sizeof bytes);
    kept->next++;
    if (type != EVENT_POWER_RESTORED) {
        kept->other = (struct event_key){kept->boot, kept->number};
    }
}

size_t memory_event(const struct memory *memory, uint32_t event, uint8_t *bytes)
{
    memory->fram->read(memory->fram->context, place_of_event(event), bytes, EVENT_BYTES);
    return (size_t)LENGTH_BYTES + get_u16(bytes);
}

static struct event_key key_of(const struct memory *memory, uint32_t event)
{
    uint8_t bytes[KEY_BYTES];
    memory->fram->read(memory->fram->context, place_of_event(event) + AT_BOOT, bytes, sizeof bytes);
    return (struct event_key){get_u32(bytes), get_u32(&bytes[AT_NUMBER - AT_BOOT])};
}

bool memory_forget(struct memory *memory, const struct event_key *key)
{
    for (uint32_t event = memory->kept.first; event != memory->kept.next; event++) {
        struct event_key found = key_of(memory, event);
        if ((found.boot == key->boot) && (found.number == key->number)) {
            memory->kept.first = event + 1U;
            return true;
        }
    }
    return false;
}

/* --- roots ---------------------------------------------------------------------------------------------------- */

static uint32_t place_of_root(uint8_t place)
{
    return ROOTS_AT + ((uint32_t)place * (uint32_t)sizeof(struct root));
}

/* Find a log: its index in `kept.roots`, or `roots_count`. */
static uint8_t find_log(const struct memory *memory, const uint8_t *log, struct root *root)
{
    uint8_t index = 0;
    while (index < memory->kept.roots_count) {
        memory->fram->read(memory->fram->context, place_of_root(memory->kept.roots[index]), root, sizeof *root);
        if (bytes_equal(root->log, log, DIGEST_BYTES)) {
            break;
        }
        index++;
    }
    return index;
}

bool memory_recall(const struct memory *memory, const uint8_t *log, struct root *root)
{
    return find_log(memory, log, root) < memory->kept.roots_count;
}

static bool is_used(const struct kept *kept, uint8_t place)
{
    for (uint8_t i = 0; i < kept->roots_count; i++) {
        if (kept->roots[i] == place) {
            return true;
        }
    }
    return false;
}

/* There is one place more than logs: the root that is replaced stays until the commit. */
static uint8_t free_place(const struct kept *kept)
{
    uint8_t place = 0;
    while (is_used(kept, place)) {
        place++;
    }
    return place;
}

void memory_remember(struct memory *memory, const struct root *root)
{
    struct kept *kept = &memory->kept;
    struct root found;
    uint8_t place = free_place(kept);
    uint8_t replaced = find_log(memory, root->log, &found);
    memory->fram->write(memory->fram->context, place_of_root(place), root, sizeof *root);
    if (replaced == kept->roots_count) {
        kept->logs++;
        replaced = (kept->roots_count < ROOT_LOGS) ? kept->roots_count : 0U;
        kept->roots_count = (kept->roots_count < ROOT_LOGS) ? (uint8_t)(kept->roots_count + 1U) : kept->roots_count;
    }
    for (uint8_t i = replaced; i + 1U < kept->roots_count; i++) {
        kept->roots[i] = kept->roots[i + 1U];
    }
    kept->roots[kept->roots_count - 1U] = place;
    memory_commit(memory);
}
