"""``cardshoe demo --firmware``: a table deals from the shoe in C, through the real driver and bridge."""

import re
from pathlib import Path
from typing import Final

import pytest

from cardshoe.cli.demo import command
from cardshoe.process.exits import Exit
from tests.cardshoe.cli.support import invoke
from tests.reference_shoe.building import built, needs_compiler

SHOW: Final = ("demo", "--firmware", "--plain", "--speed", "300", "--seed", "7")


@needs_compiler
@pytest.mark.parametrize("game", ["baccarat", "blackjack"])
def test_a_table_deals_from_it(game: str, tmp_path: Path) -> None:
    built("posix")
    result = invoke(*SHOW, game, "--rounds", "3", "--mistakes", "0", "--journals", tmp_path)
    assert result.exit_code == 0, result.output
    assert re.search(r"rounds closed +3 ", result.stdout), result.stdout
    assert re.search(r"irregularities +none", result.stdout)
    assert "verified" in result.stdout


@needs_compiler
def test_other_equipment_is_refused(tmp_path: Path) -> None:
    built("posix")
    result = invoke(*SHOW, "--equipment", "shuffler", "--journals", tmp_path)
    assert result.exit_code == Exit.USAGE
    assert "--firmware is a shoe, and --equipment is 'shuffler'" in result.stderr


def test_where_it_is_not_built_the_message_says_how(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "PROGRAM", tmp_path / "shoe")
    result = invoke(*SHOW, "--journals", tmp_path)
    assert result.exit_code == Exit.USAGE
    assert f"the reference shoe is not built: there is no {tmp_path / 'shoe'}" in result.stderr
    assert "make -C reference/shoe posix" in result.stderr


@pytest.mark.parametrize(
    ("program", "said"), [("#!/bin/sh\nexit 3\n", "ended with exit code 3"), ("no program\n", "Exec format error")]
)
def test_what_is_no_shoe(program: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "shoe"
    path.write_text(program, encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setattr(command, "PROGRAM", path)
    result = invoke(*SHOW, "--journals", tmp_path)
    assert result.exit_code == Exit.FAILURE
    assert said in result.stderr
    assert "Build it again" in result.stderr
