"""The words of the pages: each in each language, and the compiled files say what the texts say."""

import io
import re
from importlib import resources
from typing import get_args

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from cardshoe.screens.felt.faults import UNPLUGGED
from cardshoe.screens.words import labels, sentences
from cardshoe.screens.words.display_section import Language
from cardshoe.screens.words.translation import Words
from cardshoe.table.setup.fault_texts import fault_texts
from firmware_bridge.families import families
from regulations.events import vocabulary
from regulations.events.inputs import Closed
from regulations.events.outputs import Irregularity, Next
from regulations.games.registry import GAMES
from tests.cardshoe.table.display.support import SAID
from tests.regulations.support.notation import all_cases
from tests.regulations.support.running import as_told, opened

FOLDER = resources.files("cardshoe.screens")
TEMPLATES = (FOLDER / "templates", resources.files("cardshoe.table.display") / "templates")


def told() -> set[str]:
    templates = [one.read_text("utf-8") for folder in TEMPLATES for one in folder.iterdir()]
    found = {one or other for text in templates for one, other in SAID.findall(text)}
    return found | labels.every_message() | set(sentences.ALL) | said_by_rows() | said_of_faults()


def said_of_faults() -> set[str]:
    """Name and remedy of each fault of each family of devices."""
    known = fault_texts({name: name for name in families()}).values()
    return {UNPLUGGED} | {text for codes in known for texts in codes.values() for text in texts}


def said_by_rows() -> set[str]:
    """The law's words on refusals and irregularities."""
    rows = (row for game in GAMES.values() for part in game.rulebook.machines.values() for row in part)
    return {row.says for row in rows if row.refusal or row.irregularity}


def said_in_cases() -> set[str]:
    """Every detail of an irregularity and every duty in the law's cases."""
    found = set()
    for case in all_cases():
        procedure = opened(case.table)
        for step in () if case.broken else case.steps:
            said = as_told(procedure, step.given)
            if isinstance(said, Closed):
                break
            for one in procedure.apply(said):
                if isinstance(one, Irregularity) and one.detail:
                    found.add(one.detail)
                elif isinstance(one, Next) and one.duties:
                    found |= {duty.says for duty in one.duties}
    return found


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
    assert set(labels.IRREGULARITIES) == set(get_args(vocabulary.IrregularityCode))
    assert set(labels.WAYS_OUT) == set(get_args(vocabulary.ResolutionAction))
    assert set(labels.ACTS) == set(get_args(vocabulary.Do)) - {"draw", "reveal", "decide", "resolve"}


def test_two_languages_stand_beside_each_other_each_marked() -> None:
    words = Words(["zh-Hant", "pt"])
    assert str(words("Banker")) == (
        '<span class="l1" lang="zh-Hant">莊家</span> <span class="l2" lang="pt">grupo banqueiro</span>'
    )
    assert str(words("Seat %(seat)s", seat="<3>")).count("&lt;3&gt;") == 2


def test_whatever_the_law_says_of_an_irregularity_or_a_duty_is_said_in_each_language() -> None:
    other = "it read another card than was entered for seat 3, hand 2, card 1"
    texts = said_in_cases() | {
        f"the device does not agree with the regulation: {other}",
    }
    assert len(texts) > len(sentences.ALL)
    words = Words(["zh-Hant", "pt"])
    for text in texts:
        chinese, portuguese = words.law_in_each(text).values()
        assert re.findall(r"[A-Za-z]{2,}", chinese) == [], text
        # Both parts are there, with all their numbers and no place left open.
        assert re.findall(r"\d+", chinese) == re.findall(r"\d+", portuguese) == re.findall(r"\d+", text)
        assert portuguese != text
        assert "%(" not in chinese + portuguese
        # What a guard found is not left out.
        assert (" · " in chinese) >= any(text.endswith(f": {one}") for one in sentences.FOUND)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        (
            "pt",
            (
                "the device does not agree with the regulation: "
                "the device took the card for banker, card 1, it is seat 1, hand 2, card 3"
            ),
            (
                "o equipamento não concorda com o regulamento · o equipamento tomou a carta por: "
                "grupo banqueiro · 1.ª carta; é: lugar 1 · mão 2 · 3.ª carta"
            ),
        ),
        (
            "zh-Hant",
            "a stake that stood in the tie is kept or withdrawn or altered, and nothing else",
            "和局時保留的注金只可保留或收回或更改",
        ),
        (
            "pt",
            "the device reports another result than the regulation's: the regulation's result is tie, banker pair",
            (
                "o equipamento indica outro resultado que não o do regulamento · "
                "o resultado do regulamento é: empate · par de banca"
            ),
        ),
        (
            "pt",
            "the device was joined in mid-round: its cards so far are unknown",
            "o equipamento ligou-se a meio da jogada e as cartas até aqui são desconhecidas",
        ),
        ("zh-Hant", "there is no such seat: seat 9, the table has 1 to 5", "沒有此座位"),
        ("zh-Hant", "what a later build says: 3 of them", "what a later build says: 3 of them"),
    ],
)
def test_a_sentence_of_the_law_is_put_together_anew(language: Language, text: str, said: str) -> None:
    assert Words([language, "en"]).law_in_each(text) == {language: said, "en": text}


def test_what_the_law_says_and_nobody_translated_is_marked_as_english() -> None:
    words = Words(["zh-Hant", "pt"])
    assert str(words.law("100% <new>")) == '<span class="l1" lang="en">100% &lt;new&gt;</span>'
