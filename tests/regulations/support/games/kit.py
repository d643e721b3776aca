"""What the harness must know of a game, in a form that is the same for all of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tests.regulations.support.profiles import Json

Prelude = Callable[[Json], list[Json]]
"""Leads a table with this profile somewhere: the inputs."""
BURN_CARDS: Final = ("2C", "3C", "4C", "5C", "6C", "7C", "8C", "TC", "JC", "QC", "KC", "AC")
"""What preludes burn; they never deal diamonds, which are the cards that ``card any`` draws."""
COPIES: Final = "9H"
"""The card of which ``copies_out`` has every copy out."""
CLOSE: Final[Json] = {"event": "round_closed"}
COMMON_PRELUDES: Final = frozenset(
    {
        *("cut_done", "prepared", "stack", "almost_ready", "ready", "ready_counted", "opened", "in_round", "decided"),
        *("round", "further_round", "over", "copies_out", "all_out", "at_the_cut_card", "before_the_cut_card"),
    }
)
"""What every game must lead to, for the cases that all games share."""
TRAITS: Final = frozenset(
    {
        *("shoe", "box", "shuffler", "shuffler_dealer"),  # the equipment that the regulation admits
        "authorised_equipment",  # a shuffler-dealer needs an authorisation
        "cut_card",  # in the default stack a cut card lies at a depth that has a range, and can come out
        "initial_burn",  # a shoe game from the default stack begins with burned cards
        "many_rounds",  # the default stack serves more than one round
        "bets_first",  # `bets_closed` opens a round and comes before its first card
        "reassign",  # a misdeal can be repaired
        "exclusions",  # some option values exclude each other
        "demonstrations",
        "fault_continues",  # a fault while cards are dealt can be continued from
    }
)
"""What a shared case may ask for in its line ``needs``."""


@dataclass(frozen=True, kw_only=True)
class GameKit:
    """What the tests know of a game.

    Attributes:
        game: its name in the table log.
        law: the number of its regulation: ``@9.º-1`` in its cases is ``LAW art. 9.º-1``.
        traits: which of :data:`TRAITS` it has, for the shared cases' line ``needs``.
        articles: what ``@=NAME`` means in shared cases: ``2.º-1``, ``B11``, or several with ``|`` between them.
        wager: its main wager on seat 1, as ``.opened`` closes it.
        cut_card_behind: the fewest and the most cards that may lie behind the cut card.
        preludes: what a case may begin with, at least :data:`COMMON_PRELUDES`.
    """

    game: str
    law: str
    traits: frozenset[str]
    articles: Mapping[str, str]
    wager: Json
    cut_card_behind: tuple[int, int]
    preludes: Mapping[str, Prelude]

    def __post_init__(self) -> None:
        unknown = self.traits - TRAITS
        if unknown:
            raise ValueError(f"{self.game} has unknown traits {sorted(unknown)}")
        if missing := COMMON_PRELUDES - set(self.preludes):
            raise ValueError(f"{self.game} has no preludes {sorted(missing)}")


def card(name: str | None) -> Json:
    return {"event": "card", "card": name}


def cards(*names: str) -> list[Json]:
    return [card(name) for name in names]


def bets(*wagers: Json) -> Json:
    """Bets are closed with these wagers."""
    return {"event": "bets_closed", "seats": sorted({wager["seat"] for wager in wagers}), "wagers": list(wagers)}


def stack_of(table: Json, behind: int | None, cut_by: str = "player") -> list[Json]:
    """The stack in its order (table log, "Stack"), loaded; ``behind`` is ``None`` where no cut card is placed."""
    loaded: Json = {"event": "loaded", "cards": 52 * table["decks"]}
    shuffled: Json = {"event": "shuffled", "by": "croupier"}
    cut: Json = {"event": "cut", "by": cut_by}
    if table["equipment"] == "shuffler_dealer":
        return [loaded]
    if table["equipment"] == "shuffler":
        return [{**shuffled, "by": "shuffler"}, loaded]
    if table["equipment"] == "box" or behind is None:
        return [shuffled, cut, loaded]
    return [shuffled, cut, {"event": "cut_card_placed", "behind": behind}, loaded]


def common(
    *,
    stack: Prelude,
    burned: Callable[[Json], int],
    wager: Json,
    rest: Prelude,
    first: str = COPIES,
    further: Prelude | None = None,
) -> dict[str, Prelude]:
    """The preludes of :data:`COMMON_PRELUDES`.

    From a table that has just been opened lead: ``cut_done`` to the place where the cut card is due, ``prepared`` to
    the load, ``stack`` to the initial burn, ``almost_ready`` to its last card, ``ready`` to the first round, ``opened`` behind its bets with the main
    wager on seat 1, ``in_round`` behind its first card, ``decided`` to its close, ``over`` behind a shoe game without
    rounds. ``round`` and ``further_round`` are a whole dull round, closed, on a table that is ready for it.
    ``copies_out``: bets are closed and every copy of :data:`COPIES` is out. With irregularities on the way (``~``):
    ``all_out``: in mid-round every card is out, and the last one is still to be burned; ``at_the_cut_card``: between
    rounds, and nothing but the cut card can come next; ``before_the_cut_card``: one card may come before it.

    Args:
        stack: everything before the initial burn.
        burned: how many cards the initial burn of this profile takes.
        wager: the main wager on seat 1.
        rest: what decides a round on seat 1 whose bets are closed and whose first card is out.
        first: the first card of the round.
        further: a dull round that is not the first of its shoe game, if that is another; closed.
    """

    def ready(table: Json) -> list[Json]:
        return [*stack(table), *cards(*BURN_CARDS[: burned(table)])]

    def ready_counted(table: Json) -> list[Json]:
        count = burned(table)
        return [*stack(table), *({**card(BURN_CARDS[n]), "count": n + 1} for n in range(count))]

    def opened(table: Json) -> list[Json]:
        return [*ready(table), bets(wager)]

    def in_round(table: Json) -> list[Json]:
        return [*opened(table), card(first)]

    def decided(table: Json) -> list[Json]:
        return [*in_round(table), *rest(table)]

    def dull_round(table: Json) -> list[Json]:
        return [bets(wager), card(first), *rest(table), CLOSE]

    def over(table: Json) -> list[Json]:
        return [*ready(table), {"event": "shoe_ended", "reason": "the cards are worn"}]

    def copies_out(table: Json) -> list[Json]:
        count = burned(table)
        out = cards(*[COPIES] * min(count, table["decks"]))
        opening = [*stack(table), *out, *cards(*BURN_CARDS[: count - len(out)]), bets(wager)]
        return [*opening, *cards(*[COPIES] * (table["decks"] - len(out)))]

    def cut_done(table: Json) -> list[Json]:
        names = [given["event"] for given in stack(table)]
        return stack(table)[: names.index("cut") + 1]

    def all_out(table: Json) -> list[Json]:
        fault: Json = {"device": "shoe", "code": 7}
        begun = in_round(table)
        names = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK"] * table["decks"]
        for given in begun:
            if given["event"] == "card":
                names.remove(given["card"])
        by_one: Json = {"event": "resolve", "by": ["croupier"]}
        return [
            *begun,
            {"event": "fault", **fault},
            *cards(*names),
            {"event": "fault_cleared", **fault},
            {**by_one, "irregularity": 1, "action": "continue"},
            *({**by_one, "irregularity": number, "action": "burn"} for number in range(2, 1 + len(names))),
        ]

    def leap(table: Json, short: int) -> list[Json]:
        behind = sum(given.get("behind", 0) for given in stack(table))
        void: Json = {"event": "resolve", "irregularity": 1, "action": "void", "by": ["croupier", "pit"]}
        leap = {**card(first), "count": 52 * table["decks"] - behind - short}
        return [*ready_counted(table), bets(wager), leap, void, CLOSE]

    return {
        "cut_done": cut_done,
        "prepared": lambda table: stack(table)[:-1],
        "stack": stack,
        "almost_ready": lambda table: ready(table)[:-1],
        "ready": ready,
        "ready_counted": ready_counted,
        "opened": opened,
        "in_round": in_round,
        "decided": decided,
        "round": dull_round,
        "further_round": further or dull_round,
        "over": over,
        "copies_out": copies_out,
        "all_out": all_out,
        "at_the_cut_card": lambda table: leap(table, 0),
        "before_the_cut_card": lambda table: leap(table, 1),
    }
