"""NOR flash: erasable blocks, pages that only clear bits, power cuts.

Not modelled: wear, unstable bits after a cut, disturbance by reads.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

ERASED: Final = 0xFF


@dataclass(frozen=True, slots=True)
class Geometry:
    block_bytes: int = 4096
    page_bytes: int = 256
    blocks: int = 130

    @property
    def size_bytes(self) -> int:
        return self.block_bytes * self.blocks


class Tear(Enum):
    PREFIX = "prefix"
    SCATTERED = "scattered"
    """Any bits changed; an erased block may hold anything."""
    WHOLE = "whole"


class FlashMisuse(Exception):
    """No flash can do it: a defect of the firmware."""

    def __init__(self, at: int, why: str) -> None:
        super().__init__(at, why)
        self.at: Final = at
        self.why: Final = why

    def __str__(self) -> str:
        return f"flash at {self.at:#08x}: {self.why}"


@dataclass(frozen=True, slots=True)
class Erase:
    at: int


@dataclass(frozen=True, slots=True)
class Program:
    at: int
    data: bytes


Operation = Erase | Program


def nothing_happens(_operation: Operation) -> None:
    """Power that stays."""


class NorFlash:
    """``content`` None: erased; ``tear`` None: the flash chooses."""

    def __init__(self, geometry: Geometry, rng: random.Random, content: bytes | None = None) -> None:
        self.geometry: Final = geometry
        self._rng: Final = rng
        self._cells = bytearray(geometry.size_bytes * bytes([ERASED])) if content is None else bytearray(content)
        if len(self._cells) != geometry.size_bytes:
            raise ValueError(f"{len(self._cells)} bytes do not fill a flash of {geometry.size_bytes}")
        self.power: Callable[[Operation], None] = nothing_happens
        self.tear: Tear | None = None
        self.operations = 0

    @property
    def content(self) -> bytes:
        """All of it."""
        return bytes(self._cells)

    def read(self, at: int, size: int) -> bytes:
        if at < 0 or size < 0 or at + size > len(self._cells):
            raise FlashMisuse(at, f"{size} bytes from there are not inside of {len(self._cells)}")
        return bytes(self._cells[at : at + size])

    def erase(self, at: int) -> None:
        """Erase the block that begins at ``at``."""
        self.do(Erase(at))

    def program(self, at: int, data: bytes) -> None:
        """At most a page; no 0 may become 1."""
        self.do(Program(at, bytes(data)))

    def do(self, operation: Operation) -> None:
        """As much as the power lasts."""
        self._check(operation)
        self.operations += 1
        try:
            self.power(operation)
        except BaseException:  # whatever the owner of the power raises: the cells are torn, and it goes on
            self.leave_torn(operation, self.tear or self._rng.choice(tuple(Tear)))
            raise
        self.leave_torn(operation, Tear.WHOLE)

    def leave_torn(self, operation: Operation, tear: Tear) -> None:
        if isinstance(operation, Erase):
            size = self.geometry.block_bytes
            goal = bytes([ERASED]) * size
        else:
            size, goal = len(operation.data), operation.data
        before = self._cells[operation.at : operation.at + size]
        if tear is Tear.PREFIX:
            done = self._rng.randrange(size + 1)
            goal = goal[:done] + before[done:]
        elif tear is Tear.SCATTERED:
            chance = self._rng.randbytes(size)
            if isinstance(operation, Erase):
                goal = chance  # chips program a block before they erase it, and then erase cell by cell
            else:
                mixed = int.from_bytes(goal, "big") | (int.from_bytes(before, "big") & int.from_bytes(chance, "big"))
                goal = mixed.to_bytes(size, "big")
        self._cells[operation.at : operation.at + size] = goal

    def _check(self, operation: Operation) -> None:
        at, geometry = operation.at, self.geometry
        if not 0 <= at < geometry.size_bytes:
            raise FlashMisuse(at, f"it has {geometry.size_bytes} bytes")
        if isinstance(operation, Erase):
            if at % geometry.block_bytes:
                raise FlashMisuse(at, f"blocks of {geometry.block_bytes} bytes are erased whole")
            return
        data = operation.data
        if at % geometry.page_bytes or not 0 < len(data) <= geometry.page_bytes:
            raise FlashMisuse(at, f"pages are programmed from their beginning, with 1 to {geometry.page_bytes} bytes")
        before = int.from_bytes(self._cells[at : at + len(data)], "big")
        if int.from_bytes(data, "big") & ~before:
            raise FlashMisuse(at, "a bit that is 0 becomes 1 only when its block is erased")
