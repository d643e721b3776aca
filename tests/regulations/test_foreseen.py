"""An answer from the open cards alone: two shoes that differ only in hidden cards give the same (reading G8)."""

from collections.abc import Sequence
from typing import Final

import pytest
from msgspec import UNSET

from regulations.events.cards import Card
from regulations.events.codec import encode
from regulations.events.inputs import Amendment, AnyInput, BetsClosed, CardDrawn, Decision, Misdeal, Resolve, Wager
from regulations.procedure.procedure import Procedure
from tests.regulations.support.games.blackjack import BLACKJACK
from tests.regulations.support.inputs import BY
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import decoded

pytestmark = pytest.mark.law

BETS: Final = BetsClosed(seats=[1], wagers=[Wager(seat=1, bet="main", stake=1000)])


def table_with(first: Card, second: Card) -> Procedure:
    """A round of blackjack: the seat's two cards lie face down, the croupier's K♠ and the hit 7♣ open."""
    given = profile(game="blackjack")
    procedure = Procedure(decoded(given))  # type: ignore[arg-type]  # the profile
    deal = [CardDrawn(card=card) for card in (first, "KS", second, "7C")]
    misdeal = Misdeal(detail="the cards lie wrong")
    for event in (*(decoded(one) for one in BLACKJACK.preludes["ready"](given)), BETS, *deal, misdeal):
        procedure.apply(event)
    return procedure


def correction(*entries: Amendment, ground: str | None = None) -> Resolve:
    named = any(one.to != "burn" for one in entries)
    return Resolve(
        irregularity=1,
        action="identify" if named else "reassign",
        by=list(BY),
        cards=[*entries],
        ground=UNSET if ground is None else ground,
    )


def answers(event: AnyInput, *hidden: tuple[Card, Card]) -> list[list[str]]:
    found = []
    for first, second in hidden:
        procedure = table_with(first, second)
        procedure.forget_hidden_cards()
        found.append([encode(one).decode() for one in procedure.apply(event)])
    return found


def events(answer: Sequence[str]) -> list[str]:
    return [one.split('"')[3] for one in answer]


def test_a_hidden_card_that_would_lie_open_is_unknown() -> None:
    one, other = answers(correction(Amendment(index=2, to="none")), ("9H", "5D"), ("9H", "4S"))
    assert one == other
    assert events(one) == ["resolved", "emptied", "emptied", "emptied", "irregularity", "next"]
    assert not any(card in line for card in ("5D", "4S") for line in one)


def test_open_cards_are_known() -> None:
    one, other = answers(correction(Amendment(index=2, card="6S")), ("9H", "5D"), ("3C", "QD"))
    assert one == other
    assert events(one) == ["resolved", "dealt", "next"]
    assert '"card":"6S","to":"croupier"' in one[1]


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (correction(Amendment(index=9, to="none")), "not_allowed"),
        (correction(Amendment(index=1, to="burn")), "not_allowed"),
        (Resolve(irregularity=1, action="identify", by=["croupier"]), "two_persons_needed"),
        (Decision(seat=1, action="stand"), "irregularity_open"),
    ],
)
def test_a_refusal_is_the_same(event: AnyInput, code: str) -> None:
    one, other = answers(event, ("9H", "5D"), ("AS", "2D"))
    assert one == other
    assert f'"code":"{code}"' in one[0]


def test_a_hidden_card_may_be_named() -> None:
    one, other = answers(correction(Amendment(index=1, card="AS")), ("9H", "5D"), ("3C", "5D"))
    assert one == other
    assert events(one)[0] == "resolved"


def test_an_unread_card_is_named_as_before() -> None:
    given = profile(game="blackjack")
    procedure = Procedure(decoded(given))  # type: ignore[arg-type]  # the profile
    for event in (*(decoded(one) for one in BLACKJACK.preludes["ready"](given)), BETS, CardDrawn(card="9H")):
        procedure.apply(event)
    procedure.apply(CardDrawn(card=None))
    procedure.forget_hidden_cards()
    named = procedure.apply(Resolve(irregularity=1, action="identify", by=list(BY), card="KS"))
    assert events([encode(one).decode() for one in named]) == ["resolved", "dealt", "next"]
