"""The pages are normative, so what they show is checked."""

import re
from pathlib import Path
from typing import get_args

from sim.firmware.image_check import ImageRefusal
from sim.firmware.images import ImageGroupError
from sim.firmware.lines import LineReader
from tests.vectors.mcuboot import golden

PAGES = Path(__file__).parents[3] / "docs/protocols"
MCUBOOT = (PAGES / "mcuboot.md").read_text(encoding="utf-8")
SMP = (PAGES / "smp.md").read_text(encoding="utf-8")


def test_the_example_is_the_golden_image() -> None:
    rows = re.findall(r"^\| [a-z ]+ \| `([0-9A-F ]+)` \|$", MCUBOOT.split("## 6. Example")[1], re.MULTILINE)
    assert bytes.fromhex("".join(rows)) == golden.IMAGE


def test_every_reason_is_told_in_its_order() -> None:
    table = MCUBOOT.split("## 5.")[1].split("## 6.")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(get_args(ImageRefusal))


def test_every_error_of_the_image_group_is_told() -> None:
    table = SMP.split("**Erase**")[1].split("## 7.")[0]
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)] == [
        int(code) for code in ImageGroupError
    ]


def test_the_line_is_the_packet() -> None:
    (line,) = re.findall(r"`(06 09 41[0-9A-F ]+)`", SMP)
    assert LineReader().feed(bytes.fromhex(line)) == [b"123456789"]
