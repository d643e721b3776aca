/* The link alone, with frames and time from standard input, for the test vectors:
 *
 *   at MS        the clock shows so many milliseconds
 *   rx HEX       one read of the port brought these bytes
 *   write HEX    the application writes this into the stream, once a session is established
 *   frame HEX    read these bytes from the line, without a link
 *
 * The answer is "tx HEX" for each frame that is sent, or what `frame` found, and then ".".
 */
#include "../core/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_BYTES = 8192,
    ROOM_BYTES = 65536,
    HEXADECIMAL = 16,
    DECIMAL = 10,
};

struct bench {
    struct link link;
    uint32_t now_ms;
    uint8_t waiting[STREAM_OUT_BYTES];
    size_t waiting_count;
};

static void print_bytes(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)printf("%02X", (unsigned)bytes[i]);
    }
}

static size_t room(void *context)
{
    (void)context;
    return ROOM_BYTES;
}

static void send_bytes(void *context, const uint8_t *bytes, size_t count)
{
    (void)context;
    (void)fputs("tx ", stdout);
    print_bytes(bytes, count);
    (void)putchar('\n');
}

static size_t read_bytes(const char *text, uint8_t *bytes)
{
    size_t count = strlen(text) / 2U;
    for (size_t i = 0; i < count; i++) {
        const char pair[3] = {text[2U * i], text[(2U * i) + 1U], '\0'};
        bytes[i] = (uint8_t)strtoul(pair, NULL, HEXADECIMAL);
    }
    return count;
}

static void show_frames(const char *text)
{
    struct frame_reader reader = {0};
    uint8_t bytes[LINE_BYTES];
    size_t count = read_bytes(text, bytes);
    for (size_t i = 0; i < count; i++) {
        struct frame frame;
        enum frame_reading reading = frame_reader_put(&reader, bytes[i], &frame);
        if (reading == READING_FRAME) {
            (void)printf("frame %d %u %u %u ", (int)frame.kind, (unsigned)frame.session, (unsigned)frame.sequence,
                         (unsigned)frame.acknowledgement);
            print_bytes(frame.payload, frame.length);
            (void)putchar('\n');
        } else if (reading == READING_SKIPPED) {
            (void)puts("skipped");
        } else {
            /* more is to come */
        }
    }
}

static void work(struct bench *bench)
{
    link_tick(&bench->link, bench->now_ms);
    if (link_is_open(&bench->link) && (bench->waiting_count > 0U)) {
        link_write(&bench->link, bench->waiting, bench->waiting_count);
        bench->waiting_count = 0;
    }
    link_send(&bench->link, bench->now_ms);
}

static void execute(struct bench *bench, const char *text)
{
    uint8_t bytes[LINE_BYTES];
    size_t count;
    if (strncmp(text, "frame ", 6) == 0) {
        show_frames(&text[6]);
        return;
    }
    if (strncmp(text, "at ", 3) == 0) {
        bench->now_ms = (uint32_t)strtoul(&text[3], NULL, DECIMAL);
    } else if (strncmp(text, "write ", 6) == 0) {
        bench->waiting_count = read_bytes(&text[6], bench->waiting);
    } else if (strncmp(text, "rx ", 3) == 0) {
        count = read_bytes(&text[3], bytes);
        link_begin_batch(&bench->link);
        for (size_t i = 0; i < count; i++) {
            (void)link_put(&bench->link, bytes[i], bench->now_ms);
        }
    } else {
        (void)puts("no such line");
    }
    work(bench);
}

int main(int count, char **words)
{
    static struct bench bench;
    static char text[LINE_BYTES];
    const struct line line = {NULL, room, send_bytes};
    const struct link_settings settings = {
        .security = 0,
        .baud = (count > 2) ? (uint32_t)strtoul(words[2], NULL, DECIMAL) : 0U,
        .first_number = (count > 1) ? (uint8_t)strtoul(words[1], NULL, DECIMAL) : 1U,
    };
    link_start(&bench.link, &line, &settings);
    while (fgets(text, sizeof text, stdin) != NULL) {
        text[strcspn(text, "\n")] = '\0';
        execute(&bench, text);
        (void)puts(".");
        (void)fflush(stdout);
    }
    return 0;
}
