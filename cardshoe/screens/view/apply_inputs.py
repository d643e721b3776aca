"""Changes of a view by inputs."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import UNSET

from cardshoe.screens.view import card_layout as places
from cardshoe.screens.view import wagers
from cardshoe.screens.view.law import sheet_of, stakes_are_known
from cardshoe.screens.view.parts import ClockView, DecisionView, Profile, ShoeView, WitnessView
from cardshoe.screens.view.state import TableState, time_of
from regulations.events import inputs, notices


def _apply_called(view: TableState, event: notices.SupervisorCalled) -> None:
    view.called, view.called_by = time_of(event), view.croupier


def _apply_signed_in(view: TableState, event: notices.SignedIn) -> None:
    if event.role == "supervisor":
        view.called = view.called_by = ""
    elif event.role == "croupier":
        view.croupier, view.croupier_at = event.person, time_of(event)


def _apply_signed_out(view: TableState, event: notices.SignedOut) -> None:
    if event.person == view.croupier:
        view.croupier, view.croupier_at = "", time_of(event)


def _apply_answered_for(view: TableState, _event: inputs.Void | inputs.RoundClosed) -> None:
    view.called = view.called_by = ""


def _apply_bets_corrected(view: TableState, event: inputs.BetsCorrected) -> None:
    view.called = view.called_by = ""
    _apply_bets(view, event)


def _apply_bets(view: TableState, event: inputs.BetsClosed | inputs.BetsCorrected | inputs.Resolve) -> None:
    if view.round is not None and view.profile is not None and event.seats is not UNSET and event.wagers is not UNSET:
        view.round.bets_closed, view.round.seats = True, event.seats
        view.round.wagers = wagers.put_down(view.standing, event.wagers, sheet_of(view.profile).bets)
        view.round.demonstration = view.round.demonstration or _is_without_wagers(view.profile, event.seats)


def _is_without_wagers(profile: Profile, seats: Sequence[int]) -> bool:
    """True if no seat plays: a demonstration (55/2004 art. 2.º-2, reading B8)."""
    free_hands = bool(profile.options.get("rounds_without_wagers"))
    return not seats and sheet_of(profile).has_free_rounds and stakes_are_known(profile) and not free_hands


def apply_decision(view: TableState, event: inputs.Decision) -> None:
    if view.round is None or view.profile is None:
        return
    sheet = sheet_of(view.profile)
    view.round.decisions.append(DecisionView.of(event))
    wagers.decide(view.round.wagers, event, sheet)
    if sheet.choice(event.action).splits:
        places.split(view.round.cards, event.seat, event.hand)


def _apply_bettor_left(view: TableState, event: inputs.BettorLeft) -> None:
    view.standing = [one for one in view.standing if (one.seat, one.id) != (event.seat, event.id)]


def _apply_demonstration(view: TableState, _event: inputs.Demonstration) -> None:
    view.demonstration = True


def _apply_resolve(view: TableState, event: inputs.Resolve) -> None:
    view.called = view.called_by = ""
    # A card that nobody had told left all the same; one that never left was told.
    entries = [one for one in event.cards or () if isinstance(one, inputs.Amendment)]
    view.shoe.dealt += sum(one.after is not UNSET for one in entries) - sum(one.to == "none" for one in entries)
    if event.action == "burn" and view.round is None:
        del view.astray[:1]
    elif event.action == "enter_bets" and view.round is not None:
        view.round.left, view.astray = view.astray, []
        _apply_bets(view, event)


def _apply_behind(view: TableState, event: notices.WitnessBehind) -> None:
    view.witnesses[event.witness] = WitnessView(notes=event.notes, seconds=event.seconds, at=time_of(event))


def _apply_current(view: TableState, event: notices.WitnessCurrent) -> None:
    view.witnesses.pop(event.witness, None)


def _apply_clock(view: TableState, event: notices.ClockStepped) -> None:
    view.clock = ClockView(seconds=event.seconds, at=time_of(event))


def _apply_shuffled(view: TableState, _event: inputs.Shuffled) -> None:
    _begin_stack(view)
    view.shoe.shuffled = True


def _apply_cut(view: TableState, _event: inputs.Cut) -> None:
    view.shoe.cut = True


def _apply_cut_card_placed(view: TableState, event: inputs.CutCardPlaced) -> None:
    view.shoe.cut_card_behind = event.behind


def _apply_cut_card(view: TableState, _event: inputs.CutCard) -> None:
    view.shoe.cut_card_out = True


def _apply_loaded(view: TableState, event: inputs.Loaded) -> None:
    _begin_stack(view)
    view.shoe.loaded, view.shoe.device = event.cards, event.device
    view.shoe.dealt = view.shoe.counted = 0


def _begin_stack(view: TableState) -> None:
    if view.shoe.is_over or not view.shoe.number:
        before = 0 if view.last is None else view.last.number
        view.shoe, view.results = ShoeView(number=view.shoe.number + 1, before=before), []


def _apply_returned(view: TableState, event: inputs.CardsReturned) -> None:
    view.shoe.dealt = max(0, view.shoe.dealt - event.cards)


def _apply_equipment(view: TableState, event: inputs.Equipment) -> None:
    if view.profile is not None:
        view.profile.equipment = event.equipment


def _apply_card(view: TableState, event: inputs.CardDrawn) -> None:
    shoe = view.shoe
    counted = shoe.counted + 1 if event.count is UNSET else event.count
    # The device counts cards that nobody reported, too.
    shoe.dealt += max(counted - shoe.counted, 1)
    shoe.counted = counted
    if view.round is not None and event.round is not UNSET:
        view.round.left.append(event.card)
    else:
        view.astray.append(event.card)


OF_INPUTS: Final[dict[type, Callable[[TableState, Any], None]]] = {
    inputs.BetsClosed: _apply_bets,
    inputs.BetsCorrected: _apply_bets_corrected,
    inputs.BettorLeft: _apply_bettor_left,
    inputs.CardDrawn: _apply_card,
    inputs.CardsReturned: _apply_returned,
    inputs.Cut: _apply_cut,
    inputs.CutCard: _apply_cut_card,
    inputs.CutCardPlaced: _apply_cut_card_placed,
    inputs.Decision: apply_decision,
    inputs.Demonstration: _apply_demonstration,
    inputs.Equipment: _apply_equipment,
    inputs.Loaded: _apply_loaded,
    inputs.Resolve: _apply_resolve,
    inputs.RoundClosed: _apply_answered_for,
    inputs.Shuffled: _apply_shuffled,
    inputs.Void: _apply_answered_for,
    notices.ClockStepped: _apply_clock,
    notices.SignedIn: _apply_signed_in,
    notices.SignedOut: _apply_signed_out,
    notices.SupervisorCalled: _apply_called,
    notices.WitnessBehind: _apply_behind,
    notices.WitnessCurrent: _apply_current,
}
