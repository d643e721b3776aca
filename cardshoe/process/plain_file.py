"""Read plain files, without importing drivers."""

from drivers.plain_file import SMALL_BYTES, must_be_plain, open_plain, read_plain

__all__ = ["SMALL_BYTES", "must_be_plain", "open_plain", "read_plain"]
