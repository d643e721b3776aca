"""A house with a table, a site and a simulated device, whose firmware can be updated."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import Result
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from cardshoe.table.log.update_log import path_of
from firmware_bridge.trust import certificates, keys
from tests.cardshoe.cli.support import invoke
from tests.firmware_bridge.update.night import DEVICE_KEY, PASSPHRASE, Night, make
from tests.kit.command import Command
from tests.kit.running_table import table_section
from tests.kit.waiting import eventually

SIM: Final = "TDP shoe"
"""What the simulated shoe says as its model."""
OLD: Final = make(0, 1, model=SIM)
NEW: Final = make(1, 2, model=SIM)
WAITING: Final = make(2, 2, model=SIM)
"""Its maker has signed it, the regulator not yet."""
TABLE: Final = f"""\
{table_section("B-101")}
[journal]
folder = "journals"
witness = "stick.notes"

[[device]]
name = "shoe-1"
family = "tdp"
port = "{{folder}}/tdp"
[device.settings]
certificate = "{{folder}}/table-7.pem"
key = "{{folder}}/table-7.key"
authority = "{{folder}}/site/authority.pem"
device_name = "shoe-1"

[[device]]
name = "old-shoe"
family = "angel_eye"
port = "{{folder}}/nothing"
"""


class House:
    """A folder with a table's file, a site, persons' keys, and the files of a simulated device."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder

    @property
    def log(self) -> Path:
        return path_of(self.folder / "journals", "shoe-1")

    def simulated(self, *options: str) -> Command:
        """A shoe with its key at the service port."""
        files = ("--certificate", "device.pem", "--key", "device.key", "--authority", "site/authority.pem")
        lines = ("--pty", "tdp", "--service", "service", "--firmware", "old.img", "--speed", "20")
        device = Command("sim", "tdp-shoe", *lines, *files, "--serial-number", "SN-1", *options, folder=self.folder)
        device.line()
        device.say("key 9")
        device.line()
        eventually((self.folder / "service").exists, "the service port is there")
        return device

    def run(self, *arguments: str | Path, code: int = 0, config: str = "table.toml", device: str = "shoe-1") -> Result:
        command, *rest = arguments
        where = [self.folder / config, device, *rest, "--site", self.folder / "site"]
        result = invoke("update", str(command), *where)
        assert result.exit_code == code, result.output
        return result

    def ask(self, *arguments: str | Path, code: int = 0) -> Any:  # noqa: ANN401  whatever the command answers
        return json.loads(self.run(*arguments, "--json", code=code).stdout)

    def update(self, *more: str | Path, code: int = 0) -> Result:
        return self.run("run", "--service", self.folder / "service", *more, code=code)

    def person(self, name: str) -> list[str | Path]:
        return ["--key", self.folder / f"{name}.key", "--passphrase-file", self.folder / "passphrase", "--yes"]

    def authorise(self) -> None:
        proposal = self.ask("authorise", *self.person("anna"))["proposal"]
        assert self.ask("authorise", proposal, *self.person("bruno"))["state"] == "authorised"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Night:
    folder = tmp_path_factory.mktemp("house")
    night = Night(folder, (OLD, NEW), (WAITING,), "Cardshoe", SIM, "SN-1", now=datetime.now(UTC), device="shoe-1")
    night.site.make_host("table-7", night.issuer, folder, night.now)
    pem = certificates.parse(night.certificate, "it").public_bytes(Encoding.PEM)
    (folder / "device.pem").write_bytes(pem)
    (folder / "device.key").write_bytes(DEVICE_KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (folder / "device.key").chmod(0o600)
    (folder / "old.img").write_bytes(OLD.image)
    (folder / "passphrase").write_text(PASSPHRASE + "\n")
    (folder / "passphrase").chmod(0o600)
    for one in (night.anna, night.bruno):
        keys.make_key(folder / f"{one.name}.key", one.name, PASSPHRASE, one.private, cost=keys.COST_MIN)
    return night


@pytest.fixture
def house(built: Night, tmp_path: Path) -> House:
    folder = Path(shutil.copytree(built.folder, tmp_path / "house"))
    (folder / "table.toml").write_text(TABLE.format(folder=folder))
    return House(folder)
