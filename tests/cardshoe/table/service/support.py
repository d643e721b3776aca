"""A service manager's socket, and builds of this source that lie side by side as installed ones do."""

import json
import select
import socket
import sys
import sysconfig
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from cardshoe.table.service.builds import ABOUT, CURRENT
from regulations.law.edition import RULES_VERSION
from tests.kit.command import PATIENCE_S


class Listener:
    """The datagram socket on which a service manager listens."""

    def __init__(self, address: str) -> None:
        self.address: Final = address
        self._socket: Final = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        self._socket.settimeout(PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def words(self) -> list[str]:
        """The words of the next datagram."""
        return self._socket.recv(4_096).decode().split("\n")

    def until(self, word: str) -> list[str]:
        """Every word up to the first such one."""
        heard = self.words()
        while word not in heard:
            heard += self.words()
        return heard

    def waiting(self) -> list[str]:
        """The words that were sent and not heard yet; waits for nothing."""
        heard: list[str] = []
        while select.select([self._socket], [], [], 0)[0]:
            heard += self.words()
        return heard


def make_build(folder: Path, name: str, rules: int = RULES_VERSION) -> Path:
    """An installed build, as ``make install`` leaves one behind: an environment of its own, with this source in it."""
    build = folder / name
    site = build / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    site.mkdir(parents=True)
    (site / "here.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    (build / "bin").mkdir()
    base = Path(sys.base_prefix) / "bin"
    (build / "bin" / "python").symlink_to(base / f"python{sys.version_info.major}.{sys.version_info.minor}")
    (build / "pyvenv.cfg").write_text(f"home = {base}\ninclude-system-site-packages = false\n")
    command = build / "bin" / "cardshoe"
    command.write_text(f"#!{build}/bin/python\nimport sys\nfrom cardshoe.cli import main\nsys.exit(main())\n")
    command.chmod(0o755)
    (build / ABOUT).write_text(json.dumps({"name": name, "version": "0.0.0", "rules": rules}))
    return build


def make_current(folder: Path, name: str) -> None:
    """Moves the link to the newest build, as an installation does."""
    passing = folder / ".passing"
    passing.symlink_to(name)
    passing.replace(folder / CURRENT)
