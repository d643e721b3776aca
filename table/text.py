"""The table log in words, for a terminal: what came, what the regulation says, what to do next."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import UNSET

from regulations.events import inputs, outputs, results
from regulations.events.outputs import AnyOutput, SettledWager
from table.scribe import Taken

SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
HIDDEN: Final = "▒▒"


def card_text(card: str | None) -> str:
    """A card as people read it: ``10♥``; a hidden one as a shaded back."""
    if card is None:
        return HIDDEN
    rank = "10" if card[0] == "T" else card[0]
    return f"{rank}{SUITS[card[1]]}"


def cards_text(cards: Sequence[str]) -> str:
    """Cards side by side."""
    return " ".join(card_text(card) for card in cards)


def money_text(units: int, *, signed: bool = False) -> str:
    """Minor units as an amount with two decimals."""
    sign = "-" if units < 0 else "+" if signed and units > 0 else ""
    whole, rest = divmod(abs(units), 100)
    return f"{sign}{whole:,}.{rest:02d}"


def describe(taken: Taken) -> Iterator[str]:
    """The lines that tell a person what one input came to; what is next is told by :func:`prompt_text`."""
    told = INPUT_TEXT.get(type(taken.event))
    if told is not None:
        yield told(taken.event)
    for output in taken.outputs:
        yield from _output_text(output)


def prompt_text(prompt: outputs.Next) -> str:
    """What the croupier must do now, in words."""
    to = "" if prompt.to is UNSET else str(prompt.to)
    match prompt.do:
        case "draw":
            act = f"draw a card for {to}, position {prompt.position}"
        case "reveal":
            act = f"show the cards of {to}"
        case "resolve":
            ways = " or ".join(prompt.actions) if prompt.actions is not UNSET and prompt.actions else "wait"
            act = f"resolve irregularity {prompt.irregularity}: {ways}"
        case _:
            act = ACT_TEXT[prompt.do]
    return f"→ {act}{_article(prompt)}"


ACT_TEXT: Final[dict[str, str]] = {
    "shuffle": "shuffle the cards",
    "cut": "have the stack cut",
    "place_cut_card": "place the cut card",
    "load": "load the stack",
    "burn": "burn a card",
    "close_bets": "close the bets",
    "decide": "wait for a decision",
    "close_round": "collect the cards and close the round",
    "return_cards": "return the used cards to the shuffler-dealer",
    "nothing": "nothing",
}


def _bets(event: inputs.BetsClosed) -> str:
    return f"bets closed: {len(event.wagers)} wagers, {money_text(sum(wager.stake for wager in event.wagers))}"


INPUT_TEXT: Final[dict[type, Callable[[Any], str]]] = {
    inputs.Table: lambda e: f"Table {e.table_id}: {e.game}, {e.decks} decks, {e.seats} seats, {e.equipment}",
    inputs.Shuffled: lambda e: f"shuffled by {e.by}",
    inputs.Cut: lambda e: f"cut by {e.by}",
    inputs.CutCardPlaced: lambda e: f"cut card placed, {e.behind} cards behind it",
    inputs.Loaded: lambda e: f"{e.cards} cards loaded",
    inputs.BetsClosed: _bets,
    inputs.Demonstration: lambda _: "the coming round is a demonstration",
    inputs.CutCard: lambda _: "the cut card comes out",
    inputs.Fault: lambda e: f"{e.device}: fault {e.code}",
    inputs.FaultCleared: lambda e: f"{e.device}: fault {e.code} is over",
    inputs.DeviceLost: lambda e: f"{e.device}: the link is gone",
    inputs.DeviceBack: lambda e: f"{e.device}: the link is there again",
    inputs.DeviceResult: lambda e: f"  {e.device} reports: {e.outcome}",
    inputs.RoundPartial: lambda e: f"{e.device}: joined in mid-round",
    inputs.StackCounted: lambda e: f"{e.cards} cards counted in the shoe",
    inputs.Misdeal: lambda e: f"misdeal reported: {e.detail}",
    inputs.ShoeEnded: lambda e: f"the house ends the shoe game: {e.reason}",
    inputs.Closed: lambda _: "the table closes",
}
"""Inputs that are worth a line of their own; the outputs tell of the others."""


def _article(output: AnyOutput) -> str:
    return f"   [{output.article}]" if output.article is not UNSET else ""


def _settled(output: outputs.Settled) -> Iterable[str]:
    return (f"    {_wager_text(wager)}" for wager in output.wagers)


def _irregularity(output: outputs.Irregularity) -> Iterable[str]:
    return (
        f"  IRREGULARITY {output.irregularity} {output.code}: {output.detail}{_article(output)}",
        f"    ways out: {', '.join(output.actions)}",
    )


def _resolved(output: outputs.Resolved) -> Iterable[str]:
    by = ", ".join(str(person) for person in output.by)
    return (f"  irregularity {output.irregularity} resolved: {output.action}, by {by}{_article(output)}",)


OUTPUT_TEXT: Final[dict[type, Callable[[Any], Iterable[str]]]] = {
    outputs.Dealt: lambda o: (f"  {o.to:<7}{o.position}  {card_text(o.card)}",),
    outputs.Burned: lambda o: (f"  burned   {card_text(o.card)}  ({o.why})",),
    outputs.Reveal: lambda o: (f"  {o.who} shows {cards_text(o.cards)}",),
    results.BaccaratResult: lambda o: (_result_text(o) + _article(o),),
    outputs.Settled: _settled,
    outputs.Reversed: lambda o: (f"  reversed: {len(o.wagers)} settlements no longer hold{_article(o)}",),
    outputs.Voided: lambda o: (f"  VOID ({o.reason}): {len(o.wagers)} wagers returned{_article(o)}",),
    outputs.Refused: lambda o: (f"  REFUSED {o.code}: {o.detail}{_article(o)}",),
    outputs.Irregularity: _irregularity,
    outputs.Resolved: _resolved,
    outputs.LastRound: lambda o: (f"  LAST ROUND{_article(o)}",),
    outputs.ShoeOver: lambda o: (f"Shoe over: {o.cards_seen} cards out, {o.cards_left} left{_article(o)}",),
}


def _output_text(output: AnyOutput) -> Iterable[str]:
    told = OUTPUT_TEXT.get(type(output))
    return told(output) if told is not None else ()


def _result_text(result: results.BaccaratResult) -> str:
    hands = "   ".join(
        f"{side} {points} ({cards_text(cards)})"
        for side, points, cards in (
            ("player", result.points.player, result.cards.player),
            ("banker", result.points.banker, result.cards.banker),
        )
    )
    winner = "TIE" if result.outcome == "tie" else f"{result.outcome.upper()} wins"
    extras = ["natural"] if result.natural else []
    extras += [f"{side} pair" for side in result.pairs]
    more = f" ({', '.join(extras)})" if extras else ""
    return f"  {winner}{more}   {hands}"


def _wager_text(wager: SettledWager) -> str:
    residue = f", residue {wager.residue}" if wager.residue is not UNSET else ""
    return (
        f"seat {wager.seat} {wager.bet:<12}{money_text(wager.stake):>12} → {money_text(wager.net, signed=True):>12}"
        f"{residue}   [{wager.article}]"
    )
