"""The kiosk under the systemd of a bare Debian, on two outputs without screens: its pages, and again after a kill."""

import json
import shutil
import time
from collections.abc import Iterator
from typing import Any, Final

import httpx

from tests.cardshoe.floor.waiting import wait_until
from tests.package.bare_root import ROOT, BareRoot
from tests.package.booted import UNIT, Booted

FILES: Final = ROOT / "packaging" / "kiosk"
TABLE: Final = "B-101"
LISTEN: Final = "127.0.0.1:18443"
SHOWN_S: Final = 20.0
"""Seconds from the start of the units until both pages are shown."""
BACK_S: Final = 5.0
"""Seconds after a kill."""
INSTALL_S: Final = 900
OUTPUTS: Final = {"croupier": "HEADLESS-1", "board": "HEADLESS-2"}
HEADLESS: Final = """[Service]
Environment=WLR_BACKENDS=headless WLR_HEADLESS_OUTPUTS=2 WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman"""
DISPLAY: Final = f"""
[live]
folder = "/run/cardshoe/{TABLE}"
[display]
listen = "{LISTEN}"
"""


def check_kiosk(machine: Booted, root: BareRoot, config: str) -> Iterator[str]:
    """Sets the kiosk up as `docs/kiosk.md` says, before a table that runs, and kills its browser and its compositor.

    Yields:
        What was seen.
    """
    machine.write(f"/etc/cardshoe/{TABLE}.toml", config + DISPLAY)
    machine.does(f"chgrp cardshoe-live /etc/cardshoe/{TABLE}.toml; chmod 640 /etc/cardshoe/{TABLE}.toml")
    machine.does(f"systemctl restart {UNIT} cardshoe-display@{TABLE}")
    shutil.copytree(FILES, root.at("/kiosk"))
    machine.does("mkdir -p /run/systemd/system/cardshoe-kiosk.service.d")
    machine.write("/run/systemd/system/cardshoe-kiosk.service.d/headless.conf", HEADLESS)
    install = f"sh /kiosk/install {LISTEN} {' '.join(OUTPUTS.values())}"
    machine.does(f"export DEBIAN_FRONTEND=noninteractive; apt-get update; {install}", patience_s=INSTALL_S)
    wait_until(lambda: len(_windows(machine)) == len(OUTPUTS))
    machine.does("systemctl stop cardshoe-kiosk")
    began_s = time.monotonic()
    machine.does("systemctl start cardshoe-kiosk")
    yield f"one command sets the kiosk up; both pages fill their outputs after {_shown_s(machine, began_s, SHOWN_S)}"
    browser = _windows(machine)["croupier"]["pid"]
    began_s = time.monotonic()
    machine.does(f"kill -KILL {browser}")
    yield f"the croupier's browser was killed, and shows the page after {_shown_s(machine, began_s, BACK_S, browser)}"
    browser = _windows(machine)["croupier"]["pid"]
    began_s = time.monotonic()
    machine.does("kill -KILL $(systemctl show --property MainPID --value cardshoe-kiosk)")
    yield f"the compositor was killed, and both pages are there after {_shown_s(machine, began_s, BACK_S, browser)}"
    secrets = f"/etc/cardshoe/{TABLE}.toml /var/lib/cardshoe/{TABLE} /run/cardshoe/{TABLE}"
    machine.does(f"for one in {secrets}; do test -e $one; ! runuser -u cardshoe-kiosk -- test -r $one; done")
    yield "its account reads no configuration, journal or socket"


def _shown_s(machine: Booted, began_s: float, at_most_s: float, before: int = 0) -> str:
    """How long it took until both pages were shown, the croupier's by another process than before."""

    def shown() -> bool:
        found = _windows(machine)
        return (
            {name: one["output"] for name, one in found.items()} == OUTPUTS
            and all(TABLE in one["name"] and one["fullscreen_mode"] == 1 for one in found.values())
            and found["croupier"]["pid"] != before
            and _streams() == len(OUTPUTS)
        )

    wait_until(shown)
    took_s = time.monotonic() - began_s
    assert took_s <= at_most_s, f"{took_s:.1f} s, at most {at_most_s:.0f} s"
    return f"{took_s:.1f} s"


def _windows(machine: Booted) -> dict[str, dict[str, Any]]:
    """The windows of the compositor, by page, each with its output."""
    said = machine.does("runuser -u cardshoe-kiosk -- swaymsg -s /run/cardshoe-kiosk/sway.sock -rt get_tree || true")
    tree = json.loads(said) if said.startswith("{") else {"nodes": []}
    return {
        one["app_id"].removeprefix("cardshoe-"): {**one, "output": output["name"]}
        for output in tree["nodes"]
        for one in _inside(output)
        if one.get("app_id")
    }


def _inside(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for one in node["nodes"]:
        yield one
        yield from _inside(one)


def _streams() -> float:
    """The pages that follow the table, as its display counts them."""
    said = httpx.get(f"http://{LISTEN}/metrics", trust_env=False).text
    (line,) = [one for one in said.splitlines() if one.startswith("cardshoe_display_streams{")]
    return float(line.split()[-1])
