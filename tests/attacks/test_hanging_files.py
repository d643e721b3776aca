"""Attack: a pipe or a device takes the place of a file.

The other end of a pipe never comes, so the table did not start; while it ran, its thread for persons waited without an
end, and nobody could sign in or out.
"""

import os
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import click
import msgspec
import pytest

from cardshoe.cli import main
from cardshoe.cli.doctoring import persons as doctor
from cardshoe.floor.certificates import Revoked
from cardshoe.floor.enrolled import FILE_BYTES, Enrolled
from cardshoe.persons.floor_list import FloorList
from cardshoe.persons.registry import StaffRegistry
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.setup.config import load
from cardshoe.table.uplink import delivery_record as kept
from cardshoe.table.uplink.persons_list import ListKeeper
from regulations.events.notices import PersonsListed
from tests.cardshoe.cli.support import invoke
from tests.cardshoe.floor.site import Site
from tests.cardshoe.persons.lists import AT, TABLE, Signer, Wall, put
from tests.kit.running_table import write_config
from tests.tamper.campaign import separate_verifier

FLOOR = Signer()


@pytest.mark.timeout(20)
def test_a_pipe_in_the_place_of_the_floor_s_list_keeps_nobody_waiting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "T-1.persons"
    listed = FloorList(path, FLOOR.key.public, TABLE, Wall())
    os.mkfifo(path, 0o600)
    assert listed.poll() is None
    assert "no plain file" in caplog.text
    keeper = ListKeeper(str(FLOOR.key.public), str(path), TABLE)
    keeper.hear("0" * 64, lambda _: FLOOR.issue(41))
    assert path.is_fifo()
    put(path, FLOOR.issue(41))
    assert isinstance(listed.poll(), PersonsListed)
    # The list that holds goes on, whatever takes its file's place.
    path.unlink()
    os.mkfifo(path, 0o600)
    assert listed.poll() is None
    assert listed.holding is not None


@pytest.mark.timeout(20)
def test_nor_the_doctor(tmp_path: Path) -> None:
    file = write_config(tmp_path, None)
    tls = '{ certificate = "a", key = "b", authority = "c" }'
    section = f'[persons]\nfile = "persons.toml"\nfloor = "{FLOOR.key.public}"\n'
    file.write_text(f'{file.read_text()}\n{section}[uplink]\nto = "https://floor:8471"\ntls = {tls}\n')
    (tmp_path / "journals").mkdir(mode=0o700)
    config = load(file, AT)
    os.mkfifo(config.persons_list, 0o600)
    (found,) = doctor.persons(config, datetime.fromisoformat(AT))
    assert (found.level, "no plain file" in found.what) == ("problem", True)


@pytest.mark.timeout(20)
def test_nor_do_the_tables_own_registry_and_memory_of_lists(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    os.mkfifo(tmp_path / "persons.toml", 0o600)
    with pytest.raises(Stop, match="no plain file"):
        StaffRegistry(tmp_path / "persons.toml").persons()
    path = tmp_path / "T-1.persons"
    put(path, FLOOR.issue(41))
    os.mkfifo(tmp_path / "T-1.persons-seen", 0o600)
    assert FloorList(path, FLOOR.key.public, TABLE, Wall()).poll() is None
    assert "no plain file" in caplog.text


@pytest.mark.timeout(20)
def test_nor_does_the_floor_wait_for_its_lists(tmp_path: Path) -> None:
    for name in ("tables", "crl.pem"):
        os.mkfifo(tmp_path / name, 0o600)
    with pytest.raises(Stop, match="no plain file"):
        Enrolled(str(tmp_path / "tables"))
    (tmp_path / "many").write_text("T-1\n" * (FILE_BYTES // 4 + 1))
    with pytest.raises(Stop, match="more than"):
        Enrolled(str(tmp_path / "many"))
    revoked = Revoked(str(tmp_path / "crl.pem"), "authority.pem")
    assert "no plain file" in str(revoked.fault({"serialNumber": "01"}))


@pytest.mark.timeout(20)
def test_nor_whoever_asks_what_was_delivered(tmp_path: Path) -> None:
    journal = tmp_path / "T-1.journal"
    journal.touch()
    os.mkfifo(tmp_path / "T-1.journal-floor", 0o600)
    assert kept.read(journal, journal.parent) is None


HOSTILE: Final = ("pipe", "/dev/ptmx")
OTHER: Final = {"family": "angel_eye", "port": "/dev/none", "by": "x", "number": "1"}
"""What a required parameter gets that names no file."""
NO_PATH: Final = ("witness", "store", "certificate", "key", "authority")
"""Options that name a file as text."""


def _leaves(command: click.Command, path: tuple[str, ...], context: click.Context) -> Iterator[tuple[str, ...]]:
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _leaves(below, (*path, name), click.Context(below, parent=context, info_name=name))
    else:
        yield from ((*path, one.name) for one in command.params if one.name and _names_a_file(one))


def _names_a_file(parameter: click.Parameter) -> bool:
    return isinstance(parameter.type, click.Path) or parameter.name in NO_PATH


def _command(path: tuple[str, ...]) -> click.Command:
    found: click.Command = main
    for name in path:
        assert isinstance(found, click.Group)
        below = found.get_command(click.Context(found), name)
        assert below is not None
        found = below
    return found


def _arguments(command: click.Command, target: str, hostile: str, folder: Path) -> Iterator[str]:
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    for one in [*(one for one in command.params if one not in arguments), *arguments]:
        if not (one.required or one.name == target):
            continue
        if one.name == target:
            value = hostile
        elif isinstance(one.type, click.Choice):
            value = one.type.choices[0]
        elif isinstance(one.type, click.Path):
            value = str(folder / ("plain" if one.type.file_okay else "."))
        else:
            value = OTHER.get(one.name, "x")
        yield from [*([] if one in arguments else one.opts[:1]), *[value] * max(one.nargs, 1)]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("path", sorted(_leaves(main, (), click.Context(main))), ids=" ".join)
def test_no_command_waits_for_a_file_that_its_caller_names(
    path: tuple[str, ...], hostile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "pipe", 0o600)
    (tmp_path / "plain").write_text("x")
    if hostile == "pipe" and path[:2] == ("status", "sources"):
        hostile = "./pipe"
    *names, target = path
    done = invoke(*names, *_arguments(_command(tuple(names)), target, hostile, tmp_path))
    assert done.exit_code in {Exit.FAILURE, Exit.USAGE, Exit.JOURNAL, Exit.DEVICE}, done.output


@pytest.mark.timeout(20)
@pytest.mark.parametrize("named", ["--witness", "--sealing-key"])
def test_nor_for_one_that_an_option_names_beside_a_sound_journal(named: str, journal: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    done = invoke("verify", journal, named, tmp_path / "pipe")
    assert done.exit_code != Exit.OK
    assert "no plain file" in done.stderr


@pytest.mark.timeout(20)
@pytest.mark.parametrize("end", ["-wal", "-key-0"])
def test_nor_for_one_beside_a_journal(end: str, journal: Path) -> None:
    beside = journal.with_name(f"{journal.name}{end}")
    beside.unlink(missing_ok=True)
    os.mkfifo(beside, 0o600)
    for command in (("status", journal.parent), ("verify", journal), ("log", journal), ("journal", "show", journal)):
        assert invoke(*command).exit_code in set(Exit)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("named", ["certificate", "key", "authority", "revoked"])
def test_nor_for_a_certificate(named: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    files = msgspec.structs.replace(Site(tmp_path / "site").tls("floor"), **{named: str(tmp_path / "pipe")})
    with pytest.raises(Stop, match="no plain file"):
        files.server()


@pytest.mark.timeout(20)
def test_a_file_without_an_end_fills_no_memory(tmp_path: Path) -> None:
    endless = tmp_path / "table.toml"
    with endless.open("wb") as file:
        file.truncate(1 << 40)
    done = invoke("config", "check", endless)
    assert (done.exit_code, "more than 1048576 bytes" in done.stderr) == (Exit.USAGE, True)


@pytest.mark.timeout(20)
def test_nor_does_the_separate_verifier(journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    for arguments in ([pipe], [journal, "--witness", pipe], [pipe, "--proof"]):
        assert separate_verifier().main([str(one) for one in arguments]) == 1
        assert re.search("no plain file|is a named pipe", capsys.readouterr().err)
