"""``cardshoe doctor``: obstacles to opening a table, and their remedies."""

import io
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from cardshoe.cli.echo import echo

if TYPE_CHECKING:
    from cardshoe.cli.doctoring.findings import Finding

SCREEN_WIDTH: Final = 80
COUNTED: Final = {"problem": "with a problem", "warning": "with a warning", "ok": "in order"}


@click.command("doctor")
@click.argument("config", metavar="[TABLE.toml]", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--listen",
    "listen_s",
    type=click.FloatRange(min=0),
    default=0,
    metavar="SECONDS",
    help="Open each device and listen for this time; only while no table runs.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor_command(config: Path | None, *, listen_s: float, as_json: bool) -> None:
    """Look at ports, permissions, disk, clock, journal and installation, each with its remedy.

    Without TABLE.toml only at what does not depend on a table. Nothing is changed, and no device is opened unless
    --listen asks for it: what a device says then is lost to a table.

    Exit code: 0 if there is no problem (warnings do not count), 5 if a device cannot be had, 4 if the journal is
    broken, 1 for any other problem.
    """
    from cardshoe.cli.doctoring import checkup
    from cardshoe.cli.doctoring.findings import exit_code

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # the terminal's encoding is one of the things looked at
    if config is None:
        findings = [*checkup.machine(), *checkup.ports()]
    else:
        from cardshoe.process.clock import wall_time
        from cardshoe.table.setup.config import load

        findings = [*checkup.table(load(config, wall_time()), listen_s), *checkup.machine()]
    code = exit_code(findings)
    if as_json:
        echo(msgspec.json.encode({"findings": findings, "exit_code": code}))
    else:
        for line in report(findings):
            echo(line)
        if config is None:
            echo("Devices, disk and journal of a table: cardshoe doctor TABLE.toml")
        elif not listen_s and any(one.about.startswith("device ") for one in findings):
            echo("To find a wrong speed or family, stop the table and use --listen 10")
    click.get_current_context().exit(code)


def report(findings: "Sequence[Finding]") -> list[str]:
    from cardshoe.table.rules.columns import columns

    lines: list[str] = []
    widths = (7, 14)
    for one in findings:
        lines += columns((one.level, one.about, one.what), widths, indent="", width=SCREEN_WIDTH)
        if one.remedy:
            lines += columns(("", "", f"-> {one.remedy}"), widths, indent="", width=SCREEN_WIDTH)
    counts = Counter(one.level.value for one in findings)
    lines.append(", ".join(f"{counts[level]} {word}" for level, word in COUNTED.items()))
    return lines
