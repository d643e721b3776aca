"""The table log in words, for a terminal."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import UNSET

from cardshoe.screens.view.parts import WagerView
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.setup.verdicts import judged_text
from cardshoe.table.terminal.amounts import amounts_in
from cardshoe.table.terminal.formatting import (
    COLUMNS,
    PLAIN,
    Meaning,
    Voice,
    article_text,
    card_text,
    cards_text,
    count_text,
    frame_text,
    money_text,
    whose_text,
    words_text,
)
from cardshoe.table.terminal.results_text import result_text, settled_text
from cardshoe.table.terminal.shown import shown
from regulations.events import inputs, notices, outputs
from regulations.events.results import Result

__all__ = [
    "ACT_TEXT",
    "card_text",
    "cards_text",
    "describe",
    "duties_text",
    "money_text",
    "packed",
    "prompt_text",
    "told",
    "wager_text",
]


def describe(taken: LoggedInput, voice: Voice = PLAIN) -> Iterator[str]:
    return (line for _, line in told(taken, voice))


def told(taken: LoggedInput, voice: Voice = PLAIN) -> Iterator[tuple[Meaning, str]]:
    event, answer = shown(taken.event), shown(taken.outputs)
    spoken = INPUT_TEXT.get(type(event))
    refusal = next((one for one in answer if isinstance(one, outputs.Refused)), None)
    if refusal is not None:
        # What was not taken is never told as if it had been.
        name = str(event.__struct_config__.tag).replace("_", " ")
        what = name if spoken is None else spoken(event, voice).strip().partition("\n")[0]
        why = amounts_in(voice.currency, refusal.detail)
        yield "refused", f"  REFUSED {what}: {why} ({refusal.code}){article_text(refusal)}"
        return
    if spoken is not None:
        yield from (("plain", line) for line in spoken(event, voice).splitlines())
    for output in answer:
        speak = OUTPUT_TEXT.get(outputs.kind_of(output))
        if speak is not None:
            meaning = MEANINGS.get(outputs.kind_of(output), "plain")
            yield from ((meaning, line) for line in speak(output, voice))


def prompt_text(prompt: outputs.Next) -> str:
    prompt = shown(prompt)
    # Of a hand that is no seat's, `seat` says whose bettor may handle the cards (reading B17).
    seat = prompt.seat if prompt.to == "seat" else UNSET
    to = "" if prompt.to is UNSET else whose_text(prompt.to, seat, prompt.hand)
    match prompt.do:
        case "draw":
            act = f"draw for {to}, card {prompt.position}"
        case "reveal":
            act = f"show the cards of {to}"
            if prompt.to != "seat" and prompt.seat is not UNSET:
                act += f", which {whose_text('seat', prompt.seat, UNSET, prompt.id)} may handle"
        case "decide":
            act = f"wait for {whose_text('seat', prompt.seat, prompt.hand, prompt.id)}: {_choice(prompt)}"
        case "resolve" if prompt.article == DEVICE_AWAITED:
            act = (
                f"wait until the device of irregularity {prompt.irregularity} works again, "
                "or end the shoe game without it"
            )
            act += f": resolve {prompt.irregularity} {_choice(prompt)}"
        case "resolve":
            act = f"resolve irregularity {prompt.irregularity}: {_choice(prompt)}"
        case "burn" if isinstance(prompt.left, int) and prompt.left > 1:
            act = f"burn {prompt.left} cards"
        case "close_bets" if prompt.article == SEATS_BOUNDED and isinstance(prompt.seats_at_most, int):
            act = f"close the bets, for at most {count_text(prompt.seats_at_most, 'seat')}"
        case _:
            act = ACT_TEXT[prompt.do]
    return f"→ {act}{article_text(prompt)}"


def duties_text(prompt: outputs.Next) -> list[str]:
    duties = [] if prompt.duties is UNSET else shown(prompt.duties)
    return [f"check: {one.says}   [{one.article}]" for one in duties]


def _choice(prompt: outputs.Next) -> str:
    return " or ".join(prompt.actions) if prompt.actions is not UNSET and prompt.actions else "wait"


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


SEATS_BOUNDED: Final = "reading W6"
"""The cards left do not suffice for every seat (casino war)."""
DEVICE_AWAITED: Final = "reading G13"
"""A prompt that waits for a device before the next round."""


def _bets(event: inputs.BetsClosed | inputs.BetsCorrected, voice: Voice) -> str:
    done = f"corrected ({event.reason})" if isinstance(event, inputs.BetsCorrected) else "closed"
    stakes = [wager.stake for wager in event.wagers if wager.stake is not UNSET]
    if stakes or not event.seats:
        total = f"bets {done}: {count_text(len(event.wagers), 'wager')}, {voice.amount(sum(stakes))}"
        return "\n".join([total, *packed([wager_text(wager, voice) for wager in event.wagers], voice.columns)])
    wagers = f", {count_text(len(event.wagers), 'wager')}" if event.wagers else ""
    return f"bets {done}: {count_text(len(event.seats), 'seat')}{wagers}"


def wager_text(wager: inputs.Wager | WagerView, voice: Voice = PLAIN) -> str:
    stake = "" if wager.stake is UNSET else f" {voice.amount(wager.stake)}"
    return f"{whose_text('seat', wager.seat, UNSET, wager.id)} {wager.bet}{stake}"


def packed(parts: Sequence[str], columns: int = COLUMNS) -> Iterator[str]:
    line = ""
    for part in parts:
        if line and len(line) + len(part) + 3 > columns:
            yield line
            line = ""
        line = f"{line}   {part}" if line else f"  {part}"
    if line:
        yield line


def _fault(event: inputs.Fault, voice: Voice) -> str:
    words = voice.fault(event.device, event.code)
    what = f"{event.device}: fault {event.code}{frame_text(event.frame_type, event.frame_length)}"
    return what if words is None else f"{what}: {words.name}\n    {words.remedy}"


def _ids(event: notices.SignInsRefused) -> str:
    return "" if event.ids is UNSET else ": " + ", ".join(f"{one.person} {one.count}" for one in event.ids)


def _would_be_refused(event: inputs.Proposed) -> str:
    return "" if event.refused is UNSET else f", which is refused: {words_text(event.refused)}"


def _decision(event: inputs.Decision, voice: Voice) -> str:
    what = words_text(event.action)
    if event.amount is not UNSET:
        what += f", {voice.amount(event.amount)}"
    if isinstance(event.any_pair, bool):
        what += ", and a wager on a pair" if event.any_pair else ""
    elif event.any_pair is not UNSET:
        what += f", {voice.amount(event.any_pair)} on a pair"
    return f"  {whose_text('seat', event.seat, event.hand, event.id)}: {what}"


def _exposed(event: inputs.Exposed, _: Voice) -> str:
    cards = f": {cards_text(event.cards)}" if event.cards is not UNSET else ""
    return f"  cards of {whose_text(event.who, event.seat, event.hand)} seen too soon{cards}"


INPUT_TEXT: Final[dict[type, Callable[[Any, Voice], str]]] = {
    inputs.Table: lambda e, _: (
        f"Table {e.table_id}: {e.game}, {count_text(e.decks, 'deck')}, {count_text(e.seats, 'seat')}, {e.equipment}"
    ),
    inputs.Shuffled: lambda e, _: f"shuffled by {e.by}",
    inputs.Cut: lambda e, _: f"cut by {e.by}",
    inputs.CutCardPlaced: lambda e, _: f"cut card placed, {e.behind} cards behind it",
    inputs.Loaded: lambda e, _: f"{e.cards} cards loaded",
    inputs.CardsReturned: lambda e, _: f"{e.cards} used cards put back",
    inputs.Equipment: lambda e, _: f"other equipment: {e.equipment}",
    inputs.BetsClosed: _bets,
    inputs.BetsCorrected: _bets,
    inputs.Decision: _decision,
    inputs.Exposed: _exposed,
    inputs.BettorLeft: lambda e, _: f"  {whose_text('seat', e.seat, UNSET, e.id)}: the bettor has left",
    inputs.Demonstration: lambda _e, _: "the coming round is a demonstration",
    inputs.CutCard: lambda _e, _: "the cut card comes out",
    inputs.Fault: _fault,
    inputs.FaultCleared: lambda e, _: f"{e.device}: fault {e.code} cleared",
    inputs.DeviceLost: lambda e, _: f"{e.device}: disconnected",
    inputs.DeviceReadmitted: lambda e, _: f"{e.device}: readmitted by {' and '.join(map(str, e.by))}",
    inputs.DeviceBack: lambda e, _: f"{e.device}: reconnected",
    notices.DeviceIdentified: lambda e, _: (
        f"{e.device}: {e.maker} {e.model}"
        + ("" if e.serial is UNSET else f", serial number {e.serial}")
        + ("" if e.firmware is UNSET else f", firmware {e.firmware}")
    ),
    notices.DeviceJudged: lambda e, _: judged_text(e),
    notices.DeviceNoted: lambda e, _: (
        f"{e.device}: {e.note.replace('_', ' ')}" + ("" if e.value is UNSET else f" ({e.value})")
    ),
    notices.ClockStepped: lambda e, _: f"the clock was set, by {e.seconds:+g} s",
    notices.WitnessBehind: lambda e, _: f"witness {e.witness}: {e.notes} signatures wait, the oldest for {e.seconds} s",
    notices.WitnessCurrent: lambda e, _: f"witness {e.witness}: holds every signature again, after {e.seconds} s",
    notices.SignedIn: lambda e, _: f"{e.role} {e.person} signed in ({words_text(e.place)})",
    notices.SignedOut: lambda e, _: f"{e.person} signed out ({words_text(e.place)}): {words_text(e.because)}",
    notices.PersonsListed: lambda e, _: (
        f"list {e.version} of the floor is over since {e.until}: of its persons croupiers alone may sign in"
        if e.lapsed
        else f"list {e.version} of the floor says who may say what, until {e.until}: {count_text(e.persons, 'person')}"
    ),
    notices.SignInsRefused: lambda e, _: f"{count_text(e.count, 'sign-in')} refused since {e.since}{_ids(e)}",
    inputs.DeviceResult: lambda e, _: f"  {e.device} reports " + ("a result" if e.outcome is None else f"{e.outcome}"),
    inputs.RoundPartial: lambda e, _: f"{e.device}: joined in mid-round",
    inputs.StackCounted: lambda e, _: f"{e.cards} cards counted in the device",
    inputs.Misdeal: lambda e, _: f"misdeal reported: {e.detail}",
    inputs.Dispute: lambda e, _: f"the deal is held for a dispute: {e.detail}",
    notices.SupervisorCalled: lambda e, _: f"a supervisor was called{e.reason and f': {e.reason}'}",
    inputs.Proposed: lambda e, _: f"{e.person} proposed {words_text(e.act)}{_would_be_refused(e)}",
    notices.TableOpened: lambda e, _: f"table opened by {' and '.join(map(str, e.by))} after log {e.closed}",
    inputs.ShoeEnded: lambda e, _: f"the house ends the shoe game: {e.detail if e.reason == 'other' else e.reason}",
    inputs.Closed: lambda _e, _: "the table closes",
}


def _settled(output: outputs.Settled, voice: Voice) -> Iterable[str]:
    return (f"    {settled_text(wager, voice.currency)}" for wager in output.wagers)


def _irregularity(output: outputs.Irregularity, _: Voice) -> Iterable[str]:
    # The ways out are the prompt's to say, each once, and only those that are open now.
    card = "" if output.card is None else f" {card_text(output.card)}"
    return (f"  IRREGULARITY {output.irregularity} {output.code}{card}: {output.detail}{article_text(output)}",)


def _reversed(output: outputs.Reversed, _: Voice) -> Iterable[str]:
    hold = "holds" if len(output.wagers) == 1 else "hold"
    return (f"  reversed: {count_text(len(output.wagers), 'settlement')} no longer {hold}{article_text(output)}",)


def _voided(output: outputs.Voided, _: Voice) -> Iterable[str]:
    return (f"  VOID ({output.reason}): {count_text(len(output.wagers), 'wager')} returned{article_text(output)}",)


def _resolved(output: outputs.Resolved, _: Voice) -> Iterable[str]:
    by = ", ".join(str(person) for person in output.by)
    return (f"  irregularity {output.irregularity} resolved: {output.action}, by {by}{article_text(output)}",)


def _place_text(output: outputs.Dealt | outputs.Emptied) -> str:
    if output.seat is UNSET:
        return f"{output.to:<6} {output.position}"
    return f"{whose_text(output.to, output.seat, output.hand)}, card {output.position}"


OUTPUT_TEXT: Final[dict[type, Callable[[Any, Voice], Iterable[str]]]] = {
    outputs.Dealt: lambda o, _: (f"  {_place_text(o)}  {card_text(o.card)}",),
    outputs.Emptied: lambda o, _: (f"  {_place_text(o)}  no card any more",),
    outputs.Burned: lambda o, _: (f"  burned   {card_text(o.card)}  ({o.why})",),
    outputs.Reveal: lambda o, _: (f"  {whose_text(o.who, o.seat, o.hand)} shows {cards_text(o.cards)}",),
    Result: lambda o, _: result_text(o),
    outputs.Settled: _settled,
    outputs.Reversed: _reversed,
    outputs.Voided: _voided,
    outputs.Irregularity: _irregularity,
    outputs.Resolved: _resolved,
    outputs.LastRound: lambda o, _: (
        f"  {'LAST ROUND' if o.one_more is UNSET else 'ONE MORE ROUND'}{article_text(o)}",
    ),
    outputs.ShoeOver: lambda o, _: (f"Shoe over: {o.cards_seen} cards out, {o.cards_left} left{article_text(o)}",),
}
MEANINGS: Final[dict[type, Meaning]] = {
    Result: "result",
    outputs.Settled: "settled",
    outputs.Reversed: "irregularity",
    outputs.Voided: "irregularity",
    outputs.Irregularity: "irregularity",
}
