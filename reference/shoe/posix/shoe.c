#include "shoe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum {
    HARDWARE_REVISION = 1,
    SECURITY_COUNTER = 1,
};

static bool print_error(const char *what, const char *why)
{
    (void)fprintf(stderr, "shoe: %s: %s\n", what, why);
    return false;
}

static bool power(void *context, bool is_on)
{
    struct posix_shoe *shoe = context;
    if (!is_on) {
        return false;
    }
    shoe->board.sensors = shoe->store.world->sensors;
    if (!device_start(&shoe->device, &shoe->board, shoe->now_ms)) {
        return false;
    }
    hands_started(&shoe->hands);
    return true;
}

static void plug(void *context, bool is_plugged)
{
    struct posix_shoe *shoe = context;
    if (!is_plugged && shoe->hands.has_power) {
        device_line_lost(&shoe->device, shoe->now_ms);
    }
    shoe->plug(shoe->runner, is_plugged);
}

static bool set_security(struct posix_shoe *shoe, const struct tls_files *files)
{
    const char *problem = NULL;
    shoe->security = PLAIN;
    if (files->key != NULL) {
        shoe->identity.sign_context = key_open(files->key);
        shoe->identity.sign = key_sign;
        if (shoe->identity.sign_context == NULL) {
            return print_error(files->key, "is no private key in PEM without a passphrase");
        }
    }
    if (files->certificate != NULL) {
        shoe->tls = tls_open(files, &shoe->device.memory, &problem);
        if (shoe->tls == NULL) {
            return print_error("TLS", problem);
        }
        shoe->security = tls_security(shoe->tls);
    }
    return true;
}

static bool start(struct posix_shoe *shoe, const struct options *options)
{
    shoe->hands = (struct hands){.world = shoe->store.world,
                                 .device = &shoe->device,
                                 .is_plugged = true,
                                 .context = shoe,
                                 .plug = plug,
                                 .power = power};
    shoe->board = (struct board){.line = &shoe->line,
                                 .security = &shoe->security,
                                 .fram = &shoe->fram,
                                 .identity = &shoe->identity,
                                 .baud = options->baud,
                                 .chance = shoe->seed,
                                 .reason = BOOT_POWER_ON};
    shoe->hands.has_power = power(shoe, true);
    if (!shoe->hands.has_power) {
        const char *where = (options->keep == NULL) ? "memory" : options->keep;
        return print_error(where, "the memory is damaged; the shoe does not start. Take another file");
    }
    if ((shoe->tls != NULL) && !tls_started(shoe->tls)) {
        return print_error("--revoked", "a newer list was given before; give that one");
    }
    return true;
}

bool shoe_begin(struct posix_shoe *shoe, const struct options *options, const struct line *line)
{
    shoe->line = *line;
    shoe->seed = options->seed;
    if ((shoe->seed == 0U) && (getrandom(&shoe->seed, sizeof shoe->seed, 0) != (ssize_t)sizeof shoe->seed)) {
        return print_error("chance", strerror(errno));
    }
    if (!store_open(&shoe->store, options->keep)) {
        bool is_other = (errno == EINVAL);
        return print_error(options->keep, is_other ? "is no storage file of this shoe" : strerror(errno));
    }
    shoe->fram = store_fram(&shoe->store);
    if (shoe->store.is_new) {
        world_begin(shoe->store.world, shoe->seed);
    }
    shoe->identity = (struct identity){.maker = "Cardshoe",
                                       .model = "Reference shoe",
                                       .serial = options->serial,
                                       .firmware_version = "1.0.0",
                                       .hardware_revision = HARDWARE_REVISION,
                                       .security_counter = SECURITY_COUNTER};
    if (!digest_of_file("/proc/self/exe", shoe->identity.image_digest)) {
        return print_error("/proc/self/exe", "cannot be read for the image's digest");
    }
    return set_security(shoe, &options->files) && start(shoe, options);
}

bool shoe_type(struct posix_shoe *shoe, char byte)
{
    if (byte == '\n') {
        shoe->typed[shoe->is_too_long ? 0U : shoe->typed_count] = '\0';
        shoe->typed_count = 0;
        shoe->is_too_long = false;
        return true;
    }
    if (shoe->typed_count < LINE_BYTES - 1U) {
        shoe->typed[shoe->typed_count] = byte;
        shoe->typed_count++;
    } else {
        shoe->is_too_long = true; /* becomes an empty line, which is no command */
    }
    return false;
}
