"""``cardshoe sim`` as a USB device of a real Linux, typed at and read by the driver."""

from pathlib import Path

from regulations.events.cards import DECK
from tests.kernel.uml import boot, needs_kernel


@needs_kernel
def test_a_simulated_shoe_is_attached_with_usbip(tmp_path: Path) -> None:
    seen = boot("command", tmp_path)
    for function in ("bulk", "cdc"):
        drawn = seen[f"{function}: drawn"]
        assert isinstance(drawn, list)
        first, second = drawn
        assert {first, second} <= set(DECK)
        heard = ["back", first, first, first, "lost: PortLost", "back", second, second, second]
        assert seen[f"{function}: heard"] == heard
        assert seen[f"{function}: let go"] is True
