"""The version of the rules: which journals this program can judge again."""

from typing import Final

RULES_VERSION: Final = 1
"""Stands in the header of every journal that a table begins.

It must rise with the first release in which some inputs lead to other outputs than in the release before: another row,
odds, code, order or field. A journal of another version is verified and not replayed, and no table goes on with it.
"""

RELEASED: Final[dict[int, str]] = {}
"""By version, the fingerprint of the rule tables with which it was released (``tests/regulations/test_edition.py``).

Nothing is released yet. Once a version stands here, no rule table may change under it.
"""
