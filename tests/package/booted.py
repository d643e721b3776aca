"""The service under a running systemd: that of a bare Debian, in namespaces of its own."""

import contextlib
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.package.bare_root import BareRoot

BOOT: Final = Path(__file__).with_name("boot.sh")
UNIT: Final = "cardshoe@B-101"
PATIENCE_S: Final = 60


class Booted:
    """A Debian that runs."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process: Final = process

    def does(self, script: str, patience_s: int = PATIENCE_S) -> str:
        """Run a shell script in it and return its output; it must succeed."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        assert children, "its systemd does not run"
        command = [
            "nsenter",
            "--target",
            children[0],
            "--all",
            "--root",
            "--wd",
            "timeout",
            str(patience_s),
            "sh",
            "-euc",
        ]
        done = subprocess.run([*command, script], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{script}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        """Writes a file."""
        self.does(f"cat >{path} <<'END'\n{text}\nEND")

    def shows(self, name: str) -> str:
        """The value of a property of the service, by systemd."""
        return self.does(f"systemctl show --property {name} --value {UNIT}")

    def wait_for(self, condition: str) -> None:
        """Waits until a command succeeds."""
        self.does(f"until {condition}; do sleep 0.5; done")


@contextlib.contextmanager
def booted(root: BareRoot) -> Iterator[Booted | None]:
    """A bare Debian that runs until the end of the block; ``None``: it cannot be started here."""
    command = ["unshare", "--mount", "sh", str(BOOT), str(root.folder)]
    with subprocess.Popen([*command, "start"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        if process.stdout.readline() != b"begins\n":
            yield None
            return
        try:
            machine = Booted(process)
            machine.wait_for("systemctl list-units --state=active multi-user.target | grep -q multi-user")
            yield machine
        finally:
            process.send_signal(signal.SIGKILL)  # and with it all that runs there
    subprocess.run([*command, "clean"], check=True)


def check_service(machine: Booted, old: str, new: str, config: str) -> Iterator[str]:
    """Runs a table as a service: with its hardening, its watchdog, and a newer build.

    Yields:
        What was seen.
    """
    machine.does(f"dpkg --install {old}")
    machine.write("/etc/cardshoe/B-101.toml", config)
    machine.does(f"systemctl start {UNIT}")
    assert machine.shows("StatusText") == "no shoe game runs; next: shuffle"
    assert machine.does("stat -c '%U %a' /var/lib/cardshoe/B-101") == "cardshoe 750"
    yield "systemd starts the service, hardened as it is, and is told where the table stands"
    machine.does(f"dpkg --install {new}")
    machine.wait_for(f"systemctl status {UNIT} | grep -q lib/cardshoe/0.2.0")
    machine.wait_for(f"systemctl is-active {UNIT}")
    yield "a newer build is installed between two shoe games: systemd starts it"
    machine.does(f"mkdir -p /run/systemd/system/{UNIT}.service.d")
    machine.write(f"/run/systemd/system/{UNIT}.service.d/watchdog.conf", "[Service]\nWatchdogSec=3")
    machine.does(f"systemctl daemon-reload; systemctl restart {UNIT}")
    process = machine.shows("MainPID")
    machine.does("sleep 7")  # the watchdog's own time, twice
    assert machine.shows("MainPID") == process
    machine.does(f"kill -STOP {process}")
    machine.wait_for(f"test $(systemctl show --property NRestarts --value {UNIT}) -gt 0")
    machine.wait_for(f"systemctl is-active {UNIT}")
    assert machine.shows("MainPID") not in ("0", process)
    yield "the watchdog leaves a table alone that lives, and starts one again that hangs"
    machine.does(f"systemctl stop {UNIT}")
    assert machine.shows("Result") == "success"
    yield "stopped, it ends in order"
