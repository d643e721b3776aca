/* Time and line from standard input, so that a test or a search for mutants runs as fast as the machine can:
 *
 *   at MS      the clock shows so many milliseconds; it never goes back
 *   rx HEX     one read of the port brought these bytes
 *   room N     the line takes so many bytes until the next "room"; until the first one it is never slow
 *
 * and all control lines. Each is answered by what the device sends ("tx HEX", once for each frame), by "due MS", when
 * it must have the next "at" at the latest if nothing comes before, and by "ok: ..." or "error: ...".
 */
#include "shoe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_ROOM_BYTES = 65536,
    HEXADECIMAL = 16,
    DECIMAL = 10,
};

static size_t room_bytes = LINE_ROOM_BYTES;
static bool is_slow;

static size_t room(void *context)
{
    (void)context;
    return room_bytes;
}

static void write_line(void *context, const uint8_t *bytes, size_t count)
{
    const struct posix_shoe *shoe = context;
    room_bytes -= is_slow ? count : 0U;
    if (!shoe->hands.is_plugged) {
        return;
    }
    (void)fputs("tx ", stdout);
    for (size_t i = 0; i < count; i++) {
        (void)printf("%02X", (unsigned)bytes[i]);
    }
    (void)putchar('\n');
}

static void plug(void *runner, bool is_plugged)
{
    (void)runner;
    (void)is_plugged; /* `write_line` and `receive` check it */
}

static void work(struct posix_shoe *shoe)
{
    if (shoe->hands.has_power) {
        device_work(&shoe->device, shoe->now_ms);
    }
}

/* Bytes of hexadecimal text; 0: it is none. */
static size_t read_bytes(const char *text, uint8_t *bytes)
{
    size_t count = strlen(text) / 2U;
    for (size_t i = 0; i < count; i++) {
        char pair[3] = {text[2U * i], text[(2U * i) + 1U], '\0'};
        char *end = NULL;
        bytes[i] = (uint8_t)strtoul(pair, &end, HEXADECIMAL);
        if (end != &pair[2]) {
            return 0;
        }
    }
    return count;
}

static void receive(struct posix_shoe *shoe, const char *text, char *answer)
{
    uint8_t bytes[LINE_BYTES / 2];
    size_t count = read_bytes(text, bytes);
    if (shoe->hands.has_power && shoe->hands.is_plugged) {
        device_receive(&shoe->device, bytes, count, shoe->now_ms);
    }
    (void)strcpy(answer, (count > 0U) ? "ok: read" : "error: rx takes bytes in hexadecimal");
}

static void execute(struct posix_shoe *shoe, char *answer)
{
    const char *text = shoe->typed;
    if (strncmp(text, "at ", 3) == 0) {
        shoe->now_ms = (uint32_t)strtoul(&text[3], NULL, DECIMAL);
        (void)strcpy(answer, "ok: later");
    } else if (strncmp(text, "room ", 5) == 0) {
        room_bytes = strtoul(&text[5], NULL, DECIMAL);
        is_slow = true;
        (void)strcpy(answer, "ok: room");
    } else if (strncmp(text, "rx ", 3) == 0) {
        receive(shoe, &text[3], answer);
    } else {
        work(shoe);
        hands_execute(&shoe->hands, shoe->typed, answer);
    }
    work(shoe);
}

int run_on_given_time(struct posix_shoe *shoe, const struct options *options)
{
    const struct line line = {shoe, room, write_line};
    char answer[HANDS_ANSWER_BYTES];
    shoe->plug = plug;
    if (!shoe_begin(shoe, options, &line)) {
        return 1;
    }
    (void)puts((shoe->tls == NULL) ? "{\"settings\": {\"security\": \"plain\"}}" : "{\"settings\": {}}");
    for (int byte = (fflush(stdout), getchar()); (byte != EOF) && !shoe->hands.is_over; byte = getchar()) {
        if (shoe_type(shoe, (char)byte)) {
            execute(shoe, answer);
            (void)printf("due %lu\n%s\n", (unsigned long)device_due_ms(&shoe->device, shoe->now_ms), answer);
            (void)fflush(stdout);
        }
    }
    return 0;
}
