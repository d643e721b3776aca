"""The tests: one folder per package, as `tests/cardshoe/journal`; `kit` for all; contract/ scenarios/ and others cross.

The tests of `a/b/c.py` lie in `tests/a/b`, or in `tests/a` where they are few.
"""
