"""A Bee-Tek shoe over a bad line, and a witness at the shoe's end who reads the wire by hand, without our codec.

What the table is told of each card must be what the shoe said of it. Whatever differs must be shown (``line_damaged``),
or be one of the cases that ``docs/protocols/bee-tek.md``, section 7, names; anything else is an error.
"""

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.bee_tek.session import DAMAGED, BeeTekSession
from protocols.bee_tek.decoder import LineDecoder
from protocols.bee_tek.messages import Mode
from protocols.garbage import Garbage
from regulations.events.cards import DECK
from regulations.events.inputs import AnyInput, CardDrawn, Fault
from sim.bee_tek.shoe import BeeTekSettings, BeeTekShoe
from sim.clock import VirtualClock
from tests.firmware_bridge.desk import SHOE
from tests.kit.line_faults import Corrupting, Duplicating, Lossy, through

LOST: Final = "7.1: a lost line"
CHANGED: Final = "7.2: a changed character"
INVENTED: Final = "7.3: an invented or doubled line"
BARE: Final = "7.4: a line that lost all its brackets"
DOWN: Final = "7.5: drawn while the line is down"
BEFORE_FIRST: Final = "7.9: damage before the first whole line of a connection"
BEHIND: Final = "7.10: damage behind damage"
HALVES: Final = "7.11: two cards that were not read, within 1 s"
NAMED: Final = frozenset({LOST, CHANGED, INVENTED, BARE, DOWN, BEFORE_FIRST, BEHIND, HALVES})
"""Everything that may go unnoticed; the other cases of the page are not of the line's making."""

UNREAD: Final = 1 / 60
ALARM: Final = 1 / 60
WARNING: Final = 1 / 60
LONGEST_PAUSE_S: Final = 2.0
ALARMS: Final = ("E5 Door Open", "E7 Jam", "Lid")
_FRAME: Final = re.compile(
    rb"(?:\[ *(?P<tag>Game|GameAlarm|Manual Burn Cards) *\] *)?"
    rb"< *(?:Card: *(?P<card>(?:10|[2-9TJQKA])[CDHS])|(?P<unread>Game)"
    rb"|Alarm: *(?P<alarm>[!-~][ -~]*?)|W0x[0-9A-Fa-f]{2}) *>"
)
_BRACKETS: Final = re.compile(rb"[\[\]<>]")

Told = str | None
"""A word to the table: a card, None for one that was not read, or the code of a fault."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Faults per byte, or per line."""

    byte_lost: float = 1e-3
    byte_changed: float = 1e-3
    byte_doubled: float = 1e-3
    line_lost: float = 2e-3
    line_doubled: float = 1e-3
    detached: float = 1e-3


@dataclass(slots=True)
class _Span:
    """From one moment at which nothing waits in the decoder to the next: usually one card's lines."""

    sent: list[bytes] = field(default_factory=list)
    came: bytes = b""
    told: list[Told] = field(default_factory=list)
    damaged: int = 0
    was_unplugged: bool = False


class LossyBeeTek:
    """Shoe, line, host and witness."""

    def __init__(self, seed: int, rates: Rates, mode: Mode, *, repeats: bool) -> None:
        self._rng = random.Random(seed)
        self._rates = rates
        self._clock = VirtualClock()
        self._shoe = BeeTekShoe(self._clock, self._send, BeeTekSettings(mode=mode, repeats_characters=repeats))
        self._decoder = LineDecoder()
        self._session = BeeTekSession(SHOE)
        self._line = through(
            self._arrives,
            lambda sink: Lossy(sink, self._rng, rates.byte_lost),
            lambda sink: Corrupting(sink, self._rng, rates.byte_changed),
            lambda sink: Duplicating(sink, self._rng, rates.byte_doubled),
        )
        self._span = _Span()
        self._is_plugged = True
        self._has_told_damage = False
        """On this connection: what is damaged from now on is damage behind damage, or the table is told."""
        self.lines = 0
        self.counts: Counter[str] = Counter()
        self.unnoticed: Counter[str] = Counter()

    def play(self, lines: int) -> None:
        """Pull cards until the shoe has said so many lines.

        Raises:
            AssertionError: a difference that is neither shown nor named.
        """
        self._shoe.power_on()
        while self.lines < lines:
            if not self._shoe.cards_left:
                self._shoe.load([self._rng.choice(DECK) for _ in range(400)], None)
            self._act()
            self._clock.advance(self._rng.uniform(0.2, LONGEST_PAUSE_S))
            if not self._is_plugged:
                self._plug_in()
            self._judge()

    def _act(self) -> None:
        chance = self._rng.random()
        if chance < ALARM:
            self._shoe.alarm(self._rng.choice(ALARMS))
        elif chance < ALARM + WARNING:
            self._shoe.warn(self._rng.randrange(256))
        else:
            if self._rng.random() < UNREAD:
                self._shoe.fail_next_read()
            self._shoe.draw()

    # --- the line ----------------------------------------------------------------------------------------------------

    def _send(self, line: bytes) -> None:
        self.lines += 1
        self._span.sent.append(line.rstrip(b"\r\n"))
        if self._is_plugged and self._rng.random() < self._rates.detached:
            self._line(line[: self._rng.randrange(len(line))])
            self._unplug()
        if not self._is_plugged or self._rng.random() < self._rates.line_lost:
            return
        self._line(line)
        if self._rng.random() < self._rates.line_doubled:
            self._line(line)

    def _unplug(self) -> None:
        self._is_plugged = False
        self._span.was_unplugged = True
        self._decoder.reset()
        self._session.lost()
        self._has_told_damage = False
        self.counts["unplugged"] += 1

    def _plug_in(self) -> None:
        self._is_plugged = True
        self._session.back()

    def _arrives(self, data: bytes) -> None:
        self._span.came += data
        for value in data:
            for item in self._decoder.feed(bytes([value])):
                self._hear(item)

    def _hear(self, item: object) -> None:
        if isinstance(item, Garbage):
            if item.reason != "noise":
                self._span.damaged += 1
                self._tell(self._session.translate_damage(item))
        else:
            self._tell(self._session.translate(item, self._clock.now_s()))  # type: ignore[arg-type]  # all else are messages

    def _tell(self, events: list[AnyInput]) -> None:
        for event in events:
            if isinstance(event, CardDrawn):
                self._span.told.append(event.card)
            elif isinstance(event, Fault):
                self._span.told.append(str(event.code))

    # --- the witness -------------------------------------------------------------------------------------------------

    def _judge(self) -> None:
        span = self._span
        if self._decoder.pending:
            return  # a line end was lost: what follows belongs to it
        self._span = _Span()
        had_told, self._has_told_damage = self._has_told_damage, self._has_told_damage or DAMAGED in span.told
        told = [one for one in span.told if one != DAMAGED]
        said = _meaning(span.sent)
        if DAMAGED in span.told:
            self.counts["damage shown"] += 1
        if told == said:
            self.counts["told as said"] += 1
        elif span.was_unplugged:
            # The loss of the line blocks the table; what was said meanwhile nobody heard.
            self.unnoticed[DOWN] += 1
        elif DAMAGED in span.told:
            self.counts["differs, and damage is shown"] += 1
        elif span.damaged:
            self.unnoticed[BEHIND if had_told else BEFORE_FIRST] += 1
        else:
            self._explain(span, told, said)

    def _explain(self, span: _Span, told: list[Told], said: list[Told]) -> None:
        where = f"{span.sent} came as {span.came!r}: told {told}, said {said}"
        pieces = [piece for piece in re.split(rb"[\r\n]", span.came) if piece.strip(b" ")]
        read = _meaning(pieces)
        sent, came = Counter(span.sent), Counter(pieces)
        assert _without_unread(told) == _without_unread(read), f"the host did not hear what arrived: {where}"
        if sent == came:
            assert None in said, f"nothing happened on the wire: {where}"
            self.unnoticed[HALVES] += 1
            return
        lost, extra = list((sent - came).elements()), list((came - sent).elements())
        for piece in extra:
            if _BRACKETS.search(piece) is None:
                self.unnoticed[BARE if lost else INVENTED] += 1
            else:
                assert _FRAME.search(piece), f"a damaged line went unseen: {where}"
                self.unnoticed[CHANGED if lost and piece not in sent else INVENTED] += 1
            del lost[:1]
        self.unnoticed[LOST] += len(lost)


def _meaning(lines: list[bytes]) -> list[Told]:
    told: list[Told] = []
    half: str | None = None
    for line in lines:
        for frame in _FRAME.finditer(line):
            now = "line" if frame["unread"] else "alarm" if (frame["alarm"] or b"").split(b" ")[0] == b"E3" else None
            if frame["card"]:
                told.append(frame["card"].decode().replace("10", "T"))
                half = None
            elif now is not None:
                if half in (None, now):
                    told.append(None)
                half = now if half in (None, now) else None
            elif frame["alarm"]:
                told.append(frame["alarm"].decode())
    return told


def _without_unread(told: list[Told]) -> list[Told]:
    return [one for one in told if one is not None]
