"""The page's demands on a device, the check that tries each, and the wrong devices that the check catches.

``python -m tests.conformance.musts`` prints the table as a page; ``docs/protocols/tdp-musts.md`` is that page, and
``test_musts.py`` sees that it is, and that nothing is missing.
"""

import re
from pathlib import Path
from typing import Final, NamedTuple

from tests.conformance.suites import suite
from tests.conformance.wrong import wrong_devices


class Must(NamedTuple):
    """Something that the page asks of a device.

    Attributes:
        section: of the page.
        says: in its words, as they stand there.
        checks: that try it.
        unseen: what no suite can see of it, or that it is not the device's; empty: nothing.
    """

    section: str
    says: str
    checks: tuple[str, ...] = ()
    unseen: str = ""


def _read(line: str) -> Must:
    section, says, checks, unseen = (*re.split(r"\s*\|\s*", line.strip()), "", "")[:4]
    return Must(section, says, tuple(checks.split()), unseen)


MUSTS: Final = tuple(
    _read(line)
    for line in (Path(__file__).parent / "musts.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
)


def page() -> str:
    """The table as a page."""
    caught = wrong_devices()
    lines = [
        "# What TDP/1 asks of a device, and who sees to it",
        "",
        "Written by `python -m tests.conformance.musts` from `tests/conformance/musts.txt`: do not edit. A test sees",
        "that every MUST and every numbered rule of [the page](tdp.md), and every check of the",
        "[suite](../conformance.md), stands here, and that each check is failed by a device that is wrong on purpose.",
        "*Not seen* names what no check can see, or what is not the device's.",
        "",
        "| section | the page says | check | wrong devices that it catches | not seen |",
        "|---|---|---|---|---|",
    ]
    for must in MUSTS:
        says = must.says.replace("|", "\\|").removeprefix("- ")
        checks = "<br>".join(f"`{check}`" for check in must.checks)
        wrong = "; ".join(sorted({what for check in must.checks for what in caught.get(check, ())}))
        lines.append(f"| {must.section} | {says} | {checks or '–'} | {wrong or '–'} | {must.unseen} |")
    return "\n".join(lines) + "\n"


def names() -> set[str]:
    """The checks of the suite."""
    return {check.name for check in suite("tdp").checks}


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201  that is what it is for
