"""The facts by which a search finds a round."""

import msgspec
from msgspec import UNSET, Struct

from cardshoe.screens.rounds.parts import RoundsState
from cardshoe.screens.rounds.sums import sums_of, tags_of
from cardshoe.screens.rounds.whole import whole_of
from cardshoe.screens.view import TableView
from cardshoe.screens.view.parts import RoundView


class RoundFact(Struct, frozen=True, kw_only=True):
    """A round.

    Attributes:
        at: of its first result, irregularity or void, RFC 3339, UTC.
        outcome: of baccarat; else ``played``; ``None``: none.
        staked: decided stakes, minor units.
        house: the casino's win, minor units.
        tags: search words.
        start: state before its first line, JSON.
    """

    round: int
    shoe: int
    at: str
    outcome: str | None
    voided: bool
    demonstration: bool
    corrected: bool
    seq: int
    last_seq: int
    entry: int
    last_entry: int
    staked: int
    house: int
    tags: list[str]
    start: bytes

    @property
    def has_irregularity(self) -> bool:
        return any(one.startswith("irregularity:") for one in self.tags)


def next_fact(view: TableView, state: RoundsState, noted: RoundFact | None, at: str) -> RoundFact | None:
    """Changed facts of the open or last round; ``None``: unchanged, or none yet."""
    now = _now(view, state, noted, at)
    if noted is not None and noted.outcome is not None and (now is None or now.round < noted.round):
        # All its cards were struck as never dealt: there was no such round.
        now = msgspec.structs.replace(noted, outcome=None, corrected=True)
    if now is None or now == noted:
        return None
    counts = now.outcome is not None or now.voided or now.has_irregularity
    return now if counts or (noted is not None and noted.round == now.round) else None


def _now(view: TableView, state: RoundsState, noted: RoundFact | None, at: str) -> RoundFact | None:
    whole = whole_of(view, state)
    if whole is None or not whole.facts.entries:
        return None
    profile, facts, found = whole
    sums = sums_of(found)
    return RoundFact(
        round=found.number,
        shoe=facts.start.shoe,
        at=noted.at if noted is not None and noted.round == found.number else at,
        outcome=None if found.voided is not UNSET else _outcome(found),
        voided=found.voided is not UNSET,
        demonstration=found.demonstration,
        corrected=found.corrected,
        seq=facts.seq,
        last_seq=facts.last_seq,
        entry=facts.entries[0].entry,
        last_entry=facts.entries[-1].entry,
        staked=sums.staked,
        house=sums.house,
        tags=tags_of(facts, found, profile),
        start=msgspec.json.encode(facts.start),
    )


def _outcome(found: RoundView) -> str | None:
    if isinstance(found.result, msgspec.UnsetType):
        return None
    outcome = found.result.get("outcome")
    return outcome if isinstance(outcome, str) else "played"
