#include "crc32c.h"

enum { NIBBLES = 16 };

/* What four bits do to the reflected polynomial 82F63B78: 64 bytes of flash for a quarter of the time. */
static const uint32_t OF_NIBBLE[NIBBLES] = {
    0x00000000U, 0x105EC76FU, 0x20BD8EDEU, 0x30E349B1U, 0x417B1DBCU, 0x5125DAD3U, 0x61C69362U, 0x7198540DU,
    0x82F63B78U, 0x92A8FC17U, 0xA24BB5A6U, 0xB21572C9U, 0xC38D26C4U, 0xD3D3E1ABU, 0xE330A81AU, 0xF36E6F75U,
};

uint32_t crc32c(const uint8_t *bytes, size_t count)
{
    uint32_t check = 0xFFFFFFFFU;
    for (size_t i = 0; i < count; i++) {
        check ^= bytes[i];
        check = (check >> 4) ^ OF_NIBBLE[check & 0x0FU];
        check = (check >> 4) ^ OF_NIBBLE[check & 0x0FU];
    }
    return check ^ 0xFFFFFFFFU;
}
