"""Messages of a Bee-Tek shoe to the host (``docs/protocols/bee-tek.md``, sections 3 to 5).

``raw`` is the received frame, with a card's repeated characters; empty in a message that was not received, and not
compared.
"""

from dataclasses import dataclass, field
from enum import Enum

from regulations.events.cards import Card


class Mode(Enum):
    """How the shoe is set; the value is the tag on the wire (section 3)."""

    GAME = "Game"
    """It plays baccarat along."""
    DIAGNOSTIC = "Manual Burn Cards"
    """It tells every card and knows of no game."""


@dataclass(frozen=True, slots=True)
class BeeTekLine:
    """The part that all messages share."""

    raw: bytes = field(default=b"", compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class CardDrawn(BeeTekLine):
    """A card left the shoe and was read."""

    card: Card
    mode: Mode


@dataclass(frozen=True, slots=True)
class CardNotRead(BeeTekLine):
    """``[Game]<Game>``: a card left the shoe and was not read."""


@dataclass(frozen=True, slots=True)
class AlarmRaised(BeeTekLine):
    """An alarm; nothing on the wire says that it is over.

    Attributes:
        text: what stands after ``Alarm:``, 1 to 40 printable characters, as in ``E3 Card Not Read``.
    """

    text: str

    @property
    def code(self) -> str:
        """The first word, such as ``E3``, by which the alarm is known."""
        return self.text.split(" ", 1)[0]


@dataclass(frozen=True, slots=True)
class WarningGiven(BeeTekLine):
    """``<W0x01>``: a warning, ``code`` 0 to 255, the meaning of which is not known."""

    code: int


BeeTekMessage = CardDrawn | CardNotRead | AlarmRaised | WarningGiven
