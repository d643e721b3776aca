"""Laboratory records of orders before and after a shuffle."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from cardshoe.analysis.order import UNKNOWN
from cardshoe.analysis.shoe import CardSpot, Shoe
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain
from regulations.events.cards import CARDS_PER_DECK, DECK, Card

_FACE: Final[dict[Card | None, int]] = {card: number for number, card in enumerate(DECK)}

MOST_BYTES: Final = 64 * 1024 * 1024
"""Some ten thousand shuffles of eight decks."""


class _ShuffleLine(Struct, frozen=True, forbid_unknown_fields=True):
    before: list[Card | None]
    after: list[Card | None]


def shuffles_in(path: Path) -> list[tuple[Shoe, Sequence[Shoe]]]:
    """The shuffles of a file, each as the new shoe with the old one.

    Raises:
        Stop: a line is malformed, or its two orders are not whole decks.
    """
    found: list[tuple[Shoe, Sequence[Shoe]]] = []
    try:
        data = read_plain(path, MOST_BYTES)
    except OSError as error:
        raise Stop(f"{path}: {error.strerror}", "Name a file of captured shuffles.", Exit.USAGE) from error
    for number, text in enumerate(data.splitlines(), 1):
        try:
            line = msgspec.json.decode(text, type=_ShuffleLine)
            decks = _decks_of(line)
        except ValueError as error:
            remedy = 'Each line is {"before": [cards], "after": [cards]}, both of the same whole decks.'
            raise Stop(f"{path}, line {number}: {error}", remedy, Exit.FAILURE) from error
        before, after = (
            Shoe(path.name, decks, number, f"line {number}, {when}", [_spots(cards)], pick_up="dealt", is_over=True)
            for when, cards in (("before", line.before), ("after", line.after))
        )
        found.append((after, [before]))
    if not found:
        raise Stop(f"{path}: no shuffle in it", "Write one line for each shuffle.", Exit.FAILURE)
    return found


def _decks_of(line: _ShuffleLine) -> int:
    decks, rest = divmod(len(line.before), CARDS_PER_DECK)
    if rest or not decks or len(line.after) != len(line.before):
        raise ValueError(f"{len(line.before)} cards before and {len(line.after)} after are not the same whole decks")
    for cards in (line.before, line.after):
        counts = Counter(card for card in cards if card is not None)
        card, count = max(counts.items(), key=lambda one: one[1], default=("", 0))
        if count > decks:
            raise ValueError(f"{count} cards {card} of {decks} decks")
    return decks


def _spots(cards: list[Card | None]) -> list[CardSpot]:
    return [CardSpot("player", 0, 1, _FACE.get(card, UNKNOWN)) for card in cards]
