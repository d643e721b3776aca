"""``cardshoe replay``: a script of inputs in, the regulation's outputs out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import msgspec
from msgspec import UNSET

from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.answering import Answering
from regulations.events.codec import EPOCH, decode_input, encode, written
from regulations.events.errors import MalformedLine, UnknownGame, WrongOrigin
from regulations.events.inputs import AnyInput, Table
from regulations.events.origins import check_origin
from regulations.events.outputs import AnyOutput, Irregularity, Refused


@dataclass(slots=True)
class Replayed:
    inputs: int = 0
    outputs: int = 0
    profile_refused: bool = False
    stopped: Refused | Irregularity | None = None


def replay(script: Iterable[bytes], name: str, write: Callable[[bytes], None], *, strict: bool = False) -> Replayed:
    """Replay a script, which begins with a ``table`` event.

    Raises:
        Stop: a malformed line.
    """
    done = Replayed()
    law: Answering | None = None
    at = EPOCH
    for number, raw in enumerate(script, start=1):
        line = raw.strip()
        if not line:
            continue
        event = _decoded(line, name, number)
        if isinstance(event.at, str):
            at = event.at
        else:
            event = msgspec.structs.replace(event, at=at)
        if event.sealed is not UNSET:
            raise _sealed(event, name, number)
        if law is None:
            law = _opened(event, name, number)
            outputs = law.procedure.opening
        else:
            outputs = _applied(law, event)
        done.inputs += 1
        for output in outputs:
            done.outputs += 1
            write(encode(written(output, seq=done.outputs, at=at)))
        if law.procedure.is_refused:
            done.profile_refused = True
            return done
        if strict and (stop := _first_trouble(outputs)) is not None:
            done.stopped = stop
            return done
    if law is None:
        raise Stop(f"{name}: the script is empty", "Its first line is a `table` event.", Exit.USAGE)
    return done


def _applied(law: Answering, event: AnyInput) -> list[AnyOutput]:
    if event.seq is not UNSET:
        law.procedure.lines = event.seq - 1
    return law.apply(event)


def _decoded(line: bytes, name: str, number: int) -> AnyInput:
    try:
        event = decode_input(line)
        check_origin(event)
    except (MalformedLine, WrongOrigin) as error:
        raise _wrong(error, name, number) from error
    return event


def _wrong(error: MalformedLine | WrongOrigin, name: str, number: int) -> Stop:
    return Stop(
        f"{name}, line {number}, {error.field}: {error.reason}",
        "Correct the line; nothing is replayed after it. Events and fields: docs/table-log.md (make docs).",
        Exit.USAGE,
    )


def _sealed(event: AnyInput, name: str, number: int) -> Stop:
    return Stop(
        f"{name}, line {number}, $.sealed: `{event.__struct_config__.tag}` tells of a card that lay face down",
        "Print the script with the table's key: cardshoe log JOURNAL --inputs --open --sealing-key FILE",
        Exit.USAGE,
    )


def _opened(event: AnyInput, name: str, number: int) -> Answering:
    if not isinstance(event, Table):
        raise Stop(
            f"{name}, line {number}, $.event: a script begins with a `table` event, not with "
            f"`{event.__struct_config__.tag}`",
            "Put the table's profile into the first line.",
            Exit.USAGE,
        )
    try:
        return Answering(event)
    except UnknownGame as error:
        raise _wrong(error, name, number) from error


def _first_trouble(outputs: Iterable[AnyOutput]) -> Refused | Irregularity | None:
    return next((output for output in outputs if isinstance(output, Refused | Irregularity)), None)
