"""The version of the rules, by which journals are replayed."""

from typing import Final

RULES_VERSION: Final = 1
"""In each journal's header; rises when some input leads to other outputs.

A journal of another version is verified, neither replayed nor continued.
"""

RELEASED: Final[dict[int, str]] = {}
