"""The effect of an act before it is confirmed: from open cards alone, and without any change (reading G8)."""

from collections.abc import Callable
from typing import Final

import msgspec
import pytest

from cardshoe.persons.permissions import Named
from cardshoe.persons.proposals import Foreseen
from cardshoe.screens.view import TableView
from cardshoe.table.log.foreseeing import foreseen, wants_hidden_card
from cardshoe.table.log.log_builder import Scribe
from regulations.events.inputs import Amendment, AnyInput, BetsClosed, CardDrawn, Misdeal, Resolve, Table, Void, Wager
from regulations.events.outputs import AnyOutput, Refused
from regulations.procedure.procedure import Procedure
from tests.kit.table_log import SEALER
from tests.regulations.support.games.blackjack import BLACKJACK
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import decoded

AT: Final = "2026-03-02T04:00:00Z"
BETS: Final = BetsClosed(seats=[1], wagers=[Wager(seat=1, bet="main", stake=1000)])
SHOES: Final = (("9H", "5D"), ("AS", "4S"), ("QC", "2H"))
"""The seat's two cards, which lie face down."""


class Shoe:
    """A table of blackjack with its view: two hidden cards of a seat, the croupier's K♠, a hit 7♣, a misdeal."""

    def __init__(self, first: str, second: str, *events: AnyInput) -> None:
        given = profile(game="blackjack")
        table = decoded(given)
        assert isinstance(table, Table)
        self.scribe: Final = Scribe(table, sealer=SEALER)
        self.view: Final = TableView()
        self.view.take(self.scribe.opening.event, self.scribe.opening.outputs)
        cards = (first, "KS", second, "7C")
        self.tell(*(decoded(one) for one in BLACKJACK.preludes["ready"](given)), BETS)
        self.tell(*(CardDrawn(card=card) for card in cards))  # type: ignore[arg-type]  # words of the table log
        self.tell(*events)

    def tell(self, *events: AnyInput) -> None:
        for event in events:
            taken = self.scribe.take(msgspec.structs.replace(event, at=AT))
            self.view.take(taken.event, taken.outputs)

    def foresees(self, event: Named) -> bytes:
        before = self.scribe.procedure.states, msgspec.json.encode(self.view)
        found = msgspec.json.encode(foreseen(self.scribe, self.view, event, AT))
        assert (self.scribe.procedure.states, msgspec.json.encode(self.view)) == before
        return found


def corrects(*entries: Amendment, **more: object) -> Resolve:
    action = "reassign" if all(one.to == "burn" for one in entries) else "identify"
    return Resolve(irregularity=1, action=action, by=["cara"], cards=[*entries], **more)  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize(
    ("event", "cards", "is_partial"),
    [
        (corrects(Amendment(index=2, card="6S")), [None, "6S", None, "7C"], False),
        # The next card would lie open in its place: which one it is, and all behind it, is known then.
        (corrects(Amendment(index=2, to="none")), [None], True),
        (corrects(Amendment(index=2, to="burn"), ground="foreign"), [None], True),
        (corrects(Amendment(index=3, to="none")), [None, "KS", "7C"], False),
        (corrects(Amendment(index=4, card="8D")), [None, "KS", None, "8D"], False),
        (Void(ground="misdeal", reason="asked", by=["cara"]), [None, "KS", None, "7C"], False),
        (corrects(Amendment(index=9, to="none")), "not_allowed", False),
        (corrects(Amendment(index=2, to="burn")), "not_allowed", False),
    ],
)
def test_shoes_that_differ_in_hidden_cards_alone_have_the_same_effects(
    event: Named, cards: object, *, is_partial: bool
) -> None:
    found = [Shoe(*hidden, Misdeal(detail="x")).foresees(event) for hidden in SHOES]
    assert len(set(found)) == 1, found
    assert not any(f'"{card}"'.encode() in found[0] for hidden in SHOES for card in hidden)
    seen = msgspec.json.decode(found[0], type=Foreseen)
    shown = seen.refused.code if seen.refused is not None else [one.card for one in seen.after.cards if seen.after]  # type: ignore[union-attr]  # one of both
    assert (shown, seen.is_partial) == (cards, is_partial)


def test_it_is_what_then_happens() -> None:
    shoe, event = Shoe(*SHOES[0], Misdeal(detail="x")), corrects(Amendment(index=2, card="6S"))
    seen = foreseen(shoe.scribe, shoe.view, event, AT)
    shoe.tell(msgspec.structs.replace(event, by=["cara", "sara"]))
    assert seen.after == shoe.view.round


def test_a_card_that_is_hidden_and_would_be_accepted_is_not_asked_for_by_name() -> None:
    refused = Refused(article="reading G9", code="cards_missing", detail="its `card`")
    accept = Resolve(irregularity=1, action="accept", by=["cara"])
    assert wants_hidden_card(refused, accept)
    assert not wants_hidden_card(refused, corrects(Amendment(index=2, to="none")))
    assert not wants_hidden_card(msgspec.structs.replace(refused, code="not_now"), accept)


def test_what_the_rules_fail_on_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    shoe = Shoe("9H", "5D", Misdeal(detail="x"))
    apply: Callable[[Procedure, AnyInput], list[AnyOutput]] = Procedure.apply

    def failing(procedure: Procedure, event: AnyInput) -> list[AnyOutput]:
        if isinstance(event, Resolve):
            raise ZeroDivisionError(event.action)
        return apply(procedure, event)

    monkeypatch.setattr(Procedure, "apply", failing)
    seen = foreseen(shoe.scribe, shoe.view, corrects(Amendment(index=2, card="6S")), AT)
    assert (seen.is_partial, seen.after, seen.refused) == (True, None, None)


def test_without_a_view_there_is_no_round_to_show() -> None:
    shoe = Shoe("9H", "5D", Misdeal(detail="x"))
    assert foreseen(shoe.scribe, None, corrects(Amendment(index=2, card="6S")), AT).is_partial
