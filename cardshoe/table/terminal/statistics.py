"""Figures of a table, counted from its log."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.terminal.formatting import hung, money_text
from regulations.events import inputs, outputs, results
from regulations.events.outputs import AnyOutput, SettledWager
from regulations.events.vocabulary import Game
from regulations.games.registry import SHEETS
from regulations.law.stakes import are_recorded

UNCOUNTED: Final = (outputs.Next, outputs.Dealt)


class Statistics:
    def __init__(self) -> None:
        self.results: Final[Counter[str]] = Counter()
        self.irregularities: Final[Counter[str]] = Counter()
        self.resolutions: Final[Counter[str]] = Counter()
        self.refusals: Final[Counter[str]] = Counter()
        self.rounds = 0
        self.counts: Final[Counter[str]] = Counter()
        self.cards = 0
        self.wagered = 0
        self.house_net = 0
        self.stakes_known = True
        self._game: Game | None = None
        self._codes: dict[int, str] = {}
        self._standing: list[str] = []

    def __call__(self, taken: LoggedInput) -> None:
        if isinstance(taken.event, inputs.Table):
            self._game = taken.event.game
            self.stakes_known = are_recorded(taken.event.options)
        is_refused = isinstance(taken.outputs[0], outputs.Refused)
        if isinstance(taken.event, inputs.CardDrawn) and not is_refused:
            self.cards += 1
        for output in taken.outputs:
            if not isinstance(output, UNCOUNTED):
                self._count(output)
        if isinstance(taken.event, inputs.RoundClosed) and not is_refused:
            self.rounds += 1
            self.results.update(self._standing)
            self._standing = []

    def _count(self, output: AnyOutput) -> None:
        match output:
            case results.Result():
                self._standing = list(output.outcomes())  # a correction may change it until the round is closed
            case outputs.Settled():
                self._count_money(output.wagers, 1)
            case outputs.Reversed():
                self._count_money(output.wagers, -1)
            case outputs.Irregularity():
                self._codes[output.irregularity] = output.code
                self.irregularities[output.code] += 1
            case outputs.Resolved():
                self.resolutions[f"{self._codes.get(output.irregularity, '?')} → {output.action}"] += 1
            case outputs.Refused():
                self.refusals[output.code] += 1
            case outputs.Voided() | outputs.ShoeOver():
                self._standing = [] if isinstance(output, outputs.Voided) else self._standing
                self.counts[type(output).__name__] += 1
            case _:
                pass

    def _count_money(self, wagers: Sequence[SettledWager], sign: int) -> None:
        # What is carried is not decided yet, and stands in a later settlement with its whole stake.
        self.wagered += sign * sum(one.stake for one in wagers if one.stake is not UNSET and not one.is_carried)
        self.house_net -= sign * sum(one.net for one in wagers if one.net is not UNSET)

    def lines(self) -> list[str]:
        """The counts in words."""
        return [line for label, text in self._counts() for line in hung(label, text)]

    def _counts(self) -> list[tuple[str, str]]:
        wagered = money_text(self.wagered) if self.stakes_known else "not told"
        house = money_text(self.house_net, signed=True) if self.stakes_known else "not told"
        return [
            ("shoe games finished", str(self.counts["ShoeOver"])),
            *self._results(),
            ("cards", str(self.cards)),
            ("wagered", wagered),
            ("house", house),
            ("irregularities", _counted(self.irregularities)),
            ("settled by", _counted(self.resolutions)),
            ("refused", _counted(self.refusals)),
        ]

    def _results(self) -> list[tuple[str, str]]:
        always = () if self._game is None else SHEETS[self._game].words.always
        shown = [f"{self.results[name]} {name}" for name in always]
        shown += [f"{n} {name.replace('_', ' ')}" for name, n in self.results.most_common() if name not in always]
        results, void = ", ".join(shown) or "no results", f"{self.counts['Voided']} void"
        if always or not shown:
            return [("rounds closed", f"{self.rounds} ({results}; {void})")]
        hands = ("hands decided", f"{self.results.total()} ({results})")
        return [("rounds closed", f"{self.rounds} ({void})"), hands]


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.most_common()) or "none"
