/* TDP/1's link (docs/protocols/tdp.md, sections 4 to 6), as a model for spin: two ends, a line that loses frames and
 * holds copies back, a host that loses its session, a device that restarts. What the real link does in ten
 * milliseconds it does here at once. Each step prints what it does, for tests/model/replaying.py.
 *
 * -DITEMS, -DHOST_ITEMS: frames that device and host have to say in each session; -DWINDOW; -DMODULUS of the numbers;
 * -DFAULTS: of the line, early timers too; -DCOPIES 0: the line only loses; -DRESTARTS; -DBUG=1 to 8: see tests/model.
 */
#ifndef ITEMS
#define ITEMS 3
#endif
#ifndef HOST_ITEMS
#define HOST_ITEMS 1
#endif
#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef MODULUS
#define MODULUS 8
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#ifndef COPIES
#define COPIES 1
#endif
#ifndef RESTARTS
#define RESTARTS 1
#endif
#ifndef BUG
#define BUG 0
#endif
#define HOST 0
#define DEVICE 1
#define PLACES 5
#define NUMBERS 8
#define STALE 5 /* rounds of timers without progress that a line without faults never needs */

mtype = { OPEN, ACCEPT, DATA, ACK, NAK, RESET };

/* kind, host's number, device's number, sequence, acknowledgement; what it carries, and for whom it was meant */
chan line[2] = [PLACES] of { mtype, byte, byte, byte, byte, byte };

byte total[2];    /* frames to be sent in a session */
byte base[2];     /* the oldest not acknowledged */
byte flying[2];   /* under way */
byte expected[2]; /* the number that it waits for */
byte taken[2];    /* frames that it took in this session; no end knows that */
bool complained[2], complains[2], owes[2], back[2];
bool stands[2];
byte sh[2], sd[2]; /* the session that stands */
byte next_h = 1, next_d = 1;
bool candidate;
byte ch, cd;
byte taken_by_host[NUMBERS]; /* the D that the host accepted for an H */
typedef Frame { mtype k; byte h, d, q, a, v };
Frame held[2]; /* a copy that the line holds back */
bool holds[2];
byte faults = FAULTS, restarts = RESTARTS, stale;

mtype k;
byte h, d, q, a, v, n, i;
bool sent, again;

#define SAME (stands[HOST] && stands[DEVICE] && sh[HOST] == sh[DEVICE] && sd[HOST] == sd[DEVICE])
#define ALL_SAID(e) (base[e] == total[e])
#define DONE (SAME && ALL_SAID(HOST) && ALL_SAID(DEVICE))

inline put(to, kind, ph, pd, seq, ack, val) {
    if
    :: nfull(line[to]) -> line[to]!kind, ph, pd, seq, ack, val
    :: full(line[to]) /* the line has no room: lost */
    fi
}

inline begin(e, bh, bd) {
    stands[e] = true; sh[e] = bh; sd[e] = bd;
#if BUG != 7
    expected[e] = 0;
#endif
    base[e] = 0; flying[e] = 0; taken[e] = 0;
    complained[e] = false; complains[e] = false; owes[e] = false; back[e] = false;
    stale = 0
}

inline flush(e) {
    if
    :: stands[e] ->
        sent = false;
        if
        :: back[e] ->
            back[e] = false;
            for (i : 1 .. flying[e]) {
                put(1 - e, DATA, sh[e], sd[e], (base[e] + i - 1) % MODULUS, expected[e] % MODULUS, base[e] + i - 1);
                sent = true
            }
        :: else
        fi;
        do
        :: flying[e] < WINDOW && base[e] + flying[e] < total[e] ->
            put(1 - e, DATA, sh[e], sd[e], (base[e] + flying[e]) % MODULUS, expected[e] % MODULUS, base[e] + flying[e]);
            flying[e]++; sent = true
        :: else -> break
        od;
        if
        :: complains[e] ->
#if BUG == 5
            put(1 - e, NAK, sh[e], sd[e], 0, (expected[e] + 1) % MODULUS, 0)
#else
            put(1 - e, NAK, sh[e], sd[e], 0, expected[e] % MODULUS, 0)
#endif
        :: !complains[e] && !sent && owes[e] -> put(1 - e, ACK, sh[e], sd[e], 0, expected[e] % MODULUS, 0)
        :: else
        fi;
        complains[e] = false; owes[e] = false
    :: else
    fi
}

inline offer() { put(DEVICE, OPEN, next_h, 0, 0, 0, 0) }

inline host_loses() {
    stands[HOST] = false;
    next_h++;
    assert(next_h < NUMBERS);
    offer()
}

inline of_session(e) {
    n = (a + MODULUS - base[e] % MODULUS) % MODULUS;
#if BUG == 3
    if :: n > flying[e] -> n = flying[e] :: else fi;
#endif
    if
    :: n > 0 && n <= flying[e] ->
        /* forgotten is only what the other end has */
        assert(!SAME || base[e] + n <= taken[1 - e]);
        base[e] = base[e] + n; flying[e] = flying[e] - n;
        stale = 0
    :: else
    fi;
    if
    :: k == NAK -> back[e] = true
    :: k == DATA ->
        owes[e] = true;
        n = (q + MODULUS - expected[e] % MODULUS) % MODULUS;
#if BUG == 1
        if :: n > 0 && n < WINDOW -> expected[e] = expected[e] + n; n = 0 :: else fi;
#endif
#if BUG == 2
        if :: n >= WINDOW -> expected[e] = expected[e] - MODULUS + n; n = 0 :: else fi;
#endif
        if
        :: n == 0 ->
            /* what is taken is the next of this session */
            assert(v == taken[e] && h == sh[e] && d == sd[e]);
            expected[e]++; taken[e]++;
            complained[e] = false; stale = 0
        :: n > 0 && n < WINDOW && !complained[e] -> complained[e] = true; complains[e] = true
        :: else
        fi
    :: else
    fi
}

inline at_host() {
    if
    :: k == ACCEPT && !stands[HOST] && h == next_h ->
        begin(HOST, h, d);
        taken_by_host[h] = d;
        owes[HOST] = true
    :: k == RESET && stands[HOST] && h == sh[HOST] && d == sd[HOST] -> host_loses()
#if BUG == 8
    :: (k == DATA || k == ACK || k == NAK) && stands[HOST] -> of_session(HOST)
#else
    :: (k == DATA || k == ACK || k == NAK) && stands[HOST] && h == sh[HOST] && d == sd[HOST] -> of_session(HOST)
#endif
    :: else
    fi;
    flush(HOST)
}

inline at_device() {
    if
    :: k == OPEN && stands[DEVICE] && h == sh[DEVICE] /* a copy */
    :: k == OPEN && !(stands[DEVICE] && h == sh[DEVICE]) ->
#if BUG == 6
        assert(!SAME); /* nobody ends a session in which the host still is */
        stands[DEVICE] = false;
#endif
        if
        :: !(candidate && ch == h) -> candidate = true; ch = h; cd = next_d; next_d++
        :: else
        fi;
        put(HOST, ACCEPT, ch, cd, 0, 0, 0)
    :: (k == DATA || k == ACK || k == NAK) && candidate && h == ch && d == cd ->
        assert(!SAME);
        assert(taken_by_host[h] == d); /* confirmed is only what the host took */
        candidate = false;
        begin(DEVICE, h, d);
        of_session(DEVICE)
    :: (k == DATA || k == ACK || k == NAK) && !(candidate && h == ch && d == cd) ->
        if
        :: stands[DEVICE] && h == sh[DEVICE] && d == sd[DEVICE] -> of_session(DEVICE)
        :: else -> put(HOST, RESET, h, d, 0, 0, 0)
        fi
    :: else
    fi;
    flush(DEVICE)
}

inline release(to) {
    holds[to] = false; stale = 0;
    printf("STEP release %d\n", to);
    put(to, held[to].k, held[to].h, held[to].d, held[to].q, held[to].a, held[to].v)
}

inline faulty(to) {
    if
    :: line[to]?k, h, d, q, a, v -> printf("STEP lose %d\n", to)
    :: COPIES && !holds[to] ->
        line[to]?<held[to].k, held[to].h, held[to].d, held[to].q, held[to].a, held[to].v>;
        holds[to] = true;
        printf("STEP hold %d\n", to)
    fi;
    faults--; stale = 0
}

active proctype world() {
    total[HOST] = HOST_ITEMS; total[DEVICE] = ITEMS;
    printf("STEP open\n");
    offer();
    do
    :: DONE && empty(line[HOST]) && empty(line[DEVICE]) && !holds[HOST] && !holds[DEVICE] -> break
    :: atomic { nempty(line[HOST]) ->
        line[HOST]?k, h, d, q, a, v;
        printf("STEP bring 0 %e %d %d %d %d\n", k, h, d, q, a);
        at_host() }
    :: atomic { nempty(line[DEVICE]) ->
        line[DEVICE]?k, h, d, q, a, v;
        printf("STEP bring 1 %e %d %d %d %d\n", k, h, d, q, a);
        at_device() }
    :: atomic { faults > 0 && nempty(line[HOST]) -> faulty(HOST) }
    :: atomic { faults > 0 && nempty(line[DEVICE]) -> faulty(DEVICE) }
    :: atomic { holds[HOST] -> release(HOST) }
    :: atomic { holds[DEVICE] -> release(DEVICE) }
    :: atomic { faults > 0 && stands[DEVICE] && flying[DEVICE] > 0 ->
        faults--; stale = 0;
        printf("STEP timer 1\n");
        back[DEVICE] = true; flush(DEVICE) }
    :: atomic { restarts > 0 && stands[HOST] ->
        restarts--; stale = 0;
        printf("STEP line-lost 0\n");
        host_loses() }
    :: atomic { restarts > 0 && stands[DEVICE] ->
        restarts--; stale = 0;
        printf("STEP restart 1\n");
        stands[DEVICE] = false; candidate = false; next_d++ }
    :: atomic { empty(line[HOST]) && empty(line[DEVICE]) && !DONE ->
        stale++;
        assert(stale < STALE); /* without faults it gets on */
        if
        :: !stands[HOST] -> printf("STEP timer 0\n"); offer()
        :: stands[HOST] && flying[HOST] > 0 ->
            printf("STEP timer 0\n");
#if BUG != 4
            back[HOST] = true;
#endif
            flush(HOST)
        :: else -> printf("STEP alive 0\n"); owes[HOST] = true; flush(HOST)
        fi;
        if
        :: stands[DEVICE] && flying[DEVICE] > 0 ->
            printf("STEP timer 1\n");
#if BUG != 4
            back[DEVICE] = true;
#endif
            flush(DEVICE)
        :: else
        fi }
    od
}
