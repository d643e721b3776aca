"""Display and uplink as accounts of their own, beside a table under the systemd of a bare Debian."""

import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx

from tests.cardshoe.floor.postgres import Postgres
from tests.cardshoe.floor.site import Collector, Site
from tests.cardshoe.floor.waiting import wait_until
from tests.package.bare_root import BareRoot
from tests.package.booted import UNIT, Booted

TABLE: Final = "B-101"
DATA: Final = f"/var/lib/cardshoe/{TABLE}"
SETTINGS: Final = "/etc/cardshoe"
SOCKET: Final = f"/run/cardshoe/{TABLE}/.{TABLE}.live"
PERSON: Final = ("cara", "271828")
OTHERS: Final = ("display", "uplink")
SECTIONS: Final = """
[persons]
file = "{data}/persons.toml"
[live]
folder = "/run/cardshoe/{table}"
[display]
listen = "127.0.0.1:{port}"
[uplink]
to = "https://{floor}"
key = "{key}"
folder = "/var/lib/cardshoe-uplink/{table}"
tls = {{ certificate = "uplink.pem", key = "uplink.key", authority = "authority.pem" }}
"""
SAYS: Final = """
import socket, sys
with socket.socket(socket.AF_UNIX) as table:
    table.connect(sys.argv[1])
    said = table.makefile("rw")
    said.readline()
    said.write('{"type":"act","id":"1","act":"eject"}\\n')
    said.flush()
    print(said.readline())
"""


def check_accounts(machine: Booted, root: BareRoot, config: str, folder: Path) -> Iterator[str]:
    """Runs a table, its display and its uplink, each as its service.

    Yields:
        What was seen.
    """
    folder.mkdir(mode=0o755)
    site = Site(folder / "site")
    certificate = site.tls(TABLE)
    (folder / "state").mkdir(mode=0o700)
    with contextlib.ExitStack() as held:
        cluster = held.enter_context(Postgres())
        floor = held.enter_context(Collector(site, folder / "state", cluster.database("floor")))
        port = _free_port()
        more = SECTIONS.format(data=DATA, table=TABLE, port=port, floor=floor.address, key=floor.key)
        for source, name in ((certificate.certificate, "uplink.pem"), (certificate.authority, "authority.pem")):
            root.at(f"{SETTINGS}/{name}").write_bytes(Path(source).read_bytes())
        root.at(f"{SETTINGS}/uplink.key").write_bytes(Path(certificate.key).read_bytes())
        machine.does(f"chown cardshoe-uplink {SETTINGS}/uplink.key; chmod 600 {SETTINGS}/uplink.key")
        machine.write(f"{SETTINGS}/{TABLE}.toml", config + more)
        machine.does(f"chgrp cardshoe-live {SETTINGS}/{TABLE}.toml; chmod 640 {SETTINGS}/{TABLE}.toml")
        _add_person(machine)
        units = f"{UNIT} cardshoe-display@{TABLE} cardshoe-uplink@{TABLE}"
        machine.does(f"systemctl start {units}")
        yield from _work(machine, floor, port)
        yield from _keep_out(machine)
        machine.does(f"systemctl stop {UNIT}")
        machine.wait_for(f"! systemctl is-active cardshoe-display@{TABLE} cardshoe-uplink@{TABLE}")
        yield "the table is stopped, and its display and uplink with it"


def _add_person(machine: Booted) -> None:
    person, pin = PERSON
    add = f"cardshoe persons add {person} --role croupier --pin-file pin --file persons.toml"
    machine.does(f"install -d -m 750 -o cardshoe -g cardshoe {DATA}")
    pin_file = f"cd {DATA}; echo {pin} >pin; chmod 600 pin; chown cardshoe pin"
    machine.does(f"{pin_file}; runuser -u cardshoe -- {add}; rm pin")


def _work(machine: Booted, floor: Collector, port: int) -> Iterator[str]:
    for unit, account in ((UNIT, "cardshoe"), *((f"cardshoe-{one}@{TABLE}", f"cardshoe-{one}") for one in OTHERS)):
        process = machine.does(f"systemctl show --property MainPID --value {unit}")
        assert machine.does(f"stat -c %U /proc/{process}") == account
        children = machine.does(f"cat /proc/{process}/task/*/children")
        assert not children, f"{unit} has started {children}"
    home = f"http://127.0.0.1:{port}"
    with httpx.Client(base_url=home, timeout=30.0, trust_env=False) as browser:
        wait_until(lambda: _is_ready(browser))
        session = browser.post("/api/v1/session", json={"id": PERSON[0], "pin": PERSON[1], "screen": "table"})
        assert session.status_code == httpx.codes.CREATED, session.text
        headers = {"Cardshoe-Csrf": session.json()["csrf"], "Idempotency-Key": "one"}
        said = browser.post("/api/v1/inputs", json={"event": "shuffled", "by": "croupier"}, headers=headers)
        assert said.status_code == httpx.codes.CREATED, said.text
    last = said.json()["lines"][-1]["seq"]

    def is_delivered() -> bool:
        logs = [{"table": TABLE, "log": one["log"]} for one in floor.get("/api/v1/logs", table=TABLE)]
        stored = [httpx.get(f"{floor.read}/api/v1/lines", params=log).text.splitlines() for log in logs]
        return any(json.loads(line).get("seq") == last for lines in stored for line in lines)

    wait_until(is_delivered)
    yield "display and uplink, each as its own account: a person signs in and shuffles, and the floor has the line"


def _is_ready(browser: httpx.Client) -> bool:
    try:
        return browser.get("/readyz").status_code == httpx.codes.OK
    except httpx.TransportError:  # its process begins only now
        return False


def _keep_out(machine: Booted) -> Iterator[str]:
    files = machine.does(f"find /var/lib/cardshoe /var/lib/cardshoe-uplink {SETTINGS} -type f").splitlines()
    journals = [name for name in files if name.endswith((".journal", ".journal-wal"))]
    kinds = (".journal", "sealing.key", "persons.toml", "uplink.key")
    assert all(any(name.endswith(kind) for name in files) for kind in kinds), files
    assert any(".journal-key-" in name for name in files), files
    settings = {f"{SETTINGS}/{name}" for name in (f"{TABLE}.toml", "uplink.pem", "authority.pem")}
    assert _opened(machine, "cardshoe-display", files) == settings
    yield "the display's account opens no key, journal or PIN list: the configuration and certificates alone"
    of_uplink = {name for name in files if name.startswith("/var/lib/cardshoe-uplink")}
    assert of_uplink, files
    opened = _opened(machine, "cardshoe-uplink", files)
    assert opened >= {*journals, *of_uplink, *settings, f"{SETTINGS}/uplink.key"}
    secret = [name for name in files if name.endswith(("persons.toml", "sealing.key")) or ".journal-key-" in name]
    assert not opened & {*secret}, opened
    assert _opened(machine, "cardshoe-uplink", files, "-w") <= {*of_uplink, f"{SETTINGS}/uplink.key"}
    yield "the uplink's account reads the journals, and no key of the table and no PIN list; it writes its own files"
    assert _opened(machine, "cardshoe", [f"{SETTINGS}/uplink.key"]) == set()
    answer = json.loads(_says(machine, "cardshoe-uplink"))
    assert answer["code"] == "not_yours", answer
    assert json.loads(_says(machine, "cardshoe-display"))["type"] == "not_taken", "nobody is signed in"
    machine.does(f"! runuser -u nobody -- test -w {SOCKET}")
    yield "at the socket the uplink's account may say nothing, the display's as much as persons, and no other comes in"


def _opened(machine: Booted, account: str, files: list[str], how: str = "-r") -> set[str]:
    names = "\n".join(files)
    script = f'while read -r name; do if test {how} "$name"; then echo "$name"; fi; done'
    return set(machine.does(f"runuser -u {account} -- sh -c '{script}' <<'END'\n{names}\nEND").splitlines())


def _says(machine: Booted, account: str) -> str:
    python = "/usr/lib/cardshoe/current/bin/python"
    return machine.does(f"runuser -u {account} -- {python} - {SOCKET} <<'END'\n{SAYS}\nEND")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port
