"""packaging/compose.yaml, which nobody could run here."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
import yaml

import cardshoe.floor
from cardshoe.floor.config import load
from cardshoe.floor.database import DURABLE, OLDEST
from cardshoe.floor.jetstream.stream import OLDEST as OLDEST_NATS

ROOT: Final = Path(cardshoe.floor.__file__).parent.parent.parent
FILE: Final = ROOT / "packaging" / "compose.yaml"
PINNED: Final = re.compile(r"[a-z/-]+:(?P<version>\d+\.\d+(\.\d+)?)(-[a-z0-9]+)?")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FILE.read_text("utf-8"))["services"]
    return found


def version(image: str) -> tuple[int, ...]:
    found = PINNED.fullmatch(image)
    assert found is not None, f"{image} has no version"
    return tuple(int(part) for part in found["version"].split("."))


def test_it_says_that_it_was_not_run() -> None:
    assert "NOT RUN" in FILE.read_text("utf-8")


def test_every_image_has_a_version_that_the_collector_takes(services: dict[str, Any]) -> None:
    assert set(services) == {"postgres", "nats", "collector"}
    assert version(services["postgres"]["image"])[0] * 10_000 >= OLDEST
    assert version(services["nats"]["image"]) >= OLDEST_NATS
    assert version(services["collector"]["build"]["dockerfile_inline"].split()[1]) >= (12,)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert services["collector"]["image"] == f"cardshoe-floor:{project['version']}"


def test_the_database_is_set_as_the_collector_demands(services: dict[str, Any]) -> None:
    said = dict(one.split("=") for one in services["postgres"]["command"] if "=" in one)
    arguments = services["postgres"]["environment"]["POSTGRES_INITDB_ARGS"].split()
    said["server_encoding"] = next(one.partition("=")[2] for one in arguments if one.startswith("--encoding="))
    assert said.keys() == DURABLE.keys()
    assert all(said[name] in wanted for name, wanted in DURABLE.items())


def test_what_it_says_of_floor_toml_is_read(tmp_path: Path, services: dict[str, Any]) -> None:
    text = "\n".join(
        line.removeprefix("#   ") for line in FILE.read_text("utf-8").splitlines() if line.startswith("#   ")
    )
    tls = '{ certificate = "a.pem", key = "a.key", authority = "b.pem" }'
    whole = text.replace("[nats]", f"tls = {tls}\n[nats]\ntls = {tls}")
    (tmp_path / "floor.toml").write_text(whole)
    found = load(tmp_path / "floor.toml")
    assert found.nats is not None
    _, port = found.floor.listen.split(":")
    assert services["collector"]["ports"] == [f"{port}:{port}"]
    assert found.nats.servers == ["nats:4222"]
    assert services["nats"]["ports"] == ["4222:4222"]
    assert "host=postgres" in found.floor.database
    mounted = [one.split(":")[1] for one in services["collector"]["volumes"]]
    assert any(Path(found.floor.state).is_relative_to(place) for place in mounted)
    assert msgspec.structs.asdict(found.floor)["keep_months"] == 0


def test_volumes_networks_and_secrets_that_are_used_are_there(services: dict[str, Any]) -> None:
    whole = yaml.safe_load(FILE.read_text("utf-8"))
    for service in services.values():
        named = {one.split(":")[0] for one in service["volumes"]} - {"./floor"}
        assert named <= set(whole["volumes"])
        assert set(service["networks"]) <= set(whole["networks"])
        assert set(service.get("secrets", [])) <= set(whole["secrets"])
    assert services["postgres"]["networks"] == ["inner"]
    assert whole["networks"]["inner"]["internal"] is True
