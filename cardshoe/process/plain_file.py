"""Read plain files: the door for all of cardshoe.

Floor and uplink use it without importing drivers.
"""

from drivers.plain_file import SMALL_BYTES, must_be_plain, open_plain, read_plain

__all__ = ["SMALL_BYTES", "must_be_plain", "open_plain", "read_plain"]
