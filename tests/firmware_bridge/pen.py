"""Telegrams written by hand from the byte tables of ``docs/protocols/angel-eye.md``; our codec has no part in it.

P1 8S B3 -- N2 4C F0 AC U1 5D card drawn: player, banker, burn, burn that fixes the count, burn by it R P1 QH the same,
retransmitted d22 drawn outside a game: state 2, error code 2 E1 E2 e2 error raised, in error mode; cleared G player G
tie PB G end result, with pairs of player (P) and banker (B) S P C L1 M started, stand-by, cut card, locked, a preset X
a telegram that takes its number and never comes
"""

from collections.abc import Iterator
from typing import Final

ENQ: Final = 0x05
ETX: Final = 0x03
COPY_GAP_S: Final = 0.05
TELEGRAM_S: Final = 0.15

_TARGETS: Final = {"P": 0x80, "B": 0x90, "N": 0xA0, "F": 0xC0, "U": 0xD0}
_SUITS: Final = {"D": 0x90, "C": 0xA0, "S": 0xB0, "H": 0xC0}
_RANKS: Final = "A23456789TJQK"
_OUTCOMES: Final = {"player": 0x90, "tie": 0xA0, "banker": 0xC0, "end": 0xF0}
_PAIRS: Final = {"": 0, "P": 1, "B": 2, "PB": 3}


def frame(seq: int, *rest: int) -> bytes:
    """ENQ, Seq, the bytes given, ETX, and the XOR of all but the first as two digits."""
    covered = bytes([0x30 + seq, *rest, ETX])
    check = 0
    for value in covered:
        check ^= value
    return bytes([ENQ]) + covered + b"%02X" % check


class Pen:
    """Writes telegrams one after the other; ``seq`` is the number of the next."""

    def __init__(self, seq: int = 1) -> None:
        self.seq = seq

    def write(self, word: str) -> bytes:
        """The frame of a telegram; ``b""`` for one that is lost."""
        seq, self.seq = self.seq, self.seq % 9 + 1
        return b"" if word == "X" else frame(seq, *_content(word.split()))

    def script(self, text: str) -> Iterator[bytes]:
        """The frames of telegrams, parted by commas."""
        for word in text.split(","):
            yield self.write(word.strip())


def _content(words: list[str]) -> tuple[int, ...]:
    head, rest = words[0], words[1:]
    if head == "R":
        return (ord("R"), *_place(rest[0]), _card(rest[1]))
    if head == "G":
        pairs = rest[1] if len(rest) > 1 else ""
        return (ord("G"), _OUTCOMES[rest[0]] | _PAIRS[pairs])
    if rest:
        return (ord("D"), *_place(head), _card(rest[0]))
    return _bare(head)


def _bare(word: str) -> tuple[int, ...]:
    kind, number = word[0], word[1:]
    match kind:
        case "M":
            return (ord(kind), *b"070120")
        case "L" | "e":
            return (ord(kind), 0x80 | int(number))
        case "E":
            return (ord(kind), 0xC0 | int(number))
        case "d":
            return (ord(kind), 0x80 | int(number[0]) << 4 | int(number[1]))
        case _:
            return (ord(kind),)


def _place(word: str) -> tuple[int]:
    return (_TARGETS[word[0]] | int(word[1:]),)


def _card(word: str) -> int:
    return 0x80 if word == "--" else _SUITS[word[1]] | _RANKS.index(word[0]) + 1
