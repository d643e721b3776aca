"""The words of the floor's pages: each in each language, and the compiled files say what the texts say."""

import io
import re
from importlib import resources
from typing import get_args

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from cardshoe.floor.alarm_kinds import AlarmKind
from cardshoe.floor.pages import labels
from cardshoe.floor.pages.language import WORDS
from cardshoe.floor.pages.tiles import KINDS
from cardshoe.screens.view.state import Phase
from cardshoe.screens.words.display_section import Language
from cardshoe.screens.words.labels import PHASES, SHORT_GAMES
from tests.cardshoe.table.display.support import SAID

FOLDER = resources.files("cardshoe.floor.pages")


def told() -> set[str]:
    templates = [one.read_text("utf-8") for one in (FOLDER / "templates").iterdir()]
    return {one or other for text in templates for one, other in SAID.findall(text)} | {
        *labels.ALL,
        *SHORT_GAMES.values(),
    }


@pytest.mark.parametrize(("language", "folder"), [("pt", "pt"), ("zh-Hant", "zh_Hant")])
def test_each_message_is_translated_and_the_compiled_file_agrees(language: Language, folder: str) -> None:
    files = FOLDER / "locale" / folder / "LC_MESSAGES"
    texts = {one.id: one.string for one in read_po(io.BytesIO((files / "floor.po").read_bytes())) if one.id}
    compiled = {one.id: one.string for one in read_mo(io.BytesIO((files / "floor.mo").read_bytes())) if one.id}
    assert texts == compiled
    assert set(texts) - told() == set()
    for said, translated in texts.items():
        assert set(re.findall(r"%\(\w+\)s", str(said))) == set(re.findall(r"%\(\w+\)s", str(translated)))
    others = told() - set(texts)
    filled = {one: dict.fromkeys(re.findall(r"%\((\w+)\)s", one), "1") for one in others}
    plain = {one for one, values in filled.items() if WORDS[language].plain(one, **values) != one % (values or ())}
    assert others - plain == {"Macau"} & others if language == "pt" else others == plain


def test_each_stored_name_has_a_message() -> None:
    assert set(PHASES) == set(get_args(Phase))
    assert set(labels.ALARMS) == set(get_args(AlarmKind))
    assert set(labels.SUMS) | {"nothing"} == set(KINDS)
