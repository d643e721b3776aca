"""USB numbers of known serial adapters, as in the udev rules.

They look like ``bulk:`` devices but add bytes of their own, so they are never used as such.
"""

from collections.abc import Mapping
from typing import Final

ADAPTERS: Final[Mapping[tuple[int, int], str]] = {
    (0x0403, 0x6001): "FTDI FT232R",
    (0x0403, 0x6015): "FTDI FT-X",
    (0x067B, 0x2303): "Prolific PL2303",
    (0x10C4, 0xEA60): "Silicon Labs CP210x",
    (0x1A86, 0x7523): "WCH CH340",
}
"""Vendor and product, 0 to FFFF each."""
