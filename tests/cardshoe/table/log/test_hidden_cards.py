"""Nothing that anybody may read depends on a card that lies face down, before the line that shows it.

Up to the line that shows the card, the two logs must say the same, what is sealed apart: whoever reads them could not
tell which of the two cards lies there.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, get_args

import msgspec
import pytest
from msgspec import UNSET

from cardshoe.table.log.log_builder import LoggedInput, Scribe
from regulations.events.cards import Card
from regulations.events.inputs import AnyInput, CardDrawn, Resolve, Table
from sim.croupier.instructions import HouseInstructions
from tests.kit.command import Line
from tests.kit.length import at_length
from tests.kit.table_log import SEALER
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import profile, variants
from tests.sim.croupier.regulated import PROFILES, Mishaps, RegulatedTable, settings
from tests.sim.croupier.regulated import profile as shoe_profile

CARDS: Final[Sequence[Card]] = get_args(Card)
IMPOSSIBLE: Final = ("surplus_card", "more copies", "can be out")
"""Words of lines that say that the cards cannot be these."""


def framed(event: AnyInput) -> AnyInput:
    """A card's report with a frame that tells the card, as each device's does."""
    if not isinstance(event, CardDrawn) or event.card is None:
        return event
    return msgspec.structs.replace(event, device="shoe", raw=event.card.encode().hex())


def dealt(table: Table, events: Sequence[AnyInput]) -> Iterator[LoggedInput]:
    """A table's answers to inputs; the table ends with the iteration."""
    scribe = Scribe(table, sealer=SEALER)
    for event in events:
        if scribe.procedure.is_closed:
            return
        yield scribe.take(msgspec.structs.replace(event, at=table.at))


def readable(taken: LoggedInput) -> list[Line]:
    """The lines of an input that anybody may read."""
    lines = [msgspec.json.decode(line) for line in taken.lines]
    if "sealed" in lines[0]:
        lines[0]["sealed"] = len(lines[0]["sealed"])
    return lines


def cards_in(value: object) -> list[str]:
    """The cards that a line names, wherever they stand in it."""
    match value:
        case str():
            return [value] if value in CARDS else []
        case dict():
            return [card for one in value.values() for card in cards_in(one)]
        case list():
            return [card for one in value for card in cards_in(one)]
        case _:
            return []


def is_the_laws(line: Line) -> bool:
    """True if the law itself reveals a bettor's hidden hand by what must be done with it.

    One that is bust, or wins at once, is turned now (56/2004 art. 6.º-2); who asks for a card on 21 is refused it.
    """
    what = (line["event"], line.get("do") or line.get("code"), line.get("article"))
    return what in {
        ("next", "reveal", "56/2004 art. 6.º-2"),
        ("refused", "not_allowed", "56/2004 art. 6.º-4(1)"),
    }


def exchanged(event: AnyInput, card: Card) -> tuple[Card, AnyInput] | None:
    """The card that an input tells, and the same input with another; ``None`` if it tells none."""
    if isinstance(event, CardDrawn) and event.card is not None:
        return event.card, framed(msgspec.structs.replace(event, card=card))
    if isinstance(event, Resolve) and event.card is not UNSET:
        return event.card, msgspec.structs.replace(event, card=card)
    return None


class Observer:
    """Compares a game with those in which one hidden card is another."""

    def __init__(self, table: Table, events: Sequence[AnyInput], rng: random.Random) -> None:
        self.compared = 0
        self._table, self._events, self._rng = table, events, rng
        self._lines = [readable(taken) for taken in dealt(table, events)]

    def hidden(self) -> list[int]:
        """The inputs that tell a card and are sealed."""
        told = [index for index, lines in enumerate(self._lines) if "sealed" in lines[0]]
        return [index for index in told if exchanged(self._events[index], "AS")]

    def look(self, index: int, excused: Callable[[Line], bool] = is_the_laws) -> str | None:
        """Return the fields that give the card of an input away; ``None`` if none do."""
        found = exchanged(self._events[index], self._rng.choice(CARDS))
        assert found is not None
        card, other = found
        events = [*self._events[:index], other, *self._events[index + 1 :]]
        for number, (ours, taken) in enumerate(zip(self._lines, dealt(self._table, events), strict=False)):
            theirs = readable(taken)
            if ours == theirs:
                continue
            differing = next((a, b) for a, b in zip(ours, theirs, strict=False) if a != b)
            # More copies than there can be are a fault of the cards that has to be told; its card may be sealed for it.
            told = [line for line in (*ours, *theirs) if line not in ours or line not in theirs]
            if any(words in str(line) for words in IMPOSSIBLE for line in told):
                return None
            self.compared += 1
            if card in cards_in(differing[0]) or any(excused(line) for line in differing):
                return None
            return f"{card} of input {index} shows at input {number}:\n{differing[0]}\n{differing[1]}"
        self.compared += 1
        return None

    def assert_nothing_told(self, at_most: int) -> None:
        """Exchanges some of the hidden cards, one at a time."""
        hidden = self.hidden()
        for index in self._rng.sample(hidden, min(at_most, len(hidden))):
            assert (told := self.look(index)) is None, told


def plain_events(seed: int, table: Table, rounds: int) -> list[AnyInput]:
    played = PlainTable(
        seed, table, reads=True, mistakes=0.3, interference=0.05, orders=HouseInstructions(games=None, rounds=rounds)
    )
    played.run()
    return [framed(event) for event, _ in played.log[1:]]


VARIANTS: Final = variants()


def test_it_would_be_noticed(seed: int) -> None:
    # What the law itself lets be seen of a hand is seen, if nobody excuses it.
    table = profile("blackjack", "shoe", {"procedure": "first"})
    observer = Observer(table, plain_events(seed, table, 6), random.Random(seed))
    assert any(observer.look(index, excused=lambda _: False) for index in observer.hidden())


@pytest.mark.parametrize("number", range(at_length(10, 400)))
def test_no_line_tells_of_a_card_before_it_is_shown(seed: int, number: int) -> None:
    rng = random.Random(seed + number)
    game, kind, options = VARIANTS[(number * 37 + seed) % len(VARIANTS)]
    table = profile(game, kind, options)
    observer = Observer(table, plain_events(seed + number, table, at_length(3, 6)), rng)
    observer.assert_nothing_told(at_length(6, 60))


class Recorded(RegulatedTable):
    """A shoe that plays along, and what it and the croupier said."""

    def __init__(self, seed: int, table: Table, options: dict[str, Any], **more: Any) -> None:  # noqa: ANN401  passed on
        self.events: list[AnyInput] = []
        super().__init__(seed, table, settings=settings(options), **more)

    def apply(self, event: AnyInput) -> None:
        self.events.append(framed(event))
        super().apply(event)


def shoe_events(seed: int, options: dict[str, Any], rounds: int) -> list[AnyInput]:
    table = Recorded(
        seed,
        shoe_profile(options),
        options,
        mistakes=0.2,
        mishap=Mishaps(seed, 0.05),
        orders=HouseInstructions(games=1, rounds=rounds),
    )
    table.run()
    return table.events


@pytest.mark.parametrize("name", PROFILES)
def test_nor_where_the_shoe_plays_along(seed: int, name: str) -> None:
    table, rng = shoe_profile(PROFILES[name]), random.Random(seed)
    for number in range(at_length(1, 20)):
        observer = Observer(table, shoe_events(seed + number, PROFILES[name], 10), rng)
        observer.assert_nothing_told(at_length(6, 60))
