#include "security.h"

static void begin(void *context)
{
    (void)context;
}

static enum security_state work(void *context, struct link *link, uint32_t now_ms)
{
    (void)context;
    (void)link;
    (void)now_ms;
    return SECURITY_UP;
}

static size_t read_stream(void *context, struct link *link, uint8_t *bytes, size_t room)
{
    (void)context;
    return link_read(link, bytes, room);
}

static size_t space(void *context, const struct link *link)
{
    (void)context;
    return link_space(link);
}

static void write_stream(void *context, struct link *link, const uint8_t *bytes, size_t count)
{
    (void)context;
    link_write(link, bytes, count);
}

const struct security PLAIN = {
    .context = NULL,
    .number = SECURITY_PLAIN,
    .begin = begin,
    .work = work,
    .read = read_stream,
    .space = space,
    .write = write_stream,
};
