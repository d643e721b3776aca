"""The places where `make deb` and `make install` put things, seen on a build that holds our source and little else.

The whole, with all that the lock names and on a bare Debian, is `make package-test`.
"""

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from regulations.law.edition import RULES_VERSION
from tests.cardshoe.table.service.support import make_build
from tools import deb, install
from tools.environment import BUILDERS, ROOT, part_of_lock
from tools.install import BUILDS

NAME: Final = "0.1.0-aaaaaaaa"
UNIT: Final = "usr/lib/systemd/system/cardshoe@.service"

needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed: no Debian")
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package, made by what makes the real one."""
    folder = tmp_path_factory.mktemp("package")
    root = folder / "root"
    build = make_build(root / "usr" / BUILDS / deb.PACKAGED, NAME)
    for path in (root, *root.rglob("*")):
        if path.is_dir():
            path.chmod(0o755)
    return deb.pack(build, root, folder, Path("/usr/bin/python3.11"))


def said(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@needs_dpkg
class TestPackage:
    def test_what_it_says_of_itself(self, package: Path) -> None:
        control = said("dpkg-deb", "--info", package)
        assert "Package: cardshoe\n" in control
        assert "Version: 0.1.0-1\n" in control
        assert "Depends: python3.11, libc6, passwd\n" in control
        assert "@" not in control.replace("cardshoe@localhost", "")
        assert said("dpkg-deb", "--info", package, "conffiles") == "/etc/default/cardshoe\n"
        assert f"builds take {NAME}\n" in said("dpkg-deb", "--info", package, "postinst").replace("./", "")
        assert "builds check 0.1.0\n" in said("dpkg-deb", "--info", package, "preinst")

    def test_no_script_of_it_ends_or_starts_a_table_or_touches_a_journal(self, package: Path) -> None:
        for script in deb.SCRIPTS:
            text = said("dpkg-deb", "--info", package, script)
            subprocess.run(["sh", "-n"], input=text.encode(), check=True)
            assert not re.search(r"systemctl (?!daemon-reload)|deb-systemd|kill|userdel|deluser", text)
            assert not re.search(r"rm -rf? .*(/var|/etc)", text)

    def test_everything_has_its_place_its_mode_and_root_for_owner(self, package: Path) -> None:
        lines = said("dpkg-deb", "--contents", package).splitlines()
        found = {line.split()[5].removeprefix("./"): line.split()[:2] for line in lines}
        assert {owner for _, owner in found.values()} == {"root/root"}
        assert not [name for name, (mode, _) in found.items() if mode[0] != "l" and (mode[5] == "w" or mode[8] == "w")]
        assert not [name for name, (mode, _) in found.items() if "s" in mode[1:]]
        programs = {"usr/lib/cardshoe/builds", f"usr/lib/cardshoe/packaged/{NAME}/bin/cardshoe"}
        assert {name for name, (mode, _) in found.items() if mode == "-rwxr-xr-x"} == programs
        assert {
            UNIT,
            "etc/default/cardshoe",
            "usr/bin/cardshoe",
            "usr/lib/udev/rules.d/70-cardshoe.rules",
            "usr/share/bash-completion/completions/cardshoe",
            "usr/share/fish/vendor_completions.d/cardshoe.fish",
            "usr/share/zsh/vendor-completions/_cardshoe",
            "usr/share/doc/cardshoe/examples/table.toml",
        } <= found.keys()
        assert not [name for name in found if name.startswith(("var", "etc/cardshoe"))]


def place(prefix: Path) -> Path:
    """Leave what `make install` leaves, below a prefix of its own, with a build that runs here."""
    build = make_build(prefix / BUILDS, NAME)
    (prefix / BUILDS / "current").symlink_to(NAME)
    install.place(build, Path("/"), prefix, prefix.with_name("default"))
    return prefix


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return place(tmp_path_factory.mktemp("placed") / "local")


@needs_systemd
@pytest.mark.parametrize("name", install.UNITS, ids=lambda name: name.name)
def test_systemd_finds_nothing_wrong_with_the_services_and_keeps_them_in(name: Path, placed: Path) -> None:
    unit = placed / name
    found = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
    at_most = 20 if name == install.UNIT else 18
    # 2.0 of 10, and 1.6; without a word of hardening it is 9.6.
    options = ["--offline=true", f"--threshold={at_most}", "--no-pager"]
    judged = subprocess.run(
        ["systemd-analyze", "security", *options, unit], capture_output=True, text=True, check=False
    )
    assert judged.returncode == 0, judged.stdout[-200:]


def test_each_service_has_an_account_of_its_own_and_reaches_what_it_needs(placed: Path) -> None:
    """The pages are no member of the group of the journals, and the uplink of no group with devices."""
    program = f"ExecStart={placed}/lib/cardshoe/current/bin/cardshoe"
    wanted = {
        "cardshoe@.service": [
            f"{program} run $CARDSHOE_OPTIONS /etc/cardshoe/%i.toml",
            *("Type=notify", "WatchdogSec=60s", "RestartForceExitStatus=6", "RestartPreventExitStatus=1 2 4"),
            *("User=cardshoe", "Group=cardshoe", "SupplementaryGroups=dialout plugdev cardshoe-live"),
            *("StateDirectoryMode=0750", "ReadWritePaths=-/run/cardshoe/%i", "UMask=0077"),
            "ExecStartPre=+install -d -m 2750 -o cardshoe -g cardshoe-live /run/cardshoe/%i",
        ],
        "cardshoe-display@.service": [
            f"{program} display /etc/cardshoe/%i.toml",
            *("User=cardshoe-display", "Group=cardshoe-display", "SupplementaryGroups=cardshoe-live"),
            *("InaccessiblePaths=-/var/lib/cardshoe -/var/lib/cardshoe-uplink", "PrivateDevices=yes"),
        ],
        "cardshoe-uplink@.service": [
            f"{program} uplink /etc/cardshoe/%i.toml",
            *("User=cardshoe-uplink", "Group=cardshoe", "SupplementaryGroups=cardshoe-live", "PrivateDevices=yes"),
            *("StateDirectory=cardshoe-uplink/%i", "StateDirectoryMode=0750"),
        ],
    }
    for unit in install.UNITS:
        lines = (placed / unit).read_text().splitlines()
        assert [line for line in wanted.pop(unit.name) if line not in lines] == []
        accounts = ("User=", "Group=", "SupplementaryGroups=", "ExecStart=")
        assert len([line for line in lines if line.startswith(accounts)]) == len(accounts), "each once"
    assert not wanted


def test_it_runs_from_where_it_was_placed_and_goes_again(tmp_path: Path) -> None:
    placed = place(tmp_path / "local")
    assert said(placed / "bin" / "cardshoe", "--version").startswith("cardshoe")
    assert stat.S_IMODE((placed / "lib/cardshoe/builds").stat().st_mode) == 0o755
    data = tmp_path / "default"
    data.write_text("CARDSHOE_OPTIONS=--json\n")
    install.place(placed / BUILDS / NAME, Path("/"), placed, data)
    assert data.read_text() == "CARDSHOE_OPTIONS=--json\n", "what somebody has changed stays"
    install.uninstall(placed, Path("/"))
    assert [path for path in placed.rglob("*") if not path.is_dir() or path.is_symlink()] == []
    assert data.exists()


def test_below_another_prefix_nothing_is_made_outside_it(tmp_path: Path) -> None:
    """`make install PREFIX=...`: no user, no folder and no settings of the service, unless it is asked for."""
    prefix, outside = tmp_path / "prefix", tmp_path / "outside"
    build = make_build(prefix / BUILDS, NAME)
    install.place(build, Path("/"), prefix, service=False)
    script = prefix / BUILDS / "builds"
    folders = {"data=/var/lib/cardshoe": f"data={outside}/data", "settings=/etc/cardshoe": f"settings={outside}/etc"}
    for before, after in folders.items():
        script.write_text(script.read_text().replace(before, after))
    said(script, "take", NAME)
    assert (prefix / BUILDS / "current").readlink() == Path(NAME)
    assert not outside.exists()
    assert (prefix / "etc/default/cardshoe").is_file()
    assert f"EnvironmentFile=-{prefix}/etc/default/cardshoe\n" in (prefix / install.UNIT).read_text()
    install.uninstall(prefix, Path("/"))
    assert [path for path in prefix.rglob("*") if not path.is_dir() or path.is_symlink()] == []


class TestBuilds:
    """The shell script by which builds are taken, with data of its own."""

    @pytest.fixture
    def script(self, placed: Path, tmp_path: Path) -> Path:
        shutil.copytree(placed / BUILDS, tmp_path / "cardshoe", symlinks=True)
        script = tmp_path / "cardshoe" / "builds"
        folders = {"data=/var/lib/cardshoe": f"data={tmp_path}/data", "settings=/etc/cardshoe": f"settings={tmp_path}"}
        text = script.read_text()
        for before, after in folders.items():
            assert before in text
            text = text.replace(before, after)
        script.write_text(text)
        return script

    def refusal(self, *command: str | Path) -> str:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        return done.stderr

    def test_an_older_version_is_refused_while_a_newer_one_has_an_open_log(self, script: Path, tmp_path: Path) -> None:
        (tmp_path / "data" / "B 101").mkdir(parents=True)
        (tmp_path / "data" / "B 101" / ".B_101.build").write_text("0.10.0-cccccccc\n")
        for version in ("0.10.0", "0.10.1", "1.0.0"):
            said(script, "check", version)
        for version in ("0.9.0", "0.2.0", "0.1.0"):
            refusal = self.refusal(script, "check", version)
            assert f"the log of table B_101 is open, and 0.10.0-cccccccc has it: {version} is older" in refusal
            assert "type `closed` between two rounds" in refusal

    def test_nothing_is_removed_while_a_table_runs_from_it(self, script: Path) -> None:
        library = script.parent / NAME / "lib.so"
        shutil.copy(Path(sys.executable).resolve(), library)
        with subprocess.Popen([library, "-c", "input()"], stdin=subprocess.PIPE, env=os.environ) as running:
            refusal = self.refusal(script, "leave")
            assert f"a table is at work: process {running.pid}" in refusal
            assert (script.parent / NAME / "build.json").exists()
            running.communicate(b"\n")
        said(script, "leave")
        assert [path.name for path in script.parent.iterdir()] == ["builds"]


def test_what_builds_the_wheel_is_locked_and_complete() -> None:
    lock = (ROOT / "requirements" / "dev.lock").read_text()
    part = part_of_lock(lock, BUILDERS)
    assert re.findall(r"^[\w-]+(?===)", part, flags=re.MULTILINE) == sorted(BUILDERS)
    assert part.count("--hash=sha256:") >= len(BUILDERS)
    assert all(line in lock for line in part.splitlines())


def test_a_build_says_which_rules_it_has(placed: Path) -> None:
    assert f'"rules": {RULES_VERSION}' in (placed / BUILDS / NAME / "build.json").read_text()
