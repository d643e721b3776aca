"""The tests: one folder per package, as `tests/cardshoe/journal`; `kit` is shared."""
