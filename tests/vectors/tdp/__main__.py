"""``python -m tests.vectors.tdp``: write the vectors for programs, ``protocols/tdp/vectors.json``."""

from tests.vectors.tdp.for_programs import FILE, text

FILE.write_text(text(), encoding="utf-8")
