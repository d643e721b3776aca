"""The fixed parts of an image, declared (``docs/protocols/mcuboot.md``, sections 2 and 3). Low byte first."""

from typing import Final

from construct import Const, Int8ul, Int16ul, Int32ul

from protocols.layouts import Layout

MAGIC: Final = 0x96F3B83D
PROTECTED_MAGIC: Final = 0x6908
UNPROTECTED_MAGIC: Final = 0x6907

HEADER: Final = Layout(
    "magic" / Int32ul,
    "load_address" / Int32ul,
    "header_bytes" / Int16ul,
    "protected_bytes" / Int16ul,
    "payload_bytes" / Int32ul,
    "flags" / Int32ul,
    "major" / Int8ul,
    "minor" / Int8ul,
    "revision" / Int16ul,
    "build" / Int32ul,
    Const(0, Int32ul),
)
TLV_AREA: Final = Layout("magic" / Int16ul, "area_bytes" / Int16ul)
"""Before the records of an area; ``area_bytes`` counts itself, its magic and the records."""
TLV: Final = Layout("kind" / Int16ul, "value_bytes" / Int16ul)
"""Before the value of each record."""
