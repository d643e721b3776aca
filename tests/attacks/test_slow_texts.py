r"""Attack: a text that begins and does not end, with a quote behind a backslash at each second byte.

What was possible: where a text ended was looked for from each quote anew, so the time grew with the square of the
length: 13 s for a body of 32 KB that anybody could send to a display or the floor without a PIN, a minute for a line of
64 KB that was typed at a table or sent to its live socket. The search lets no other thread of the process do anything:
the table itself stood still. A signed line did the same to both verifiers.

A person's account of a misdeal, or a hostile table's line at the floor, was held against the law's own sentences, to
translate it: one of 16 KB that began as such a sentence took longer than anybody has waited.

What stops it now: what begins as a text and does not end is passed over in one go. What is longer than any sentence of
the law is none of its sentences.
"""

import contextlib
import json
import re
from collections.abc import Callable
from types import ModuleType
from typing import Final

import pytest

from cardshoe.journal.file import line as journal_line
from cardshoe.screens.words import sentences
from cardshoe.screens.words.translation import Words
from cardshoe.table.live.messages import LINE_MAX, read_request
from cardshoe.table.terminal import console
from regulations.events.codec import decode_input
from regulations.events.errors import MalformedLine
from regulations.events.nesting import MAX_DEPTH, nests_too_deep
from tests.tamper.campaign import separate_verifier

QUOTES: Final = '\\"' * (LINE_MAX // 2 - 64)
OPEN: Final = "[" * (MAX_DEPTH + 1)


@pytest.fixture(scope="module")
def verifier() -> ModuleType:
    return separate_verifier()


@pytest.mark.timeout(20)
@pytest.mark.parametrize("end", ["", "\\", '"', " "])
def test_where_a_text_ends_is_found_in_one_go(verifier: ModuleType, end: str) -> None:
    text = f'{{"event":"misdeal","detail":"{QUOTES}{end}'
    readers: list[Callable[[str], object]] = [console.parse, decode_input, lambda line: read_request(line.encode())]
    for read in readers:
        for line in (text, OPEN + text, f'misdeal "{QUOTES}{end}', f'misdeal detail="{QUOTES}{end}{OPEN}'):
            # A text may be that long; it is only to be looked at once.
            with contextlib.suppress(MalformedLine, ValueError):
                read(line)
    for line in (text, OPEN + text):
        assert verifier.read_object(line.encode()) == {}
        with pytest.raises(journal_line.NonCanonicalLine):
            journal_line.read_object(line.encode())


def test_what_stands_in_texts_counts_for_no_depth(verifier: ModuleType) -> None:
    for inside in (OPEN, f'\\"{OPEN}', f'\\\\\\\\\\"{OPEN}', f"\n{OPEN}"):
        assert not nests_too_deep(f'{{"a":"{inside}"}}'.encode())
        assert nests_too_deep(f'{{"a":"{inside}","b":{OPEN}'.encode())
        assert nests_too_deep(f'{OPEN}"{inside}'.encode())
    line = json.dumps({"a": OPEN}, separators=(",", ":"))
    assert verifier.read_object(line.encode()) == {"a": OPEN}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("length", [sentences.LONGEST, sentences.LONGEST + 1, LINE_MAX, 2 * 1024 * 1024])
@pytest.mark.parametrize("unit", ["a", "a, ", "1", ": ", "burn, it is ", "tie, ", "a: it is left: "])
def test_no_text_of_a_person_takes_long_to_be_none_of_the_law_s(unit: str, length: int) -> None:
    words = Words(["en", "pt", "zh-Hant"])
    for sentence in (message for message in sentences.ALL if "%(" in message):
        for said in (sentence, f"a card was dealt wrongly: {sentence}"):
            head, *holes = re.split(r"%\(\w+\)s", said)
            hostile = (head + "".join(unit * (length // len(unit)) + rest for rest in holes))[:length] + "!"
            assert set(words.law_in_each(hostile).values()) == {hostile}


def test_what_a_person_quotes_is_read_as_before() -> None:
    for typed, detail in (
        ('misdeal "a card fell"', "a card fell"),
        (r'misdeal "a \"card\" fell"', r"a \"card\" fell"),
        ("misdeal 'a \"card'", 'a "card'),
        ("misdeal player's", "player's"),
        ('misdeal detail="a card', '"a card'),
    ):
        assert getattr(console.parse(typed), "detail", None) == detail
