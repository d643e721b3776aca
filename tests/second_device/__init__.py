"""A second TDP/1 device, written from `docs/protocols/tdp.md` alone, in nothing but Python's standard library."""
