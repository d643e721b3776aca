"""One round, folded from its entries or taken from a fold."""

from collections.abc import Sequence
from typing import NamedTuple

from cardshoe.screens.rounds.fold import RoundFold, restored
from cardshoe.screens.rounds.parts import RoundFacts, RoundsState, RoundStart
from cardshoe.screens.view import LineFold, TableView
from cardshoe.screens.view.parts import Profile, RoundView


class WholeRound(NamedTuple):
    profile: Profile
    facts: RoundFacts
    found: RoundView


def whole_round(
    first: Sequence[bytes], start: RoundStart, entries: Sequence[tuple[int, Sequence[bytes]]]
) -> WholeRound:
    """Fold one round; ``first``: lines of the log's first entry."""
    view = TableView()
    LineFold(view).take(first)
    state = restored(view, start)
    fold = RoundFold(view, state)
    for number, lines in entries:
        fold.take(number, lines)
    found = whole_of(view, state)
    if found is None:
        raise ValueError("these entries are of no round")
    return found


def whole_of(view: TableView, state: RoundsState) -> WholeRound | None:
    """The open or last round with its facts; ``None``: none began."""
    facts = state.facts
    if facts is None or view.profile is None:
        return None
    found = next((one for one in (view.round, view.last) if one is not None and one.number == facts.number), None)
    return None if found is None else WholeRound(view.profile, facts, found)
