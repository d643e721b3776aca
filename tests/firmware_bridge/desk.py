"""A table without wires: telegrams go through the real decoder, session and regulation, on a clock of its own."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, UnsetType

from firmware_bridge.angel_eye.session import ShoeSession
from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.messages import Ack, Nak, ShoeMessage
from protocols.garbage import Garbage
from regulations.events.cards import Card
from regulations.events.inputs import (
    Amendment,
    AnyInput,
    CardDrawn,
    ClaimedPosition,
    Cut,
    CutCardPlaced,
    DeviceResult,
    Fault,
    FaultCleared,
    Loaded,
    Resolve,
    RoundClosed,
    Shuffled,
    Table,
)
from regulations.events.outputs import AnyOutput, Dealt, Irregularity, Next
from regulations.events.vocabulary import ResolutionAction
from regulations.games.baccarat.result import BaccaratResult
from regulations.procedure.procedure import Procedure
from tests.firmware_bridge.pen import COPY_GAP_S, TELEGRAM_S, Pen

SHOE: Final = "shoe"
BURN: Final = "N1 2C, N2 3C, N3 4C, N4 5C, N5 6C, N6 7C, N7 8C, N8 9C"
"""The initial burn of eight decks, and the first eight numbers of Seq."""
PERSONS: Final[list[int | str]] = [101, 102]


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
                events += self.session.translate(message, self.now_s + copy * gap_s)
        self.now_s += max(TELEGRAM_S, copies * gap_s)
        self.events += events
        return events

    def say(self, text: str) -> list[AnyInput]:
        """Hears telegrams of a pen's script; returns their events."""
        return [event for raw in self.pen.script(text) for event in self.hear(raw)]


class Regulated:
    """A baccarat table of eight decks with its stack loaded; what the regulation answers is kept."""

    def __init__(self, **options: object) -> None:
        self.outputs: list[AnyOutput] = []
        self.procedure = Procedure(
            Table(
                table_id="B-101",
                game="baccarat",
                decks=8,
                seats=7,
                equipment="shoe",
                options={"rounds_without_wagers": True, **options},
            )
        )
        self.load()

    def load(self) -> None:
        """Shuffles, cuts and loads a stack."""
        for event in (Shuffled(by="croupier"), Cut(by="player"), CutCardPlaced(behind=14), Loaded(cards=416)):
            self.apply(event)

    def apply(self, event: AnyInput) -> None:
        """Gives the regulation an event."""
        self.outputs += self.procedure.apply(event)

    @property
    def prompt(self) -> Next:
        last = self.outputs[-1]
        assert isinstance(last, Next)
        return last

    @property
    def is_blocked(self) -> bool:
        """True if an irregularity is open."""
        return self.prompt.do == "resolve"

    def resolve(self, action: ResolutionAction, card: Card | UnsetType = UNSET, cards: Sequence[Card] = ()) -> None:
        """Takes a way out of the first open irregularity."""
        number = self.prompt.irregularity
        assert number is not UNSET
        named: list[Card | Amendment] | UnsetType = list(cards) if cards else UNSET
        self.apply(Resolve(irregularity=number, action=action, by=PERSONS, card=card, cards=named))

    def close_round(self) -> None:
        """The croupier collects the cards."""
        self.apply(RoundClosed())

    @property
    def irregularities(self) -> list[str]:
        """Codes of all irregularities so far."""
        return [output.code for output in self.outputs if isinstance(output, Irregularity)]

    @property
    def dealt(self) -> list[str]:
        """The cards and their places, as they were dealt."""
        return [f"{one.to[0].upper()}{one.position} {one.card}" for one in self.outputs if isinstance(one, Dealt)]

    @property
    def results(self) -> list[BaccaratResult]:
        """The results so far."""
        return [output for output in self.outputs if isinstance(output, BaccaratResult)]


class Desk(Regulated, Listening):
    """A regulated table whose shoe's telegrams are written by a pen."""

    def __init__(self, **options: object) -> None:
        Listening.__init__(self)
        Regulated.__init__(self, **options)
        self.session.stack_loaded()

    def hear(self, raw: bytes, copies: int = 3, gap_s: float = COPY_GAP_S) -> list[AnyInput]:
        """Hears a frame and lets the regulation answer its events, in their order."""
        events = super().hear(raw, copies, gap_s)
        for event in events:
            self.apply(event)
        return events

    def link(self, *, lost: bool) -> None:
        """The link goes, or is there again."""
        for event in self.session.lost() if lost else self.session.back():
            self.apply(event)

    def enter(self, card: Card) -> None:
        """A person enters a card that the shoe did not tell."""
        self.apply(CardDrawn(card=card))
        self.session.card_entered()


def brief(events: list[AnyInput]) -> list[str]:
    """Events in a word or two each: cards with their count and the shoe's claim."""
    return [_brief(event) for event in events]


def _brief(event: AnyInput) -> str:
    match event:
        case CardDrawn(card=card, count=count, claimed=ClaimedPosition(to=to, position=position)):
            return f"{count}: {card or '--'} {to} {position}"
        case CardDrawn(card=card, count=count):
            return f"{count}: {card or '--'}"
        case DeviceResult(outcome=outcome, pairs=pairs):
            return " ".join(["result", str(outcome), *(pairs or ())])
        case Fault(code=code):
            return f"fault {code}"
        case FaultCleared(code=code):
            return f"fault_cleared {code}"
        case _:
            return str(event.__struct_config__.tag)
