"""The pages of ``cardshoe demo``: their address and the PINs are printed at once, and its end breaks nothing off."""

import re
import signal
from http import HTTPStatus
from pathlib import Path
from typing import get_args

import httpx

from regulations.events.vocabulary import Role
from tests.cardshoe.table.display.support import events, ready
from tests.cardshoe.table.terminal.screen import Terminal
from tests.kit.command import PATIENCE_S, Command


def test_address_and_pins_are_printed_and_each_person_may_sign_in(tmp_path: Path) -> None:
    with Command("demo", "--speed", "2", "--seed", "7", "--listen", "127.0.0.1:0", folder=tmp_path) as demo:
        home = demo.until(lambda line: line.startswith("open "))[-1].removeprefix("open ")
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


def test_the_start_page_leads_to_each_page_in_each_language(tmp_path: Path) -> None:
    with Command("demo", "--speed", "2", "--language", "pt", "--listen", "127.0.0.1:0", folder=tmp_path) as demo:
        home = demo.until(lambda line: line.startswith("open "))[-1].removeprefix("open ")
        told = " ".join(demo.until(lambda line: line.startswith("Table ")))
        with httpx.Client(base_url=home, timeout=PATIENCE_S) as client:
            ready(client)
            start = client.get("/").text
            assert '<html lang="pt"' in start
            assert all(f"<td>{pin}</td>" in start for pin in re.findall(r"\b\d{6}\b", told))
            links = re.findall(r'<a href="(/[^"]*)"', client.get("/?lang=en").text)
            doors = [f"/{one}?lang=en" for one in ("croupier", "board", "pit", "rounds", "technician")]
            assert links == [*doors, "/?lang=zh-Hant", "/?lang=pt", "/?lang=en"]
            english = client.get(links[0]).text
            assert '<html lang="en" data-page="/pages/croupier/events?lang=en" data-languages="en"' in english
            (build,) = re.findall(r'data-build="(\w+)"', english)
            stream = events(client, "/pages/croupier/events?lang=en")
            shown, pulse = next(stream), next(one for one in stream if one["event"] == "pulse")
            assert 'lang="en">Shuffle' in shown["data"]["html"]
            # A pulse of another build would reload the page for ever.
            assert pulse["data"]["build"] == build
        demo.send(signal.SIGINT)
        assert demo.end() == 0


def test_on_a_terminal_the_pages_stay_until_ctrl_c(tmp_path: Path) -> None:
    with Terminal("demo", "--speed", "1000", "--seed", "7", "--mistakes", "0", folder=tmp_path) as terminal:
        shown = terminal.until("(Ctrl-C ends the demo)")
        (home,) = re.findall(r"open (http\S+/) \(", shown)
        assert "shoe games finished  1" in shown
        with httpx.Client(base_url=home, timeout=PATIENCE_S) as client:
            assert "Table closed" in client.get("/board?lang=en").text
            assert client.get("/").status_code == HTTPStatus.OK
        terminal.child.sendintr()
        assert terminal.end() == 0


def test_with_rounds_it_ends_on_a_terminal_too(tmp_path: Path) -> None:
    with Terminal("demo", "--speed", "1000", "--rounds", "2", folder=tmp_path) as terminal:
        assert terminal.end() == 0
        assert "Ctrl-C" not in terminal.text


def test_a_round_begins_on_an_empty_screen(tmp_path: Path) -> None:
    options = ("--speed", "100", "--seed", "7", "--mistakes", "0", "--plain", "--rounds", "3")
    with Terminal("demo", *options, folder=tmp_path) as terminal:
        terminal.until("── round 2 ─")
        assert terminal.lines[0].startswith("── round 2 ─")
        terminal.until("collect the cards and close the round")
        assert terminal.lines[0].startswith("── round 2 ─")
        assert terminal.end() == 0
