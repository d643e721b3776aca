"""The display is taken over, and its code wants the table's keys, journals and PINs; or the uplink's wants to deal."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from cardshoe.cli.running.processes import LINES
from cardshoe.persons.floor_list import FloorList
from cardshoe.process.clock import wall_time
from cardshoe.table.display.settings import settings_of as display_of
from cardshoe.table.live.client import LiveClient
from cardshoe.table.live.place import NotLive, TablePlace, connected
from cardshoe.table.live.server import Shared
from cardshoe.table.setup.config import load
from cardshoe.table.setup.secrets_at_start import secrets_of
from cardshoe.table.uplink.persons_list import ListKeeper
from cardshoe.table.uplink.settings import settings_of as uplink_of
from tests.cardshoe.cli.support import cardshoe
from tests.cardshoe.persons.lists import TABLE, Signer
from tests.cardshoe.table.live.support import READY, ServedTable
from tests.kit.command import assert_message
from tests.kit.running_table import RunningTable, write_config

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
DISPLAY, UPLINK, MEMBER, STRANGER = 65530, 65531, 65532, 65533
GROUP: Final = 65529
# It becomes somebody else once it runs: where Python lies in root's home, nobody else can start it.
SAYS: Final = """
import os, socket, sys
account, groups, message = int(sys.argv[1]), [int(one) for one in sys.argv[2].split()], sys.argv[3]
os.setgroups(groups)
os.setgid(account)
os.setuid(account)
with socket.socket(socket.AF_UNIX) as table:
    try:
        table.connect(".T-1.live")
    except PermissionError:
        print('{"code": "by the system"}')
        sys.exit()
    said = table.makefile("rw")
    answer = said.readline()
    if '"hello"' in answer:
        said.write(message + "\\n")
        said.flush()
        answer = said.readline()
    print(answer)
"""
ACCOUNTS: Final = """
[live]
folder = "run"
display = "root"
uplink = "root"
[display]
listen = "127.0.0.1:0"
[uplink]
to = "https://127.0.0.1:1"
folder = "delivered"
tls = { certificate = "a.pem", key = "a.key", authority = "b.pem" }
"""


def says(folder: Path, account: int, groups: str, message: dict[str, Any]) -> dict[str, Any]:
    """The answer to what an account says at the socket in a folder."""
    command = [sys.executable, "-c", SAYS, str(account), groups, json.dumps(message)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@needs_root
def test_the_display_may_speak_the_uplink_looks_on_and_nobody_else_comes_in(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    os.chown(folder, 0, GROUP)
    folder.chmod(0o2751)
    shuffled = {"type": "input", "id": "1", "line": READY[0]}
    act = {"type": "act", "id": "1", "act": "eject"}
    signs_in = {"type": "sign_in", "id": "1", "person": "a", "pin": "1"}
    with ServedTable(tmp_path / "journals", shared=Shared(folder, {DISPLAY: True, UPLINK: False})) as table:
        found = (folder / ".T-1.live").stat()
        assert (found.st_gid, stat.S_IMODE(found.st_mode)) == (GROUP, 0o660)
        assert says(folder, DISPLAY, str(GROUP), shuffled)["type"] == "answer"
        seq = table.log.journal.last_seq
        for message in (shuffled, act, signs_in):
            assert says(folder, UPLINK, str(GROUP), message)["code"] == "not_yours"
        snapshot = says(folder, UPLINK, str(GROUP), {"type": "subscribe", "view": True})
        assert (snapshot["type"], snapshot["seq"]) == ("snapshot", seq)
        assert says(folder, MEMBER, str(GROUP), shuffled)["code"] == "not_yours"
        for account in (DISPLAY, UPLINK, STRANGER):
            assert says(folder, account, "", shuffled)["code"] == "by the system"
        assert table.log.journal.last_seq == seq


def test_the_table_s_own_account_finds_it_where_it_always_is(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    place = TablePlace.of(tmp_path, "T-1")
    place.socket.symlink_to(tmp_path / "gone")  # a table that was killed leaves it
    with pytest.raises(NotLive, match="no table runs here"):
        connected(place, 1)
    with ServedTable(tmp_path, shared=Shared(tmp_path / "run", {})), LiveClient(place) as client:
        assert client.hello.table == "T-1"
        assert place.socket.readlink() == tmp_path / "run" / ".T-1.live"
    assert not os.path.lexists(place.socket)
    assert not list((tmp_path / "run").iterdir())


def test_a_table_with_other_accounts_starts_neither_display_nor_uplink_and_shares_lines_alone(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    config = write_config(tmp_path, None)
    with config.open("a") as file:
        file.write(ACCOUNTS)
    # Nothing of the uplink is looked at, whose certificates are not even here.
    with RunningTable(config) as table:
        table.until_prompt("shuffle")
        children = Path(f"/proc/{table.process.pid}/task").glob("*/children")
        assert [one for path in children for one in path.read_text().split()] == []
        modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "journals").iterdir()}
        shared = {path for path, mode in modes.items() if mode & 0o077 and not path.is_symlink()}
        assert {modes[path] for path in shared} == {LINES}
        assert {path.name.partition(".")[2] for path in shared} == {"journal", "journal-wal", "journal-ballast"}
        assert any("-key-" in path.name for path in modes), "its key is there too"
        table.say("closed")
        assert table.end() == 0


def test_each_gets_by_its_settings_what_its_account_reaches(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    text = config.read_text().replace('folder = "journals"', 'folder = "journals"\nmetrics = "cardshoe.prom"')
    key = Signer().key.public
    config.write_text(f'{text}{ACCOUNTS}[persons]\nfile = "p.toml"\nfloor = "{key}"\n')
    loaded = load(config, wall_time())
    display, uplink = display_of(loaded, {}), uplink_of(loaded)
    assert display is not None
    assert uplink is not None
    assert display.folder == str(tmp_path / "run")
    assert uplink.folder == str(tmp_path / "journals")
    assert uplink.metrics == str(tmp_path / "delivered" / "cardshoe-uplink.prom")
    assert uplink.persons == (str(key), str(tmp_path / "delivered" / "T-1.persons"))
    assert not {tmp_path / "a.key", tmp_path / "delivered" / "T-1.persons"} & {*secrets_of(loaded)}


def test_as_a_service_neither_is_a_child_of_the_table(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    with config.open("a") as file:
        file.write('[display]\nlisten = "127.0.0.1:0"\n')
    done = cardshoe("run", config, environment={"NOTIFY_SOCKET": "@nobody"})
    assert_message(done.returncode, done.stderr.decode(), 2, "no [live]", "cardshoe-display@")


def test_an_account_that_is_not_there_is_named(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    with config.open("a") as file:
        file.write('[live]\nfolder = "run"\ndisplay = "no-such-account"\nuplink = "root"\n')
    done = cardshoe("run", config)
    assert_message(done.returncode, done.stderr.decode(), 2, "[live]", "no-such-account")


@needs_root
def test_a_list_of_persons_of_the_uplink_s_account_counts_and_no_other(tmp_path: Path) -> None:
    signer = Signer()
    delivered, own = tmp_path / "delivered", tmp_path / "journals"
    own.mkdir()
    delivered.mkdir(mode=0o750)
    path = delivered / "T-1.persons"
    ListKeeper(str(signer.key.public), str(path), TABLE, LINES).hear("new", lambda _: signer.issue())
    assert stat.S_IMODE(path.stat().st_mode) == LINES
    os.chown(path, UPLINK, 0)
    assert FloorList(path, signer.key.public, TABLE, memory=own, writer=UPLINK).poll() is not None
    assert [one.name for one in own.iterdir()] == ["T-1.persons-seen"]
    assert FloorList(path, signer.key.public, TABLE, memory=own).poll() is None, "its group may read it"
    path.chmod(0o644)
    assert FloorList(path, signer.key.public, TABLE, memory=own, writer=UPLINK).poll() is None, "all may read it"
