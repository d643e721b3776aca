"""The text of ``help``: one page, all events, or one topic."""

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from cardshoe.table.terminal.console import CARD, OF_CARDS, choices, own_fields, usage
from cardshoe.table.terminal.examples import EXAMPLES, FURTHER, bets_example, example_of
from cardshoe.table.terminal.formatting import fitted
from cardshoe.table.terminal.input_context import Situation
from cardshoe.table.terminal.short_forms import BETS, WAYS_OUT, decision_words
from regulations.events.codec import INPUTS
from regulations.events.inputs import Table
from regulations.events.origins import may_originate

COMMANDS: Final[Mapping[str, str]] = {
    "help": "help, help EVENT, help all",
    "status": "the current round: wagers, cards, open irregularities",
    "options": "what this table has on, each with its article",
    "undo": "what the law can correct of what was typed last, as a line to be completed; nothing leaves the journal",
    "qr": "the newest signature as a QR code, for a photo; `qr key`: the newest key's",
    "clear_error": "clear_error N: ask the devices to clear error N",
    "shuffle": "ask the devices to shuffle",
    "eject": "ask the devices to give out all cards",
    "quit": "stop; the log stays open",
}
WAY_OUT_HELP: Final[Mapping[str, str]] = {
    "burn": "the card is out of play; one person",
    "enter_bets": "the wagers that lay there when the card left, which stands; two people, one a supervisor",
    "next_round": "the card becomes the first of the next round; one person",
    "accept": "the card is valid after all; two persons, for a first card that lies face up one",
    "continue": "play continues; one person",
    "identify": "the card is what two persons say",
    "reassign": "cards of the round do not count, the others move up; two persons",
    "void": "the round is undone; two persons",
    "end_shoe": "the shoe game is over; two persons",
}
_LABEL: Final = 11


def help_text(now: Situation) -> str:
    return "\n".join(_page(now))


def _page(now: Situation) -> Iterator[str]:
    law = now.game.law
    stack = [example_of(name, now) for name in ("shuffled", "cut")]
    if law.has_cut_card(now.table.equipment, now.table.decks):
        stack.append(example_of("cut_card_placed", now))
    yield "Type what happened, one event a line. `help EVENT` says more, `help all` all."
    yield from _row("the stack", ", ".join([*stack, example_of("loaded", now)]))
    yield from _row("the round", bets_example(now))
    decisions = [f"{word} 2" for word in now.decisions]
    yield from _row("", ", ".join(["card 9h", *decisions, "round_closed"]))
    if now.sheet.layout.seats_have_cards:
        yield from _row("", example_of("revealed", now))
    yield from _row("mistakes", "undo    what the law can correct of the last entry")
    yield from _row("", example_of("bets_corrected", now))
    yield from _row("", example_of("misdeal", now))
    yield from _row("", FURTHER["void"][0])
    yield from _row("options", "continue 2 by 7    as the prompt names them; 2 is the irregularity")
    yield from _row("", "identify 2 9h by 7 8")
    yield from _row("devices", "clear_error 2, shuffle, eject")
    yield from _row("to look", "status, options, qr, qr key")
    yield from _row("the end", "closed    between rounds;  quit: the log stays open")
    amounts = f"; amounts in {now.currency.code}, such as {now.currency.example}" if now.stakes_known else ""
    yield from fitted(f"Seats are 1 to {now.table.seats}; bets are {', '.join(now.bets)}{amounts}.")
    yield from fitted(f"{CARD[:1].upper()}{CARD[1:]}.")
    yield "`by` takes the numbers of those who decide: by 7, or by 7 8."


def _row(label: str, text: str) -> list[str]:
    return fitted(f"  {label:<{_LABEL}} {text}")


def help_all(now: Situation) -> str:
    others = sorted(name for name in INPUTS if not may_originate(name, "person") and INPUTS[name] is not Table)
    lines = ["Events that persons say: fields in this order, or as field=value; [THOSE] may be left out."]
    for name in sorted(EXAMPLES):
        lines += [f"  {usage(name)}", *_examples(name, now)]
    lines.append("Resolutions of an irregularity: WAY [NUMBER] by PERSON …")
    lines += [f"  {way:<12} {text}" for way, text in WAY_OUT_HELP.items()]
    lines.append("Asked of this program and of the devices:")
    lines += [f"  {name:<12} {text}" for name, text in COMMANDS.items()]
    lines.append("Reports of devices and the table, never typed (docs/table-log.md):")
    lines += [f"  {usage(name)}" for name in others]
    return "\n".join(lines)


def _examples(name: str, now: Situation) -> list[str]:
    example = example_of(name, now)
    first = [] if example == usage(name) else [f"      such as  {example}"]
    return first + [f"      or       {one}" for one in FURTHER.get(name, ())]


def help_on(line: str, now: Situation) -> str:
    name = line.split(maxsplit=1)[0]
    for knows, tell in _TOPICS:
        if knows(name):
            return tell(name, now)
    near = difflib.get_close_matches(name, [*EXAMPLES, *WAYS_OUT, *COMMANDS, BETS, *now.decisions], 1)
    hint = f"; did you mean `{near[0]}`?" if near else "; type `help` for what there is"
    return f"no event `{name}` that persons say{hint}"


def _on_way_out(name: str, _: Situation) -> str:
    ways = [one for one in FURTHER["resolve"] if one.startswith(name)] or [f"{name} 2 by 7"]
    return "\n".join([f"{name}: {WAY_OUT_HELP[name]}", *(f"      such as  {one}" for one in ways)])


def _on_decision(name: str, now: Situation) -> str:
    amount = (
        f" {now.currency.example}"
        if now.stakes_known and any(one.adds and one.name == name for one in now.sheet.choices)
        else ""
    )
    there = "" if name in now.decisions else f"\n  {now.game.law.title} has no such decision"
    return f"{name} SEAT [hand=HAND] [id=BETTOR]{there}\n      such as  {name} 2{amount}"


def _on_bets(_: str, now: Situation) -> str:
    amount = ":AMOUNT" if now.stakes_known else ""
    lines = [f"bets SEAT[.BETTOR]:BET{amount} …    the bets are closed; `bets` alone: no wagers"]
    lines.append(f"      such as  {bets_example(now)}")
    lines.append(f"  BET is one of: {', '.join(now.bets)}")
    lines.append(f"  SEAT is 1 to {now.table.seats}; 3.2 is the second bettor on seat 3")
    if now.stakes_known:
        lines.append(f"  AMOUNT is in {now.currency.code}, such as {now.currency.example}")
    else:
        lines.append("  the table is not told the stakes: `bets 1 3` is enough")
    return "\n".join(lines)


def _on_event(name: str, now: Situation) -> str:
    kind = INPUTS[name]
    fields = own_fields(kind)
    lines = [usage(name), *_examples(name, now)]
    words = {field: choices(kind, field) for field in fields if field not in OF_CARDS}
    lines += [f"  {field.upper()} is one of: {', '.join(some)}" for field, some in words.items() if some]
    if name in {"bets_closed", "bets_corrected"}:
        lines += [
            line for line in _on_bets(BETS, now).splitlines() if line.startswith("  ") and "such as  " not in line
        ]
    if not OF_CARDS.isdisjoint(fields):
        lines.append(f"  {CARD}")
    return "\n".join(lines)


_TOPICS: Final[Sequence[tuple[Callable[[str], bool], Callable[[str, Situation], str]]]] = (
    (lambda name: name == "all", lambda _, now: help_all(now)),
    (lambda name: name == BETS, _on_bets),
    (lambda name: name == "void", lambda name, now: f"{_on_event(name, now)}\n  of an irregularity: void 2 by 7 8"),
    (lambda name: name in WAYS_OUT, _on_way_out),
    (lambda name: name in decision_words(), _on_decision),
    (lambda name: name in COMMANDS, lambda name, _: f"{name}: {COMMANDS[name]}"),
    (lambda name: name in EXAMPLES, _on_event),
    (
        lambda name: name in INPUTS,
        lambda name, _: f"{usage(name)}\n  reported by devices or the table, never typed",
    ),
)
