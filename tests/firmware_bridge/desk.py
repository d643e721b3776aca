"""A table without wires: telegrams go through the real decoder, session and regulation, on a clock of its own."""

from typing import Final

import msgspec

from firmware_bridge.angel_eye.session import ShoeSession
from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.messages import Ack, Nak, ShoeMessage
from protocols.garbage import Garbage
from regulations.events.inputs import AnyInput, Cut, CutCardPlaced, Loaded, Resolve, RoundClosed, Shuffled, Table
from regulations.events.outputs import AnyOutput, Dealt, Irregularity, Result
from regulations.procedure import Procedure
from tests.firmware_bridge.pen import COPY_GAP_S, TELEGRAM_S, Pen

SHOE: Final = "shoe"
BURN: Final = "N1 2C, N2 3C, N3 4C, N4 5C, N5 6C, N6 7C, N7 8C, N8 9C"
"""The initial burn of eight decks, and the first eight numbers of Seq."""
PERSONS: Final = [101, 102]


def messages_of(raw: bytes) -> list[ShoeMessage]:
    """Decodes bytes that hold nothing but telegrams."""
    items = TelegramDecoder().feed(raw)
    messages = [item for item in items if not isinstance(item, Ack | Nak | Garbage)]
    assert len(messages) == len(items)
    return messages


class Listening:
    """A session that hears what a pen writes, each telegram three times."""

    def __init__(self, seq: int = 1, session: ShoeSession | None = None) -> None:
        self.session = session or ShoeSession(SHOE)
        self.pen = Pen(seq)
        self.now_s = 1000.0
        self.events: list[AnyInput] = []

    def hear(self, raw: bytes, copies: int = 3, gap_s: float = COPY_GAP_S) -> list[AnyInput]:
        """Hears a frame; returns its events."""
        events: list[AnyInput] = []
        for copy in range(copies):
            for message in messages_of(raw):
                events += self.session.hear(message, self.now_s + copy * gap_s)
        self.now_s += max(TELEGRAM_S, copies * gap_s)
        self.events += events
        return events

    def say(self, text: str) -> list[AnyInput]:
        """Hears telegrams of a pen's script; returns their events."""
        return [event for raw in self.pen.script(text) for event in self.hear(raw)]


class Desk(Listening):
    """The same at a baccarat table of eight decks; what the regulation answers is kept."""

    def __init__(self, **options: object) -> None:
        super().__init__()
        self.outputs: list[AnyOutput] = []
        self.procedure = Procedure(
            Table(table_id="B-101", game="baccarat", decks=8, seats=7, equipment="shoe", options=options)
        )
        for event in (Shuffled(by="croupier"), Cut(by="player"), CutCardPlaced(behind=14), Loaded(cards=416)):
            self.apply(event)
        self.session.stack_loaded()

    def hear(self, raw: bytes, copies: int = 3, gap_s: float = COPY_GAP_S) -> list[AnyInput]:
        """Hears a frame and lets the regulation answer its events, in their order."""
        events = super().hear(raw, copies, gap_s)
        for event in events:
            self.apply(event)
        return events

    def apply(self, event: AnyInput) -> None:
        """Gives the regulation an event."""
        self.outputs += self.procedure.apply(event)

    def link(self, *, lost: bool) -> None:
        """The link goes, or is there again."""
        for event in self.session.lost() if lost else self.session.back():
            self.apply(event)

    def resolve(self, action: str, **fields: object) -> None:
        """Takes a way out of the first open irregularity."""
        following = msgspec.to_builtins(self.outputs[-1])
        plain = {"event": "resolve", "irregularity": following["irregularity"], "action": action, "by": PERSONS}
        self.apply(msgspec.convert({**plain, **fields}, Resolve))

    def close_round(self) -> None:
        """The croupier collects the cards."""
        self.apply(RoundClosed())

    @property
    def irregularities(self) -> list[str]:
        """Codes of all irregularities so far."""
        return [output.code for output in self.outputs if isinstance(output, Irregularity)]

    @property
    def dealt(self) -> list[str]:
        """What lies where, as it was dealt."""
        return [f"{one.to[0].upper()}{one.position} {one.card}" for one in self.outputs if isinstance(one, Dealt)]

    @property
    def results(self) -> list[Result]:
        """The results so far."""
        return [output for output in self.outputs if isinstance(output, Result)]


def brief(events: list[AnyInput]) -> list[str]:
    """Events in a word or two each: cards with their count and the shoe's claim."""
    return [_brief(msgspec.to_builtins(event)) for event in events]


def _brief(event: dict[str, object]) -> str:
    name = str(event["event"])
    if name == "card":
        claimed = event.get("claimed")
        where = f" {claimed['to']} {claimed['position']}" if isinstance(claimed, dict) else ""
        return f"{event['count']}: {event['card'] or '--'}{where}"
    if name == "device_result":
        return " ".join(["result", str(event["outcome"]), *map(str, event.get("pairs") or ())])
    return f"{name} {event['code']}" if "code" in event else name
