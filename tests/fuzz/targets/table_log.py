"""Lines of the table log, what persons type, what clients of a table say (``docs/table-log.md``, ``docs/live.md``)."""

import json
from collections.abc import Iterable
from typing import Final

from msgspec import UNSET

from cardshoe.table.live.messages import Propose, SubmitInput, read_request, written
from cardshoe.table.terminal.console import parse, usage
from regulations.events.codec import decode_input, encode
from regulations.events.errors import MalformedLine
from tests.fuzz.target import Target, must
from tests.regulations.support.inputs import all_inputs

_LONG: Final = 5000
"""Bytes of an input: enough for what readers that call themselves, and Python's whole numbers, do not bear."""
_NESTED: Final = b"[" * 4000
_HUGE: Final = b"9" * 4500
_LOG_WORDS: Final = (
    b'"event":"',
    b'"card":',
    b'"at":"',
    b"null",
    b'"by":[',
    b"\\ud800",
    b"1e400",
    b"-0",
    b"[[[[",
    b"{{",
)


def check_table_log(data: bytes) -> None:
    """One line of the table log: ``MalformedLine``, or an event that is written and read back as the same."""
    try:
        event = decode_input(data)
    except MalformedLine as error:
        must(error.field.startswith("$") and error.reason, f"{error} names no field or no reason")
        return
    line = encode(event)
    assert decode_input(line) == event, "a line is read back otherwise than it was written"
    assert encode(decode_input(line)) == line
    assert event.at is UNSET or event.at.endswith("Z")


def check_console(data: bytes) -> None:
    """A typed line: ``MalformedLine``, or an event or an act. Bytes become text as at standard input."""
    line = data.decode("utf-8", "replace")
    try:
        parse(line)
    except MalformedLine as error:
        must(str(error), "the error says nothing")
    usage("card")


def check_live_requests(data: bytes) -> None:
    """A line of a client of the live socket: ``ValueError`` that says why, or a request, read back as the same."""
    try:
        request = read_request(data)
    except ValueError as error:
        must(str(error), "the error says nothing")
        return
    assert read_request(written(request)) == request, "a request is read back otherwise than it was written"
    if isinstance(request, SubmitInput | Propose):
        bytes(request.line).decode()  # the table does so in the thread that serves everybody


def _live_seeds() -> Iterable[bytes]:
    return [
        b'{"type":"snapshot"}',
        b'{"type":"subscribe","after":412,"log":"75fc90dd1d770e5951c2a383c430e09d","live":1}',
        b'{"type":"input","id":"7","line":{"event":"card","card":"9H"}}',
        b'{"type":"act","id":"8","act":"clear_error","number":2}',
        b'{"type":"input","id":"7","line":{"event":"card","card":"\xff"}}',
        b'{"type":"input","id":"7","line":' + _NESTED,
    ]


def _table_log_seeds() -> Iterable[bytes]:
    return [*(json.dumps(event).encode() for event in all_inputs(1)), b'{"event":' + _NESTED, b'{"event":0,' + _NESTED]


def _console_seeds() -> Iterable[bytes]:
    return [
        b"shuffled by=croupier",
        b"card 9H up",
        b'card "9H"',
        b"card null unseen=true",
        b"misdeal 'two cards for the banker'",
        b'void by=101,"Ana" reason=x',
        b"resolve 1 identify by=[101,102] cards=9H,2C",
        b'bets_closed 1,3 [{"seat": 1, "bet": "banker", "stake": 10000}]',
        b'{"event":"card","card":"9H","device":"shoe","count":3}',
        b"clear_error 2",
        "clear_error ²".encode(),
        b"decision 2 split any_pair=100",
        b"card " + _NESTED,
        b"clear_error " + _HUGE,
        b"decision 2 split any_pair=" + _HUGE,
    ]


TARGETS: Final = {
    "table-log": Target(check_table_log, _table_log_seeds, max_bytes=_LONG, words=_LOG_WORDS),
    "live-requests": Target(check_live_requests, _live_seeds, 200, _LONG, words=(b'"type":"', b'"line":', b"[[[[")),
    "console": Target(check_console, _console_seeds, 200, _LONG, words=(b"clear_error ", b"by=", b"=", b"[[[[")),
}
