"""docs/table-log.md names everything that a log can hold."""

import re
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest

from regulations.events.codec import INPUTS
from regulations.events.outputs import AnyOutput
from regulations.events.vocabulary import IrregularityCode, RefusalCode, ResolutionAction
from tests.cardshoe.cli.support import invoke

PAGE: Final = (Path(__file__).resolve().parent.parent.parent.parent / "docs" / "table-log.md").read_text()
SAID: Final = {word for span in re.findall(r"`([^`\n]+)`", PAGE) for word in re.findall(r"\w+", span)}
LINES: Final[list[Any]] = [*INPUTS.values(), *get_args(AnyOutput)]


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line.__struct_config__.tag))
def test_an_event_is_named_with_its_fields(line: Any) -> None:  # noqa: ANN401  a struct type, whichever
    wanted = {str(line.__struct_config__.tag), *(field.encode_name for field in msgspec.structs.fields(line))}
    assert wanted - SAID == set()


@pytest.mark.parametrize("codes", [IrregularityCode, RefusalCode, ResolutionAction])
def test_every_code_is_named(codes: Any) -> None:  # noqa: ANN401  a literal type, whichever
    assert set(get_args(codes)) - SAID == set()


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
