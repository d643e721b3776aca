"""The small words of a table for people."""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from msgspec import UNSET, UnsetType

from cardshoe.screens.words.currency import Currency
from firmware_bridge.faults import Code, FaultWords
from regulations.events.line import Line

COLUMNS: Final = 80
"""Width of all printed lines."""
Meaning = Literal["plain", "refused", "irregularity", "settled", "result", "prompt", "heading"]
"""What a line is about; a terminal shows it by a colour."""
SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
HIDDEN: Final = "▒▒"


def card_text(card: str | None) -> str:
    """A card as people read it: ``10♥``; a hidden one as a shaded back."""
    if card is None:
        return HIDDEN
    rank = "10" if card[0] == "T" else card[0]
    return f"{rank}{SUITS[card[1]]}"


def cards_text(cards: Sequence[str]) -> str:
    """Cards side by side."""
    return " ".join(card_text(card) for card in cards)


def money_text(units: int, *, signed: bool = False) -> str:
    """Minor units as an amount in the currency of a table that names none."""
    return Currency().text(units, signed=signed)


@dataclass(frozen=True, slots=True)
class Voice:
    """How a table is spoken of.

    Attributes:
        fault: what a fault of a device means, by its name and the code; ``None``: nobody has said.
    """

    currency: Currency = field(default_factory=Currency)
    fault: Callable[[str, Code], FaultWords | None] = lambda _device, _code: None
    columns: int = COLUMNS

    def amount(self, units: int) -> str:
        """An amount with its currency: ``100.00 MOP``."""
        return f"{self.currency.text(units)} {self.currency.code}"


PLAIN: Final = Voice()
"""For a table whose configuration is not at hand."""


def words_text(name: str) -> str:
    """A name of the log as words: ``half_paid`` is ``half paid``."""
    return name.replace("_", " ")


def whose_text(
    who: str, seat: int | UnsetType = UNSET, hand: int | UnsetType = UNSET, bettor: int | UnsetType = UNSET
) -> str:
    """The owner of cards: ``banker``, ``seat 3``, ``seat 3 hand 2 bettor 2``; the first of each is not named."""
    parts = [who if seat is UNSET else f"seat {seat}"]
    parts += [f"{name} {number}" for name, number in (("hand", hand), ("bettor", bettor)) if number not in (UNSET, 1)]
    return " ".join(parts)


def frame_text(frame_type: str | UnsetType, length: int | UnsetType) -> str:
    """The frame that was not understood, after its fault; empty: no frame."""
    if length is UNSET:
        return ""
    return f" (type {frame_type}, {length} bytes)" if frame_type is not UNSET else f" ({length} bytes without a frame)"


def count_text(number: int, what: str) -> str:
    """So many of a thing: ``1 wager``, ``2 wagers``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def article_text(output: Line) -> str:
    """The article behind a line, where it has one."""
    return f"   [{output.article}]" if output.article is not UNSET else ""


def hung(label: str, text: str, columns: int = 21) -> list[str]:
    """A label and a text beside it, in as many lines as it needs."""
    return textwrap.wrap(
        f"{label:<{columns}}{text}",
        COLUMNS,
        subsequent_indent=" " * columns,
        break_long_words=False,
        break_on_hyphens=False,
    )


def fitted(line: str, columns: int = COLUMNS) -> list[str]:
    """A line in as many as it needs.

    A word that fits nowhere, such as a key or a path, stays whole, so that it can be copied.
    """
    if len(line) <= columns or any(len(word) > columns for word in line.split()):
        return [line]
    indent = " " * min(len(line) - len(line.lstrip()) + 4, columns // 2)
    body, gap, article = line.rpartition("   [")
    if not gap:
        body, article = line, ""
    lines = textwrap.wrap(
        body, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    )
    if article:
        if len(lines[-1]) + len(gap) + len(article) <= columns:
            lines[-1] += gap + article
        else:
            lines.append(f"{indent}[{article}")
    return lines
