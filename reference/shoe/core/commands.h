/* Commands: each is answered, and none is done twice (TDP section 10, rules C1 to C4). */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "identity.h"
#include "shoe.h"

enum {
    ANSWERS_KEPT = 16,                                           /* rule C2 */
    ATTESTATION_BYTES_MAX = LENGTH_BYTES + 74 + SIGNATURE_MAX,   /* the longest report before Done */
    ANSWER_BYTES_MAX = ATTESTATION_BYTES_MAX + LENGTH_BYTES + 5, /* with Done */
};

struct answer {
    uint32_t id; /* 0: none is remembered here */
    uint8_t command[COMMAND_BYTES_MAX];
    uint8_t count;
    enum refusal refusal;
};

struct commands {
    const struct identity *identity;
    struct shoe *shoe;
    struct answer answers[ANSWERS_KEPT]; /* a ring; a start forgets them, and then rule C1 refuses their ids */
    uint8_t next_answer;
    uint32_t skipped; /* messages that could not be read, or were not for a device */
};

void commands_start(struct commands *commands, const struct identity *identity, struct shoe *shoe);

/* Take a message from the host: `count` bytes, of which the first COMMAND_BYTES_MAX are at `bytes`. Write what answers
 * it, with lengths, to `answer`, which has room for ANSWER_BYTES_MAX; return its bytes, 0 if nothing answers it. */
size_t commands_take(struct commands *commands, const uint8_t *bytes, size_t count, uint8_t *answer);

#endif
