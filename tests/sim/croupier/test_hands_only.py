"""A simulated croupier that lends its hands alone: another person enters all but the cards that come by themselves."""

import random
from collections.abc import Sequence
from typing import cast

import pytest

from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardDrawn,
    CardsReturned,
    Closed,
    Cut,
    CutCard,
    CutCardPlaced,
    Decision,
    Demonstration,
    Loaded,
    Misdeal,
    Revealed,
    RoundClosed,
    ShoeEnded,
    Shuffled,
    StackCounted,
)
from regulations.events.outputs import Next, Refused
from regulations.events.results import Result
from regulations.events.vocabulary import DecisionAction, EquipmentKind, Game
from regulations.procedure.procedure import Procedure
from sim.clock import VirtualClock
from sim.croupier.instructions import HouseInstructions
from sim.croupier.pace import Pace
from sim.croupier.plain import PlainCroupier
from sim.croupier.routine import CroupierTraits
from sim.plain.hands import plain_hands_at
from sim.players import Players
from tests.sim.croupier.profiles import materials, profile

DAY_S = 24 * 3600.0
ROUNDS = 8
PREFERRED: Sequence[DecisionAction] = ("play", "challenge", "stand", "fold", "surrender")
"""None that needs a hidden hand to be shown first (reading J29)."""
OF_HANDS = (Shuffled, Cut, CutCardPlaced, Loaded, CardsReturned, StackCounted, CardDrawn, CutCard)


class HandsOnlyTable:
    """A table whose croupier has hands alone; `say` is what another person says."""

    def __init__(self, seed: int, game: Game, kind: EquipmentKind) -> None:
        table = profile(game, kind, {})
        self.clock = VirtualClock()
        self.by_hands: list[AnyInput] = []
        self.results = 0
        self.refused: list[Refused] = []
        self.players = Players(random.Random(seed + 2), table.seats, game=game)
        self.hands = plain_hands_at(kind, table.decks, random.Random(seed + 1), reads=True)
        self._procedure = Procedure(table)
        self.croupier = PlainCroupier(
            self.hands,
            CroupierTraits(
                say=self._told,
                rng=random.Random(seed),
                clock=self.clock,
                game=game,
                pace=Pace(0),
                orders=HouseInstructions(games=None, hands_only=True),
            ),
            equipment=kind,
        )
        self.prompt = cast("Next", self._procedure.opening[-1])
        self.players.notice(self._procedure.opening)
        self.croupier.apply(self._procedure.opening)

    @property
    def is_closed(self) -> bool:
        return self._procedure.is_closed

    def rest(self) -> None:
        """Go on until the hands have nothing more to do."""
        self.clock.run_until_idle(DAY_S)

    def say(self, event: AnyInput) -> None:
        answer = self._procedure.apply(event)
        self.prompt = cast("Next", answer[-1])
        self.results += sum(isinstance(one, Result) for one in answer)
        self.refused += [one for one in answer if isinstance(one, Refused)]
        self.players.notice(answer)
        self.croupier.apply(answer, event)

    def _told(self, event: AnyInput) -> None:
        self.by_hands.append(event)
        self.say(event)


def next_of(table: HandsOnlyTable) -> AnyInput:
    """The input of a person when the hands rest."""
    prompt = table.prompt
    actions = prompt.actions or ()
    match prompt.do:
        case "close_bets" | "draw" | "burn":
            assert actions, prompt
            if table.results >= ROUNDS:
                return ShoeEnded(reason="house") if "shoe_ended" in actions else Closed()
            closed = table.players.bets()
            if closed.seats:
                return closed
            return Demonstration() if "demonstration" in actions else BetsClosed(seats=[1], wagers=[])
        case "decide":
            action = next(one for one in PREFERRED if one in actions)
            return Decision(seat=prompt.seat or 1, hand=prompt.hand or 1, id=prompt.id or 1, action=action)
        case "reveal":
            return Revealed(who=prompt.to or "player", seat=prompt.seat, hand=prompt.hand)
        case "close_round":
            return RoundClosed()
        case _:
            return Closed()


@pytest.mark.parametrize(("game", "kind"), materials())
def test_a_person_plays_while_cards_come_by_themselves(seed: int, game: Game, kind: EquipmentKind) -> None:
    table = HandsOnlyTable(seed, game, kind)
    for _ in range(500):
        table.rest()
        if table.is_closed:
            break
        event = Closed() if table.croupier.games_played else next_of(table)
        table.say(event)
    assert table.is_closed
    assert table.croupier.done
    assert table.croupier.stuck is None
    assert table.results >= ROUNDS or table.croupier.games_played
    assert table.results
    assert {type(event) for event in table.by_hands} <= set(OF_HANDS)
    assert table.hands.cards_are_complete
    assert not table.refused


@pytest.mark.parametrize("game", ["baccarat", "blackjack"])
def test_no_card_comes_before_the_bets_are_closed_however_often_a_person_is_refused(seed: int, game: Game) -> None:
    table = HandsOnlyTable(seed, game, "shoe")
    table.rest()
    before = list(table.by_hands)
    for _ in range(8):
        table.say(RoundClosed())
        table.rest()
    assert {one.code for one in table.refused} == {"not_now"}
    assert table.by_hands == before
    assert not table.croupier.done


def test_an_irregularity_is_left_to_persons(seed: int) -> None:
    table = HandsOnlyTable(seed, "baccarat", "shoe")
    table.rest()
    while not table.results:
        table.say(next_of(table))
        table.rest()
    before = list(table.by_hands)
    table.say(Misdeal(detail="the cards lie wrong"))
    table.rest()
    assert (table.prompt.do, table.by_hands) == ("resolve", before)
    assert not table.croupier.done
