"""Attack: somebody else on the table's computer reads a key or a passphrase, or puts another in its place."""

import fcntl
import json
import os
import pty
import resource
import shlex
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from cardshoe.journal.file.keyring import Keyring
from cardshoe.process.clock import wall_time
from cardshoe.table.log.sealing_keys import CREDENTIAL, FILE_NAME, make_keys, read_keys
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.setup.config import load
from cardshoe.table.setup.secrets_at_start import check_secrets, secrets_of
from firmware_bridge.trust import keys
from firmware_bridge.trust.errors import KeyRefused
from firmware_bridge.trust.exposure import exposure
from tests.cardshoe.cli.support import PATIENCE_S, invoke
from tests.firmware_bridge.admission.sites import TodaysSite, made_site, site
from tests.firmware_bridge.trust.houses import PASSPHRASE
from tests.kit.command import assert_message
from tests.kit.forked import CARDSHOE
from tests.kit.judged_table import configured
from tests.kit.running_table import RunningTable, journal_of, write_config

__all__ = ["made_site", "site"]

WITNESS: Final = """
witness = "https://127.0.0.1:9"
witness_tls = {{ certificate = "{files}/table-7.pem", key = "{folder}/witness.key", authority = "{files}/table-7.pem" }}
"""
SECRETS: Final = ("signing", "sealing", "witness", "device", "authority")


@pytest.fixture
def config(site: TodaysSite, tmp_path: Path) -> Path:
    """A table with every kind of secret."""
    path = configured(tmp_path, site, device=tmp_path / "shoe")
    witness = WITNESS.format(files=site.files, folder=tmp_path / "tls")
    path.write_text(path.read_text().replace("[options]", f"{witness}[options]"))
    (tmp_path / "tls").mkdir(mode=0o700)
    (tmp_path / "tls" / "witness.key").write_bytes((site.files / "table-7.key").read_bytes())
    (tmp_path / "tls" / "witness.key").chmod(0o600)
    chosen = load(path, wall_time())
    open_log(chosen.journal_dir, chosen.table, wall_time(), lambda _: None).journal.close()
    return path


def secret(config: Path, site: TodaysSite, name: str) -> Path:
    folder = config.parent
    return {
        "signing": Keyring(journal_of(folder)).path(0),
        "sealing": folder / "journals" / FILE_NAME,
        "witness": folder / "tls" / "witness.key",
        "device": site.files / "table-7.key",
        "authority": site.folder / "authority.key",
    }[name]


def test_the_secrets_of_a_table_are_these(config: Path, site: TodaysSite) -> None:
    assert {path for path in secrets_of(load(config, wall_time())) if path.exists()} == {
        secret(config, site, name) for name in SECRETS
    }
    check_secrets(load(config, wall_time()))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_that_others_can_read_starts_no_table(config: Path, site: TodaysSite, name: str, mode: int) -> None:
    path = secret(config, site, name)
    path.chmod(mode)
    refused = invoke("run", config)
    command = f"chmod 600 {path}"
    assert_message(
        refused.exit_code, refused.stderr, 2, f"{path}: others may read or change it (mode {mode:04o})", command
    )
    found = json.loads(invoke("doctor", "--json", config).stdout)["findings"]
    assert [one["about"] for one in found if command in one["remedy"]] == ["secret"]
    subprocess.run(shlex.split(command), check=True)
    check_secrets(load(config, wall_time()))


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_that_others_can_exchange_starts_no_table(
    config: Path, site: TodaysSite, name: str, mode: int
) -> None:
    folder = secret(config, site, name).parent
    folder.chmod(mode)
    refused = invoke("run", config)
    command = f"chmod go-w {folder}"
    assert_message(refused.exit_code, refused.stderr, 2, f"they can write to the folder {folder}", command)
    subprocess.run(shlex.split(command), check=True)
    check_secrets(load(config, wall_time()))


def test_a_folder_further_up_that_others_can_write_is_one_too(config: Path) -> None:
    """They would rename the whole folder of the journals; in a folder like /tmp they cannot."""
    config.parent.chmod(0o777)
    assert f"chmod go-w {config.parent}" in invoke("run", config).stderr
    config.parent.chmod(0o1777)
    check_secrets(load(config, wall_time()))


def test_an_update_and_a_witness_do_not_start_either(config: Path, site: TodaysSite, tmp_path: Path) -> None:
    key = site.files / "table-7.key"
    key.chmod(0o644)
    update = invoke("update", "status", config, "shoe")
    assert_message(update.exit_code, update.stderr, 2, f"chmod 600 {key}")
    files = ("--tls-cert", site.files / "table-7.pem", "--tls-key", key, "--client-ca", site.folder / "authority.pem")
    served = invoke("witness", "serve", "--state", tmp_path / "witness", *files)
    assert_message(served.exit_code, served.stderr, 2, f"chmod 600 {key}")


def test_a_passphrase_and_a_person_s_key_are_looked_at_as_they_are_used(tmp_path: Path) -> None:
    keys.make_key(tmp_path / "anna.key", "anna", PASSPHRASE, cost=keys.COST_MIN)
    (tmp_path / "anna.key").chmod(0o640)
    with pytest.raises(KeyRefused, match=rf"chmod 600 {tmp_path}/anna\.key"):
        keys.load_key(tmp_path / "anna.key", PASSPHRASE)
    (tmp_path / "passphrase").touch(0o600)
    tmp_path.chmod(0o770)
    with pytest.raises(KeyRefused, match=rf"^file_open_to_others: .*chmod go-w {tmp_path}$"):
        keys.passphrase_in(tmp_path / "passphrase")
    tmp_path.chmod(0o700)


def test_a_credential_of_the_service_manager_is_its_business(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Systemd hands it over readable by an access list, which looks like a mode for a group."""
    folder = tmp_path / "credentials"
    made = make_keys(folder / CREDENTIAL)
    (folder / CREDENTIAL).chmod(0o440)
    assert exposure(folder / CREDENTIAL) is not None
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(folder))
    assert exposure(folder / CREDENTIAL) is None
    assert read_keys(folder / CREDENTIAL).ids == made.ids
    (tmp_path / "another").touch()
    (tmp_path / "another").chmod(0o440)
    assert exposure(tmp_path / "another") is not None


def test_what_cardshoe_makes_nobody_else_can_reach_whatever_the_umask(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    words = tmp_path / "passphrase"
    words.write_text(PASSPHRASE)
    words.chmod(0o600)

    def trust(*arguments: str | Path) -> None:
        subprocess.run([CARDSHOE, "trust", *arguments], umask=0, check=True, capture_output=True, timeout=PATIENCE_S)

    for name in ("anna", "bruno"):
        trust("key", tmp_path / f"{name}.key", "--name", name, "--passphrase-file", words)
    people = [f"--person={name}={tmp_path / name}.pub" for name in ("anna", "bruno")]
    trust("init", tmp_path / "site", "--name", "Casino", *people, "--authority-passphrase-file", words)
    trust("host", "table-7", "--out", tmp_path, "--site", tmp_path / "site", "--authority-passphrase-file", words)

    before = os.umask(0)
    try:
        with RunningTable(config) as table:
            table.prompt()
            table.say("quit")
            table.rest()
            assert table.end() == 0
    finally:
        os.umask(before)
    assert (
        stat.S_IMODE((tmp_path / "journals").stat().st_mode)
        == stat.S_IMODE((tmp_path / "site").stat().st_mode)
        == 0o700
    )
    made = [*secrets_of(load(config, wall_time())), *tmp_path.rglob("*.key")]
    assert len([path for path in made if path.exists()]) >= 5
    assert [found for path in made if (found := exposure(path)) is not None] == []


def test_a_table_leaves_no_core(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (before[1], before[1]))
    try:
        running = RunningTable(write_config(tmp_path, None), forks=False)
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, before)
    with running as table:
        table.prompt()
        limits = Path(f"/proc/{table.process.pid}/limits").read_text().splitlines()
        (core,) = (line.split() for line in limits if line.startswith("Max core file size"))
        assert core[4:6] == ["0", "0"]
        table.send(signal.SIGABRT)
        ended = os.waitid(os.P_PID, table.process.pid, os.WEXITED | os.WNOWAIT)
        assert ended is not None
        assert (ended.si_code, ended.si_status) == (os.CLD_KILLED, signal.SIGABRT), "killed, and not dumped"


def test_nobody_else_reads_the_memory_of_a_process_that_forbids_dumps() -> None:
    """``PR_GET_DUMPABLE`` 0: the kernel lets no other process of this user trace it, and pipes no core of it."""
    program = (
        "import ctypes; from cardshoe.table.setup.core_dumps import forbid_dumps; c = ctypes.CDLL(None);"
        "print(c.prctl(3, 0, 0, 0, 0)); forbid_dumps(); print(c.prctl(3, 0, 0, 0, 0))"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    assert said.stdout.split() == ["1", "0"]


def test_who_has_a_port_is_known_though_nobody_sees_into_the_process() -> None:
    """A table's open files are hidden with its memory; its lock on the port tells its user who must not be killed."""
    program = (
        "import os, sys; from drivers.port_holders import holders;"
        "os.getuid() or os.setuid(65534); print(*(one.pid for one in holders(sys.argv[1])))"
    )
    own, far = pty.openpty()
    try:
        fcntl.flock(far, fcntl.LOCK_EX)
        said = subprocess.run(
            [sys.executable, "-c", program, os.ttyname(far)],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE_S,
        )
    finally:
        os.close(own)
        os.close(far)
    assert said.stdout.split() == [str(os.getpid())]


def test_a_key_file_is_stretched_as_owasp_asks_for_and_an_older_one_still_opens(tmp_path: Path) -> None:
    """N 2^17, r 8, p 1 (OWASP Password Storage Cheat Sheet, scrypt); before it was N 2^15."""
    words = tmp_path / "passphrase"
    words.write_text(PASSPHRASE)
    words.chmod(0o600)
    made = invoke("trust", "key", tmp_path / "anna.key", "--name", "anna", "--passphrase-file", words)
    assert made.exit_code == 0, made.stderr
    assert json.loads((tmp_path / "anna.key").read_text())["n"] == 131072
    keys.make_key(tmp_path / "old.key", "old", PASSPHRASE, cost=32768)
    assert keys.load_key(tmp_path / "old.key", PASSPHRASE).name == "old"
    weak = (tmp_path / "old.key").read_text().replace("32768", "16384")
    (tmp_path / "old.key").write_text(weak)
    with pytest.raises(KeyRefused, match=r"^file_damaged: "):
        keys.load_key(tmp_path / "old.key", PASSPHRASE)
