"""``undo``: propose a lawful correction of a person's last entry.

The journal keeps both (reading G11).
"""

from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from cardshoe.table.terminal.formatting import card_text
from cardshoe.table.terminal.input_context import Situation
from regulations.events import inputs
from regulations.events.inputs import AnyInput

TWO: Final = "by <person> <person>"
OTHERWISE: Final = "decision {number} <stand, double or split> by <croupier> <supervisor>"
"""Replaces the hit for which the last card was taken (reading J30)."""


@dataclass(frozen=True, slots=True)
class UndoProposal:
    """A proposed correction as a typed line, blanks as ``<this>``; empty: none."""

    says: str
    line: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A person's last entry.

    Attributes:
        index: of the card in the round; 0: unknown, or no round.
        is_hit: the card was taken for a hit (reading J30).
    """

    event: AnyInput
    index: int = 0
    is_hit: bool = False


def proposal(said: Said | None, now: Situation) -> UndoProposal:
    if said is None:
        return UndoProposal("nothing was typed since this program started: there is nothing to correct")
    event = said.event
    match event:
        case inputs.BetsClosed() | inputs.BetsCorrected():
            return _of_bets(event, now)
        case inputs.CardDrawn() | inputs.Revealed() | inputs.Exposed():
            return _of_cards(said, now)
        case inputs.Misdeal():
            return _of_misdeal(now)
        case inputs.Equipment():
            return UndoProposal("name the equipment that was there, before the next shoe game", "equipment <which>")
        case _:
            name = str(event.__struct_config__.tag)
            return UndoProposal(f"the last entry was `{name}`, and there is no correction for it: {_why_not(event)}")


def _of_bets(event: inputs.BetsClosed | inputs.BetsCorrected, now: Situation) -> UndoProposal:
    round_ = now.view.round
    if round_ is None or round_.cards or round_.burned or now.view.irregularities:
        return UndoProposal(
            "the bets can be corrected until the round's first card leaves, and one has: they stand. The round can "
            'only be void on a ground: void GROUND by PERSON PERSON "what happened"'
        )
    line = " ".join(["bets_corrected", *_wagers(event, now), '"<why>"', TWO])
    return UndoProposal(
        "the bets can be corrected until the round's first card leaves: all that lie there, why, and two persons.\n"
        f'If no bets were to be closed at all: void not_begun {TWO} "<why>"',
        line,
    )


def _wagers(event: inputs.BetsClosed | inputs.BetsCorrected, now: Situation) -> list[str]:
    words: list[str] = []
    for wager in event.wagers:
        seat = f"{wager.seat}.{wager.id}" if wager.id > 1 else str(wager.seat)
        stake = "" if wager.stake is UNSET else f":{now.currency.text(wager.stake).replace(',', '')}"
        words.append(f"{seat}:{wager.bet}{stake}")
    with_wager = {wager.seat for wager in event.wagers}
    return words + [str(seat) for seat in event.seats if seat not in with_wager]


def _of_cards(said: Said, now: Situation) -> UndoProposal:
    if not now.game.law.named_again:
        return UndoProposal(f"{now.game.law.title} renames no card (89/2004 art. 11.º-1): the round can only be void")
    if now.view.round is None:
        return UndoProposal(
            "no round is open: a card that was burned, or whose round is closed, stays as it was entered"
        )
    if now.view.round.voided is not UNSET:
        return UndoProposal("the round is void: its cards stay as they were entered")
    event = said.event
    card = card_text(event.card) if isinstance(event, inputs.CardDrawn) and event.card is not None else "a card"
    index = said.index or "<which card of the round>"
    codes = now.open_codes
    number = next((number for number, code in codes.items() if code == "misdeal"), None)
    after = f"identify {number or 'N'} {index}=<card> {TWO}"
    never = f"identify {number or 'N'} {index}=none {TWO}"
    if number is not None:
        return UndoProposal(f"{card} is renamed, or never left: {never}", after)
    if codes:
        return UndoProposal("an irregularity is open: resolve it first, as the prompt says; then type `undo` again")
    if said.is_hit:
        return UndoProposal(
            f"{card} was taken for a hit (reading J30). Where the hand had decided otherwise, report a misdeal, then a "
            f"croupier and a supervisor say what: {OTHERWISE.format(number='N')}\n"
            f"or, if the card was entered wrongly: {after}; or, if it never left: {never}",
            f'misdeal "{card} was no hit"',
        )
    return UndoProposal(
        f"cards are corrected in a misdeal. First report it, then two persons rename {card}: {after}\n"
        f"or, if it never left: {never}",
        f'misdeal "{card} was entered wrongly"',
    )


def _of_misdeal(now: Situation) -> UndoProposal:
    opened = next((one for one in now.view.irregularities if one.code == "misdeal"), None)
    if opened is None:
        return UndoProposal("the misdeal is resolved: there is nothing to correct")
    number = opened.irregularity
    if "decision" in opened.actions:
        return UndoProposal(
            "the last card was taken for a hit (reading J30): a croupier and a supervisor say what was decided\n"
            f"a misdeal that was none is closed by two persons, and no card changes: reassign {number} {TWO}",
            OTHERWISE.format(number=number),
        )
    if not now.game.law.named_again:
        return UndoProposal("the misdeal is settled as the prompt says")
    return UndoProposal(
        "a misdeal that was none is closed by two persons, and no card changes", f"reassign {number} {TWO}"
    )


_REASONS: Final[dict[type, str]] = {
    inputs.Decision: "a decision stands. If it was entered wrongly, stop and call the supervisor",
    inputs.RoundClosed: "the round is closed, and what was paid is paid",
    inputs.Resolve: "two persons, or one, have answered for it, and the journal keeps that",
    inputs.Void: "two persons have answered for it; close the round and play it again",
    inputs.ShoeEnded: "the shoe game is over; prepare the next stack",
    inputs.Demonstration: "play the demonstration, or end the shoe game: shoe_ended",
    inputs.BettorLeft: "the stake went back; the bettor may bet it again",
    inputs.DeviceReadmitted: "unplug the device if it is to be off the table",
}


def _why_not(event: AnyInput) -> str:
    stack = "the next stack is prepared after the shoe game: shoe_ended, and shuffle"
    return _REASONS.get(type(event), stack)
