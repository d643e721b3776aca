"""A croupier's knowledge of the table, from its outputs alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from regulations.events.outputs import (
    AnyOutput,
    Burned,
    Dealt,
    Irregularity,
    Next,
    Refused,
    Resolved,
    Reversed,
    ShoeOver,
    Voided,
)
from regulations.events.results import Result
from regulations.events.vocabulary import Outcome, PickUp, RefusalCode

# Not "nothing": what is returned when the table closes is no void round.
_BETWEEN_SHOES = ("shuffle", "load")


def _rank(spot: tuple[str, int, int], first: str) -> tuple[bool, int, int]:
    to, seat, hand = spot
    is_house = to in ("banker", "croupier")
    return (is_house is not (first == "banker_first"), -seat if first == "last_seat_first" else seat, hand)


class PromptState:
    """``next`` ``None``: before the first; ``held``: reading B11."""

    def __init__(self) -> None:
        self.next: Next | None = None
        self.is_between_rounds = False
        self.open: dict[int, Irregularity] = {}
        self.known: dict[int, Irregularity] = {}
        self.refused: RefusalCode | None = None
        self.options: Mapping[str, Any] = {}
        self.has_result = False
        self.outcome: Outcome | None = None
        self.is_void = False
        self.dealt = 0
        self.held = 0
        self.is_shoe_over = False
        self.rounds = 0
        self.rounds_in_shoe = 0
        self.games = 0
        self.spots: list[tuple[str, int, int]] = []

    @property
    def is_initial_burn(self) -> bool:
        prompt = self.next
        return prompt is not None and prompt.do == "burn" and self.rounds_in_shoe == self.dealt == 0

    @property
    def is_link_down(self) -> bool:
        return any(one.code == "device_lost" for one in self.open.values())

    @property
    def actions(self) -> Sequence[str]:
        """The further acts that the prompt allows, or the resolutions."""
        if self.next is None or self.next.actions is UNSET:
            return ()
        return self.next.actions

    def picked_up(self, way: PickUp) -> list[int]:
        indexes = list(range(len(self.spots)))
        first = way.removesuffix("_turned")
        if first != "dealt":
            indexes.sort(key=lambda index: _rank(self.spots[index], first))
        return indexes[::-1] if way != first else indexes

    def notice(self, outputs: Sequence[AnyOutput]) -> None:
        """Take the outputs of one input."""
        self.refused = None
        for output in outputs:
            self._notice(output)
            if isinstance(output, Dealt):
                seat, hand = output.seat, output.hand
                self.spots.append((output.to, 0 if seat is UNSET else seat, 1 if hand is UNSET else hand))
            elif isinstance(output, Burned):
                self.spots.append(("burn", 0, 1))
        if self.next is not None and (self.is_between_rounds or self.next.do in _BETWEEN_SHOES):
            self._round_is_over()

    def shoe_begins(self) -> None:
        self.is_shoe_over = False
        self.rounds_in_shoe = 0
        self.held = 0

    def _notice(self, output: AnyOutput) -> None:
        match output:
            case Next():
                self._apply_prompt(output)
            case Irregularity():
                self.open[output.irregularity] = self.known[output.irregularity] = output
            case Resolved():
                self.open.pop(output.irregularity, None)
                self.held += output.action == "next_round"
            case Refused():
                self.refused = output.code
            case Dealt():
                # The first card of a round is the one that waited, if one did.
                self.held = self.held if self.dealt else 0
                self.dealt += 1
            case Result():
                self.has_result, self.is_void = True, False
                self.outcome = output.winner
            case Reversed():
                self.has_result, self.outcome = False, None
            case Voided():
                self.has_result, self.outcome, self.is_void = False, None, True
            case ShoeOver():
                self.is_shoe_over = True
                self.games += 1
            case _:
                return

    def _apply_prompt(self, prompt: Next) -> None:
        self.next = prompt
        self.is_between_rounds = prompt.do in ("draw", "burn", "close_bets") and prompt.actions is not UNSET
        if prompt.options is not UNSET:
            self.options = prompt.options

    def _round_is_over(self) -> None:
        if self.has_result or self.is_void:
            self.rounds += 1
            self.rounds_in_shoe += 1
        self.has_result, self.outcome = False, None
        self.is_void = False
        self.dealt = 0
        self.spots = []
