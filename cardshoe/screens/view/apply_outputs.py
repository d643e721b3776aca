"""Changes of a view by outputs."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import UNSET

from cardshoe.screens.view import card_layout as places
from cardshoe.screens.view.apply_inputs import apply_decision
from cardshoe.screens.view.parts import BurnedCard, IrregularityView
from cardshoe.screens.view.state import TableState, time_of
from regulations.events import outputs
from regulations.events.inputs import Decision
from regulations.events.results import Result

_HEAD: Final = ("event", "seq", "at", "round")


def _apply_irregularity(view: TableState, output: outputs.Irregularity) -> None:
    view.irregularities.append(
        IrregularityView(
            irregularity=output.irregularity,
            code=output.code,
            article="" if output.article is UNSET else output.article,
            detail="" if output.detail is UNSET else output.detail,
            card=output.card,
            actions=output.actions,
            seq=0 if output.seq is UNSET else output.seq,
            at=time_of(output),
        )
    )


def _apply_resolved(view: TableState, output: outputs.Resolved) -> None:
    view.irregularities = [one for one in view.irregularities if one.irregularity != output.irregularity]
    if view.round is None or output.decision is UNSET:
        return
    # The last card was no hit but came behind this decision (56/2004, reading J30).
    last = next(one for one in reversed(view.round.cards) if one.to == "seat")
    seat, hand = int(last.seat or 0), int(last.hand or 1)
    apply_decision(view, Decision(seat=seat, hand=hand, action=output.decision))


def _apply_last_round(view: TableState, output: outputs.LastRound) -> None:
    view.shoe.is_last_round = output.one_more is UNSET


def _apply_shoe_over(view: TableState, output: outputs.ShoeOver) -> None:
    view.shoe.is_over, view.shoe.is_last_round, view.shoe.dealt = True, False, output.cards_seen


def _apply_dealt(view: TableState, output: outputs.Dealt) -> None:
    if view.round is not None:
        places.lay(view.round.cards, output)


def _apply_emptied(view: TableState, output: outputs.Emptied) -> None:
    if view.round is not None:
        places.empty(view.round.cards, output)


def _apply_reveal(view: TableState, output: outputs.Reveal) -> None:
    if view.round is not None:
        places.turn(view.round.cards, output)


def _apply_burned(view: TableState, output: outputs.Burned) -> None:
    if view.round is not None:
        view.round.burned.append(BurnedCard(card=output.card, why=output.why))


def _apply_result(view: TableState, output: Result) -> None:
    if view.round is not None:
        places.show_result(view.round.cards, output)
        view.round.result = _plain(output)


def _apply_settled(view: TableState, output: outputs.Settled) -> None:
    if view.round is not None:
        view.round.settled += output.wagers


def _apply_reversed(view: TableState, output: outputs.Reversed) -> None:
    if view.round is not None:
        view.round.settled = [one for one in view.round.settled if one not in output.wagers]
        view.round.settled_before = output.wagers
        view.round.result_before, view.round.result = view.round.result, UNSET


def _apply_voided(view: TableState, output: outputs.Voided) -> None:
    if view.round is None:  # what was carried or held goes back: all of it as the table closes, else a bettor's
        view.standing = [] if output.reason == "closed" else view.standing
    else:
        view.round.voided, view.round.returned = output.reason, output.wagers


def _plain(result: Result) -> dict[str, Any]:
    whole: dict[str, Any] = msgspec.to_builtins(result)
    return {name: value for name, value in whole.items() if name not in _HEAD}


OF_OUTPUTS: Final[dict[type, Callable[[TableState, Any], None]]] = {
    outputs.Burned: _apply_burned,
    outputs.Dealt: _apply_dealt,
    outputs.Emptied: _apply_emptied,
    outputs.Irregularity: _apply_irregularity,
    outputs.LastRound: _apply_last_round,
    outputs.Resolved: _apply_resolved,
    outputs.Reveal: _apply_reveal,
    outputs.Reversed: _apply_reversed,
    outputs.Settled: _apply_settled,
    outputs.ShoeOver: _apply_shoe_over,
    outputs.Voided: _apply_voided,
    Result: _apply_result,
}
