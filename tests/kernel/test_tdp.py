"""A round of TDP through a real kernel: the simulated shoe, Linux, and the drivers as a table runs them."""

from pathlib import Path

from tests.kernel.uml import boot, needs_kernel

SIX = ["AS", "2S", "3S", "4S", "5S", "6S"]


@needs_kernel
def test_cards_before_and_after_the_cable_was_out(tmp_path: Path) -> None:
    seen = boot("tdp", tmp_path)
    for name in ("bulk:1209:0001:TDP-1", "usb:1209:0002:TDP-2"):
        assert seen[f"{name}: line"] == ["back", "lost: PortLost", "back"]
        for round_number in (1, 2):
            # Unlocked for three cards: three come, and the mouth is locked again.
            assert seen[f"{name}: answer {round_number}"] == [True, [1, 1, 1, 0]]
        assert seen[f"{name}: cards"] == seen[f"{name}: on the table"] == SIX
        assert seen[f"{name}: counts"] == [1, 2, 3, 4, 5, 6]
        assert seen[f"{name}: let go"] is True


@needs_kernel
def test_whole_tables_unplugged_in_mid_round(tmp_path: Path) -> None:
    """Rounds at a shuffler-dealer on bulk pipes and a shoe on ``/dev/ttyACM``; the script asserts what must hold."""
    seen = boot("table", tmp_path)
    for kind in ("shuffler_dealer", "shoe"):
        assert seen[f"{kind}: rounds decided"] == 3
        assert seen[f"{kind}: pulled in a round"] == [True, True]
        # The cable was pulled twice, and a person looked; nothing was missing, doubled or out of its place.
        assert seen[f"{kind}: irregularities"] == {"device_lost": 2}
