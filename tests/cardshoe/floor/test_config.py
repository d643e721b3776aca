"""FLOOR.toml, and [uplink] of a table.toml: what cannot be meant is refused, and named."""

from pathlib import Path

import pytest

from cardshoe.floor.config import load
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.http.tls import TlsFiles
from cardshoe.table.setup.uplink_section import UplinkSection, faults_of_uplink
from tests.cardshoe.floor.site import GOOD

TLS = 'tls = { certificate = "a.pem", key = "a.key", authority = "AUTHORITY" }'


def test_files_are_below_its_folder(tmp_path: Path) -> None:
    (tmp_path / "floor.toml").write_text(GOOD)
    found = load(tmp_path / "floor.toml")
    assert found.floor.tls.key == str(tmp_path / "floor.key")
    assert found.floor.state == str(tmp_path / "floor")
    assert found.floor.tables == str(tmp_path / "tables.txt")
    assert found.read is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "floor"),
        (GOOD.replace("listen", "lissten"), "lissten"),
        (GOOD.replace("127.0.0.1:8471", "nowhere"), "floor.listen"),
        (GOOD + "[read]\nlisten = '10.0.0.5:80'\n", "read.listen"),
        (GOOD + f"[read]\nlisten = '10.0.0.5:80'\n{TLS.replace('AUTHORITY', 'tables.pem')}\n", "read.tls"),
        (GOOD + "[read]\nlisten = '127.0.0.1:80'\ncurrency = 'XXX'\n", "read.currency"),
        (GOOD + "[read]\nlisten = '127.0.0.1:80'\nday_begins = 24\n", "day_begins"),
        (GOOD + "[read]\nlisten = '127.0.0.1:80'\nlanguage = 'fr'\n", "language"),
        (GOOD + "[read]\nlisten = '127.0.0.1:80'\ncamera = { frames_per_s = 0 }\n", "camera.frames_per_s"),
        (GOOD + "[read]\nlisten = '127.0.0.1:80'\ncameras.'T-1' = { offset = 1 }\n", "offset"),
        (GOOD + "[", "TOML"),
    ],
)
def test_what_cannot_be_meant_is_named(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "floor.toml").write_text(text)
    with pytest.raises(Stop, match=named) as caught:
        load(tmp_path / "floor.toml")
    assert caught.value.code == Exit.USAGE


@pytest.mark.parametrize(
    "to", ["http://floor:1", "https://floor", "nats://floor", "nats://a:1,b", "https://a@floor:1", "https://[:1"]
)
def test_an_uplink_goes_to_an_address_of_a_floor(to: str) -> None:
    tls = TlsFiles(certificate="a", key="b", authority="c")
    assert [fault.key for fault in faults_of_uplink(UplinkSection(to=to, tls=tls, key="none"))] == [
        "uplink.to",
        "uplink.key",
    ]
    assert not list(faults_of_uplink(UplinkSection(to="https://floor:8471", tls=tls)))


@pytest.mark.parametrize("days", ["0", "400", '"x"'])
def test_how_long_a_list_of_persons_counts_has_bounds(tmp_path: Path, days: str) -> None:
    (tmp_path / "floor.toml").write_text(GOOD + f"[persons]\nvalid_days = {days}\n")
    with pytest.raises(Stop, match=r"persons\.valid_days"):
        load(tmp_path / "floor.toml")


def test_by_nats_the_key_of_the_marks_is_named() -> None:
    tls = TlsFiles(certificate="a", key="b", authority="c")
    (fault,) = faults_of_uplink(UplinkSection(to="nats://a:4222,b:4222", tls=tls))
    assert fault.key == "uplink.key"
    assert "broker" in fault.reason
