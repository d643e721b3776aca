"""A capture as a recording of a device: its reads and family."""

from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, NamedTuple

from cardshoe.cli.families import offering
from cardshoe.process.exits import Exit, Stop

if TYPE_CHECKING:
    from drivers.capture import CapturedRead
    from firmware_bridge.families import Family


class CapturedDevice(NamedTuple):
    family: "Family"
    reads: "list[CapturedRead]"


def captured_device(file: Path, family: "Family | None") -> CapturedDevice:
    """Read a capture; ``family`` ``None``: the one with most bytes in frames."""
    from drivers.capture import read_capture
    from drivers.capture_decoder import likely_family
    from drivers.errors import CaptureDamaged

    try:
        reads = list(read_capture(file))
    except CaptureDamaged as error:
        raise Stop(f"{error.port}: {error.problem}", error.remedy, Exit.USAGE) from error
    except OSError as error:
        raise Stop(f"{file}: {error.strerror or error}", "Check the name of the capture.", Exit.USAGE) from error
    if family is not None:
        return CapturedDevice(family, reads)
    known = list(offering("frames", FunctionType))
    of_device = [read for read in reads if read.sender == "device"]
    found = likely_family(of_device, {one.name: frames for one, frames in known})
    if found is None:
        raise Stop(f"{file}: it holds no frame of any family", "Name the family with --family.", Exit.USAGE)
    return CapturedDevice(next(one for one, _ in known if one.name == found), reads)
