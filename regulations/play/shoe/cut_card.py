"""The cut card: where it is expected and counts, guards and effects (reading G16)."""

from collections.abc import Callable
from typing import Final, cast

from msgspec import structs

from regulations.engine.rows import Found
from regulations.events.inputs import CutCardPlaced, Resolve
from regulations.events.outputs import CutCardFound, Next
from regulations.play.context.context import RuleContext
from regulations.play.context.record import Stage
from regulations.play.context.snapshot import ShoeSnapshot, renew
from regulations.play.context.stack import Stack
from regulations.play.shoe.states import ShoeState


class CutCardRules:
    def __init__(
        self,
        context: RuleContext,
        lasting: ShoeSnapshot,
        fire: Callable[[str], None],
    ) -> None:
        self._context: Final = context
        self._lasting: Final = lasting
        self._fire: Final = fire
        self._came_at: Final[dict[int, tuple[Stage, int]]] = {}
        """By irregularity: stage of the round, and cards left behind it."""
        self._came: tuple[Stage, int] | None = None
        self._counts = False
        self._came_behind: float = 0
        """Number of the last card before it, between rounds; 0: none."""

    def new_stack(self) -> None:
        renew(self._lasting, "cut_card_out", "cut_card_taken", "cut_card_missed", "cut_card_late", "cut_card_waits")

    def is_missing(self) -> bool:
        lasting = self._lasting
        if lasting.depth is None or lasting.cut_card_out:
            return False
        fewest, _ = self._range
        return self._context.scope.stack.left < fewest

    def may_count(self) -> bool:
        lasting = self._lasting
        has_counted = lasting.cut_card_out or lasting.cut_card_waits or lasting.cut_card_late
        return self._context.shoe.running and lasting.depth is not None and not has_counted

    def add_depth(self, prompt: Next) -> None:
        stack, depth = self._context.scope.stack, self._lasting.depth
        if depth is not None and self._context.shoe.running:
            found = CutCardFound(behind=stack.left, declared=stack.size - depth)
            structs.force_setattr(prompt, "cut_card", found)

    @property
    def _range(self) -> tuple[int, int]:
        return self._context.law.cut_card_found(self._context.scope.stack.size)

    # --- guards ------------------------------------------------------------------------------------------------------

    def depth_outside(self) -> str | None:
        context = self._context
        (fewest, most) = context.law.cut_card_behind
        burned = context.initial_burn
        if burned is not None:
            # Among the cards that are burned it would announce a last round before there was a first one.
            most = min(most, Stack(context.table.decks).size - burned)
        behind = context.event_as(CutCardPlaced).behind
        fault = f"{behind} cards behind it, allowed are {fewest} to {most}"
        return fault if not fewest <= behind <= most else None

    def cut_card_undue(self) -> Found:
        context, lasting = self._context, self._lasting
        if lasting.depth is None or lasting.cut_card_out:
            return True
        (fewest, most), left = self._range, context.scope.stack.left if self._came is None else self._came[1]
        fault = f"{left} cards are behind it, expected are {fewest} to {most}"
        can_lie_there = left >= fewest and left - context.scope.stack.uncertain <= most
        return None if self._counts or can_lie_there else fault

    def missed_before(self) -> bool:
        lasting = self._lasting
        return not self._counts and lasting.cut_card_missed and not lasting.cut_card_late

    def in_mid_round(self) -> bool:
        if not self._lasting.cut_card_taken:
            return self._stage == "deal"
        # It counts where it was declared, not when it was missed (readings G16, B6, W5).
        return cast("int", self._lasting.depth) > self._context.scope.stack.round_began

    def result_is_out(self) -> bool:
        return self._stage == "result" and not self._lasting.cut_card_taken

    @property
    def _stage(self) -> Stage:
        """The stage; of a round voided since: when the cut card came (reading G13)."""
        now = self._context.scope.round
        if self._came is not None and now.is_over and not self._context.scope.phase.decided:
            return self._came[0]
        return now.stage

    def waits_for_burn(self) -> bool:
        return self._lasting.cut_card_waits

    # --- effects -----------------------------------------------------------------------------------------------------

    def record_depth(self) -> None:
        behind = self._context.event_as(CutCardPlaced).behind
        self._lasting.depth = Stack(self._context.table.decks).size - behind

    def mark_out(self) -> None:
        self._counts = False
        self._lasting.cut_card_out = True
        if self._context.scope.phase.open:
            self._context.scope.record.record_cut_card(self._stage)
        else:
            self._came_behind = self._context.scope.irregularities.last_left

    def order_among_cards(self) -> None:
        """Cards left before the round was open: the cut card may lie behind some (reading G17)."""
        record = self._context.scope.record
        before = sum(one.left <= self._came_behind for one in record.came_out)
        if before:
            record.cut_card = before, len(record.acts)

    def record_missed(self) -> None:
        self._lasting.cut_card_missed = True

    def record_late(self) -> None:
        self._lasting.cut_card_late = True

    def record_unexpected(self) -> None:
        self._came_at[self._context.scope.irregularities.next_number] = self._stage, self._context.scope.stack.left

    def assume(self) -> None:
        """A cut card that was missed counts where it was declared, unless two people had one count meanwhile."""
        if not self._lasting.cut_card_out:
            self._lasting.cut_card_taken = True
            self._count()

    def count(self, state: ShoeState) -> None:
        if state is ShoeState.BURN:
            self._lasting.cut_card_waits = True
            return
        self._counts = True
        self.accept()

    def accept(self) -> None:
        """Two people say that a cut card which one entered has come."""
        self._came = self._came_at.get(self._context.event_as(Resolve).irregularity)
        self._fire("cut_card")
        self._came = None

    def bring_in(self) -> None:
        # Fired within a row, it is answered once that is done.
        self._count()

    def _count(self) -> None:
        self._counts = True
        self._fire("cut_card")
