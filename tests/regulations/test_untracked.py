"""A table that is not told the stakes answers as one that is, but for money; a unit is paid what every stake is."""

import random
from collections import Counter
from fractions import Fraction
from typing import Final

import pytest
from msgspec import UNSET

from regulations.events.codec import output_decoder
from regulations.events.inputs import AnyInput, Table
from regulations.events.outputs import SettledWager
from regulations.events.vocabulary import Game
from regulations.games.baccarat.result import BaccaratResult
from regulations.law.stakes import UNTRACKED
from regulations.procedure.procedure import Procedure
from sim.croupier.instructions import HouseInstructions
from tests.kit.length import at_length
from tests.regulations.support.kits import KITS
from tests.regulations.support.profiles import Json
from tests.regulations.support.profiles import profile as rules_profile
from tests.regulations.support.running import decoded, lead, shown
from tests.sim.croupier.plain_table import PlainTable
from tests.sim.croupier.profiles import profile, variants

ROUNDS: Final = at_length(8, 1000)
"""Of each profile."""
MORE_ROUNDS: Final[dict[Game, int]] = {"casino_war": 6}
"""Times as many where the cards of a payment come seldom: one round in seventeen has equal cards."""
MISTAKES: Final = 0.05
GAMES: Final[tuple[Game, ...]] = ("baccarat", "blackjack", "casino_war", "q_poker", "three_card_baccarat")
PAID: Final[dict[Game, set[str]]] = {
    "baccarat": {"1", "-1", "0", "19/20", "8", "11"},
    "blackjack": {"1", "-1", "0", "3/2", "2", "-2", "-1/2", "11"},
    "casino_war": {"1", "-1", "-1/2", "-2", "10"},
    "q_poker": {"1", "-1", "1/2", "-1/2"},
    "three_card_baccarat": {"19/20", "-1", "8", "carried"},
}
"""Payments that come often enough to be seen in every run."""
MONEY: Final = ("stake", "net", "residue", "carried", "pays")
LISTS: Final = ("settled", "reversed", "voided")


class Twins:
    """A table that is told the stakes, as it was played, and one beside it that is told the same without them."""

    def __init__(self, table: Table, opening: list[Json]) -> None:
        self.paid: Counter[str] = Counter()
        self._doubled: set[tuple[int, str, int]] = set()
        """Whose stake was doubled in the round: seat, bet, and the hand, or the bettor of an ante."""
        self._by_highest = table.options.get("decider") == "highest"
        options = {**table.options, "stakes": UNTRACKED}
        self._other = Procedure(decoded(_as_told({**_json(table), "options": options})))  # type: ignore[arg-type]  # words of the table log
        self._same(opening, shown(self._other.opening))

    def apply(self, event: AnyInput, answer: list[Json]) -> None:
        """Gives the second table what the first was given, and compares the answers."""
        given = _json(event)
        # Whose wager is the highest, and whether a stake that stood in a tie grew, persons alone know there.
        of_amount = {"55/2004 art. 12.º"} | ({"56/2004 art. 20.º-1(3)"} if self._by_highest else set())
        if answer[0]["event"] == "refused" and answer[0]["article"] in of_amount:
            return
        self._same(answer, shown(self._other.apply(decoded(_as_told(given)))))

    def record(self, given: Json) -> None:
        """Notes what a stake grew by."""
        if given["event"] == "bets_closed":
            self._doubled.clear()
        elif given.get("action") == "double":
            self._doubled.add((given["seat"], "main", given.get("hand", 1)))
        elif given.get("action") == "challenge":
            self._doubled.add((given["seat"], "ante", given.get("id", 1)))

    def _same(self, told: list[Json], untold: list[Json]) -> None:
        untold = [one for output in untold if (one := _of_seats(output)) is not None]
        compared = _of_any_bettor if self._by_highest else _without_money
        assert list(map(compared, untold)) == list(map(compared, told))
        for one, other in zip(told, untold, strict=True):
            if one["event"] in ("settled", "reversed"):
                for money, unit in zip(one["wagers"], other["wagers"], strict=True):
                    self._pays(money, unit, counts=one["event"] == "settled")
            elif one["event"] == "voided":
                assert not any(name in wager for wager in other["wagers"] for name in MONEY)

    def _pays(self, money: Json, unit: Json, *, counts: bool) -> None:
        assert not any(name in unit for name in MONEY if name != "pays")
        self.paid[unit["pays"]] += counts
        if money.get("carried"):
            assert unit["pays"] == "carried"
            return
        which = money["hand"] if money["bet"] == "main" else money["id"]
        put_down = money["stake"] // 2 if (money["seat"], money["bet"], which) in self._doubled else money["stake"]
        assert Fraction(unit["pays"]) * put_down == money["net"] + Fraction(money.get("residue", 0))
        assert unit["pays"] == str(Fraction(unit["pays"]))


def _json(event: AnyInput) -> Json:
    (line,) = shown([event])  # type: ignore[list-item]  # words of the table log
    return line


def _as_told(given: Json) -> Json:
    told = {name: value for name, value in given.items() if name != "amount"}
    if "wagers" in told:
        told["wagers"] = [{name: value for name, value in wager.items() if name != "stake"} for wager in told["wagers"]]
    if "any_pair" in told:
        told["any_pair"] = True
    return told


def _of_seats(output: Json) -> Json | None:
    if output["event"] not in LISTS:
        return output
    wagers = [wager for wager in output["wagers"] if "seat" in wager]
    return None if not wagers and output["event"] != "voided" else {**output, "wagers": wagers}


def _without_money(output: Json) -> Json:
    output = {name: value for name, value in output.items() if name not in ("duties", "id", "options", "detail")}
    if output.get("do") == "reveal" and output["to"] in ("player", "banker"):
        # Who has the highest wager, and handles the cards by that, persons alone know there.
        output.pop("seat", None)
        output.pop("article", None)
    if output["event"] in LISTS:
        output["wagers"] = [
            {name: value for name, value in wager.items() if name not in MONEY} for wager in output["wagers"]
        ]
    return output


def _of_any_bettor(output: Json) -> Json:
    output = _without_money(output)
    if "bettors" in output:
        here = (output["seat"], output["hand"])
        hands = {(one["seat"], one["hand"]): one["actions"] for one in output.pop("bettors")}
        # Any of the hand's own bettors may be the one who decides.
        output["actions"] = sorted({*output["actions"], *hands.pop(here, ())})
        output |= {"bettors": hands} if hands else {}
    elif "actions" in output:
        output["actions"] = sorted(output["actions"])
    return output


@pytest.mark.statistical
@pytest.mark.parametrize("game", GAMES)
def test_what_a_unit_is_paid_is_what_every_stake_is_paid(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    paid: Counter[str] = Counter()
    for of, kind, options in variants():
        if of != game or "stakes" in options:
            continue
        # Else the prompts before a round would differ (reading B8).
        free_hands = {"rounds_without_wagers": True} if game == "baccarat" else {}
        table = profile(game, kind, {**options, **free_hands})
        played = PlainTable(
            rng.randrange(1 << 30),
            table,
            mistakes=MISTAKES,
            orders=HouseInstructions(games=None, rounds=ROUNDS * MORE_ROUNDS.get(game, 1)),
            reads=rng.random() < 0.5,
            strategy="random",
        )
        played.run()
        (_, opening), *log = played.log
        twins = Twins(table, shown(opening))
        for event, answer in log:
            said = shown(answer)
            if said[0]["event"] != "refused":
                twins.record(_json(event))
            twins.apply(event, said)
        paid += twins.paid
    assert PAID[game] <= set(paid), paid


@pytest.mark.statistical
@pytest.mark.parametrize("game", GAMES)
def test_players_of_whom_little_is_told_are_paid_all_the_same(game: Game, seed: int) -> None:
    """Wagers of which a seat alone tells, too: each is settled or returned once."""
    for of, kind, options in variants():
        if of == game and not {"stakes", "limits"} & set(options):
            table = profile(game, kind, {**options, "stakes": UNTRACKED})
            played = PlainTable(
                seed,
                table,
                mistakes=MISTAKES,
                orders=HouseInstructions(games=None, rounds=ROUNDS),
                reads=True,
                strategy="random",
            )
            played.run()
            assert played.cashier.faults == [], played.tail()
            assert played.cashier.settled


@pytest.mark.law
def test_lines_without_money_are_read_back() -> None:
    line = b'{"event":"settled","wagers":[{"bet":"banker","id":1,"hand":1,"pays":"19/20","article":"x"}]}'
    settled = output_decoder(BaccaratResult).decode(line)
    assert settled.wagers == [SettledWager(bet="banker", id=1, hand=1, pays="19/20", article="x")]  # type: ignore[union-attr]  # words of the table log
    assert settled.wagers[0].stake is UNSET  # type: ignore[union-attr]  # words of the table log


@pytest.mark.law
def test_where_persons_alone_know_who_decides_no_bettor_is_asked() -> None:
    """Of several wagers on a seat the highest decides (56/2004 art. 20.º-1(3)): the line has no `id`, not even null."""
    table = rules_profile(game="blackjack", procedure="second", stakes=UNTRACKED, decider="highest")
    bettors = [{"seat": 1, "bet": "main", "id": bettor} for bettor in (1, 2)]
    dealt = [{"event": "card", "card": card} for card in ("9H", "7D")]
    bets = {"event": "bets_closed", "seats": [1], "wagers": bettors}
    procedure = lead(table, [*KITS["blackjack"].preludes["ready"](table), bets, *dealt])
    *_, asked = shown(procedure.apply(decoded({"event": "card", "card": "6C"})))
    assert (asked["do"], asked["seat"], "id" in asked) == ("decide", 1, False)
