"""What happened at a table, counted from its log."""

from collections import Counter
from typing import Final

from regulations.events import inputs, outputs, results
from regulations.events.outputs import AnyOutput
from table.scribe import Taken
from table.text import money_text


class Statistics:
    """Counts rounds, results, irregularities and money; a listener of the controller."""

    def __init__(self) -> None:
        self.results: Final[Counter[str]] = Counter()
        self.irregularities: Final[Counter[str]] = Counter()
        self.resolutions: Final[Counter[str]] = Counter()
        self.refusals: Final[Counter[str]] = Counter()
        self.rounds = 0
        self.counts: Final[Counter[str]] = Counter()
        self.cards = 0
        self.house_net = 0
        self._codes: dict[int, str] = {}

    def __call__(self, taken: Taken) -> None:
        """Counts what was taken."""
        if isinstance(taken.event, inputs.CardDrawn):
            self.cards += 1
        if isinstance(taken.event, inputs.RoundClosed) and not isinstance(taken.outputs[0], outputs.Refused):
            self.rounds += 1
        for output in taken.outputs:
            self._count(output)

    def _count(self, output: AnyOutput) -> None:
        match output:
            case results.BaccaratResult():
                self.results[output.outcome] += 1
            case outputs.Settled():
                self.house_net -= sum(wager.net for wager in output.wagers)
            case outputs.Reversed():
                self.house_net += sum(wager.net for wager in output.wagers)
            case outputs.Irregularity():
                self._codes[output.irregularity] = output.code
                self.irregularities[output.code] += 1
            case outputs.Resolved():
                self.resolutions[f"{self._codes.get(output.irregularity, '?')} → {output.action}"] += 1
            case outputs.Refused():
                self.refusals[output.code] += 1
            case outputs.Voided() | outputs.ShoeOver():
                self.counts[type(output).__name__] += 1
            case _:
                pass

    def lines(self) -> list[str]:
        """The counts, in words."""
        results = ", ".join(f"{self.results[side]} {side}" for side in ("player", "banker", "tie"))
        return [
            f"shoe games finished  {self.counts['ShoeOver']}",
            f"rounds closed        {self.rounds} ({results}; {self.counts['Voided']} void)",
            f"cards                {self.cards}",
            f"house                {money_text(self.house_net, signed=True)}",
            f"irregularities       {_counted(self.irregularities)}",
            f"settled by           {_counted(self.resolutions)}",
            f"refused              {_counted(self.refusals)}",
        ]


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.most_common()) or "none"
