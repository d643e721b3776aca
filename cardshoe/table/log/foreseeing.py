"""The effect of an act of two, from the open cards alone (reading G8)."""

import logging
from typing import Final

import msgspec

from cardshoe.persons.permissions import Named
from cardshoe.persons.proposals import Foreseen
from cardshoe.screens.view import TableView
from cardshoe.table.log.answering import SECOND
from cardshoe.table.log.log_builder import Scribe
from regulations.events.inputs import Resolve
from regulations.events.outputs import Irregularity, Refused

logger: Final = logging.getLogger(__name__)
_views: Final = msgspec.json.Decoder(TableView)


def foreseen(scribe: Scribe, view: TableView | None, event: Named, at: str) -> Foreseen:
    """Compute the effect of an act; partial if it cannot be computed."""
    try:
        return Foreseen(is_partial=True) if view is None else _foreseen(scribe, view, event, at)
    except Exception as error:  # noqa: BLE001  whatever it is, the table keeps running, and the act is possible
        logger.warning("the effect of `%s` cannot be computed: %s", event.__struct_config__.tag, type(error).__name__)
        return Foreseen(is_partial=True)


def _foreseen(scribe: Scribe, view: TableView, event: Named, at: str) -> Foreseen:
    by = event.by if len(event.by) > 1 else [*event.by, SECOND]
    opened, answer = scribe.foresee(msgspec.structs.replace(event, by=by), at)
    if isinstance(refused := answer[0], Refused):
        return Foreseen(is_partial=True) if wants_hidden_card(refused, event) else Foreseen(refused=refused)
    # A copy by its bytes: to fold an answer changes the parts of a view.
    then = _views.decode(msgspec.json.encode(view))
    then.take(opened, answer)
    number = 0 if view.round is None else view.round.number
    after = then.round or (then.last if then.last is not None and then.last.number == number else None)
    is_partial = any(isinstance(one, Irregularity) and one.code == "unread_card" for one in answer)
    return Foreseen(before=view.round, after=after, is_partial=is_partial)


def wants_hidden_card(refused: Refused, event: Named) -> bool:
    return refused.code == "cards_missing" and isinstance(event, Resolve) and event.action == "accept"
