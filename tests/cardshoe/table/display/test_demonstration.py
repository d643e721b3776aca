"""The pages of ``cardshoe demo``: their address and the PINs are printed at once, and its end breaks nothing off."""

import re
import signal
from http import HTTPStatus
from pathlib import Path
from typing import get_args

import httpx

from regulations.events.vocabulary import Role
from tests.cardshoe.table.display.support import events, ready
from tests.kit.command import PATIENCE_S, Command


def test_address_and_pins_are_printed_and_each_person_may_sign_in(tmp_path: Path) -> None:
    with Command("demo", "--speed", "2", "--seed", "7", "--listen", "127.0.0.1:0", folder=tmp_path) as demo:
        home = demo.until(lambda line: line.startswith("pages: "))[-1].removeprefix("pages: ")
        told = " ".join(demo.until(lambda line: line.startswith("Table ")))
        pins = dict(re.findall(r"(\w+)\s+(\d{6})\b", told))
        assert set(pins) == set(get_args(Role))
        with httpx.Client(base_url=home, timeout=PATIENCE_S) as client:
            ready(client)
            for person, pin in pins.items():
                answer = client.post("/api/v1/session", json={"id": person, "pin": pin})
                assert (answer.status_code, answer.json()["role"]) == (HTTPStatus.CREATED, person)
            stream = events(client, "/pages/croupier/events")
            assert next(stream)["event"] == "shown"
            demo.send(signal.SIGINT)
            assert list(stream)[-1]["event"] in ("shown", "pulse")
        assert demo.end() == 0
        assert demo.errors() == ""
