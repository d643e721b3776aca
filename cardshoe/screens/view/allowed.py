"""Allowed inputs, by prompt, irregularities and round."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from cardshoe.screens.view.state import TableState
from regulations.events.outputs import Next
from regulations.events.vocabulary import Do, ResolutionAction
from regulations.play.context.irregularities import needs_two_persons

DUE: Final[Mapping[Do, Sequence[str]]] = {
    "shuffle": ("shuffled", "equipment"),
    "cut": ("cut",),
    "place_cut_card": ("cut_card_placed",),
    "load": ("loaded",),
    "burn": ("card", "cut_card"),
    "draw": ("card", "exposed", "cut_card"),
    "close_bets": ("bets_closed",),
    "reveal": ("revealed", "exposed"),
    "close_round": ("round_closed",),
    "return_cards": ("cards_returned",),
    "decide": ("exposed",),
}
BETWEEN: Final = frozenset({"closed", "shoe_ended", "demonstration"})
BY_TWO: Final = frozenset({"void", "bets_corrected"})


class Allowed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An input that the log allows; the regulation decides on entry."""

    event: str
    action: str | UnsetType = UNSET
    irregularity: int | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET
    id: int | UnsetType = UNSET
    persons: int = 1


def allowed(view: TableState) -> list[Allowed]:
    prompt = view.prompt
    if prompt is None or view.phase == "closed":
        return []
    return [*_allowed(view, prompt), *(Allowed(event=event) for event in _always(view))]


def _allowed(view: TableState, prompt: Next) -> Iterator[Allowed]:
    actions = [] if prompt.actions is UNSET else list(prompt.actions)
    if prompt.do == "resolve":
        codes = {one.irregularity: one.code for one in view.irregularities}
        code = None if prompt.irregularity is UNSET else codes.get(prompt.irregularity)
        for action in actions:
            persons = 2 if needs_two_persons(code, msgspec.convert(action, ResolutionAction)) else 1
            yield Allowed(event="resolve", action=action, irregularity=prompt.irregularity, persons=persons)
        return
    events = list(DUE.get(prompt.do, ()))
    if prompt.do == "decide" and "hit" in actions and _card_is_hit(view):
        events.append("card")
    if prompt.do in {"draw", "burn"} and prompt.round is UNSET:
        events.append("bets_closed")
    yield from (Allowed(event=event) for event in events)
    for action in actions:
        if prompt.do == "decide":
            yield Allowed(event="decision", action=action, seat=prompt.seat, hand=prompt.hand, id=prompt.id)
        elif action in BETWEEN:
            yield Allowed(event=action)
    for one in [] if prompt.bettors is UNSET else prompt.bettors:
        for action in one.actions:
            yield Allowed(event="decision", action=action, seat=one.seat, hand=one.hand, id=one.id)
    yield from (Allowed(event=event, persons=2 if event in BY_TWO else 1) for event in _in_round(view))


def _card_is_hit(view: TableState) -> bool:
    """True if a card is the hit of a hand that may hit (reading J30)."""
    return view.profile is None or view.profile.options.get("drawn_card_is_hit", True) is True


def _always(view: TableState) -> Iterator[str]:
    yield "supervisor_called"
    if all(one.code != "dispute" for one in view.irregularities):
        yield "dispute"


def _in_round(view: TableState) -> Iterator[str]:
    now = view.round
    if now is None or now.voided is not UNSET:
        return
    if now.cards or now.burned:
        yield "misdeal"
    if now.result is UNSET:  # afterwards only as the resolution of an irregularity (reading G12)
        yield "void"
    if not now.cards and not now.burned:
        yield "bets_corrected"
