"""Install cardshoe on a table computer, or into a package's root.

Standard library only: it runs on table computers.
"""

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.environment import ROOT, NotMade, build_wheel, builders, make_build

CACHE = ROOT / ".cache" / "install"
SERVED = (Path("/usr"), Path("/usr/local"))
"""Prefixes with automatic service setup: systemd and udev look there."""
UNIT = Path("lib/systemd/system/cardshoe@.service")
UNITS = (UNIT, UNIT.with_name("cardshoe-display@.service"), UNIT.with_name("cardshoe-uplink@.service"))
RULES = Path("lib/udev/rules.d/70-cardshoe.rules")
BUILDS = Path("lib/cardshoe")
COMPLETIONS = {
    "bash": Path("share/bash-completion/completions/cardshoe"),
    "zsh": Path("share/zsh/vendor-completions/_cardshoe"),
    "fish": Path("share/fish/vendor_completions.d/cardshoe.fish"),
}
COMPLETE = """\
import json, sys
from click.shell_completion import get_completion_class as shell
from cardshoe.cli import main
print(json.dumps({name: shell(name)(main, {}, "cardshoe", "_CARDSHOE_COMPLETE").source() for name in sys.argv[1:]}))
"""
MANUAL = Path("share/man/man1")
DOCUMENTS = Path("share/doc/cardshoe")
SETTINGS = Path("etc/default/cardshoe")


def place(build: Path, root: Path, prefix: Path, settings: Path | None = None, *, service: bool = True) -> None:
    home = root / prefix.relative_to("/")
    _copy(ROOT / "packaging" / "systemd" / "builds", home / BUILDS / "builds", 0o755)
    for unit in UNITS:
        text = (ROOT / "packaging" / "systemd" / unit.name).read_text()
        text = text.replace("/usr/lib/cardshoe", str(prefix / BUILDS))
        if not service:
            settings = settings or home / SETTINGS
            text = text.replace(f"=-/{SETTINGS}", f"=-{prefix / SETTINGS}")
        _write(home / unit, text.encode())
    _copy(ROOT / "packaging" / "udev" / RULES.name, home / RULES)
    for name in ("CHANGELOG.md", "LICENSE"):
        _copy(ROOT / name, home / DOCUMENTS / name)
    _copy(ROOT / "docs" / "table.toml", home / DOCUMENTS / "examples" / "table.toml")
    for shell, text in _completions(build).items():
        _write(home / COMPLETIONS[shell], text.encode())
    with tempfile.TemporaryDirectory(prefix="cardshoe-man-") as folder:
        for page in _manual(build, Path(folder)):
            _write(home / MANUAL / f"{page.name}.gz", gzip.compress(page.read_bytes(), mtime=0))
    if not (settings := settings or root / SETTINGS).exists():  # what somebody has changed stays
        _copy(ROOT / "packaging" / "systemd" / "cardshoe.default", settings)
    command = home / "bin" / "cardshoe"
    command.parent.mkdir(parents=True, exist_ok=True)
    command.unlink(missing_ok=True)
    command.symlink_to(Path("..") / BUILDS / "current" / "bin" / "cardshoe")


def placed(home: Path) -> Iterator[Path]:
    names = [BUILDS / "builds", *UNITS, RULES, DOCUMENTS, *COMPLETIONS.values(), Path("bin/cardshoe")]
    yield from (path for name in names if os.path.lexists(path := home / name))
    yield from home.glob(f"{MANUAL}/cardshoe*.1.gz")


def install(prefix: Path, root: Path, *, service: bool) -> None:
    """Install; after an error the earlier installation is unchanged."""
    python, pip = builders(CACHE / "venv")
    wheel = build_wheel(python, ROOT, CACHE / "dist")
    builds = prefix / BUILDS
    build = make_build(root / builds.relative_to("/"), wheel, pip, Path(sys.executable), builds)
    place(build, root, prefix, service=service or root != Path("/"))
    if root == Path("/"):
        _builds(builds, "take", build.name)
        if service:
            _builds(builds, "service")
    else:
        (build.parent / "current").unlink(missing_ok=True)
        (build.parent / "current").symlink_to(build.name)
    print(f"installed: {prefix}/bin/cardshoe, build {build.name}")


def uninstall(prefix: Path, root: Path) -> None:
    """Remove the installation; settings, journals and keys stay.

    Raises:
        NotMade: a table is running.
    """
    home = root / prefix.relative_to("/")
    if (home / BUILDS / "builds").exists():
        _builds(home / BUILDS, "leave")
    (home / SETTINGS).unlink(missing_ok=True)
    for path in list(placed(home)):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    if (home / BUILDS).is_dir():
        shutil.rmtree(home / BUILDS)
    if root == Path("/") and prefix in SERVED and Path("/run/systemd/system").is_dir():
        subprocess.run(["systemctl", "daemon-reload"], check=False)
    print(f"removed from {home}. Journals, keys and settings stay: /var/lib/cardshoe, /etc/cardshoe, /{SETTINGS}")


def _builds(folder: Path, *words: str) -> None:
    if subprocess.run([str(folder / "builds"), *words], check=False).returncode != 0:
        raise NotMade(f"not done: {words[0]}")


def _completions(build: Path) -> dict[str, str]:
    program = [str(build / "bin" / "python"), "-c", COMPLETE, *COMPLETIONS]
    said = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    found: dict[str, str] = json.loads(said)
    return found


def _manual(build: Path, into: Path) -> Iterator[Path]:
    if (ROOT / "tools" / "man.py").exists():
        subprocess.run([str(build / "bin" / "python"), "-m", "tools.man", str(into)], cwd=ROOT, check=True)
        yield from sorted(into.glob("*.1"))


def _copy(source: Path, target: Path, mode: int = 0o644) -> None:
    _write(target, source.read_bytes(), mode)


def _write(target: Path, data: bytes, mode: int = 0o644) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    target.chmod(mode)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="tools.install", description="Install cardshoe, or remove it.")
    parser.add_argument("what", choices=["install", "uninstall"])
    parser.add_argument("--prefix", type=Path, default=Path("/usr/local"), help="where everything lies but the data")
    parser.add_argument("--destdir", type=Path, help="another root: nothing of this computer is touched")
    parser.add_argument(
        "--service",
        action="store_true",
        help="make the service's user and folders as well; below /usr and /usr/local that needs not be asked for",
    )
    given = parser.parse_args(arguments)
    root = Path("/") if given.destdir is None else given.destdir.absolute()
    os.umask(0o022)
    try:
        if given.what == "install":
            install(given.prefix, root, service=given.service or given.prefix in SERVED)
        else:
            uninstall(given.prefix, root)
    except (NotMade, OSError) as error:
        sys.stderr.write(f"{given.what}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
