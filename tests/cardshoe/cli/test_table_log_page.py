"""docs/table-log.md and its reference hold everything that a log can hold."""

import re
from pathlib import Path
from typing import Final, get_args

import pytest

from regulations.events.codec import INPUTS, OUTPUT_NAMES
from regulations.events.vocabulary import IrregularityCode, RefusalCode, ResolutionAction
from regulations.games.registry import SHEETS
from tests.cardshoe.cli.support import invoke
from tools import fields
from tools.fields import field_reference, without_meaning

PAGE: Final = (Path(__file__).resolve().parent.parent.parent.parent / "docs" / "table-log.md").read_text()
REFERENCE: Final = field_reference()


def section(heading: str) -> str:
    return REFERENCE.partition(f"\n### {heading}\n")[2].partition("\n### ")[0]


def test_every_event_has_a_section() -> None:
    headings = re.findall(r"^### (Input|Output) `(\w+)`(?: of (\w+))?$", REFERENCE, flags=re.MULTILINE)
    assert {name for kind, name, _ in headings if kind == "Input"} == set(INPUTS)
    assert {name for kind, name, _ in headings if kind == "Output"} == OUTPUT_NAMES
    assert [game for _, name, game in headings if name == "result"] == list(SHEETS)


def test_a_field_has_its_type_default_and_meaning() -> None:
    card = section("Input `card`")
    assert "Origin: `device`, `person`." in card
    assert "| `card` | card or `null` | the card; `null` if it could not be read |" in card
    assert '| `[face]` | `down`, `up`; if absent `"down"` | how the card lay as it left |' in card
    assert "| `[claimed.position]` | 0 to 255 |" in card
    wagers = section("Input `bets_closed`")
    assert "| `[wagers[].stake]` | 0 to 100,000,000,000 | minor units of money, at least 1;" in wagers
    assert "Bets: `ante`, `pair_plus`. Decisions: `play`, `fold`." in section("Output `result` of q_poker")


@pytest.mark.parametrize("codes", [IrregularityCode, RefusalCode, ResolutionAction])
def test_every_code_has_a_meaning(codes: object) -> None:
    assert all(re.search(rf"^\| `{code}` \| \S", REFERENCE, flags=re.MULTILINE) for code in get_args(codes))


def test_a_field_or_word_without_a_meaning_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(without_meaning()) == []
    monkeypatch.setattr(fields, "COMMON", {name: text for name, text in fields.COMMON.items() if name != "bet"})
    assert "BetsClosed.wagers[].bet" in list(without_meaning())


def test_the_example_is_what_replay_answers() -> None:
    lines = [line.strip() for line in re.sub(r"\n     ", "", PAGE).splitlines() if line.startswith('    {"event":')]
    quoted = [line for line in lines if '"seq":' in line]
    script = [line for line in lines if line not in quoted]
    assert len(quoted) == 4
    more = [f'{{"event":"card","card":"{rank}C"}}' for rank in "3456789"]
    at = script.index('{"event":"card","card":"2C"}') + 1
    replayed = invoke("replay", "-", stdin="\n".join([*script[:at], *more, *script[at:]]).encode()).stdout.splitlines()
    untimed = [re.sub(r'"at":"[^"]*",', "", line) for line in replayed]
    assert [line for line in quoted if line not in untimed] == []
