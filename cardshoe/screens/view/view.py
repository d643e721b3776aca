"""A table as the durable lines of its log leave it."""

from collections.abc import Container, Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from cardshoe.screens.view import card_layout as places
from cardshoe.screens.view.apply_inputs import OF_INPUTS
from cardshoe.screens.view.apply_outputs import OF_OUTPUTS
from cardshoe.screens.view.devices import apply_device
from cardshoe.screens.view.parts import Profile
from cardshoe.screens.view.state import Phase, TableState, time_of
from regulations.events import inputs, outputs
from regulations.events.inputs import AnyInput
from regulations.events.outputs import AnyOutput
from regulations.events.vocabulary import Do, ResolutionAction

PHASES: Final[dict[Do, Phase]] = {
    "shuffle": "preparing",
    "cut": "preparing",
    "place_cut_card": "preparing",
    "load": "preparing",
    "return_cards": "preparing",
    "close_bets": "betting",
    "draw": "dealing",
    "burn": "dealing",
    "reveal": "revealing",
    "decide": "deciding",
    "close_round": "paying",
    "resolve": "irregular",
    "nothing": "closed",
}


class TableView(TableState, kw_only=True):
    """A table as the durable lines of its log leave it; sealed cards stay sealed.

    Folding live, from the first line or from a stored view gives the same.
    """

    @property
    def table_id(self) -> str:
        """Empty before the first line."""
        return "" if self.profile is None else self.profile.table_id

    def take(self, event: AnyInput, answer: Sequence[AnyOutput]) -> None:
        """Apply an input with its outputs.

        Raises:
            TypeError: the answer has no ``next``.
        """
        prompt = answer[-1] if answer else None
        if not isinstance(prompt, outputs.Next):
            raise TypeError(f"an answer ends with a `next`, not with {prompt!r}")
        if isinstance(event, inputs.Table):
            self._open(event, prompt)
        elif not isinstance(answer[0], outputs.Refused):
            self._take(event, answer)
        self._apply_prompt(prompt)

    def _take(self, event: AnyInput, answer: Sequence[AnyOutput]) -> None:
        if event.round is not UNSET and (self.round is None or self.round.number != event.round):
            self.open_round(event.round, event)
        is_correction = self._is_correction(event)
        left = 0 if self.round is None else len(self.round.left)
        open_before = {one.irregularity: one.number for one in self.irregularities}
        lay = places.open_at(self.round.cards) if is_correction and self.round is not None else {}
        apply_device(self.devices, event)
        if (note := OF_INPUTS.get(type(event))) is not None:
            note(self, event)
        for output in answer:
            if (note := OF_OUTPUTS.get(outputs.kind_of(output))) is not None:
                note(self, output)
        if not self.irregularities:
            self.astray = []
        if self.round is None:
            self._apply_cause(event, open_before, 0)
            return
        came = len(self.round.left) if len(self.round.left) > left else 0
        self._apply_cause(event, open_before, came)
        if came:
            places.mark_entered(self.round.cards, event, answer)
        if is_correction and isinstance(event, inputs.Resolve):
            self.round.corrected = True
            places.corrected_order(self.round.left, event)
            places.mark_changed(self.round.cards, lay, event)
        else:
            of = event.irregularity if isinstance(event, inputs.Resolve) else 0
            places.number(self.round.cards, answer, came or open_before.get(of, 0))

    def _apply_cause(self, event: AnyInput, before: Container[int], came: int) -> None:
        prompt = self.prompt
        for one in self.irregularities:
            if one.irregularity in before:
                continue
            one.number = came
            if isinstance(event, inputs.Misdeal | inputs.Dispute):
                one.reason = event.detail
            elif isinstance(event, inputs.CardDrawn) and prompt is not None and prompt.do == "draw":
                one.to, one.position = prompt.to, prompt.position
                one.seat, one.hand = prompt.seat, prompt.hand

    def _open(self, event: inputs.Table, prompt: outputs.Next) -> None:
        self.profile = Profile(
            table_id=event.table_id,
            game=event.game,
            decks=event.decks,
            seats=event.seats,
            equipment=event.equipment,
            edition="" if prompt.edition is UNSET else prompt.edition,
            options=event.options if prompt.options is UNSET else prompt.options,
        )

    def _is_correction(self, event: AnyInput) -> bool:
        if not isinstance(event, inputs.Resolve) or event.action not in ("reassign", "identify"):
            return False
        return any((one.irregularity, one.code) == (event.irregularity, "misdeal") for one in self.irregularities)

    def call_for(self, prompt: outputs.Next) -> None:
        self.prompt = prompt
        self.seq, self.at = self.seq if prompt.seq is UNSET else prompt.seq, time_of(prompt)
        is_between = prompt.do == "draw" and prompt.round is UNSET
        self.phase = "betting" if is_between else PHASES[prompt.do]

    def _apply_prompt(self, prompt: outputs.Next) -> None:
        self.call_for(prompt)
        if prompt.do == "resolve" and prompt.actions is not UNSET:
            for one in self.irregularities:
                if one.irregularity == prompt.irregularity:
                    one.actions = msgspec.convert(prompt.actions, list[ResolutionAction])
            # One about an earlier card comes before others (reading G17).
            self.irregularities.sort(key=lambda one: (one.irregularity != prompt.irregularity, one.irregularity))
        if self.round is not None and prompt.round is UNSET:
            self.close_round(self.round)
