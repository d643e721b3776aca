"""Long runs, outside of pytest: ``python -m tests.soak``."""
