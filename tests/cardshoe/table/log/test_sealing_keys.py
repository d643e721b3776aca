"""The file of the sealing keys: made, read, changed, and refused."""

import base64
import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import msgspec
import pytest

from cardshoe.process.exits import Stop
from cardshoe.table.log.sealing_keys import (
    CREDENTIAL,
    KeysExist,
    SealingKeys,
    change_key,
    find_keys,
    key_id,
    make_keys,
    read_keys,
)
from cardshoe.table.log.table_journal import open_log
from regulations.events.inputs import CardDrawn
from tests.cardshoe.cli.support import cardshoe
from tests.kit.table_log import AT, TABLE
from tests.kit.waiting import PATIENCE_S

MANY: Final = 8


def test_it_is_made_for_this_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "sealing.key"
    keys = make_keys(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_keys(path).ids == keys.ids == [keys.first]
    key = keys.get(keys.first)
    assert key is not None
    assert len(key) == 32
    assert key_id(key) == keys.first


def test_two_files_have_different_keys(tmp_path: Path) -> None:
    assert make_keys(tmp_path / "a").ids != make_keys(tmp_path / "b").ids


def test_it_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "sealing.key"
    make_keys(path)
    before = path.read_bytes()
    with pytest.raises(Stop, match="there is a file of that name"):
        make_keys(path)
    assert path.read_bytes() == before


def test_of_several_who_make_it_at_once_one_does(tmp_path: Path) -> None:
    path, together = tmp_path / "sealing.key", threading.Barrier(MANY)

    def make(_: int) -> SealingKeys | None:
        together.wait(PATIENCE_S)
        try:
            return make_keys(path)
        except KeysExist:
            # Whoever comes too late finds it whole.
            assert read_keys(path).ids
            return None

    with ThreadPoolExecutor(MANY) as makers:
        made = [keys for keys in makers.map(make, range(MANY)) if keys is not None]
    assert [keys.ids for keys in made] == [read_keys(path).ids]
    assert [one.name for one in tmp_path.iterdir()] == ["sealing.key"]


def test_tables_that_begin_at_once_in_one_folder_share_the_key(tmp_path: Path) -> None:
    together = threading.Barrier(MANY)

    def begin(number: int) -> str:
        table = msgspec.structs.replace(TABLE, table_id=f"T-{number}")
        together.wait(PATIENCE_S)
        log = open_log(tmp_path, table, AT, lambda _: None)
        with log.journal:
            sealed = log.scribe.take(CardDrawn(card="9H", at=AT)).event.sealed
        assert isinstance(sealed, str)
        return sealed.partition(".")[0]

    with ThreadPoolExecutor(MANY) as tables:
        assert set(tables.map(begin, range(MANY))) == {read_keys(tmp_path / "sealing.key").first}


def test_a_changed_file_holds_the_new_key_and_the_old_ones(tmp_path: Path) -> None:
    path = tmp_path / "sealing.key"
    first = make_keys(path).first
    second = change_key(path).first
    third = change_key(path).first
    held = read_keys(path)
    assert held.ids == [third, second, first]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["sealing.key"]


def test_what_a_change_that_was_cut_short_left_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "sealing.key"
    make_keys(path)
    (tmp_path / ".sealing.key.new").write_text("half a li")
    assert len(change_key(path).ids) == 2


def test_no_file_has_no_key(tmp_path: Path) -> None:
    assert read_keys(tmp_path / "none").ids == []
    with pytest.raises(Stop, match="no key to change"):
        change_key(tmp_path / "none")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_may_read_or_write_is_refused(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "sealing.key"
    make_keys(path)
    path.chmod(mode)
    with pytest.raises(Stop, match=rf"mode 0{mode:o}.*\n.*chmod 600"):
        read_keys(path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line.replace("cardshoe-seal-1", "cardshoe-seal-2"),
        lambda line: line[:-6] + "AAAA=\n",
        lambda line: line.replace(line.split()[1], "00000000"),
        lambda line: " ".join(line.split()[:2]) + "\n",
        lambda line: line.replace(line.split()[2], base64.b64encode(b"short").decode()),
        lambda line: line.replace(line.split()[2], "?" * 44),
    ],
    ids=["other form", "another key", "another id", "no key", "short key", "no base64"],
)
def test_a_damaged_file_is_refused(damage: Callable[[str], str], tmp_path: Path) -> None:
    path = tmp_path / "sealing.key"
    make_keys(path)
    *head, line = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*head, damage(line)]))
    with pytest.raises(Stop, match="key 1 is not valid"):
        read_keys(path)


class TestWhereItIs:
    def test_the_configuration_comes_first(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
        make_keys(tmp_path / CREDENTIAL)
        assert find_keys(tmp_path / "x.key", tmp_path) == tmp_path / "x.key"

    def test_then_a_credential_whose_mode_systemd_chose(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        given = tmp_path / "credentials" / CREDENTIAL
        keys = make_keys(given)
        given.chmod(0o440)
        monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(given.parent))
        assert find_keys(None, tmp_path) == given
        assert read_keys(given).ids == keys.ids

    def test_then_beside_the_journals(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("CREDENTIALS_DIRECTORY", raising=False)
        assert find_keys(None, tmp_path) == tmp_path / "sealing.key"
        monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path / "empty"))
        assert find_keys(None, tmp_path) == tmp_path / "sealing.key"


class TestCommands:
    def test_new_change_and_list(self, tmp_path: Path) -> None:
        path = tmp_path / "sealing.key"
        assert cardshoe("key", "new", path).returncode == 0
        assert cardshoe("key", "change", path).returncode == 0
        said = cardshoe("key", "list", path).stdout.decode().splitlines()
        new, old = read_keys(path).ids
        assert [line.split()[:2] for line in said] == [[new, "seals"], [old, "opens"]]

    def test_keys_are_never_printed(self, tmp_path: Path) -> None:
        path = tmp_path / "sealing.key"
        said = cardshoe("key", "new", path).stdout + cardshoe("key", "list", path).stdout
        keys: SealingKeys = read_keys(path)
        secret = keys.get(keys.first)
        assert secret is not None
        assert base64.b64encode(secret) not in said
        assert secret.hex().encode() not in said

    def test_what_cannot_be_done_is_said(self, tmp_path: Path) -> None:
        done = cardshoe("key", "list", tmp_path / "none")
        assert done.returncode == 2
        assert "cardshoe key new" in done.stderr.decode()
        done = cardshoe("key", "new", tmp_path)
        assert done.returncode == 2
