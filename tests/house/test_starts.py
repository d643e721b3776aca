"""What the processes beside a table and at the floor load: none of them plays, or reads a configuration."""

import subprocess
import sys
from typing import Final

STARTED: Final = ("table.display.__main__", "table.uplink.__main__", "floor.server")
NOT_THEIRS: Final = {"drivers.device", "firmware_bridge.bridge", "protocols", "regulations.games", "table.setup.config"}
LOADED: Final = f"import sys, {', '.join(STARTED)}\nprint(*sys.modules)"


def test_none_loads_rules_devices_or_a_table_s_configuration() -> None:
    said = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True, timeout=60).stdout
    loaded = set(said.split())
    assert loaded.issuperset(STARTED)
    assert not loaded & NOT_THEIRS
