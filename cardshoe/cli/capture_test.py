"""``cardshoe capture test``: write a pytest test that replays a capture."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cardshoe.cli.completing import families
from cardshoe.cli.echo import echo
from cardshoe.cli.families import FamilyName

if TYPE_CHECKING:
    from firmware_bridge.families import Family

_TEST: Final = '''"""The recording {name} at a table. Change the last line to what must come of it."""

import pytest


@pytest.mark.cardshoe(device="replay", speed=1, arguments=[{file}, "--family", "{family}"])
def test_{stem}(cardshoe_shoe, cardshoe_table):
    table = cardshoe_table(cardshoe_shoe)
    cardshoe_shoe.replay()
    said = [line["event"] for answer in table.until_quiet() for line in answer.lines]
    assert "irregularity" not in said, said
'''


@click.command("test")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--family",
    type=FamilyName(),
    shell_complete=families,
    help="The device's family; default: the one with the most frames.",
)
def test_command(file: Path, *, family: "Family | None") -> None:
    """Print a test that replays a capture FILE at a table and fails while the table objects to it.

    It needs pytest-cardshoe (docs/pytest-plugin.md): `cardshoe capture test FILE > test_FILE.py`.
    """
    from cardshoe.cli.captured_device import captured_device

    found = captured_device(file, family)
    stem = "".join(sign if sign.isalnum() else "_" for sign in file.stem)
    text = _TEST.format(name=file.name, file=json.dumps(str(file.absolute())), family=found.family.name, stem=stem)
    echo(*text.splitlines())
