/* Control lines: acts of a hand at the shoe, as docs/conformance.md names them. Each is answered with one line. Besides,
 * `load cards 8S KD CUT 3H` loads exactly these, the first to leave first, the cut card among them.
 */
#ifndef HANDS_H
#define HANDS_H

#include "../core/device.h"
#include "world.h"

enum { HANDS_ANSWER_BYTES = 192 };

struct hands {
    struct world *world;
    struct device *device;
    bool has_power;
    bool is_plugged;
    bool is_over; /* "quit" came */
    void *context;
    void (*plug)(void *context, bool is_plugged);
    bool (*power)(void *context, bool is_on); /* on: start the device; false if it does not run */
};

/* The device has started. A stack that was loaded without a report is removed. */
void hands_started(struct hands *hands);

/* Execute a line, without its end. The answer is "ok: ..." or "error: ...", at most HANDS_ANSWER_BYTES with its
 * zero. Call `device_work` before it, so that a session that is over has locked the mouth, and after it. */
void hands_execute(struct hands *hands, char *line, char *answer);

#endif
