/* Cuts the power behind every byte that the shoe writes to its memory, starts it again, and checks its memory.
 *
 * One story of hands and commands is played without a cut first; then again for each byte, with the power cut there.
 * What was finished before the cut must be kept; what was not must be kept whole or not at all. Prints the number of
 * cuts; a failure names the byte.
 */
#include "../core/commands.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    EVENTS_MAX = 64,
    STEPS = 14,
    CARDS = 52,
    ROOTS = 10, /* logs: more than are remembered */
};

static uint8_t fram_bytes[FRAM_BYTES];
static long left_bytes; /* until the power is cut; below 0: it stays */
static long written_bytes;
static jmp_buf darkness;

static void read_fram(void *context, uint32_t at, void *bytes, size_t count)
{
    (void)context;
    bytes_copy(bytes, &fram_bytes[at], count);
}

static void write_fram(void *context, uint32_t at, const void *bytes, size_t count)
{
    (void)context;
    for (size_t i = 0; i < count; i++) {
        if (left_bytes == 0) {
            longjmp(darkness, 1);
        }
        left_bytes--;
        written_bytes++;
        fram_bytes[at + i] = ((const uint8_t *)bytes)[i];
    }
}

struct powered {
    struct memory memory;
    struct shoe shoe;
    struct commands commands;
    uint32_t id;
};

static const struct fram FRAM = {NULL, read_fram, write_fram};
static const struct identity IDENTITY = {.maker = "a", .model = "b", .serial = "c", .firmware_version = "d"};
static struct powered device;
static volatile int step; /* that is under way */

/* Of the story without a cut: what was kept behind each step, and all events. */
static struct kept after[STEPS];
static uint8_t events[EVENTS_MAX][EVENT_BYTES];

static void require(bool holds, const char *what, long cut)
{
    if (!holds) {
        (void)printf("cut behind byte %ld, in step %d: %s\n", cut, step, what);
        exit(1);
    }
}

static void start(void)
{
    const struct sensors sensors = {false, false, 0};
    enum memory_found found = memory_open(&device.memory, &FRAM);
    require(found != MEMORY_DAMAGED, "the memory is damaged", -1);
    shoe_start(&device.shoe, &device.memory, &sensors, BOOT_POWER_ON);
    commands_start(&device.commands, &IDENTITY, &device.shoe);
}

static uint8_t command(enum command_type type, const uint8_t *fields, size_t count)
{
    uint8_t bytes[COMMAND_BYTES_MAX];
    uint8_t answer[ANSWER_BYTES_MAX];
    device.id++;
    bytes[0] = (uint8_t)type;
    put_u32(&bytes[1], device.id);
    bytes_copy(&bytes[5], fields, count);
    (void)commands_take(&device.commands, bytes, 5U + count, answer);
    return answer[LENGTH_BYTES];
}

static void remember(uint8_t log, uint8_t size)
{
    uint8_t fields[DIGEST_BYTES + SIZE_BYTES + DIGEST_BYTES] = {0};
    fields[0] = log;
    fields[DIGEST_BYTES + SIZE_BYTES - 1] = size;
    fields[DIGEST_BYTES + SIZE_BYTES] = size; /* the root goes with the size */
    require(command(COMMAND_REMEMBER_ROOT, fields, sizeof fields) == REPORT_DONE, "a root is refused", left_bytes);
}

static void play(void)
{
    const uint8_t unlock[] = {0, 3, 0, 0, 0, 77};
    const uint8_t clear[] = {FAULT_STUCK_AT_EXIT, MODULE_EXIT};
    for (step = 0; step < STEPS; step++) {
        switch (step) {
        case 0: start(); break;
        case 1: shoe_cover(&device.shoe, true); break;
        case 2: shoe_cover(&device.shoe, false); break;
        case 3: shoe_stack(&device.shoe, CARDS); break;
        case 4: (void)command(COMMAND_UNLOCK, unlock, sizeof unlock); break;
        case 5: shoe_card_drawn(&device.shoe, 0x18, 99); break;
        case 6: shoe_cut_card_drawn(&device.shoe); break;
        case 7: shoe_card_drawn(&device.shoe, 0, 0); break;
        case 8: shoe_card_stuck(&device.shoe); break;
        case 9: shoe_stuck_card_drawn(&device.shoe, 0x2A, 99); break;
        case 10: (void)command(COMMAND_CLEAR_FAULT, clear, sizeof clear); break;
        case 11: shoe_acknowledged(&device.shoe, &(struct event_key){device.memory.kept.boot, 4}); break;
        case 12:
            for (uint8_t log = 1; log <= ROOTS; log++) {
                remember(log, 1);
            }
            break;
        default: remember(ROOTS, 2); break;
        }
        if (left_bytes < 0) {
            after[step] = device.memory.kept;
        }
    }
}

static void play_whole(void)
{
    left_bytes = -1;
    written_bytes = 0;
    bytes_fill(&device, 0, sizeof device);
    bytes_fill(fram_bytes, 0, sizeof fram_bytes);
    play();
    for (uint32_t event = 0; event < device.memory.kept.next; event++) {
        (void)memory_event(&device.memory, event, events[event]);
    }
}

/* What was kept is a beginning of the story: the events of the uncut one, and the counts that go with the last. */
static void check_events(long cut)
{
    const struct kept *kept = &device.memory.kept;
    uint32_t last = kept->next - kept->number; /* the first event of this start, behind those of the story */
    uint8_t bytes[EVENT_BYTES];
    uint16_t cards = 0;
    uint16_t stack = 0;
    for (uint32_t event = 0; event < last; event++) {
        (void)memory_event(&device.memory, event, bytes);
        require(bytes_equal(bytes, events[event], sizeof bytes), "an event has changed", cut);
        stack = (bytes[LENGTH_BYTES] == EVENT_STACK_LOADED) ? (uint16_t)CARDS : stack;
        if (bytes[LENGTH_BYTES] == EVENT_CARD_DRAWN) {
            cards++;
        }
    }
    require(kept->count == cards, "the count is not that of the events", cut);
    require(kept->stack_cards == ((stack > 0U) ? stack - cards : 0), "the stack is not that of the events", cut);
    (void)memory_event(&device.memory, last, bytes);
    require(bytes[LENGTH_BYTES] == EVENT_POWER_RESTORED, "the start does not begin with PowerRestored", cut);
    require(get_u32(&bytes[7]) == 1U, "PowerRestored is not event 1", cut);
    uint32_t named = get_u32(&bytes[15]);
    require(named == ((last > 1U) ? last : 0U), "PowerRestored names another event", cut);
}

static void check_roots(long cut)
{
    uint32_t found = 0;
    for (uint8_t log = 1; log <= ROOTS; log++) {
        uint8_t name[DIGEST_BYTES] = {log};
        struct root root;
        if (memory_recall(&device.memory, name, &root)) {
            found++;
            require(root.size[SIZE_BYTES - 1] == root.digest[0], "size and root are of two commands", cut);
        }
    }
    require(found == ((device.memory.kept.logs < ROOT_LOGS) ? device.memory.kept.logs : (uint32_t)ROOT_LOGS),
            "a log was lost", cut);
}

static void play_cut(long cut)
{
    bytes_fill(&device, 0, sizeof device);
    bytes_fill(fram_bytes, 0, sizeof fram_bytes);
    left_bytes = cut;
    if (setjmp(darkness) == 0) {
        play();
        require(false, "the power was not cut", cut);
    }
    int reached = step;
    uint32_t id = device.id;
    left_bytes = -1;
    bytes_fill(&device, 0, sizeof device);
    start();
    check_events(cut);
    check_roots(cut);
    require(reached < 2 || device.memory.kept.boot == 2U, "the boot count is wrong", cut);
    require(device.memory.kept.highest_id + 1U >= id, "an id that was answered is forgotten", cut);
    if (reached > 0) {
        int32_t more = (int32_t)(device.memory.kept.next - device.memory.kept.number - after[reached - 1].next);
        require(more >= 0, "a finished event is lost", cut);
        require(device.memory.kept.first >= after[reached - 1].first, "an acknowledgement is lost", cut);
    }
}

int main(void)
{
    play_whole();
    long whole = written_bytes;
    for (long cut = 0; cut < whole; cut++) {
        play_cut(cut);
    }
    (void)printf("%ld cuts\n", whole);
    return 0;
}
