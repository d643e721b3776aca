"""The pen writes what the protocol page shows: its own examples, byte by byte."""

import pytest

from tests.firmware_bridge.pen import Pen


@pytest.mark.parametrize(
    ("seq", "word", "expected"),
    [
        (1, "P1 8S", "05 31 44 81 B8 03 34 46"),
        (9, "B3 TH", "05 39 44 93 CA 03 32 37"),
        (6, "F0 AC", "05 36 44 C0 A1 03 31 30"),
        (7, "U1 --", "05 37 44 D1 80 03 32 31"),
        (8, "R P1 QH", "05 38 52 81 CC 03 32 34"),
        (2, "d12", "05 32 64 92 03 43 37"),
        (2, "G player P", "05 32 47 91 03 45 37"),
        (4, "G tie PB", "05 34 47 A3 03 44 33"),
        (3, "C", "05 33 43 03 37 33"),
        (4, "E1", "05 34 45 C1 03 42 33"),
        (7, "e1", "05 37 65 81 03 44 30"),
        (9, "L1", "05 39 4C 81 03 46 37"),
        (2, "M", "05 32 4D 30 37 30 31 32 30 03 37 38"),
    ],
)
def test_the_examples_of_the_protocol_page(seq: int, word: str, expected: str) -> None:
    assert Pen(seq).write(word).hex(" ").upper() == expected


def test_seq_goes_round_after_nine() -> None:
    pen = Pen(8)
    assert [raw[1:2] for raw in pen.script("P, P, X, P")] == [b"8", b"9", b"", b"2"]
