"""Short texts of a table for people."""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from msgspec import UNSET, UnsetType

from cardshoe.screens.words.currency import Currency
from firmware_bridge.faults import Code, FaultWords
from regulations.events.line import Line

COLUMNS: Final = 80
Meaning = Literal["plain", "refused", "irregularity", "settled", "result", "prompt", "heading"]
SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
HIDDEN: Final = "▒▒"


def card_text(card: str | None) -> str:
    if card is None:
        return HIDDEN
    rank = "10" if card[0] == "T" else card[0]
    return f"{rank}{SUITS[card[1]]}"


def cards_text(cards: Sequence[str]) -> str:
    return " ".join(card_text(card) for card in cards)


def money_text(units: int, *, signed: bool = False) -> str:
    return Currency().text(units, signed=signed)


@dataclass(frozen=True, slots=True)
class Voice:
    currency: Currency = field(default_factory=Currency)
    fault: Callable[[str, Code], FaultWords | None] = lambda _device, _code: None
    columns: int = COLUMNS

    def amount(self, units: int) -> str:
        """``100.00 MOP``."""
        return f"{self.currency.text(units)} {self.currency.code}"


PLAIN: Final = Voice()


def words_text(name: str) -> str:
    """``half_paid`` as ``half paid``."""
    return name.replace("_", " ")


def whose_text(
    who: str, seat: int | UnsetType = UNSET, hand: int | UnsetType = UNSET, bettor: int | UnsetType = UNSET
) -> str:
    """``banker``, ``seat 3``, ``seat 3 hand 2 bettor 2``; first ones are not named."""
    parts = [who if seat is UNSET else f"seat {seat}"]
    parts += [f"{name} {number}" for name, number in (("hand", hand), ("bettor", bettor)) if number not in (UNSET, 1)]
    return " ".join(parts)


def frame_text(frame_type: str | UnsetType, length: int | UnsetType) -> str:
    if length is UNSET:
        return ""
    return f" (type {frame_type}, {length} bytes)" if frame_type is not UNSET else f" ({length} bytes without a frame)"


def count_text(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def article_text(output: Line) -> str:
    return f"   [{output.article}]" if output.article is not UNSET else ""


def hung(label: str, text: str, columns: int = 21) -> list[str]:
    return textwrap.wrap(
        f"{label:<{columns}}{text}",
        COLUMNS,
        subsequent_indent=" " * columns,
        break_long_words=False,
        break_on_hyphens=False,
    )


def fitted(line: str, columns: int = COLUMNS) -> list[str]:
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
