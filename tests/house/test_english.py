"""tools/check_english.py counts the phrases of its list, and fails above a limit."""

import re
from pathlib import Path

import pytest

from tools import check_english
from tools.check_english import CORPORA, Phrase
from tools.pages import ROOT

ONE = Phrase(re.compile(r"\banew\b", re.IGNORECASE), "again", dict.fromkeys(CORPORA, 0))


def texts(**corpora: str) -> dict[str, list[check_english.Text]]:
    return {corpus: [("here", 3, corpora[corpus])] if corpus in corpora else [] for corpus in CORPORA}


@pytest.mark.parametrize("corpus", CORPORA)
def test_a_phrase_beyond_its_limit_is_named_with_its_place_and_what_to_write(corpus: str) -> None:
    [problem] = check_english.problems([ONE], [], texts(**{corpus: "It\nbegins Anew."}))
    assert problem == f"{corpus}: 1 of \\banew\\b, allowed 0; write: again\n  here:4: Anew"
    enough = Phrase(ONE.pattern, ONE.write, {**ONE.limits, corpus: 1})
    assert list(check_english.problems([enough], [], texts(**{corpus: "It\nbegins Anew."}))) == []


def test_an_allowed_text_is_not_counted() -> None:
    assert list(check_english.problems([ONE], ["begins anew"], texts(pages="It begins anew."))) == []


def test_code_is_no_prose() -> None:
    assert check_english.prose("a `anew` b\n```\nanew\n```\nc") == "a  b\n\n\n\nc"


def test_a_module_has_docstrings_and_messages() -> None:
    source = '"""Of a module.\n\n    Whoever."""\nname: int\n"""Its name."""\nx = f"{name} is told"\ny = "short"\n'
    assert sorted(check_english.literals(source, "m.py")) == [
        ("docstrings", ("m.py", 1, "Of a module.\n\nWhoever.")),
        ("docstrings", ("m.py", 5, "Its name.")),
        ("messages", ("m.py", 6, " is told")),
    ]


def test_the_help_of_a_command_is_a_message() -> None:
    source = '@cli.command("run")\ndef run():\n    """Run a table."""\n\ndef stop():\n    """Stop it."""\n'
    assert sorted(check_english.literals(source, "m.py")) == [
        ("docstrings", ("m.py", 6, "Stop it.")),
        ("messages", ("m.py", 3, "Run a table.")),
    ]


def test_pages_adrs_and_modules_are_read_and_generated_pages_are_not(tmp_path: Path) -> None:
    for place in ("README.md", "docs/adr/0001-a.md", "docs/regulations/baccarat.md", "docs/mutants.md", "drivers/a.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text('"""A text."""\n')
    found = check_english.texts(tmp_path)
    assert {corpus: [text[0] for text in found[corpus]] for corpus in CORPORA} == {
        "pages": ["README.md"],
        "adrs": ["docs/adr/0001-a.md"],
        "docstrings": ["drivers/a.py"],
        "messages": [],
    }


def test_each_phrase_of_the_list_is_found_and_has_a_limit_for_each_corpus() -> None:
    phrases, _ = check_english.load()
    samples = (
        "nobody|he is told|it hears of a card|a device is looked at|begin anew|it stands in the log|the table goes on|"
        "a way out|12 signs|it is well|What came in counts|Of a session"
    )
    for phrase, sample in zip(phrases, samples.split("|"), strict=True):
        assert phrase.pattern.search(sample), sample
        assert set(phrase.limits) == set(CORPORA)


def test_no_limit_of_this_repository_is_exceeded() -> None:
    phrases, allowed = check_english.load()
    assert list(check_english.problems(phrases, allowed, check_english.texts(ROOT))) == []


def test_words_of_docstrings_are_counted_by_package() -> None:
    corpus = [("sim/a.py", 1, "One, two."), ("drivers/b.py", 1, "Three."), ("sim/c/d.py", 9, "Four")]
    assert check_english.docstring_words(corpus) == {"sim": 3, "drivers": 1}
