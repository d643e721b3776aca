"""Settings on which both ends of the link's benchmark must agree."""

from typing import Final

BAUD: Final = 115200
"""For both: pymodbus waits by it between frames; on a pseudo-terminal it means nothing else."""
DEVICE_ID: Final = 1
REGISTERS: Final = 100
ASKED: Final = 10
"""Registers read at once: with its frame the answer has 25 bytes, a card of ours with its frame 35."""
VALUE: Final = 17
"""Of each register."""
STACK: Final = 416
"""Cards of eight decks."""
STACK_SEED: Final = 20261121
