"""Corrections by two persons of a round's cards, and their effects (reading G11)."""

import math
from collections.abc import Callable
from typing import Final, cast

from msgspec import UNSET, structs

from regulations.events.inputs import Amendment, Resolve
from regulations.events.outputs import AnyOutput, Burned, Dealt, Emptied, Reversed, Settled
from regulations.events.vocabulary import DecisionAction, Holder, Target
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardPosition, DrawnCard
from regulations.play.context.open_round import OpenRound
from regulations.play.context.record import RoundAction, RoundRecord, faced, without
from regulations.play.resolution.read_cards import MISREAD
from regulations.play.resolution.replay import DealtCard, Replay, ReplayedRound

GROUNDS: Final = ("foreign", "damaged", "undue")
"""Not of the stack; unusable; left the shoe when none was due."""

DECISIONS: Final[tuple[DecisionAction, ...]] = ("stand", "double", "split")
"""In place of an inferred hit (reading J30)."""


class Correction:
    def __init__(self, context: RuleContext, make_round: Callable[[], OpenRound]) -> None:
        self._context: Final = context
        self._make_round: Final = make_round

    @property
    def _asked(self) -> Resolve:
        return self._context.event_as(Resolve)

    @property
    def _entries(self) -> list[Amendment]:
        return [entry for entry in self._asked.cards or () if isinstance(entry, Amendment)]

    def _card(self, entry: Amendment) -> DrawnCard:
        return self._context.scope.record.came_out[cast("int", entry.index) - 1]

    def _waits(self, drawn: DrawnCard) -> bool:
        register, in_hand = self._context.scope.irregularities, list[DrawnCard | None]()
        if register.first_open().code == "card_not_due":
            in_hand = [register.first_open().drawn, *(register.waiting if len(register.open) == 1 else ())]
        return drawn.waits and not any(drawn is one for one in in_hand)

    # --- what may be asked -------------------------------------------------------------------------------------------

    def without_decision(self) -> str | None:
        event = self._asked
        if event.action != "decision" and event.decision is UNSET:
            return None
        if event.action != "decision":
            return "`decision` belongs to the action decision"
        return None if event.decision in DECISIONS else f"`decision` is one of {', '.join(DECISIONS)}"

    def without_ground(self) -> str | None:
        ground = self._asked.ground
        if self._asked.action == "identify":
            return None if ground in (UNSET, MISREAD) else f"`ground` is {MISREAD} or left out"
        burns = any(entry.to == "burn" for entry in self._entries)
        wrong = ground not in GROUNDS if ground is not UNSET else burns
        return f"`ground` is one of {', '.join(GROUNDS)}" if wrong else None

    def fault_of_form(self) -> str | None:
        came_out, named = self._context.scope.record.came_out, set[int]()
        for entry in self._entries:
            if entry.index is UNSET:
                if fault := self._fault_of_inserted(entry, len(came_out)):
                    return fault
                continue
            if not 1 <= entry.index <= len(came_out):
                return f"index {entry.index}: the round has cards 1 to {len(came_out)}"
            if entry.index in named:
                return f"index {entry.index} stands twice"
            named.add(entry.index)
            if self._waits(self._card(entry)):
                return f"index {entry.index}: an irregularity of its own is open: resolve that"
            if self._asked.action == "reassign" and (entry.to in (UNSET, "none") or entry.card is not UNSET):
                return f'index {entry.index}: write {{"index": {entry.index}, "to": "burn"}}'
            if self._asked.action == "identify" and entry.to != ("none" if entry.card is UNSET else UNSET):
                return f'index {entry.index}: give its `card`, or "to": "none" if it never left'
        return None

    def _fault_of_inserted(self, entry: Amendment, cards: int) -> str | None:
        after = cast("int", entry.after)
        if self._asked.action != "identify" or entry.card is UNSET or entry.to is not UNSET:
            return f"after {after}: a card that was never told is named with `identify` and its `card`"
        return None if after <= cards else f"after {after}: the round has cards 1 to {cards}"

    def too_many_copies(self) -> bool:
        """A face-down copy does not count: refusing the card would disclose it (reading G8)."""
        stack, entries = self._context.scope.stack, self._entries
        out = stack.out + sum(entry.index is UNSET for entry in entries) - sum(entry.to == "none" for entry in entries)
        others = [self._card(entry) for entry in entries if entry.index is not UNSET]
        named = [entry.card for entry in entries if entry.card is not UNSET]
        return out > stack.size or any(
            stack.copies_open(card, others) + named.count(card) > stack.decks for card in named
        )

    def struck_too_late(self) -> str | None:
        if not self._context.scope.phase.decided or self._asked.ground == "foreign":
            return None
        late = next((entry.index for entry in self._struck() if not self._card(entry).was_irregular), None)
        return f"index {late}: no irregularity about it was open before the result" if late is not None else None

    def _struck(self) -> list[Amendment]:
        return [entry for entry in self._entries if entry.to == "burn" and self._card(entry).place != BURN_PLACE]

    # --- what then holds ---------------------------------------------------------------------------------------------

    def run(self, game_round: OpenRound) -> ReplayedRound | str:
        struck = [cast("int", entry.index) for entry in self._struck()]
        more = self._decided_before_the_last_card(game_round)
        return (
            game_round.cannot_correct(struck) or Replay(self._context, self._make_round, self._in_order(), more).run()
        )

    def _decided_before_the_last_card(self, game_round: OpenRound) -> RoundAction | None:
        event, came_out = self._asked, self._context.scope.record.came_out
        decision = game_round.decided_otherwise(event.decision) if event.decision is not UNSET else None
        if decision is None:
            return None
        hand, bank = faced(decision, game_round.laid)
        return RoundAction(event=decision, after=len(came_out) - 1, hand=hand[:-1], bank=bank)

    def wishes_elsewhere(self, run: ReplayedRound) -> str | None:
        return next((fault for entry in self._entries if (fault := _disagrees(entry, run))), None)

    def _in_order(self) -> list[DealtCard]:
        entries = {entry.index: entry for entry in self._entries if entry.index is not UNSET}
        gone = {entry.index for entry in self._struck()} | {one.index for one in entries.values() if one.to == "none"}
        inserted = [entry for entry in self._entries if entry.index is UNSET]
        found: list[DealtCard] = []
        came_out = self._context.scope.record.came_out
        held = sum(one.was_held for one in came_out)
        for index in range(len(came_out) + 1):
            if index:
                entry = entries.get(index)
                if entry is None or entry.to != "none":
                    before = came_out[index - 1]
                    found.append(DealtCard.of(before, index, entry, waits=self._waits(before)))
                    found[-1].drawn.held_though_due &= self._taker(index) not in gone
            for entry in inserted:
                if entry.after == index:
                    last = found[-1].drawn.left if found else came_out[0].left - 1
                    left = math.nextafter(last, math.inf)
                    found.append(DealtCard.new(index, entry.card, left=left, was_held=index < held))
        return found

    def _taker(self, index: int) -> int | None:
        behind = enumerate(self._context.scope.record.came_out[index:], start=index + 1)
        return next((number for number, one in behind if one.place not in (None, BURN_PLACE)), None)

    def emit_changes(self, run: ReplayedRound) -> None:
        context, old, new = self._context, self._context.scope.record.told, run.record.told
        by = context.law.articles.reassign
        falls = old.result is not None and old.result != new.result
        falling = without(old.settled, new.settled)
        if falls or falling:
            context.emit(Reversed(article=by, wagers=falling))
        changed = [one for one in run.cards if one.has_changed]
        for one in changed:
            if one.drawn.place == BURN_PLACE:
                context.emit(one.line(Burned) or Burned(article=by, card=one.drawn.shown, why="misdeal"))
        for place in _emptied(context.scope.record, run.record):
            to, hand = cast("Holder", place.to), place.hand or UNSET
            context.emit(Emptied(article=by, to=to, position=place.position, seat=place.seat or UNSET, hand=hand))
        for one in changed:
            if (dealt := one.line(Dealt)) is not None:
                context.emit(dealt)
        # One that fell is forgotten since it was reversed.
        if old.result != new.result:
            context.emit(structs.replace(cast("AnyOutput", new.result)))
        left = without(new.settled, old.settled)
        for line in run.said:
            fresh = [one for one in line.wagers if one in left] if isinstance(line, Settled) else []
            if fresh:
                left = without(left, fresh)
                context.emit(Settled(article=line.article, wagers=fresh))

    def count(self, run: ReplayedRound) -> None:
        stack, register = self._context.scope.stack, self._context.scope.irregularities
        for entry in self._entries:
            if entry.to == "none":
                stack.forget(self._card(entry))
        for one in run.cards:
            if one.before is None:
                stack.count_out(one.drawn)
                register.last_left = max(register.last_left, math.ceil(one.drawn.left))
            elif one.before is not one.drawn:
                stack.replace(one.before, one.drawn)


def _emptied(before: RoundRecord, now: RoundRecord) -> list[CardPosition]:
    filled = {BURN_PLACE, *(drawn.place for drawn in now.came_out)}
    return [drawn.place for drawn in before.came_out if drawn.place is not None and drawn.place not in filled]


def _disagrees(entry: Amendment, run: ReplayedRound) -> str | None:
    if entry.to in (UNSET, "none"):
        return None
    place = next(one.drawn.place for one in run.cards if one.index == entry.index)
    hand = int(entry.to == "seat") if entry.hand is UNSET else entry.hand
    wished = CardPosition(cast("Target", entry.to), entry.position or 0, entry.seat or 0, hand)
    if place == wished:
        return None
    return f"index {entry.index}: the order in which the cards left decides where it lies, or it is burned"
