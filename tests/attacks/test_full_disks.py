"""Attack: somebody fills the disk on which a table, a witness or a person writes."""

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.floor.alarm_kinds import Alarm, NotTaken
from cardshoe.floor.witness import FloorWitness
from cardshoe.journal.proof.note import VerifyKey
from cardshoe.journal.witness.store import trust, trusted
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.sealing_keys import change_key, make_keys, read_keys
from tests.cardshoe.cli.support import STACK, invoke
from tests.kit.command import PATIENCE_S, Ended, Line
from tests.kit.running_table import RunningTable, lines_of, write_config

Disk = Callable[[str, str], Path]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Mounts small disks, by a name and a size."""
    made: list[Path] = []

    def mount(name: str, size: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        options: list[str | Path] = ["-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", folder]
        mounted = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
        if mounted.returncode:
            pytest.skip(f"no right to mount a small disk: {mounted.stderr.strip()}")
        made.append(folder)
        return folder

    yield mount
    for folder in made:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(folder: Path) -> Path:
    """Leaves no byte; the file that takes them all."""
    filler = folder / "filler"
    with filler.open("ab", buffering=0) as file:
        while free := os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize:
            with contextlib.suppress(OSError):  # the last page may go to another file
                file.write(bytes(free))
    return filler


def log_key(number: int) -> VerifyKey:
    """The first key of a log that nobody has."""
    return VerifyKey(f"cardshoe/journal/{number:032x}", Ed25519PrivateKey.generate().public_key().public_bytes_raw())


def test_a_change_of_sealing_keys_leaves_no_other_file_of_keys(disk: Disk) -> None:
    folder = disk("keys", "64k")
    before = make_keys(folder / "sealing.key").ids
    filler = fill(folder)
    with pytest.raises(Stop, match="No space left"):
        change_key(folder / "sealing.key")
    assert sorted(path.name for path in folder.iterdir()) == ["filler", "sealing.key"]
    assert read_keys(folder / "sealing.key").ids == before
    filler.unlink()
    assert change_key(folder / "sealing.key").ids[1:] == before


def test_a_witness_keeps_each_key_that_it_accepted(disk: Disk) -> None:
    folder = disk("witness", "64k")
    accepted = [log_key(0)]
    trust(folder, accepted[0])
    filler = fill(folder)
    with pytest.raises(Stop, match="No space left"):  # noqa: PT012  the page that the file has takes some more keys
        for number in range(1, 100):
            key = log_key(number)
            trust(folder, key)
            accepted.append(key)
    assert len(accepted) > 1
    assert not (folder / "trusted").read_bytes().endswith(b"\n")
    assert trusted(folder) == accepted
    filler.unlink()
    accepted.append(log_key(100))
    trust(folder, accepted[-1])
    assert trusted(folder) == accepted


def test_a_floor_whose_disk_is_full_accuses_no_table(disk: Disk) -> None:
    folder = disk("floor", "64k")
    floor = FloorWitness(folder)
    filler = fill(folder)
    key = log_key(1)
    with pytest.raises(NotTaken) as caught:
        floor.register(key)
    assert caught.value.refusal.code == "database"
    filler.unlink()
    floor.register(key)
    other = VerifyKey(key.name, log_key(2).raw)
    with pytest.raises(Alarm, match="its first key has changed"):
        floor.register(other)
    floor.close()


def play(table: RunningTable, *lines: Line) -> Line:
    """The prompt after these inputs."""
    return [table.tell(line)[-1] for line in lines][-1]


def cards(*names: str) -> list[Line]:
    return [{"event": "card", "card": name} for name in names]


@pytest.mark.parametrize("whom", ["once", "the reserve too"])
def test_a_table_ends_its_round_or_stops_and_goes_on_once_there_is_room(whom: str, disk: Disk, tmp_path: Path) -> None:
    journals, notes, figures = disk("journals", "60m"), disk("notes", "64k"), disk("figures", "16k")
    config = write_config(tmp_path, None)
    places = f'folder = "journals"\nwitness = "{notes}/notes"\nmetrics = "{figures}/table.prom"'
    config.write_text(config.read_text().replace('folder = "journals"', places))
    fillers = [fill(notes), fill(figures)]
    with RunningTable(config) as table:
        table.until_prompt("shuffle")
        assert play(table, *STACK, *cards("9H", "3D", "KS", "4C"))["do"] == "close_round"
        table.wait_for_error("the metrics cannot be written")
        table.wait_for_error("the witness")
        for filler in fillers:
            filler.unlink()
        play(table, {"event": "round_closed"}, *cards("9H", "3D"))
        filler = fill(journals)
        try:
            play(table, *cards("KS"))
            if whom == "the reserve too":
                fill(journals)
            assert play(table, *cards("4C"), {"event": "round_closed"})["do"] == "draw"
            assert play(table, *cards("8H"))["do"] == "nothing"
        except Ended:
            assert whom == "the reserve too"
        assert table.process.wait(PATIENCE_S) == Exit.JOURNAL
        acknowledged = len(table.heard)
    journal = next(journals.glob("*.journal"))
    assert invoke("verify", journal, "--witness", notes / "notes").exit_code == Exit.OK
    assert (figures / "table.prom").stat().st_size
    filler.unlink()
    with RunningTable(config) as table:
        assert table.answer(is_repeated=True)[-1]["do"] in {"shuffle", "close_round", "draw"}
    assert acknowledged <= len(lines_of(journal))
