"""``cardshoe capture show``: bad bytes of a recorded line, where and when."""

from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Final

import click
import msgspec

from cardshoe.cli.completing import families
from cardshoe.cli.echo import echo
from cardshoe.cli.families import FamilyName, offering
from cardshoe.process.exits import Exit, Stop

if TYPE_CHECKING:
    from drivers.capture import CaptureMark
    from drivers.capture_decoder import CapturePart
    from firmware_bridge.families import Family

BYTES_SHOWN: Final = 16


@click.command("show")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--family",
    type=FamilyName(),
    shell_complete=families,
    help="The family to decode; default: the one with the most frames.",
)
@click.option("--all", "everything", is_flag=True, help="Also show good frames.")
@click.option("--open", "opened", is_flag=True, help="Show the faces of cards, and all bytes of bad runs.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show_command(file: Path, *, family: "Family | None", everything: bool, opened: bool, as_json: bool) -> None:
    """Say of a capture FILE which bytes of the device made no frame: offset, time, the byte, and why."""
    from drivers.capture import CapturedRead, CaptureMark, read_lines
    from drivers.capture_decoder import dissect, likely_family
    from drivers.errors import CaptureDamaged

    try:
        lines = list(read_lines(file))
    except CaptureDamaged as error:
        raise Stop(f"{error.port}: {error.problem}", error.remedy, Exit.USAGE) from error
    except OSError as error:
        raise Stop(f"{file}: {error.strerror or error}", "Check the name of the capture.", Exit.USAGE) from error
    reads = [line for line in lines if isinstance(line, CapturedRead) and line.sender == "device"]
    marks = [line for line in lines if isinstance(line, CaptureMark)]
    host_bytes = sum(len(line.data) for line in lines if isinstance(line, CapturedRead)) - sum(
        len(read.data) for read in reads
    )
    if family is not None:
        known = {family.name: family.part("frames", FunctionType)}
    else:
        known = {one.name: frames for one, frames in offering("frames", FunctionType)}
    found = family.name if family is not None else likely_family(reads, known)
    if found is None and reads:
        remedy = "The speed is wrong, or the device belongs to another family. --family shows byte by byte why."
        raise Stop(f"{file}: it holds no frame of {', '.join(known)}", remedy, Exit.FAILURE)
    parts = dissect(reads, known[found]) if found is not None else []
    if as_json:
        shown = [_plain(part, opened=opened) for part in parts if everything or part.reason is not None]
        told = [{"t_s": mark.t_s, "mark": mark.mark} for mark in marks]
        counts = {**_summary(parts), "host_bytes": host_bytes}
        echo(msgspec.json.encode({"file": str(file), "family": found, **counts, "marks": told, "parts": shown}))
        return
    for part in parts:
        while marks and marks[0].t_s <= part.t_s:
            _show_mark(marks.pop(0))
        if everything or part.reason is not None:
            _show(part, opened=opened)
    for mark in marks:
        _show_mark(mark)
    counts = _summary(parts)
    echo(
        f"{file}: {found or 'nothing in it'}: {counts['bytes']} bytes, {counts['frames']} frames, "
        f"{counts['bad_runs']} bad runs of {counts['bad_bytes']} bytes"
        f"{f'; {host_bytes} bytes of the host' if host_bytes else ''}"
    )


def _show_mark(mark: "CaptureMark") -> None:
    echo(f"{mark.t_s:>10.3f} s  mark: {mark.mark}")


def _show(part: "CapturePart", *, opened: bool) -> None:
    head = f"{part.t_s:>10.3f} s  byte {part.offset:<8}"
    if part.reason is None or part.bad is None:
        echo(f"{head} {part.what if opened else part.masked}")
        return
    place = part.bad - part.offset
    first = max(0, min(place, len(part.raw)) - BYTES_SHOWN + 4)
    told = part.raw[first : first + BYTES_SHOWN]
    marked = " ".join(
        f"[{byte:02X}]" if first + at == place else f"{byte:02X}" if opened else ".." for at, byte in enumerate(told)
    )
    cut = " …" if first + BYTES_SHOWN < len(part.raw) else ""
    bad = f"{part.raw[place]:02X}" if place < len(part.raw) else "missing"
    echo(f"{head} {part.reason}: byte {part.bad} is {bad}")
    echo(f"             {'… ' if first else ''}{marked}{cut}")
    echo(*click.wrap_text(part.what, 80, " " * 13, " " * 13).split("\n"))


def _plain(part: "CapturePart", *, opened: bool) -> dict[str, object]:
    return {
        "t_s": part.t_s,
        "offset": part.offset,
        "bytes": len(part.raw),
        "hex": part.raw.hex() if opened else None,
        "what": part.what if opened else part.masked,
        "reason": part.reason,
        "bad": part.bad,
    }


def _summary(parts: "list[CapturePart]") -> dict[str, int]:
    bad = [part for part in parts if part.reason is not None]
    return {
        "bytes": sum(len(part.raw) for part in parts),
        "frames": len(parts) - len(bad),
        "bad_runs": len(bad),
        "bad_bytes": sum(len(part.raw) for part in bad),
    }
