"""A log in words, round by round: ``cardshoe log --words``."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from itertools import groupby
from typing import Any, Final

import msgspec

from cardshoe.journal.file.passed_over import EVENT as PASSED_OVER
from cardshoe.screens.rounds.parts import RoundStart
from cardshoe.screens.rounds.sums import sums_of
from cardshoe.screens.rounds.whole import whole_round
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.query import LineGroup
from cardshoe.table.terminal.formatting import PLAIN, Voice
from cardshoe.table.terminal.shown import shown
from cardshoe.table.terminal.text import card_text, describe
from regulations.events.codec import decode_input, output_decoder
from regulations.events.errors import MalformedLine
from regulations.events.inputs import AnyInput, CardDrawn
from regulations.events.outputs import AnyOutput, Burned, Dealt
from regulations.events.vocabulary import Game
from regulations.games.registry import SHEETS

WIDTH: Final = 80
TIME: Final = "%H:%M:%S"
_INDENT: Final = " " * len("HH:MM:SS")


def in_words(
    answers: Iterable[LineGroup], game: Game, zone: tzinfo = UTC, *, opened: bool = False, voice: Voice = PLAIN
) -> Iterator[str]:
    decoder = output_decoder(SHEETS[game].result)
    before: tuple[int | None, str] | None = None
    for answer in answers:
        moment = datetime.fromisoformat(answer.at).astimezone(zone)
        stands = answer.round, f"{moment:%Y-%m-%d} {moment.tzname()}"
        if stands != before:
            before = stands
            yield _rule(*stands, answer.said[0].get("seq"))
        shown = moment.strftime(TIME)
        for line in _lines(answer, decoder, voice, opened=opened):
            yield f"{shown}  {line}".rstrip()
            shown = _INDENT


def totals_of_rounds(opening: list[bytes], answers: Iterable[LineGroup], voice: Voice = PLAIN) -> Iterator[str]:
    for number, own in groupby((one for one in answers if one.round is not None), key=lambda one: one.round):
        found = whole_round(opening, RoundStart(), [(0, one.lines) for one in own])
        sums = sums_of(found.found)
        told = {"stakes": sums.staked, "paid": sums.won, "taken": sums.lost, "returned": sums.returned}
        amounts = [f"{name} {voice.amount(units)}" for name, units in told.items()]
        amounts += [f"casino's win {voice.amount(sums.house)}"]
        has_stakes = any(told.values())
        yield f"round {number}: " + ", ".join([f"wagers {sums.wagers}", *(amounts if has_stakes else [])])


def _rule(round_no: int | None, day: str, seq: int | None) -> str:
    where = "" if round_no is None else f"round {round_no}, "
    begun = f"── {where}{day}, from line {seq} "
    return begun + "─" * (WIDTH - len(begun))


def _lines(
    answer: LineGroup, decoder: "msgspec.json.Decoder[AnyOutput]", voice: Voice, *, opened: bool
) -> Iterator[str]:
    said = shown(answer.said[0])
    if said["event"] == PASSED_OVER:
        yield f"entry {said['entry']} passed over, which cannot be processed: {' and '.join(said['by'])}"
        return
    try:
        event = decode_input(answer.lines[0])
        outputs = [decoder.decode(line) for line in answer.lines[1:]]
    except (MalformedLine, msgspec.ValidationError):  # another version of the program wrote it
        yield _named(said)
        return
    told = list(describe(LoggedInput(event, outputs, [], event), voice))
    yield from told or [_named(said)]
    if opened and (card := _hidden(event, outputs)) is not None:
        yield f"  face down: {card_text(card)}"


def _named(said: dict[str, Any]) -> str:
    return f"  {said['event'].replace('_', ' ')}"


def _hidden(event: AnyInput, outputs: Iterable[AnyOutput]) -> str | None:
    if not isinstance(event, CardDrawn) or event.card is None:
        return None
    lies_hidden = any(isinstance(one, Dealt | Burned) and one.card is None for one in outputs)
    return event.card if lies_hidden else None
