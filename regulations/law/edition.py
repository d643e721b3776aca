"""The version of the rules, by which journals are replayed."""

from typing import Final

RULES_VERSION: Final = 1
"""In the header of each journal; rises with the first release in which some input leads to other outputs.

A journal of another version is verified, neither replayed nor continued.
"""

RELEASED: Final[dict[int, str]] = {}
"""By version: fingerprint of its rule tables, which must not change (``tests/regulations/test_edition.py``)."""
