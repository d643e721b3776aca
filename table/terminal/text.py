"""The table log in words, for a terminal: what came, what the regulation says, what to do next."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType

from regulations.events import inputs, notices, outputs, results
from regulations.events.line import Line
from regulations.events.outputs import CARRIED, AnyOutput, SettledWager
from table.log.scribe import Taken
from table.setup.verdicts import judged_text

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
    refusal = next((one for one in taken.outputs if isinstance(one, outputs.Refused)), None)
    if refusal is not None:
        # What was not taken is never told as if it had been.
        what = str(taken.event.__struct_config__.tag).replace("_", " ") if told is None else told(taken.event).strip()
        yield f"  REFUSED {what}: {refusal.detail} ({refusal.code}){_article(refusal)}"
        return
    if told is not None:
        yield from told(taken.event).splitlines()
    for output in taken.outputs:
        yield from _output_text(output)


def prompt_text(prompt: outputs.Next) -> str:
    """What the croupier must do now, in words."""
    # Of a hand that is no seat's, `seat` says whose bettor may handle the cards (reading B17).
    seat = prompt.seat if prompt.to == "seat" else UNSET
    to = "" if prompt.to is UNSET else _whose(prompt.to, seat, prompt.hand)
    match prompt.do:
        case "draw":
            act = f"draw a card for {to}, position {prompt.position}"
        case "reveal":
            act = f"show the cards of {to}"
            if prompt.to != "seat" and prompt.seat is not UNSET:
                act += f", which {_whose('seat', prompt.seat, UNSET, prompt.id)} may handle"
        case "decide":
            act = f"wait for {_whose('seat', prompt.seat, prompt.hand, prompt.id)}: {_choice(prompt)}"
        case "resolve" if prompt.article == DEVICE_AWAITED:
            act = (
                f"wait until the device of irregularity {prompt.irregularity} is well, or end the shoe game without it"
            )
            act += f": resolve {prompt.irregularity} {_choice(prompt)}"
        case "resolve":
            act = f"resolve irregularity {prompt.irregularity}: {_choice(prompt)}"
        case _:
            act = ACT_TEXT[prompt.do]
    return f"→ {act}{_article(prompt)}"


def duties_text(prompt: outputs.Next) -> list[str]:
    """What persons must see to with what the croupier must do now, a line each."""
    return [] if prompt.duties is UNSET else [f"see to it: {one.says}   [{one.article}]" for one in prompt.duties]


def _choice(prompt: outputs.Next) -> str:
    """The actions as they are typed: ``end_shoe`` in other words would not be understood."""
    return " or ".join(prompt.actions) if prompt.actions is not UNSET and prompt.actions else "wait"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _whose(
    who: str, seat: int | UnsetType = UNSET, hand: int | UnsetType = UNSET, bettor: int | UnsetType = UNSET
) -> str:
    """Whose cards or wager: ``banker``, ``seat 3``, ``seat 3 hand 2 bettor 2``; the first of each is not named."""
    parts = [who if seat is UNSET else f"seat {seat}"]
    parts += [f"{name} {number}" for name, number in (("hand", hand), ("bettor", bettor)) if number not in (UNSET, 1)]
    return " ".join(parts)


ACT_TEXT: Final[dict[str, str]] = {
    "shuffle": "shuffle the cards",
    "cut": "have the stack cut",
    "place_cut_card": "place the cut card",
    "load": "load the stack",
    "burn": "burn a card",
    "close_bets": "close the bets",
    "close_round": "collect the cards and close the round",
    "return_cards": "return the used cards to the shuffler-dealer",
    "nothing": "nothing",
}


DEVICE_AWAITED: Final = "reading G13"
"""Behind a prompt that waits for a device: the irregularity is closed, and the next round cannot begin."""


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _bets(event: inputs.BetsClosed | inputs.BetsCorrected) -> str:
    done = f"corrected ({event.reason})" if isinstance(event, inputs.BetsCorrected) else "closed"
    told = [wager.stake for wager in event.wagers if wager.stake is not UNSET]
    if told or not event.seats:
        return f"bets {done}: {_count(len(event.wagers), 'wager')}, {money_text(sum(told))}"
    wagers = f", {_count(len(event.wagers), 'wager')}" if event.wagers else ""
    return f"bets {done}: {_count(len(event.seats), 'seat')}{wagers}"


def _decision(event: inputs.Decision) -> str:
    what = _words(event.action)
    if event.amount is not UNSET:
        what += f", {money_text(event.amount)}"
    if isinstance(event.any_pair, bool):
        what += ", and a wager on a pair" if event.any_pair else ""
    elif event.any_pair is not UNSET:
        what += f", {money_text(event.any_pair)} on a pair"
    return f"  {_whose('seat', event.seat, event.hand, event.id)}: {what}"


def _exposed(event: inputs.Exposed) -> str:
    cards = f": {cards_text(event.cards)}" if event.cards is not UNSET else ""
    return f"  cards of {_whose(event.who, event.seat, event.hand)} seen too soon{cards}"


INPUT_TEXT: Final[dict[type, Callable[[Any], str]]] = {
    inputs.Table: lambda e: (
        f"Table {e.table_id}: {e.game}, {_count(e.decks, 'deck')}, {_count(e.seats, 'seat')}, {e.equipment}"
    ),
    inputs.Shuffled: lambda e: f"shuffled by {e.by}",
    inputs.Cut: lambda e: f"cut by {e.by}",
    inputs.CutCardPlaced: lambda e: f"cut card placed, {e.behind} cards behind it",
    inputs.Loaded: lambda e: f"{e.cards} cards loaded",
    inputs.CardsReturned: lambda e: f"{e.cards} used cards put back",
    inputs.Equipment: lambda e: f"other equipment: {e.equipment}",
    inputs.BetsClosed: _bets,
    inputs.BetsCorrected: _bets,
    inputs.Decision: _decision,
    inputs.Exposed: _exposed,
    inputs.BettorLeft: lambda e: f"  {_whose('seat', e.seat, UNSET, e.id)}: the bettor has left",
    inputs.Demonstration: lambda _: "the coming round is a demonstration",
    inputs.CutCard: lambda _: "the cut card comes out",
    inputs.Fault: lambda e: f"{e.device}: fault {e.code}",
    inputs.FaultCleared: lambda e: f"{e.device}: fault {e.code} is over",
    inputs.DeviceLost: lambda e: f"{e.device}: the link is gone",
    inputs.DeviceReadmitted: lambda e: f"{e.device}: let in again by {' and '.join(map(str, e.by))}",
    inputs.DeviceBack: lambda e: f"{e.device}: the link is there again",
    notices.DeviceIdentified: lambda e: (
        f"{e.device}: {e.maker} {e.model}, serial number {e.serial}, firmware {e.firmware}"
    ),
    notices.DeviceJudged: judged_text,
    notices.DeviceNoted: lambda e: (
        f"{e.device}: {e.note.replace('_', ' ')}" + ("" if e.value is UNSET else f" ({e.value})")
    ),
    notices.ClockStepped: lambda e: f"the clock was set, by {e.seconds:+g} s",
    notices.WitnessBehind: lambda e: f"witness {e.witness}: {e.notes} signatures wait, the oldest for {e.seconds} s",
    notices.WitnessCurrent: lambda e: f"witness {e.witness}: holds every signature again, after {e.seconds} s",
    inputs.DeviceResult: lambda e: f"  {e.device} reports " + ("a result" if e.outcome is None else f"{e.outcome}"),
    inputs.RoundPartial: lambda e: f"{e.device}: joined in mid-round",
    inputs.StackCounted: lambda e: f"{e.cards} cards counted in the device",
    inputs.Misdeal: lambda e: f"misdeal reported: {e.detail}",
    inputs.ShoeEnded: lambda e: f"the house ends the shoe game: {e.reason}",
    inputs.Closed: lambda _: "the table closes",
}
"""Inputs that are worth a line of their own; the outputs tell of the others."""


def _article(output: Line) -> str:
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


def _dealt(output: outputs.Dealt) -> Iterable[str]:
    if output.seat is UNSET:
        return (f"  {output.to:<6} {output.position}  {card_text(output.card)}",)
    return (f"  {_whose(output.to, output.seat, output.hand)}, card {output.position}  {card_text(output.card)}",)


OUTPUT_TEXT: Final[dict[type, Callable[[Any], Iterable[str]]]] = {
    outputs.Dealt: _dealt,
    outputs.Burned: lambda o: (f"  burned   {card_text(o.card)}  ({o.why})",),
    outputs.Reveal: lambda o: (f"  {_whose(o.who, o.seat, o.hand)} shows {cards_text(o.cards)}",),
    results.BaccaratResult: lambda o: (_baccarat(o) + _article(o),),
    results.BlackjackResult: lambda o: _seats(_blackjack(o), o),
    results.CasinoWarResult: lambda o: _seats(_casino_war(o), o),
    results.QPokerResult: lambda o: _seats(_q_poker(o), o),
    results.ThreeCardResult: lambda o: _seats(_three_card(o), o),
    outputs.Settled: _settled,
    outputs.Reversed: lambda o: (
        f"  reversed: {_count(len(o.wagers), 'settlement')} no longer hold{'s' * (len(o.wagers) == 1)}{_article(o)}",
    ),
    outputs.Voided: lambda o: (f"  VOID ({o.reason}): {_count(len(o.wagers), 'wager')} returned{_article(o)}",),
    outputs.Irregularity: _irregularity,
    outputs.Resolved: _resolved,
    outputs.LastRound: lambda o: (f"  LAST ROUND{_article(o)}",),
    outputs.ShoeOver: lambda o: (f"Shoe over: {o.cards_seen} cards out, {o.cards_left} left{_article(o)}",),
}


def _output_text(output: AnyOutput) -> Iterable[str]:
    told = OUTPUT_TEXT.get(type(output))
    return told(output) if told is not None else ()


def _baccarat(result: results.BaccaratResult) -> str:
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


def _seats(lines: Iterator[str], result: results.Result) -> Iterable[str]:
    """The croupier's or banker's hand with the article, then each seat's."""
    return (f"  {next(lines)}{_article(result)}", *(f"    {line}" for line in lines))


def _blackjack(result: results.BlackjackResult) -> Iterator[str]:
    croupier = result.croupier
    extra = " BLACKJACK" if croupier.blackjack else " bust" if croupier.bust else ""
    yield f"croupier {croupier.points}{extra} ({cards_text(croupier.cards)})"
    for hand in result.hands:
        yield f"{_whose('seat', hand.seat, hand.hand)} {hand.points} ({cards_text(hand.cards)}) {_words(hand.outcome)}"


def _casino_war(result: results.CasinoWarResult) -> Iterator[str]:
    war = f", challenged {cards_text(result.croupier_war)}" if result.croupier_war is not UNSET else ""
    yield f"croupier {card_text(result.croupier)}{war}"
    for seat in result.seats:
        cards = cards_text([seat.card, *(seat.war if seat.war is not UNSET else ())])
        yield f"seat {seat.seat} {cards} {_outcomes(seat)}"


def _q_poker(result: results.QPokerResult) -> Iterator[str]:
    croupier = result.croupier
    plays = "" if croupier.qualifies else ", does not qualify"
    yield f"croupier {_words(croupier.category)} ({cards_text(croupier.cards)}){plays}"
    for seat in result.seats:
        hand = f"{_words(seat.category)} ({cards_text(seat.cards)})"
        yield f"seat {seat.seat} {hand} {_outcomes(seat)}".rstrip()


def _outcomes(seat: results.WarSeat | results.PokerSeat) -> str:
    if seat.bettors is not UNSET:
        return ", ".join(f"bettor {bettor.id} {_words(bettor.outcome)}" for bettor in seat.bettors)
    return "" if seat.outcome is UNSET else _words(seat.outcome)


def _three_card(result: results.ThreeCardResult) -> Iterator[str]:
    banker = result.banker
    points = "three figures" if banker.points is None else str(banker.points)
    yield f"banker {points}, combination {banker.combination} ({cards_text(banker.cards)})"
    for seat in result.seats:
        yield f"seat {seat.seat} combination {seat.combination} ({cards_text(seat.cards)}) {_words(seat.outcome)}"


def _wager_text(wager: SettledWager) -> str:
    if wager.stake is UNSET or wager.net is UNSET:
        stake, net = "1", _pays_text(wager)
    else:
        stake = money_text(wager.stake)
        net = CARRIED if wager.is_carried else money_text(wager.net, signed=True)
    who = "all   " if wager.seat is UNSET else f"seat {wager.seat}"
    more = "".join(f", {name} {number}" for name, number in (("hand", wager.hand), ("bettor", wager.id)) if number > 1)
    more += f", residue {wager.residue}" if wager.residue is not UNSET else ""
    return f"{who} {wager.bet:<12}{stake:>12} → {net:>12}{more}   [{wager.article}]"


def _pays_text(wager: SettledWager) -> str:
    """What one unit first put down wins or loses: ``+3/2``, ``-1``, ``0``, ``carried``."""
    if wager.pays is UNSET or wager.is_carried or wager.pays.startswith(("-", "0")):
        return str(wager.pays)
    return f"+{wager.pays}"
