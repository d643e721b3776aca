"""All rules of a game in one place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from regulations.law.payouts import Payout
from regulations.law.rows import RegulationRow


class Rule(Protocol):
    @property
    def id(self) -> str:
        """The rule's name in matrices."""

    @property
    def article(self) -> str:
        """The article or reading that decides."""

    @property
    def also(self) -> tuple[str, ...]:
        """Further articles that it enforces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    gate: Sequence[RegulationRow]
    shoe: Sequence[RegulationRow]
    round: Sequence[RegulationRow]
    payouts: Sequence[Payout[Any]]

    @property
    def machines(self) -> dict[str, Sequence[RegulationRow]]:
        """The rows of each machine by its name."""
        return {"gate": self.gate, "shoe": self.shoe, "round": self.round}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule."""
        return (*self.gate, *self.shoe, *self.round, *self.payouts)

    def name_of(self, rule: Rule) -> str:
        for machine, rows in self.machines.items():
            if any(row is rule for row in rows):
                return f"{machine}:{rule.id}"
        return f"settle:{rule.id}"

    def without(self, name: str) -> "Rulebook":
        """The rulebook with one rule taken out."""
        part, _, rule_id = name.partition(":")
        tables: dict[str, Sequence[Rule]] = {**self.machines, "settle": self.payouts}
        rules = tables.get(part, ())
        kept: list[Any] = [rule for rule in rules if rule.id != rule_id]
        if len(kept) == len(rules):
            raise KeyError(name)
        return replace(self, **{"payouts" if part == "settle" else part: kept})
