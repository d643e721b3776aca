#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    DECIMAL = 10,
    BAUD_MIN = 9600,
    NUMBER_MAX = 0x7FFFFFFF,
};

static const char USAGE[] =
    "usage: shoe (--tcp HOST:PORT | --tty PATH | --pty PATH | --given-time) [options]\n"
    "  --tcp HOST:PORT     listen there; port 0: any free one\n"
    "  --tty PATH          a serial port\n"
    "  --pty PATH          make a pseudo terminal, and a link to it\n"
    "  --given-time        time and line come on standard input (docs/reference-firmware.md)\n"
    "  --keep FILE         what outlives power and kill; without it nothing does\n"
    "  --serial TEXT       serial number, 1 to 24 characters\n"
    "  --baud N            speed of the serial line; with --tcp, of the line behind it, if below 115200\n"
    "  --seed N            repeat session numbers and shuffles\n"
    "  --certificate FILE, --key FILE, --authority FILE\n"
    "                      PEM: all three for TLS 1.3; the key alone to attest on a plain line\n"
    "  --revoked FILE      PEM: the authority's list of revoked certificates\n";

enum option_code {
    OPTION_TCP = 256,
    OPTION_TTY,
    OPTION_PTY,
    OPTION_GIVEN_TIME,
    OPTION_KEEP,
    OPTION_SERIAL,
    OPTION_BAUD,
    OPTION_SEED,
    OPTION_CERTIFICATE,
    OPTION_KEY,
    OPTION_AUTHORITY,
    OPTION_REVOKED,
};

static const struct option OPTIONS[] = {
    {"tcp", required_argument, NULL, OPTION_TCP},
    {"tty", required_argument, NULL, OPTION_TTY},
    {"pty", required_argument, NULL, OPTION_PTY},
    {"given-time", no_argument, NULL, OPTION_GIVEN_TIME},
    {"keep", required_argument, NULL, OPTION_KEEP},
    {"serial", required_argument, NULL, OPTION_SERIAL},
    {"baud", required_argument, NULL, OPTION_BAUD},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"certificate", required_argument, NULL, OPTION_CERTIFICATE},
    {"key", required_argument, NULL, OPTION_KEY},
    {"authority", required_argument, NULL, OPTION_AUTHORITY},
    {"revoked", required_argument, NULL, OPTION_REVOKED},
    {NULL, 0, NULL, 0},
};

static bool print_error(const char *problem)
{
    (void)fprintf(stderr, "shoe: %s\n%s", problem, USAGE);
    return false;
}

static bool read_number(const char *text, uint32_t least, uint32_t *number)
{
    char *end = NULL;
    long value = strtol(text, &end, DECIMAL);
    *number = (uint32_t)value;
    return (end != text) && (*end == '\0') && (value >= (long)least) && (value <= NUMBER_MAX);
}

static bool is_text_24(const char *text)
{
    size_t count = 0;
    while ((count <= (size_t)TEXT_BYTES) && (text[count] >= ' ') && (text[count] <= '~')) {
        count++;
    }
    return (count > 0U) && (count <= (size_t)TEXT_BYTES) && (text[count] == '\0');
}

static bool take(struct options *options, int code, const char *value)
{
    switch (code) {
    case OPTION_TCP:
        options->tcp = value;
        return true;
    case OPTION_TTY:
        options->tty = value;
        return true;
    case OPTION_PTY:
        options->pty = value;
        return true;
    case OPTION_GIVEN_TIME:
        options->is_given_time = true;
        return true;
    case OPTION_KEEP:
        options->keep = value;
        return true;
    case OPTION_SERIAL:
        options->serial = value;
        return is_text_24(value) || print_error("--serial takes 1 to 24 printable characters");
    case OPTION_BAUD:
        return read_number(value, BAUD_MIN, &options->baud) || print_error("--baud takes a number from 9600 on");
    case OPTION_SEED:
        return read_number(value, 1, &options->seed) || print_error("--seed takes a number from 1 on");
    case OPTION_CERTIFICATE:
        options->files.certificate = value;
        return true;
    case OPTION_KEY:
        options->files.key = value;
        return true;
    case OPTION_AUTHORITY:
        options->files.authority = value;
        return true;
    case OPTION_REVOKED:
        options->files.revoked = value;
        return true;
    default:
        return print_error("no such option, or its value is missing");
    }
}

static bool fit_together(const struct options *options)
{
    const struct tls_files *files = &options->files;
    bool has_certificate = (files->certificate != NULL);
    int lines = (options->tcp != NULL) + (options->tty != NULL) + (options->pty != NULL) + options->is_given_time;
    if (lines != 1) {
        return print_error("give one of --tcp, --tty, --pty and --given-time");
    }
    if ((has_certificate != (files->authority != NULL)) || (has_certificate && (files->key == NULL))) {
        return print_error("TLS takes --certificate, --key and --authority");
    }
    if ((files->revoked != NULL) && !has_certificate) {
        return print_error("--revoked is for TLS");
    }
    return true;
}

bool options_read(struct options *options, int count, char **words)
{
    *options = (struct options){.serial = "REF-0001"};
    opterr = 0;
    for (int code = getopt_long(count, words, "", OPTIONS, NULL); code != -1;
         code = getopt_long(count, words, "", OPTIONS, NULL)) {
        if (!take(options, code, optarg)) {
            return false;
        }
    }
    return (optind == count) ? fit_together(options) : print_error("there is a word too many");
}
