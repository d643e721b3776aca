"""A second TDP/1 device, written from `docs/protocols/tdp.md` alone, in nothing but Python's standard library.

It shares no line with `protocols` and `sim`: where both read the page alike, the page is clear; where they differ, the
page, or one of them, is wrong. Run it with `python -m tests.second_device --tcp 127.0.0.1:0 --plain`.
"""
