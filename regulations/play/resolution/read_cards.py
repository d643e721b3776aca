"""Corrections by people of a card that a device has read (reading G18)."""

from collections.abc import Sequence
from typing import Final, cast

from msgspec import UNSET

from regulations.events.inputs import Amendment, Resolve
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import DrawnCard
from regulations.play.resolution.replay import ReplayedRound

MISREAD: Final = "misread"
"""The only ground on which a read card is renamed."""


class ReadCardRules:
    def __init__(self, context: RuleContext) -> None:
        self._context: Final = context

    @property
    def _entries(self) -> list[Amendment]:
        return [entry for entry in self._context.event_as(Resolve).cards or () if isinstance(entry, Amendment)]

    @property
    def _came_out(self) -> Sequence[DrawnCard]:
        return self._context.scope.record.came_out

    def _card(self, entry: Amendment) -> DrawnCard:
        return self._came_out[cast("int", entry.index) - 1]

    def _renamed(self) -> list[DrawnCard]:
        named = [entry for entry in self._entries if entry.index is not UNSET and entry.card is not UNSET]
        return [self._card(entry) for entry in named if self._card(entry).was_read]

    def fault(self) -> str | None:
        for entry in self._entries:
            if entry.index is UNSET:
                after = cast("int", entry.after)
                if any(one.is_counted for one in self._came_out[max(after - 1, 0) :]):
                    return f"after {after}: the count of the device has no gap there"
            elif entry.to == "none" and self._card(entry).was_read:
                return f"index {entry.index}: a device has read it, so it left"
        renamed = self._renamed()
        if renamed and self._context.event_as(Resolve).ground != MISREAD:
            return "a device has read the card: give the `ground` misread"
        return self.one_too_many(renamed)

    def one_too_many(self, renamed: Sequence[DrawnCard]) -> str | None:
        """Only one card in a round can be renamed."""
        before = [one for one in self._came_out if one.was_misread]
        ever = {id(one) for one in (*before, *renamed)} if renamed else ()
        return "only one card that a device has read can be renamed in a round" if len(ever) > 1 else None

    def names_late(self) -> bool:
        return self._context.scope.phase.decided and bool(self._renamed())

    def changes_number(self, again: ReplayedRound) -> bool:
        return not again.round.is_over or bool(again.waiting)

    def only_names(self) -> bool:
        return all(entry.index is not UNSET and entry.card is not UNSET for entry in self._entries)

    def mark_renamed(self, again: ReplayedRound) -> None:
        renamed = self._renamed()
        for one in again.cards:
            if any(one.before is before for before in renamed):
                one.drawn.was_misread = True
