"""The chain, against a second implementation written from docs/journal.md, and the order of lines."""

import hashlib
import json
import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.journal import Entry, JournalBroken, Kind, verify_chain
from table.journal.chain import Chain, NotNext, check_header
from tests.table.journal.samples import Lines, group, line


def by_the_book(lines: list[bytes], kinds: list[int]) -> list[bytes]:
    """The digests as docs/journal.md defines them."""
    digests = []
    digest = b"\0" * 32
    for seq, (kind, text) in enumerate(zip(kinds, lines, strict=True)):
        digest = hashlib.sha256(b"cardshoe journal entry 1" + digest + struct.pack(">QB", seq, kind) + text).digest()
        digests.append(digest)
    return digests


def chained(lines: Lines, header_line: bytes = b"{}") -> tuple[Entry, list[Entry]]:
    header = Entry(0, "header", header_line, by_the_book([header_line], [0])[0])
    chain = check_header(header)
    return header, [chain.add(kind, text) for kind, text in lines]


@st.composite
def logs(draw: st.DrawFn) -> Lines:
    lines: Lines = []
    for outputs in draw(st.lists(st.integers(0, 4), max_size=8)):
        for event in ["input", *["output"] * outputs, "next"]:
            own = {"event": event, "seq": len(lines) + 1, "text": draw(st.text(max_size=20))}
            text = json.dumps(own, ensure_ascii=draw(st.booleans())).encode("utf-8", "replace")
            lines.append(("input" if event == "input" else "output", text))
    return lines


@given(lines=logs(), header_line=st.binary())
def test_digests_are_those_of_the_documentation(lines: Lines, header_line: bytes) -> None:
    header, entries = chained(lines, header_line)
    kinds = [0, *(1 if kind == "input" else 2 for kind, _ in lines)]
    expected = by_the_book([header_line, *(text for _, text in lines)], kinds)
    assert [header.digest, *(entry.digest for entry in entries)] == expected
    assert verify_chain(entries, header) == expected[-1]


def test_a_digest_worked_out_by_hand() -> None:
    header, entries = chained([("input", b'{"event":"table","seq":1}'), ("output", b'{"event":"next","seq":2}')])
    assert header.digest.hex() == "76ee00b8b3881dff8842a55d25bff6c12fc674888a61ef9cd244d74cc488defc"
    assert entries[1].digest.hex() == "36b7be3cb7080ada9a407c4ad5580e80f4cf9e52fe913a72a59648bcd859c25c"


@pytest.mark.parametrize(
    ("lines", "seq", "reason"),
    [
        ([("output", line(1, "next"))], 1, "an output that belongs to no input"),
        ([("input", line(1, "card")), ("input", line(2, "card"))], 2, "the outputs of input 1 do not end with a next"),
        ([*group(1), ("output", line(5, "next"))], 5, "an output that belongs to no input"),
        ([("input", line(2, "card"))], 1, 'the line says "seq":2'),
        ([("input", b'{"event":"card"}')], 1, "missing required field `seq`"),
        ([("input", b'{"seq":1}')], 1, "missing required field `event`"),
        ([("input", b'{"event":"card","seq":1')], 1, "no line of the table log"),
        ([("input", b'{"event":"card","seq":1}{}')], 1, "no line of the table log"),
        ([("input", b'{"event":"card",\n"seq":1}')], 1, "a line's end within the line"),
        ([("input", b'{"event":"\xff","seq":1}')], 1, "no line of the table log"),
        ([("input", b"[]")], 1, "no line of the table log"),
        ([("input", b"")], 1, "no line of the table log"),
        ([("header", line(1, "journal"))], 1, "an entry of the kind 'header'"),
    ],
)
def test_a_line_that_cannot_stand_there(lines: list[tuple[Kind, bytes]], seq: int, reason: str) -> None:
    chain = Chain(0, bytes(32))
    for kind, text in lines[:-1]:
        chain.add(kind, text)
    with pytest.raises(NotNext) as caught:
        chain.add(*lines[-1])
    assert caught.value.seq == seq
    assert reason in caught.value.reason


def test_a_log_cannot_end_within_a_group() -> None:
    header, entries = chained(group(1))
    with pytest.raises(JournalBroken) as caught:
        verify_chain(entries[:-1], header)
    assert caught.value.seq == 3
    assert "ends before the outputs of input 1 do" in caught.value.reason


@pytest.mark.parametrize(
    ("damage", "seq"),
    [
        (lambda e: [*e[:2], *e[3:]], 3),
        (lambda e: [*e[:3], e[2], *e[3:]], 4),
        (lambda e: [*e[:2], e[3], e[2], *e[4:]], 3),
        (lambda e: e[1:], 1),
        (lambda e: [*e[:4], Entry(5, e[4].kind, e[4].line.replace(b"card", b"cArd"), e[4].digest), *e[5:]], 5),
        (lambda e: [*e[:4], Entry(5, e[4].kind, e[4].line, bytes(32)), *e[5:]], 5),
        (lambda e: [*e[:4], Entry(5, "output", e[4].line, e[4].digest), *e[5:]], 5),
    ],
    ids=["missing", "twice", "swapped", "beginning_cut", "line", "digest", "kind"],
)
def test_verification_names_the_first_bad_entry(damage: Callable[[list[Entry]], list[Entry]], seq: int) -> None:
    header, entries = chained([*group(1), *group(5)])
    with pytest.raises(JournalBroken) as caught:
        verify_chain(damage(entries), header)
    assert caught.value.seq == seq
    assert f"entry {seq}" in str(caught.value)


@pytest.mark.parametrize(
    "header",
    [
        Entry(0, "header", b"{} ", by_the_book([b"{}"], [0])[0]),
        Entry(0, "input", b"{}", by_the_book([b"{}"], [0])[0]),
        Entry(1, "header", b"{}", by_the_book([b"{}"], [0])[0]),
    ],
)
def test_an_altered_header_is_entry_0(header: Entry) -> None:
    with pytest.raises(JournalBroken) as caught:
        verify_chain([], header)
    assert caught.value.seq == 0
