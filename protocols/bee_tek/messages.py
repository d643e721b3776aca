"""Messages of a Bee-Tek shoe (``docs/protocols/bee-tek.md``, sections 3 to 5).

``raw`` is the received frame, else empty, and is not compared.
"""

from dataclasses import dataclass, field
from enum import Enum

from regulations.events.cards import Card


class Mode(Enum):
    GAME = "Game"
    """It plays baccarat along."""
    DIAGNOSTIC = "Manual Burn Cards"


@dataclass(frozen=True, slots=True)
class BeeTekLine:
    raw: bytes = field(default=b"", compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class CardDrawn(BeeTekLine):
    card: Card
    mode: Mode


@dataclass(frozen=True, slots=True)
class CardNotRead(BeeTekLine):
    """``[Game]<Game>``: a card was not read."""


@dataclass(frozen=True, slots=True)
class AlarmRaised(BeeTekLine):
    """Nothing on the wire says that it is over.

    Attributes:
        text: after ``Alarm:``, 1 to 40 printable characters.
    """

    text: str

    @property
    def code(self) -> str:
        """The first word, such as ``E3``."""
        return self.text.split(" ", 1)[0]


@dataclass(frozen=True, slots=True)
class WarningGiven(BeeTekLine):
    """``<W0x01>``: ``code`` is 0 to 255, its meaning unknown."""

    code: int


BeeTekMessage = CardDrawn | CardNotRead | AlarmRaised | WarningGiven
