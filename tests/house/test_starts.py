"""What processes load: those beside a table and at the floor play nothing, and a table plays one game."""

import re
import subprocess
import sys
from typing import Final

STARTED: Final = ("cardshoe.table.display.__main__", "cardshoe.table.uplink.__main__", "cardshoe.floor.server")
NOT_THEIRS: Final = {
    "drivers.port_device",
    "firmware_bridge.bridge",
    "protocols",
    "regulations.play.context.game",
    "cardshoe.table.setup.config",
}
LOADED: Final = f"import sys, {', '.join(STARTED)}\nprint(*sys.modules)"


def test_none_loads_rules_devices_or_a_table_s_configuration() -> None:
    said = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True, timeout=60).stdout
    loaded = set(said.split())
    assert loaded.issuperset(STARTED)
    assert not loaded & NOT_THEIRS
    assert "nats" not in loaded  # where [nats] is not set


TABLE: Final = """
import sys
from cardshoe.cli.demo import command
from cardshoe.cli import run
from regulations.events.inputs import Table
from regulations.procedure.procedure import Procedure
Procedure(Table(table_id="T", game="baccarat", decks=8, seats=7, equipment="shoe"))
print(*sys.modules)
"""


def test_a_table_loads_the_rules_of_its_own_game_alone() -> None:
    said = subprocess.run([sys.executable, "-c", TABLE], capture_output=True, text=True, check=True, timeout=60).stdout
    assert not set(said.split()) & {"asyncio", "jinja2", "starlette", "uvicorn"}  # of its pages, another process's
    loaded = {name for name in said.split() if re.fullmatch(r"regulations\.games\.\w+\.game", name)}
    assert loaded == {"regulations.games.baccarat.game"}


SIMULATED: Final = """
import sys
from cardshoe.cli.sim import bench, kinds
assert [one.kind.name for one in kinds.simulated_kinds()][:2] == ["angel-eye", "bee-tek"]
print(*sys.modules)
"""


def test_simulated_devices_are_found_without_drivers_and_bridges() -> None:
    said = subprocess.run([sys.executable, "-c", SIMULATED], capture_output=True, text=True, check=True, timeout=60)
    loaded = set(said.stdout.split())
    assert loaded.issuperset({"sim.angel_eye.shoe", "firmware_bridge.tdp.family"})
    assert not loaded & {"drivers.discovery", "firmware_bridge.bridge", "serial", "usb"}
