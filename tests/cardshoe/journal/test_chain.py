"""The tree over the entries, against the definitions of RFC 6962, and the form of entries."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardshoe.journal import Entry, JournalBroken, verify_chain
from cardshoe.journal.file.chain import Chain, OutOfOrder, check_header, data_of
from cardshoe.journal.file.passed_over import PassedOver
from cardshoe.journal.proof.tree import Frontier, leaf_hash
from tests.cardshoe.journal import rfc6962
from tests.cardshoe.journal.samples import entry, line, written


def by_the_book(leaves: list[bytes]) -> list[bytes]:
    """The nodes as docs/journal.md defines them: entry n holds the largest complete subtree that ends with it."""
    nodes = []
    for end in range(1, len(leaves) + 1):
        size = 1
        while end % (size * 2) == 0:
            size *= 2
        nodes.append(rfc6962.mth(leaves[end - size : end]))
    return nodes


def chained(stored: list[bytes], header: bytes = b"{}\n") -> tuple[Entry, list[Entry]]:
    first = Entry(0, header, by_the_book([header])[0])
    chain = check_header(first)
    return first, [chain.add(data) for data in stored]


@st.composite
def logs(draw: st.DrawFn) -> list[bytes]:
    stored, seq = list[bytes](), 0
    for count in draw(st.lists(st.integers(1, 6), max_size=12)):
        lines = []
        for _ in range(count):
            seq += 1
            said = draw(st.text(st.characters(codec="utf-8"), max_size=20))
            lines.append(written({"event": "card", "seq": seq, "detail": said}))
        stored.append(data_of(lines))
    return stored


@given(stored=logs(), header=st.binary())
def test_nodes_are_those_of_the_documentation(stored: list[bytes], header: bytes) -> None:
    first, entries = chained(stored, header)
    leaves = [header, *stored]
    assert [first.node, *(entry.node for entry in entries)] == by_the_book(leaves)
    assert verify_chain(entries, first) == rfc6962.mth(leaves)


def test_nodes_worked_out_by_hand() -> None:
    header, entries = chained(
        [
            b'{"event":"table","seq":1}\n{"event":"next","seq":2}\n',
            b'{"event":"closed","seq":3}\n{"event":"next","seq":4}\n',
        ]
    )
    assert header.node.hex() == "cada87b9bc470dfd6d4865c6b2bb258ffc911bcdf8888d57d1ce0919c5a5ddce"
    assert entries[0].node.hex() == "51b50e300c51961907b78c1219b26cd39abce8ac291f595fd045c81d7b2254fa"
    assert entries[1].node.hex() == "c1ab17a3fb6407e4fa4983a0233f324807109e910507424656e51275ff2141a3"
    assert verify_chain(entries, header).hex() == "7eaa81a2145c7a4d2584ac2d66ea8c0c317cb6d9644484d9b18ed7c1de86211b"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (data_of([line(6, "card")]), 'line 5 says "seq":6'),
        (data_of([line(5, "card"), line(5, "next")]), 'line 6 says "seq":5'),
        (data_of([line(5, "card"), line(7, "next")]), 'line 6 says "seq":7'),
        (data_of([line(5, "card")])[:-1], "does not end with a line feed"),
        (data_of([line(5, "card")]) + b"\n", "not a line of the table log"),
        (b'{"event":"card"}\n', 'does not begin with "event"'),
        (b'{"seq":5}\n', 'does not begin with "event"'),
        (b'{"event":"card","seq":5\n', "not a line of the table log"),
        (b'{"event":"card","seq":5}{}\n', "not a line of the table log"),
        (b'{"event":"card",\n"seq":5}\n', "not a line of the table log"),
        (b'{"event":"\xff","seq":5}\n', "not a line of the table log"),
        (b"[]\n", "not a line of the table log"),
        (b"\n", "not a line of the table log"),
        (b"", "does not end with a line feed"),
    ],
)
def test_an_entry_that_cannot_stand_there(data: bytes, reason: str) -> None:
    chain = Chain(Frontier(1, [bytes(32)]))
    chain.add(entry(1))
    with pytest.raises(OutOfOrder) as caught:
        chain.add(data)
    assert caught.value.number == 2
    assert reason in caught.value.reason
    assert chain.add(entry(5)).number == 2


def passing(seq: int, number: int, data: bytes, by: tuple[str, str] = ("7", "8")) -> bytes:
    return data_of([PassedOver(seq=seq, at="x", entry=number, hash=leaf_hash(data), by=by).line()])


def test_an_entry_is_passed_over_by_the_one_behind_it_and_once() -> None:
    header, entries = chained([entry(1), entry(5), passing(9, 2, entry(5)), entry(10)])
    verify_chain(entries, header)
    assert [one.passes_over for one in entries] == [False, False, True, False]


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        ([entry(1), passing(5, 1, entry(5))], "which is not the input before it"),
        ([entry(1), entry(5), passing(9, 1, entry(1))], "which is not the input before it"),
        ([entry(1), passing(5, 1, entry(1)), passing(6, 2, passing(5, 1, entry(1)))], "not the input before it"),
        ([passing(1, 1, b"{}\n")], "not the input before it"),
        ([entry(1), passing(5, 1, entry(1)) + data_of([line(6, "next")])], "not a line of an entry that passes"),
        ([entry(1), data_of([line(5, "card")]) + passing(6, 1, entry(1))], "not a line of an entry that passes"),
    ],
)
def test_no_other_entry_is_passed_over(stored: list[bytes], reason: str) -> None:
    with pytest.raises(OutOfOrder) as caught:
        chained(stored)
    assert caught.value.number == len(stored)
    assert reason in caught.value.reason


def test_two_people_pass_over_an_entry() -> None:
    with pytest.raises(ValueError, match="one person passes over it twice"):
        passing(5, 1, entry(1), ("7", "7"))


@pytest.mark.parametrize(
    ("damage", "number"),
    [
        (lambda e: [*e[:2], *e[3:]], 3),
        (lambda e: [*e[:3], e[2], *e[3:]], 4),
        (lambda e: [*e[:2], e[3], e[2], *e[4:]], 3),
        (lambda e: e[1:], 1),
        (lambda e: [*e[:4], Entry(5, e[4].data.replace(b"card", b"cArd"), e[4].node), *e[5:]], 5),
        (lambda e: [*e[:4], Entry(5, e[4].data, bytes(32)), *e[5:]], 5),
    ],
    ids=["missing", "twice", "swapped", "beginning_cut", "line", "node"],
)
def test_verification_names_the_first_bad_entry(damage: Callable[[list[Entry]], list[Entry]], number: int) -> None:
    header, entries = chained([entry(seq) for seq in range(1, 33, 4)])
    with pytest.raises(JournalBroken) as caught:
        verify_chain(damage(entries), header)
    assert caught.value.entry == number
    assert f"entry {number}" in str(caught.value)


@pytest.mark.parametrize(
    "header", [Entry(0, b"{} \n", by_the_book([b"{}\n"])[0]), Entry(1, b"{}\n", by_the_book([b"{}\n"])[0])]
)
def test_an_altered_header_is_entry_0(header: Entry) -> None:
    with pytest.raises(JournalBroken) as caught:
        verify_chain([], header)
    assert caught.value.entry == 0
