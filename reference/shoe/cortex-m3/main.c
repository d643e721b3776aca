#include "../hands/hands.h"
#include "board.h"

enum {
    READ_BYTES = 64,
    LINE_BYTES = 256, /* of a control line: `load cards` with 52 names */
};

/* The build fills it. */
static const uint8_t IMAGE_DIGEST[DIGEST_BYTES] __attribute__((section(".digest"), used)) = {0};

static struct world world __attribute__((section(".nonvolatile")));
static struct line line;
static struct fram fram;
static struct identity identity = {
    .maker = "Cardshoe",
    .model = "Reference shoe",
    .serial = "REF-M3-0001",
    .firmware_version = "1.0.0",
    .hardware_revision = 1,
    .security_counter = 1,
};
static struct board board = {
    .line = &line,
    .security = &PLAIN,
    .fram = &fram,
    .identity = &identity,
    .reason = BOOT_POWER_ON,
};
static struct device device;
static struct hands hands;
static bool drops_line; /* unplugged: a wire has no signal for that */

static void plug(void *context, bool is_plugged)
{
    (void)context;
    drops_line = !is_plugged;
}

static bool power(void *context, bool is_on)
{
    (void)context;
    if (!is_on) {
        return false;
    }
    board.sensors = world.sensors;
    if (!device_start(&device, &board, board_clock_ms())) {
        return false;
    }
    hands_started(&hands);
    return true;
}

static void work(void)
{
    if (hands.has_power) {
        device_work(&device, board_clock_ms());
    }
}

static void execute(char *text)
{
    static char answer[HANDS_ANSWER_BYTES];
    work();
    hands_execute(&hands, text, answer);
    work();
    board_write_control(answer);
    board_write_control("\n");
}

static void serve_control(void)
{
    static char text[LINE_BYTES];
    static size_t count;
    uint8_t byte;
    while (board_read_control(&byte, 1) == 1U) {
        if (byte == (uint8_t)'\n') {
            text[count] = '\0';
            count = 0;
            execute(text);
        } else if (count < sizeof text - 1U) {
            text[count] = (char)byte;
            count++;
        } else {
            text[0] = '\0'; /* too long: no command begins like this */
        }
    }
}

static void serve_line(void)
{
    uint8_t bytes[READ_BYTES];
    size_t count = board_read_line(bytes, sizeof bytes);
    if ((count > 0U) && hands.has_power && !drops_line) {
        device_receive(&device, bytes, count, board_clock_ms());
    }
}

/* The line as the link sees it, with the cable that a hand may pull. */
static struct line wire;

static size_t room(void *context)
{
    (void)context;
    return wire.room(NULL);
}

static void write_line(void *context, const uint8_t *bytes, size_t count)
{
    (void)context;
    if (!drops_line) {
        wire.write(NULL, bytes, count);
    }
}

int main(void)
{
    board_start();
    wire = board_line();
    fram = board_fram();
    line = (struct line){NULL, room, write_line};
    bytes_copy(identity.image_digest, IMAGE_DIGEST, sizeof IMAGE_DIGEST);
    hands = (struct hands){.world = &world, .device = &device, .is_plugged = true, .plug = plug, .power = power};
    if (world.chance == 0U) {
        world_begin(&world, 1);
    }
    hands.has_power = power(NULL, true);
    board_write_control("{\"settings\": {\"security\": \"plain\"}}\n");
    for (;;) {
        serve_line();
        serve_control();
        work();
        board_sleep(hands.has_power ? device_due_ms(&device, board_clock_ms()) : board_clock_ms() + 1000U);
    }
}
