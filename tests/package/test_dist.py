"""The files handed out are the same wherever and whenever they are built, and name no machine and no registry."""

import hashlib
import json
import os
import re
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools import dist
from tools.check_lock import read_lock
from tools.environment import ROOT

WHEN: Final = 1_790_000_000


def everything_in(file: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents of what is in an archive."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as wheel:
            yield from ((name, wheel.read(name)) for name in wheel.namelist())
    else:
        with tarfile.open(file) as archive:
            for member in archive:
                if (content := archive.extractfile(member)) is not None:
                    yield member.name, content.read()


def test_two_builds_in_different_folders_at_different_times_are_the_same(tmp_path: Path) -> None:
    first, second = tmp_path / "here", tmp_path / "there" / "a longer name"
    dist.export(first)
    shutil.copytree(first, second)
    for path in second.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    before = os.umask(0o077)
    try:
        made = [dist.build(first, tmp_path / "1", WHEN), dist.build(second, tmp_path / "2", WHEN)]
    finally:
        os.umask(before)
    sums = [[hashlib.sha256(file.read_bytes()).hexdigest() for file in files] for files in made]
    assert sums[0] == sums[1]
    for file in made[0]:
        for name, content in everything_in(file):
            assert str(tmp_path).encode() not in content, name
            assert str(ROOT).encode() not in content, name
    assert dist.sums(made[0]).splitlines() == sorted(
        (f"{digest}  {file.name}" for digest, file in zip(sums[0], made[0], strict=True)), key=lambda line: line[66:]
    )


def test_the_list_of_parts_is_the_lock() -> None:
    found = dist.parts(ROOT, WHEN)
    locked = read_lock((ROOT / "requirements" / "run.lock").read_text())
    listed = {one["name"]: one for one in found["components"]}
    assert {name: one["version"] for name, one in listed.items()} == {name: one.version for name, one in locked.items()}
    assert {name: len(one["hashes"]) for name, one in listed.items()} == {
        name: one.hashes for name, one in locked.items()
    }
    assert "crcmod-plus" in listed
    assert "crcmod" not in listed
    assert found["metadata"]["component"]["name"] == "cardshoe"
    assert found["metadata"]["timestamp"] == "2026-09-21T14:13:20+00:00"
    text = json.dumps(found)
    assert set(re.findall(r"https?://[^/\"]*", text)) == {"http://cyclonedx.org"}
    assert str(ROOT) not in text
