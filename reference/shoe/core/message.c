#include "message.h"

void record_reader_reset(struct record_reader *reader)
{
    reader->count = 0;
    reader->length = 0;
    reader->prefixes = 0;
}

static enum record_reading put_length(struct record_reader *reader, uint8_t byte)
{
    reader->count = 0;
    reader->length = (uint16_t)((reader->length << 8) | byte);
    reader->prefixes++;
    if (reader->prefixes < LENGTH_BYTES) {
        return RECORD_MORE;
    }
    return ((reader->length == 0U) || (reader->length > MESSAGE_MAX)) ? RECORD_IMPOSSIBLE : RECORD_MORE;
}

enum record_reading record_reader_put(struct record_reader *reader, uint8_t byte)
{
    if (reader->prefixes < LENGTH_BYTES) {
        return put_length(reader, byte);
    }
    if (reader->count < sizeof reader->bytes) {
        reader->bytes[reader->count] = byte;
    }
    reader->count++;
    if (reader->count < reader->length) {
        return RECORD_MORE;
    }
    uint16_t count = reader->count;
    record_reader_reset(reader);
    reader->count = count;
    return RECORD_MESSAGE;
}

void message_begin(struct message *message, uint8_t *bytes, uint8_t type)
{
    message->bytes = bytes;
    message->count = LENGTH_BYTES;
    message_u8(message, type);
}

void message_u8(struct message *message, uint8_t value)
{
    message->bytes[message->count] = value;
    message->count++;
}

void message_u16(struct message *message, uint16_t value)
{
    put_u16(&message->bytes[message->count], value);
    message->count += sizeof value;
}

void message_u32(struct message *message, uint32_t value)
{
    put_u32(&message->bytes[message->count], value);
    message->count += sizeof value;
}

void message_bytes(struct message *message, const uint8_t *bytes, size_t count)
{
    bytes_copy(&message->bytes[message->count], bytes, count);
    message->count += count;
}

void message_text(struct message *message, const char *text)
{
    bool is_over = false;
    for (size_t i = 0; i < (size_t)TEXT_BYTES; i++) {
        is_over = is_over || (text[i] == '\0');
        message_u8(message, is_over ? 0U : (uint8_t)text[i]);
    }
}

size_t message_end(struct message *message)
{
    put_u16(message->bytes, (uint16_t)(message->count - LENGTH_BYTES));
    return message->count;
}
