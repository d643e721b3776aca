"""USB numbers of the serial adapters that the project knows: the udev rules name the same ones.

Their chips call their interface "vendor specific", as a device in the sense of ``bulk:`` does, and mean something else
by it (an FTDI chip puts two bytes of status before everything). So they are never taken for one.
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
"""Vendor and product, 0 to FFFF each, to the chip's name."""
