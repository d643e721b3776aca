"""The open round run again with nothing changed: it must be the round that it was (reading G17)."""

from typing import Any

from msgspec.structs import replace

from regulations.play.context.drawn_card import DrawnCard
from regulations.play.context.game_round import Round
from regulations.play.context.open_round import OpenRound
from regulations.play.context.record import RoundRecord
from regulations.play.resolution.replay import DealtCard, Replay, ReplayedRound
from regulations.procedure.procedure import Procedure


def check_again(procedure: Procedure) -> bool:
    """Runs the open round again, as a correction that names nothing new would, whatever is open.

    Raises:
        AssertionError: it is another one then, or cannot be.
    """
    context, standing = procedure._context, procedure._round  # noqa: SLF001  compared from within
    record = context.scope.record
    if not context.scope.phase.open or record.began is None or standing.state.value == "void" or _is_apart(procedure):
        return False
    order = [
        DealtCard.of(drawn, index, None, waits=drawn.waits) for index, drawn in enumerate(record.came_out, start=1)
    ]
    again = Replay(context, procedure._make_round, order).run()  # noqa: SLF001  compared from within
    assert isinstance(again, ReplayedRound), again
    held = [drawn for drawn in context.held if any(drawn is one for one in record.came_out)]
    was, now = _seen(standing, record, held), _seen(again.round, again.record, again.held)
    for what in was:
        assert now[what] == was[what], f"{what}: run again {now[what]}, it was {was[what]}"
    assert not again.waiting, again.waiting
    return True


def _is_apart(procedure: Procedure) -> bool:
    open_now = procedure._context.scope.irregularities.open  # noqa: SLF001  compared from within
    shown = any(one.code == "surplus_card" and one.unplaced is None for one in open_now)
    standing = procedure._round  # noqa: SLF001  compared from within
    return shown or (isinstance(standing, Round) and standing._voiding.is_partial)  # noqa: SLF001  compared from within


def _seen(game_round: OpenRound, record: RoundRecord, held: list[DrawnCard]) -> dict[str, Any]:
    laid = game_round.laid._hands  # noqa: SLF001  compared from within
    ledger = getattr(game_round, "_ledger", None)
    return {
        # A turned card that is burned leaves the state of a round whose first card is out: its prompts are the same.
        "state": game_round.state.value.replace("opened", "dealing"),
        "hands": {owner: [_card(one) for one in cards] for owner, cards in laid.items() if cards},
        "cards": [_card(one) for one in record.came_out],
        "held": [_card(one) for one in held],
        "result": record.told.result,
        "settled": sorted(map(repr, record.told.settled)),
        "money": sorted(repr(replace(one, number=0)) for one in ledger.open) if ledger is not None else None,
        "acts": [act.event for act in record.acts],
        "cut card": (record.cut_card, record.cut_card_at if record.cut_card is not None else None),
    }


def _card(drawn: DrawnCard) -> tuple[object, ...]:
    return drawn.card, drawn.is_open, drawn.place, drawn.status, drawn.left
