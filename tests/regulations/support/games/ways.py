"""The usual ways to where a case begins, the same in every game but for cards and wagers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.regulations.support.games.kit import Prelude, bets, card, cards
from tests.regulations.support.profiles import Json

BURN_CARDS: Final = ("2C", "3C", "4C", "5C", "6C", "7C", "8C", "TC", "JC", "QC", "KC", "AC")
"""The cards that preludes burn; they never deal diamonds from one deck: those are the cards that ``card any`` draws."""
COPIES: Final = "9H"
"""The card of which ``copies_out`` has every copy out."""
CLOSE: Final[Json] = {"event": "round_closed"}
BY: Final = ("croupier", "pit")


@dataclass(frozen=True, kw_only=True)
class Ways:
    """The preludes that every game has.

    Attributes:
        wager: the main wager on seat 1.
        rest: what decides a round on seat 1 whose bets are closed and whose first card is out.
        fewest_found: how many cards lie behind the cut card at least, as it is found.
        most_found: how many at most.
    """

    stack: Prelude
    burned: Callable[[Json], int]
    wager: Json
    rest: Prelude
    fewest_found: int = 0
    most_found: int = 4
    first: str = COPIES
    further: Prelude | None = None

    def preludes(self) -> dict[str, Prelude]:
        return {
            "cut_done": self.cut_done,
            "prepared": lambda table: self.stack(table)[:-1],
            "stack": self.stack,
            "almost_ready": lambda table: self.ready(table)[:-1],
            "ready": self.ready,
            "ready_counted": self.ready_counted,
            "opened": self.opened,
            "in_round": self.in_round,
            "decided": lambda table: [*self.in_round(table), *self.rest(table)],
            "round": self.round,
            "further_round": self.further or self.round,
            "over": lambda table: [*self.ready(table), {"event": "shoe_ended", "reason": "cards_worn"}],
            "copies_out": self.copies_out,
            "all_out": self.all_out,
            "at_the_cut_card": lambda table: self.leap(table, 0),
            "before_the_cut_card": lambda table: self.leap(table, 1),
            "above_the_range": lambda table: self.leap(table, self.most_found + 1 - _behind(self.stack(table))),
            "at_the_last_place": lambda table: self.leap(table, self.fewest_found - _behind(self.stack(table))),
        }

    def cut_done(self, table: Json) -> list[Json]:
        names = [given["event"] for given in self.stack(table)]
        return self.stack(table)[: names.index("cut") + 1]

    def ready(self, table: Json) -> list[Json]:
        return [*self.stack(table), *cards(*BURN_CARDS[: self.burned(table)])]

    def ready_counted(self, table: Json) -> list[Json]:
        burned = BURN_CARDS[: self.burned(table)]
        return [*self.stack(table), *({**card(name), "count": count} for count, name in enumerate(burned, start=1))]

    def opened(self, table: Json) -> list[Json]:
        return [*self.ready(table), bets(self.wager)]

    def in_round(self, table: Json) -> list[Json]:
        return [*self.opened(table), card(self.first)]

    def round(self, table: Json) -> list[Json]:
        return [bets(self.wager), card(self.first), *self.rest(table), CLOSE]

    def copies_out(self, table: Json) -> list[Json]:
        """As many copies as the initial burn takes are burned, the others dealt."""
        count, decks = self.burned(table), table["decks"]
        burned = [*[COPIES] * min(count, decks), *BURN_CARDS[: max(count - decks, 0)]]
        return [*self.stack(table), *cards(*burned), bets(self.wager), *cards(*[COPIES] * (decks - min(count, decks)))]

    def all_out(self, table: Json) -> list[Json]:
        """From several decks the first round is void for a gap, so that few cards are left for the second."""
        fault: Json = {"device": "shoe", "code": 7}
        names = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK"]
        if table["decks"] > 1:
            begun = [*self.leap(table, 1), bets(self.wager), card(self.first)]
            left, opened = _behind(self.stack(table)), 2
        else:
            begun = self.in_round(table)
            left, opened = 52 - sum(given["event"] == "card" for given in begun), 1
        out = {given["card"] for given in begun if given["event"] == "card"}
        names = [name for name in names if name not in out][:left]
        by_one: Json = {"event": "resolve", "by": ["croupier"]}
        return [
            *begun,
            {"event": "fault", **fault},
            *cards(*names),
            {"event": "fault_cleared", **fault},
            {**by_one, "irregularity": opened, "action": "continue"},
            *(
                {**by_one, "irregularity": number, "action": "burn"}
                for number in range(opened + 1, opened + len(names))
            ),
        ]

    def leap(self, table: Json, short: int) -> list[Json]:
        """All cards before the cut card but so many are out, by a gap in the count that voids the first round."""
        gap = {**card(self.first), "count": 52 * table["decks"] - _behind(self.stack(table)) - short}
        void: Json = {"event": "resolve", "irregularity": 1, "action": "void", "by": list(BY)}
        return [*self.ready_counted(table), bets(self.wager), gap, void, CLOSE]


def _behind(stack: list[Json]) -> int:
    return sum(given.get("behind", 0) for given in stack)
