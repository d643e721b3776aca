"""`cardshoe sim` of the devices that speak TDP: what they are, and a table that hears one over TLS."""

import json
from pathlib import Path
from typing import Any

import pytest

from protocols.mcuboot.codec import decode_image, digest_of
from protocols.mcuboot.image import ImageVersion
from sim.firmware.build import maker_key, payload_of, signed
from tests.cardshoe.cli.support import answered
from tests.kit.certificates import DEVICE, host_settings, make_site, needs_openssl
from tests.kit.command import Command, Line, assert_message
from tests.kit.opening import OPENING
from tests.kit.running_table import RunningTable, write_config
from tests.kit.sealed import opened

WITH_COMMANDS = """
[[device]]
name = "shoe"
family = "tdp"
port = "{port}"
commands = ["lock", "let_draw"]
settings = {settings}
"""


class TdpDevice(Command):
    """A device that has said where it is."""

    def __init__(self, device: str, *options: str | Path) -> None:
        super().__init__("sim", device, "--tcp", "127.0.0.1:0", "--ready-json", "--seed", "5", *options)
        self.about: dict[str, Any] = json.loads(self.line())

    def do(self, name: str, *arguments: str) -> dict[str, Any]:
        self.say({"do": name, "arguments": list(arguments)})
        answer: dict[str, Any] = json.loads(self.line())
        assert answer["ok"], answer
        data: dict[str, Any] = answer["data"]
        return data

    def quit(self) -> None:
        self.say("quit")
        assert self.end() == 0, self.errors()


@pytest.mark.parametrize("device", ["tdp-shoe", "shuffler-dealer", "shuffler"])
def test_every_device_can_be_loaded_and_holds_its_cards(device: str) -> None:
    with TdpDevice(device, "--decks", "6", "--speed", "1000") as machine:
        assert (machine.about["family"], machine.about["settings"]) == ("tdp", {"security": "plain"})
        assert machine.do("load")["cards"] == 312
        # Without a host nothing is let out.
        assert machine.do("draw") == {"cards": [], "told": [], "cut_card": False, "empty": True}
        state = machine.do("status")
        assert (state["cards_left"], state["powered"], state["locked"], state["in_session"]) == (312, True, True, False)
        machine.quit()


@needs_openssl
def test_a_table_hears_a_card_over_tls(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    certificates = ("--certificate", site / f"{DEVICE}.pem", "--key", site / f"{DEVICE}.key")
    with TdpDevice("tdp-shoe", *certificates, "--authority", site / "site.pem", "--serial-number", DEVICE) as shoe:
        assert shoe.about["settings"] == {}
        config = write_config(tmp_path, None)
        settings = "{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in host_settings(site).items()) + " }"
        with config.open("a") as text:
            text.write(WITH_COMMANDS.format(port=shoe.about["port"], settings=settings))
        with RunningTable(config) as table:
            for event in OPENING:
                table.say(event)
            # The device tells of itself between these answers; cards that came before the cut would be refused.
            lines: list[Line] = table.until_prompt("load")
            shoe.do("load")
            lines += table.until_prompt("burn")
            shoe.do("status")
            while not (drawn := shoe.do("draw"))["cards"]:
                assert drawn["empty"]
            while not (cards := [line for line in lines if line["event"] == "card"]):
                lines += table.answer()
            assert [opened(line, tmp_path / "journals")["card"] for line in cards] == drawn["cards"]
            (identified,) = [line for line in lines if line["event"] == "device_identified"]
            assert DEVICE in json.dumps(identified)
            table.say("quit")
            assert table.end() == 0
        shoe.quit()


@pytest.mark.parametrize(
    ("options", "reason", "remedy"),
    [
        (("--certificate", "text"), "without --key, --authority there is no TLS", "or none for a plain line"),
        (("--certificate", "text", "--key", "text", "--authority", "text"), "text, text, text: ", "Give PEM files"),
        (("--certificate", "nothing"), "'nothing' does not exist", "--help"),
        (("--serial-number", "x" * 25), "serial is 1 to 24 printable ASCII characters", "shorter"),
        (("--shelves", "1"), "1 is not in the range", "--help"),
    ],
)
def test_bad_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], reason: str, remedy: str
) -> None:
    (tmp_path / "text").write_text("no certificate")
    monkeypatch.chdir(tmp_path)
    done = answered("sim", "shuffler-dealer", "--tcp", "127.0.0.1:0", *options)
    assert_message(done.returncode, done.stderr.decode(), 2, reason, remedy)


def test_a_service_port_opens_with_the_key_and_its_firmware_is_shown(tmp_path: Path) -> None:
    port, first = tmp_path / "service", tmp_path / "first.bin"
    image = signed(payload_of(2000, 5), ImageVersion(3, 1, 4), 15, "Shuffler", maker_key())
    first.write_bytes(image)
    with TdpDevice("shuffler", "--service", port, "--firmware", first) as machine:
        assert machine.about["service"] == str(port)
        assert not port.is_symlink()
        machine.do("key", "9")
        assert port.is_symlink()
        firmware = machine.do("status")["firmware"]
        assert (firmware["version"], firmware["least_counter"], firmware["boot_state"]) == ("3.1.4", 15, "verified")
        assert firmware["digest"] == digest_of(decode_image(image)).hex()
        assert (firmware["slot"], firmware["confirmed_slot"], firmware["trial"]) == ("A", "A", "none")
        machine.do("key", "0")
        assert not port.is_symlink()
        machine.do("cut-power")
        assert machine.do("status")["firmware"]["version"] is None
        machine.quit()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--hostile", "unsigned-update"), "without a service port"),
        (("--hostile", "shy"), "'shy' is not one of 'unsigned-update'"),
        (("--service", "{folder}"), "not a link of ours"),
        (("--service", "{folder}/s", "--firmware", "{folder}/other.bin"), "wrong_device"),
        (("--service", "{folder}/s", "--firmware", "{folder}/none.bin"), "no_image"),
    ],
)
def test_a_firmware_or_a_service_port_that_cannot_be_is_refused(
    options: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    image = signed(payload_of(2000, 5), ImageVersion(1, 0, 0), 1, "Shuffler", maker_key())
    (tmp_path / "other.bin").write_bytes(image)
    (tmp_path / "none.bin").write_bytes(b"\x7fELF")
    given = [option.format(folder=tmp_path) for option in options]
    done = answered("sim", "tdp-shoe", "--tcp", "127.0.0.1:0", *given)
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert not (tmp_path / "s").is_symlink()
