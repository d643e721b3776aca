"""The cut card: where it is expected, where it counts, and its guards and effects (reading G16)."""

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
    """The cut card of the stack."""

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
        """By irregularity about a cut card: stage of the round in which it came, and cards left behind it."""
        self._came: tuple[Stage, int] | None = None
        """As above, while two people say what it means."""
        self._counts = False
        """True while a cut card counts wherever it was found."""
        self._came_behind: float = 0
        """The number of the last card that left before the cut card, where it came between rounds; 0: none."""

    def new_stack(self) -> None:
        renew(self._lasting, "cut_card_out", "cut_card_taken", "cut_card_missed", "cut_card_late", "cut_card_waits")

    def is_missing(self) -> bool:
        lasting = self._lasting
        if lasting.depth is None or lasting.cut_card_out:
            return False
        fewest, _ = self._range
        return self._context.scope.stack.left < fewest

    def may_count(self) -> bool:
        """True if two people can have an unexpected cut card count: it lies in this stack and has not counted yet."""
        lasting = self._lasting
        has_counted = lasting.cut_card_out or lasting.cut_card_waits or lasting.cut_card_late
        return self._context.shoe.running and lasting.depth is not None and not has_counted

    def add_depth(self, prompt: Next) -> None:
        """Adds the depth found beside the one declared to the prompt, where a cut card lies in the stack."""
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
        """True if the cut card cannot be where it was found, unless two people have it count, or counted it missing."""
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
        """True if the cut card comes after the round's first card and before its result; or must have come there."""
        if not self._lasting.cut_card_taken:
            return self._stage == "deal"
        # It counts where it was declared, not when it was missed (readings G16, B6, W5).
        return cast("int", self._lasting.depth) > self._context.scope.stack.round_began

    def result_is_out(self) -> bool:
        return self._stage == "result" and not self._lasting.cut_card_taken

    @property
    def _stage(self) -> Stage:
        """How far the round was; one that was voided since, how far it was as the cut card came (reading G13)."""
        now = self._context.scope.round
        if self._came is not None and now.is_over and not self._context.scope.phase.decided:
            return self._came[0]
        return now.stage

    def waits_for_burn(self) -> bool:
        return self._lasting.cut_card_waits

    # --- effects -----------------------------------------------------------------------------------------------------

    def record_depth(self) -> None:
        """Notes how many cards lie before the cut card."""
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
        """A round begins with cards that left before it was open: the cut card may lie behind some (reading G17)."""
        record = self._context.scope.record
        before = sum(one.left <= self._came_behind for one in record.came_out)
        if before:
            record.cut_card = before, len(record.acts)

    def record_missed(self) -> None:
        """The cut card is missed; this is reported once."""
        self._lasting.cut_card_missed = True

    def record_late(self) -> None:
        """The cut card that was missed comes after all."""
        self._lasting.cut_card_late = True

    def record_unexpected(self) -> None:
        """Notes where round and stack stand, for two people who say later what the cut card means."""
        self._came_at[self._context.scope.irregularities.next_number] = self._stage, self._context.scope.stack.left

    def assume(self) -> None:
        """A cut card that was missed counts where it was declared, unless two people had one count meanwhile."""
        if not self._lasting.cut_card_out:
            self._lasting.cut_card_taken = True
            self._count()

    def count(self, state: ShoeState) -> None:
        """Two people have an unexpected cut card count."""
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
        """The initial burn is complete: an unexpected cut card that came in it counts now."""
        # Fired within a row, it is answered once that is done.
        self._count()

    def _count(self) -> None:
        self._counts = True
        self._fire("cut_card")
