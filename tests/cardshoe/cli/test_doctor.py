"""``cardshoe doctor`` on real ports, disks and journals: what it finds, what it advises, how it ends."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from cardshoe.journal import Journal
from drivers.port_holders import holders
from tests.cardshoe.cli.journals import STARTED, entries_of, forge, journal_of
from tests.cardshoe.cli.support import PATIENCE_S, Line, answered, cardshoe, invoke
from tests.kit.command import assert_message
from tests.kit.far_ends import PtyEnd, SocketEnd
from tests.kit.forked import CARDSHOE, started
from tests.kit.waiting import eventually

Command = Callable[..., subprocess.CompletedProcess[bytes]]

CARD: Final = bytes.fromhex("0531 4481 b803 3446")
"""A card telegram of docs/protocols/angel-eye.md."""
BEE_TEK: Final = b"[Game]<Card:4S>\r\n" * 3
"""Cards as a shoe of another family tells them (docs/protocols/bee-tek.md)."""


@pytest.fixture
def box() -> Iterator[SocketEnd]:
    end = SocketEnd()
    yield end
    end.vanish()


def configured(folder: Path, port: str | None = None) -> Path:
    device = "" if port is None else f'[[device]]\nname = "shoe"\nfamily = "angel_eye"\nport = "{port}"\n'
    path = folder / "table.toml"
    path.write_text(
        '[table]\nid = "B-101"\ngame = "baccarat"\ndecks = 8\nseats = 7\nequipment = "shoe"\n'
        f'[journal]\nfolder = "journals"\n{device}'
    )
    return path


def examined(*arguments: str | Path, by: Command = answered) -> tuple[int, list[Line]]:
    done = by("doctor", "--json", *arguments)
    assert b"Traceback" not in done.stderr
    report = json.loads(done.stdout)
    assert report["exit_code"] == done.returncode
    return done.returncode, report["findings"]


def about(findings: list[Line], subject: str) -> list[Line]:
    return [finding for finding in findings if finding["about"] == subject]


def test_a_sound_machine_without_a_table() -> None:
    code, findings = examined()
    assert code == 0
    assert {"packages", "versions", "locale", "clock", "port"} <= {finding["about"] for finding in findings}
    assert [finding for finding in findings if finding["level"] == "problem"] == []
    assert all(bool(finding["remedy"]) == (finding["level"] != "ok") for finding in findings)


def test_what_a_person_sees(tmp_path: Path) -> None:
    done = cardshoe("doctor", configured(tmp_path, str(tmp_path / "shoe")))
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 5
    assert lines[0].startswith("problem  device shoe  ")
    # Only what cannot be broken, such as a path, goes beyond the screen: it is never cut.
    assert [line for line in lines if len(line) > 80 and " " in line[25:].strip()] == []
    assert lines[-1].startswith("To find a wrong speed or family")
    assert "-> Check cable and power" in done.stdout.decode()
    assert lines[-2].startswith("1 with a problem, ")


def test_a_terminal_without_utf8_is_said_and_endured(tmp_path: Path) -> None:
    done = cardshoe("doctor", configured(tmp_path), environment={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"warning  locale          the output is ascii" in done.stdout


def test_a_configuration_that_cannot_be_used_is_said_first(tmp_path: Path) -> None:
    path = configured(tmp_path)
    path.write_text(path.read_text().replace("decks", "deks"))
    done = invoke("doctor", path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{path}, line 4" in done.stderr


class TestDevices:
    def test_a_missing_device_ends_with_5(self, tmp_path: Path) -> None:
        code, findings = examined(configured(tmp_path, str(tmp_path / "shoe")))
        [found] = about(findings, "device shoe")
        assert code == 5
        assert (found["level"], found["exit_code"]) == ("problem", 5)
        assert found["what"] == f"{tmp_path / 'shoe'}: nothing there (No such file or directory)"

    def test_a_link_that_leads_nowhere(self, tmp_path: Path) -> None:
        (tmp_path / "shoe").symlink_to(tmp_path / "gone")
        code, findings = examined(configured(tmp_path, str(tmp_path / "shoe")))
        assert code == 5
        assert "the link is there, the device it points to" in about(findings, "device shoe")[0]["what"]

    def test_no_adapter_of_these_numbers(self, tmp_path: Path) -> None:
        code, findings = examined(configured(tmp_path, "usb:dead:beef"))
        assert code == 5
        assert "no adapter matches" in about(findings, "device shoe")[0]["what"]

    def test_a_file_is_no_device(self, tmp_path: Path) -> None:
        (tmp_path / "shoe").write_text("")
        code, findings = examined(configured(tmp_path, str(tmp_path / "shoe")))
        assert code == 5
        assert "is a file, not a device" in about(findings, "device shoe")[0]["what"]

    def test_another_program_that_holds_the_port_is_named(self, tmp_path: Path, pty: PtyEnd) -> None:
        with subprocess.Popen(["cat", pty.url], stdout=subprocess.DEVNULL) as reader:
            eventually(lambda: reader.pid in {one.pid for one in holders(pty.url)}, "the port is open")
            code, findings = examined(configured(tmp_path, pty.url))
            reader.kill()
        [found] = about(findings, "device shoe")
        assert code == 5
        assert found["what"].startswith(f"{pty.url}: held by cat /")
        assert found["what"].endswith(f" (pid {reader.pid})")
        assert found["remedy"] == f"End it first: kill {reader.pid}"

    def test_a_port_that_is_free(self, tmp_path: Path, pty: PtyEnd) -> None:
        os.close(pty.slave)
        pty.slave = -1
        code, findings = examined(configured(tmp_path, pty.url))
        assert code == 0
        assert about(findings, "device shoe")[0]["what"] == f"{pty.url}: there, and this user may open it"

    def test_a_network_address_is_left_alone_unless_asked(self, tmp_path: Path, box: SocketEnd) -> None:
        code, findings = examined(configured(tmp_path, box.url))
        [found] = about(findings, "device shoe")
        assert (code, found["level"]) == (0, "warning")
        assert "not checked" in found["what"]

    def test_a_table_without_devices(self, tmp_path: Path) -> None:
        code, findings = examined(configured(tmp_path))
        assert code == 0
        assert "entered by hand" in about(findings, "device")[0]["what"]


class TestListening:
    def listened(self, folder: Path, box: SocketEnd, data: bytes, seconds: str) -> tuple[int, Line]:
        with started(["doctor", "--json", "--listen", seconds, configured(folder, box.url)]) as doctor:
            box.send(data)  # waits until the doctor has connected
            out, _ = doctor.communicate(timeout=PATIENCE_S)
        [found] = about(json.loads(out)["findings"], "device shoe")
        return doctor.wait(), found

    def test_a_shoe_that_speaks_is_heard(self, tmp_path: Path, box: SocketEnd) -> None:
        code, found = self.listened(tmp_path, box, CARD, "30")
        assert (code, found["level"]) == (0, "ok")
        assert found["what"] == "heard: 8 bytes, 1 frames, 1 events, 0 bytes of noise"

    @pytest.mark.parametrize("data", [b"\xfe" * 40, BEE_TEK], ids=["wrong speed", "wrong family"])
    def test_bytes_that_make_no_frame(self, tmp_path: Path, box: SocketEnd, data: bytes) -> None:
        code, found = self.listened(tmp_path, box, data, "1")
        assert (code, found["level"]) == (1, "problem")
        assert found["what"] == f"connected, {len(data)} bytes, 0 frames, 0 events"
        assert "baud" in found["remedy"]

    def test_silence(self, tmp_path: Path, box: SocketEnd) -> None:
        code, found = self.listened(tmp_path, box, b"", "1")
        assert (code, found["level"]) == (0, "warning")
        assert found["what"] == "connected, and silent for 1 s"
        assert "cable" in found["remedy"]

    def test_nobody_there(self, tmp_path: Path, box: SocketEnd) -> None:
        url = box.url
        box.vanish()
        code, findings = examined("--listen", "10", configured(tmp_path, url))
        assert code == 5
        assert f"{url}: no connection: Connection refused" in about(findings, "device shoe")[0]["what"]


def test_a_simulated_shoe_and_a_running_table_are_as_they_should_be(tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    config = configured(tmp_path, str(link))
    with subprocess.Popen(
        [CARDSHOE, "sim", "angel-eye", "--pty", link], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as simulator:
        assert simulator.stdout is not None
        assert b"Angel Eye shoe at" in simulator.stdout.readline()
        code, findings = examined(config)
        assert code == 0
        assert f"{link}: there, and this user may open it" in about(findings, "device shoe")[0]["what"]
        with subprocess.Popen(
            [CARDSHOE, "run", config], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as table:
            eventually(lambda: table.pid in {one.pid for one in holders(str(link))}, "the table has opened the shoe")
            eventually(lambda: any((tmp_path / "journals").glob("*.journal")), "the table has begun its journal")
            code, findings = examined("--listen", "5", config)
            held, silent = about(findings, "device shoe")
            others = [
                invoke("run", config),
                invoke("capture", link, tmp_path / "bytes.jsonl"),
                invoke("conformance", "--family", "angel_eye", link),
            ]
            [journal] = about(findings, "journal")
            table.terminate()
            table.communicate(timeout=PATIENCE_S)
        simulator.terminate()
    assert code == 0, findings
    assert held["what"] == f"{link}: there, in use by the running table (pid {table.pid})"
    told = {other.stderr[other.stderr.index(f"cardshoe: {link}: ") :] for other in others}
    assert len(told) == 1, told
    for said in told:
        assert_message(others[0].exit_code, said, 5, f"(pid {table.pid})", "A table runs there", "type `quit` at it")
        assert "kill" not in said, "who finds its port taken must not end the table that plays"
    assert [other.exit_code for other in others] == [5, 5, 5]
    assert silent["what"] == "not listened to: the running table has the port"
    assert f"in use by the running table (pid {table.pid})" in journal["what"]


class TestJournals:
    def journal(self, folder: Path, name: str = "B-101-20260105T100000-000000Z.journal", at: str = STARTED) -> Path:
        (folder / "journals").mkdir(exist_ok=True)
        return journal_of(folder / "journals" / name, at=at)

    def test_the_newest_one_is_looked_at(self, tmp_path: Path) -> None:
        self.journal(tmp_path, "B-101-20260104T100000-000000Z.journal").write_bytes(b"older, and of no interest")
        path = self.journal(tmp_path)
        code, findings = examined(configured(tmp_path))
        assert code == 0
        assert about(findings, "journal")[0]["what"] == f"{path}: {len(entries_of(path))} entries, intact"

    def test_none_yet(self, tmp_path: Path) -> None:
        code, findings = examined(configured(tmp_path))
        assert code == 0
        assert "none of table B-101 yet" in about(findings, "journal")[0]["what"]
        assert any("is made at the first start" in finding["what"] for finding in about(findings, "disk"))
        assert not (tmp_path / "journals").exists()

    def test_a_broken_one_ends_with_4(self, tmp_path: Path) -> None:
        path = self.journal(tmp_path)
        path.write_bytes(path.read_bytes().replace(b'"net":-10000', b'"net":+10000'))
        code, findings = examined(configured(tmp_path))
        [found] = about(findings, "journal")
        assert (code, found["level"], found["exit_code"]) == (4, "problem", 4)
        assert "the journal is broken: entry " in found["what"]

    def test_a_missing_device_comes_before_a_broken_journal(self, tmp_path: Path) -> None:
        self.journal(tmp_path).write_bytes(b"no journal at all" * 1000)
        code, findings = examined(configured(tmp_path, str(tmp_path / "shoe")))
        assert code == 5
        assert about(findings, "journal")[0]["exit_code"] == 4

    def test_its_key_is_looked_for_without_which_the_table_does_not_start(self, tmp_path: Path) -> None:
        path = self.journal(tmp_path)
        Path(f"{path}-key-0").unlink()
        code, findings = examined(configured(tmp_path))
        [found] = about(findings, "journal")
        assert (code, found["level"], found["exit_code"]) == (4, "problem", 4)
        assert f"its key 0 is missing: there is no {path.name}-key-0" in found["what"]

    def test_one_in_use_by_another_program(self, tmp_path: Path) -> None:
        with Journal.open(self.journal(tmp_path)):
            code, findings = examined(configured(tmp_path))
        [found] = about(findings, "journal")
        assert (code, found["level"]) == (0, "warning")
        assert f"in use by process {os.getpid()}" in found["what"]

    def test_a_clock_behind_the_journal(self, tmp_path: Path) -> None:
        self.journal(tmp_path, at="2099-01-05T10:00:00.000000Z")
        code, findings = examined(configured(tmp_path))
        assert code == 1
        [found] = [finding for finding in about(findings, "clock") if finding["level"] == "problem"]
        assert "the journal's last entry is of 2099-01-05T10:00:00.000000Z" in found["what"]

    def test_a_chain_that_holds_is_all_that_is_asked(self, tmp_path: Path) -> None:
        path = self.journal(tmp_path)
        seq = next(entry.number for entry in entries_of(path) if b'"settled"' in entry.data)
        forge(path, seq, b'"net":-10000', b'"net":10000')
        assert examined(configured(tmp_path))[0] == 0  # `cardshoe verify` replays, and finds it
        assert invoke("verify", path).exit_code == 4

    def test_a_folder_that_is_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "journals").write_text("")
        code, findings = examined(configured(tmp_path))
        assert code == 1
        assert "is not a folder" in about(findings, "disk")[0]["what"]
