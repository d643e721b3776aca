"""The cost of a flood to a table: its most memory, and how long it takes to obey ``quit``."""

import json
import sys
import threading
import time
from pathlib import Path

from tests.attacks.flooding import PLAIN, Flood, Impostor, cards, most_memory_mib, telegrams
from tests.kit.running_table import RunningTable

SECONDS = 3.0
GARBAGE = b"\xff" * 4096


def main(folder: Path, seconds: float) -> None:
    """Prints a line for each flood."""
    floods = {
        "bee_tek, cards": Flood(cards()),
        "bee_tek, garbage": Flood(GARBAGE),
        "angel_eye, cards": Flood(telegrams(), "angel_eye"),
        "angel_eye, garbage": Flood(GARBAGE, "angel_eye"),
        "tdp, garbage": Flood(GARBAGE, "tdp", PLAIN),
        "tdp, Hello": Impostor(),
    }
    for name, flood in floods.items():
        place = folder / name.replace(", ", "-")
        place.mkdir(parents=True, exist_ok=True)
        with flood, RunningTable(flood.config(place)) as table:
            table.until(lambda line: json.loads(line).get("device") == "shoe")
            threading.Event().wait(seconds)
            most_mib = most_memory_mib(table.process.pid)
            began = time.monotonic()
            table.say("quit")
            code = table.end()
            quit_s = time.monotonic() - began
            events = sum(json.loads(line).get("device") == "shoe" for line in table.heard)
            shut_out = any("over_budget" in line for line in [*table.heard, *table.rest()])
        print(f"flood={name} most_mib={most_mib:.0f} quit_s={quit_s:.2f} rc={code} told={events} shut_out={shut_out}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS)
