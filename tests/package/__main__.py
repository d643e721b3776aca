"""Installs, upgrades and removes cardshoe on a bare Debian, tables at work: ``make package-test``."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from cardshoe.cli.floor.demo.postgres import programs
from cardshoe.process.exits import Exit
from tests.cardshoe.cli.support import ROUND, STACK, Line
from tests.cardshoe.table.service.support import Listener
from tests.kit.command import Command
from tests.kit.running_table import table_section
from tests.package.accounts import check_accounts
from tests.package.alone import check_alone
from tests.package.bare_root import ROOT, BareRoot, bare_root, why_not
from tests.package.booted import booted, check_service
from tests.package.kiosk import check_kiosk

SYSTEM_PYTHON: Final = "/usr/bin/python3"
SERVED: Final = ("cardshoe-display", "cardshoe-uplink")
NEWER: Final = "0.2.0"
CONFIG: Final = f"""
{table_section("B-101")}[journal]
folder = "/var/lib/cardshoe/B-101"
"""


def say(what: str) -> None:
    print(f"seen: {what}", flush=True)


class Table(Command):
    """The service's command line in the bare root, as the service's user."""

    def __init__(self, root: BareRoot, manager: Listener) -> None:
        self.root: Final = root
        options = ["--userspec=cardshoe:cardshoe", str(root.folder), "/usr/lib/cardshoe/current/bin/cardshoe"]
        environment = {"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "600000", "LC_ALL": "C.UTF-8"}
        config = "/etc/cardshoe/B-101.toml"
        super().__init__(*options, "run", "--json", config, command=Path("/usr/sbin/chroot"), environment=environment)
        manager.until("READY=1")

    @property
    def build(self) -> str:
        """The build that runs."""
        program = Path(f"/proc/{self.process.pid}/cmdline").read_bytes().split(b"\0")[0].decode()
        return program.split("/")[4]

    def play(self, *lines: Line) -> None:
        """Types, and hears each answer."""
        for line in lines:
            self.say(line)
            self.until(lambda heard: '"event":"next"' in heard)


def make_package(into: Path) -> Path:
    subprocess.run([SYSTEM_PYTHON, "-m", "tools.deb", str(into)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (package,) = into.glob("*.deb")
    return package


def with_version(package: Path, version: str, folder: Path) -> Path:
    """The same package as another version: its files, its scripts, and what its build says of itself."""
    unpacked = folder / "unpacked"
    subprocess.run(["dpkg-deb", "-R", str(package), str(unpacked)], check=True)
    (old,) = (unpacked / "usr/lib/cardshoe/packaged").iterdir()
    before, name = old.name.rpartition("-")[0], f"{version}-bbbbbbbb"
    build = old.rename(old.with_name(name))
    about = json.loads((build / "build.json").read_text())
    (build / "build.json").write_text(json.dumps({**about, "name": name, "version": version}))
    for file in (build / "bin/cardshoe", *(path for path in (unpacked / "DEBIAN").iterdir())):
        text = file.read_text().replace(old.name, name).replace(f"Version: {before}-", f"Version: {version}-")
        file.write_text(re.sub(rf"check {re.escape(before)}$", f"check {version}", text, flags=re.MULTILINE))
    command = ["dpkg-deb", "--root-owner-group", "-Zzstd", "--build", str(unpacked), str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (
        folder
        / f"cardshoe_{version}-1_{subprocess.check_output(['dpkg', '--print-architecture'], text=True).strip()}.deb"
    )


def mode_of(path: Path) -> str:
    """Owner's number, group's number and mode."""
    found = path.stat()
    return f"{found.st_uid}:{found.st_gid} {found.st_mode & 0o7777:o}"


def journals_of(root: BareRoot) -> dict[str, bytes]:
    """Every file of the table."""
    folder = root.at("/var/lib/cardshoe")
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def doctor_of(root: BareRoot, command: str) -> list[dict[str, str]]:
    """The doctor's findings there; a bare Debian has warnings, and its exit code says nothing here."""
    said = root.run(command, "doctor", "--json", user="cardshoe").stdout
    assert said.startswith("{"), said
    findings: list[dict[str, str]] = json.loads(said)["findings"]
    return findings


def check_installed(root: BareRoot) -> None:
    """Check that an installation is whole."""
    uid, gid = (int(root.does("id", option, "cardshoe")) for option in ("-u", "-g"))
    assert uid != 0
    groups = {name: set(root.does("id", "-nG", name).split()) for name in ("cardshoe", *SERVED)}
    assert groups == {
        "cardshoe": {"cardshoe", "cardshoe-live"},
        "cardshoe-display": {"cardshoe-display", "cardshoe-live"},
        "cardshoe-uplink": {"cardshoe-uplink", "cardshoe-live", "cardshoe"},
    }
    live = int(root.does("getent", "group", "cardshoe-live").split(":")[2])
    assert mode_of(root.at("/etc/cardshoe")) == f"0:{live} 750"
    assert mode_of(root.at("/var/lib/cardshoe")) == f"{uid}:{gid} 750"
    found = doctor_of(root, "cardshoe")
    wrong = [one for one in found if one["about"] in ("packages", "versions", "locale") and one["level"] != "ok"]
    assert not wrong, wrong
    verified = root.run("dpkg", "--verify", "cardshoe").stdout
    assert not verified, verified
    say("installed: users and groups of the services, modes of /etc/cardshoe and /var/lib/cardshoe")
    say("doctor and dpkg --verify find nothing")


def upgrade(root: BareRoot, old: str, new: str, manager: Listener) -> None:
    """A table at work while the newer package, and then the older one, is installed."""
    config = root.at("/etc/cardshoe/B-101.toml")
    config.write_text(CONFIG)
    root.does("install", "-d", "-m", "700", "-o", "cardshoe", "-g", "cardshoe", "/var/lib/cardshoe/B-101")
    root.at("/etc/default/cardshoe").write_text("CARDSHOE_OPTIONS=--verbose\n")
    with Table(root, manager) as table:
        table.until(lambda heard: '"do":"shuffle"' in heard)
        table.play(*STACK, *ROUND)
        began = table.build
        root.does("dpkg", "--install", new)
        table.play(*ROUND)
        assert table.build == began
        say(f"upgraded in mid-shoe: {began} plays on")
        table.kill()
    with Table(root, manager) as table:
        table.until(lambda heard: '"do":"close_bets"' in heard)
        assert table.build == began
        say(f"killed in mid-shoe, and started by the newer build: {began} continues")
        root.refuses("dpkg", "--remove", "cardshoe", because="a table is at work")
        say("not removed while a table is at work")
        table.play(*ROUND)
        table.say({"event": "shoe_ended", "reason": "house"})
        assert table.end() == Exit.NEWER_BUILD, table.errors()
    with Table(root, manager) as table:
        table.until(lambda heard: '"do":"shuffle"' in heard)
        assert table.build.startswith(NEWER)
        say(f"the shoe game over: it ended with {Exit.NEWER_BUILD}, and {table.build} takes up its log")
        root.refuses("dpkg", "--install", old, because="Close the table first")
        root.does("dpkg", "--audit")
        say("a downgrade below an open log is refused, and says to close the table")
        table.say("closed")
        assert table.end() == Exit.OK
    root.does("dpkg", "--install", old)
    root.does("dpkg", "--install", new)
    assert root.at("/etc/default/cardshoe").read_text() == "CARDSHOE_OPTIONS=--verbose\n"
    builds = sorted(path.parent.name for path in root.at("/usr/lib/cardshoe").glob("*/build.json"))
    assert builds == [root.at("/usr/lib/cardshoe/current").readlink().name, "current"]
    say("the table closed: the older one goes on, the newer one again; what nobody uses is gone, the settings stay")


def check_data(root: BareRoot) -> None:
    """The journal holds, and stays when the package goes."""
    (journal,) = root.at("/var/lib/cardshoe/B-101").glob("*.journal")
    shown = "/" + str(journal.relative_to(root.folder))
    root.does("cardshoe", "verify", shown, user="cardshoe")
    before = journals_of(root)
    for how in ("--remove", "--purge"):
        root.does("dpkg", how, "cardshoe")
        assert journals_of(root) == before
        assert root.at("/etc/cardshoe/B-101.toml").read_text() == CONFIG
    assert not root.at("/usr/lib/cardshoe").exists()
    assert not root.at("/etc/default/cardshoe").exists()
    assert not os.path.lexists(root.at("/usr/bin/cardshoe"))
    root.does("id", "cardshoe", *SERVED)
    say("removed and purged: journals, keys, configuration and their owners stay, nothing else")


def by_make(root: BareRoot) -> None:
    """`make install` and `make uninstall`, below another root."""
    make = ["make", "-C", str(ROOT), "--no-print-directory", f"DESTDIR={root.folder}", f"PYTHON={SYSTEM_PYTHON}"]
    subprocess.run([*make, "install"], check=True, stdout=subprocess.DEVNULL)
    build = root.at("/usr/local/lib/cardshoe/current").readlink().name
    root.does("/usr/local/lib/cardshoe/builds", "take", build)
    root.does("/usr/local/lib/cardshoe/builds", "service")
    found = doctor_of(root, "/usr/local/bin/cardshoe")
    assert [one for one in found if one["about"] == "packages" and one["level"] == "ok"], found
    unit = root.at("/usr/local/lib/systemd/system/cardshoe@.service").read_text()
    assert "ExecStart=/usr/local/lib/cardshoe/current/bin/cardshoe run" in unit
    (journal,) = root.at("/var/lib/cardshoe/B-101").glob("*.journal")
    root.does("/usr/local/bin/cardshoe", "verify", "/" + str(journal.relative_to(root.folder)), user="cardshoe")
    before = journals_of(root)
    subprocess.run([*make, "uninstall"], check=True, stdout=subprocess.DEVNULL)
    left = list(root.at("/usr/local").rglob("*cardshoe*"))
    assert not left, left
    assert journals_of(root) == before
    say("make install and make uninstall: it runs, reads the journal of before, and leaves the data alone")


def main(arguments: list[str]) -> int:
    """Everything, once. Exit code 0: seen, or it cannot be tried here (the reason is printed)."""
    if (reason := why_not()) is not None:
        print(f"skipped: {reason}")
        return 0
    python = Path(os.path.realpath(SYSTEM_PYTHON)).name
    with tempfile.TemporaryDirectory(prefix="cardshoe-") as name:
        folder = Path(name)
        for what in check_alone(folder / "alone"):
            say(what)
        old = Path(arguments[0]).absolute() if arguments else make_package(folder)
        new = with_version(old, NEWER, folder)
        with bare_root(python, folder / "root") as root, Listener(str(folder / "root/run/notify")) as manager:
            (folder / "root/run/notify").chmod(0o777)
            for package in (old, new):
                root.at(package.name).write_bytes(package.read_bytes())
            root.does("dpkg", "--install", f"/{old.name}")
            check_installed(root)
            upgrade(root, f"/{old.name}", f"/{new.name}", manager)
            check_data(root)
            by_make(root)
        with bare_root(python, folder / "root") as root:
            for package in (old, new):
                root.at(package.name).write_bytes(package.read_bytes())
            as_a_service(root, f"/{old.name}", f"/{new.name}", folder / "floor")
    return 0


def as_a_service(root: BareRoot, old: str, new: str, folder: Path) -> None:
    """The service under a running systemd, where one can be started."""
    with booted(root) as machine:
        if machine is None:
            print("skipped: no systemd can be started in namespaces here; the service was not run by one")
            return
        for what in check_service(machine, old, new, CONFIG):
            say(what)
        if programs() is None or shutil.which("openssl") is None:
            print("skipped: no PostgreSQL or openssl is here for a floor; display and uplink were not run as accounts")
        else:
            for what in check_accounts(machine, root, CONFIG, folder):
                say(what)
        for what in check_kiosk(machine, root, CONFIG):
            say(what)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
