"""The tree over the lines, against the definitions of RFC 6962, and the order of lines."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardshoe.journal import Entry, JournalBroken, Kind, verify_chain
from cardshoe.journal.file.chain import Chain, NotNext, check_header
from cardshoe.journal.proof.tree import Frontier
from tests.cardshoe.journal import rfc6962
from tests.cardshoe.journal.samples import Lines, group, line, written


def by_the_book(lines: list[bytes]) -> list[bytes]:
    """The nodes as docs/journal.md defines them: entry n holds the largest complete subtree that ends with it."""
    nodes = []
    for end in range(1, len(lines) + 1):
        size = 1
        while end % (size * 2) == 0:
            size *= 2
        nodes.append(rfc6962.mth(lines[end - size : end]))
    return nodes


def chained(lines: Lines, header_line: bytes = b"{}") -> tuple[Entry, list[Entry]]:
    header = Entry(0, "header", header_line, by_the_book([header_line])[0])
    chain = check_header(header)
    return header, [chain.add(kind, text) for kind, text in lines]


@st.composite
def logs(draw: st.DrawFn) -> Lines:
    lines: Lines = []
    for outputs in draw(st.lists(st.integers(0, 4), max_size=8)):
        for event in ["input", *["output"] * outputs, "next"]:
            said = draw(st.text(st.characters(codec="utf-8"), max_size=20))
            text = written({"event": event, "seq": len(lines) + 1, "detail": said})
            lines.append(("input" if event == "input" else "output", text))
    return lines


@given(lines=logs(), header_line=st.binary())
def test_nodes_are_those_of_the_documentation(lines: Lines, header_line: bytes) -> None:
    header, entries = chained(lines, header_line)
    leaves = [header_line, *(text for _, text in lines)]
    assert [header.node, *(entry.node for entry in entries)] == by_the_book(leaves)
    assert verify_chain(entries, header) == rfc6962.mth(leaves)


def test_nodes_worked_out_by_hand() -> None:
    header, entries = chained([("input", b'{"event":"table","seq":1}'), ("output", b'{"event":"next","seq":2}')])
    assert header.node.hex() == "28a3a18f6cd6406b086e9ffda1f9b8a13dbcf44b0f3f32cb9031a11fd053acf9"
    assert entries[0].node.hex() == "7d2aea3ec5cf8a543418c75618127467300c650e6bf5de779f6ed9359537f9f8"
    assert entries[1].node.hex() == "0d807c4288cb839ab4248d39f817a801e0d9fac01c2154e843dddcd337d432ff"
    assert verify_chain(entries, header).hex() == "783eec10da438c97da13cdf862a37df3f7c432b5a65a96bf27f5b611d67e71db"


@pytest.mark.parametrize(
    ("lines", "seq", "reason"),
    [
        ([("output", line(1, "next"))], 1, "an output that belongs to no input"),
        ([("input", line(1, "card")), ("input", line(2, "card"))], 2, "the outputs of input 1 do not end with a next"),
        ([*group(1), ("output", line(5, "next"))], 5, "an output that belongs to no input"),
        ([("input", line(2, "card"))], 1, 'the line says "seq":2'),
        ([("input", b'{"event":"card"}')], 1, 'does not begin with "event"'),
        ([("input", b'{"seq":1}')], 1, 'does not begin with "event"'),
        ([("input", b'{"event":"card","seq":1')], 1, "not a line of the table log"),
        ([("input", b'{"event":"card","seq":1}{}')], 1, "not a line of the table log"),
        ([("input", b'{"event":"card",\n"seq":1}')], 1, "not in its one permitted form"),
        ([("input", b'{"event":"\xff","seq":1}')], 1, "not a line of the table log"),
        ([("input", b"[]")], 1, "not a line of the table log"),
        ([("input", b"")], 1, "not a line of the table log"),
        ([("header", line(1, "journal"))], 1, "an entry of unknown kind"),
    ],
)
def test_a_line_that_cannot_stand_there(lines: list[tuple[Kind, bytes]], seq: int, reason: str) -> None:
    chain = Chain(Frontier(1, [bytes(32)]))
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
        (lambda e: [*e[:4], Entry(5, e[4].kind, e[4].line.replace(b"card", b"cArd"), e[4].node), *e[5:]], 5),
        (lambda e: [*e[:4], Entry(5, e[4].kind, e[4].line, bytes(32)), *e[5:]], 5),
        (lambda e: [*e[:4], Entry(5, "output", e[4].line, e[4].node), *e[5:]], 5),
    ],
    ids=["missing", "twice", "swapped", "beginning_cut", "line", "node", "kind"],
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
        Entry(0, "header", b"{} ", by_the_book([b"{}"])[0]),
        Entry(0, "input", b"{}", by_the_book([b"{}"])[0]),
        Entry(1, "header", b"{}", by_the_book([b"{}"])[0]),
    ],
)
def test_an_altered_header_is_entry_0(header: Entry) -> None:
    with pytest.raises(JournalBroken) as caught:
        verify_chain([], header)
    assert caught.value.seq == 0
