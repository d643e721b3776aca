"""The words of the pages: each in each language, and the compiled files say what the texts say."""

import io
import re
from importlib import resources
from typing import get_args

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from regulations.events import vocabulary
from table.display import messages
from table.display.words import Words

FOLDER = resources.files("table.display")
SAID = re.compile(r"""\b[wt]\("((?:[^"\\]|\\.)*)"|\b[wt]\('([^']*)'""")


def told() -> set[str]:
    templates = [one.read_text("utf-8") for one in (FOLDER / "templates").iterdir()]
    found = {one or other for text in templates for one, other in SAID.findall(text)}
    return found | set(messages.ALL)


@pytest.mark.parametrize("language", ["pt", "zh_Hant"])
def test_each_message_is_translated_and_the_compiled_file_agrees(language: str) -> None:
    folder = FOLDER / "locale" / language / "LC_MESSAGES"
    texts = {one.id: one.string for one in read_po(io.BytesIO((folder / "display.po").read_bytes())) if one.id}
    compiled = {one.id: one.string for one in read_mo(io.BytesIO((folder / "display.mo").read_bytes())) if one.id}
    assert texts == compiled
    assert told() - set(texts) == set()
    for said, translated in texts.items():
        assert translated
        assert set(re.findall(r"%\(\w+\)s", str(said))) == set(re.findall(r"%\(\w+\)s", str(translated)))


def test_each_name_of_the_log_has_a_message() -> None:
    assert set(messages.IRREGULARITIES) == set(get_args(vocabulary.IrregularityCode))
    assert set(messages.WAYS_OUT) == set(get_args(vocabulary.WayOut))
    assert set(messages.BETS) == set(get_args(vocabulary.Bet))
    assert set(messages.ACTIONS) == set(get_args(vocabulary.DecisionAction))
    assert set(messages.ACTS) == set(get_args(vocabulary.Do)) - {"draw", "reveal", "decide", "resolve"}


def test_two_languages_stand_beside_each_other_each_marked() -> None:
    words = Words(["zh-Hant", "pt"])
    assert str(words("Banker")) == (
        '<span class="l1" lang="zh-Hant">莊家</span> <span class="l2" lang="pt">grupo banqueiro</span>'
    )
    assert str(words("Seat %(seat)s", seat="<3>")).count("&lt;3&gt;") == 2
