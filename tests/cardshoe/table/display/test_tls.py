"""The display where other machines can come: certificates on both sides, and nothing without them."""

import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from cardshoe.process.http.browser_sessions import BROWSER, COOKIE
from cardshoe.process.http.tls import TlsFiles
from cardshoe.screens.words.display_section import DisplaySection
from cardshoe.table.display.child import DisplayChild
from cardshoe.table.display.settings import DisplaySettings
from tests.cardshoe.cli.support import answered
from tests.cardshoe.persons.support import table_with_persons
from tests.cardshoe.table.display.support import ready, signed_in
from tests.cardshoe.table.live.support import TABLE
from tests.kit.certificates import HOST, INTRUDER, LOCALHOST, make_site, needs_openssl
from tests.kit.command import PATIENCE_S

CONFIG = (
    '[table]\nid = "T"\ngame = "baccarat"\ndecks = 8\nseats = 7\nequipment = "shoe"\n[journal]\nfolder = "j"\n'
    '[display]\nlisten = "0.0.0.0:8443"\n'
)


def context(site: Path, name: str | None) -> ssl.SSLContext:
    """A browser with a certificate, or without any."""
    found = ssl.create_default_context(cafile=str(site / "site.pem"))
    if name is not None:
        found.load_cert_chain(site / f"{name}.pem", site / f"{name}.key")
    return found


@contextmanager
def served(folder: Path, site: Path) -> Iterator[str]:
    """A table with persons, and the address of its display."""
    files = TlsFiles(certificate=f"{LOCALHOST}.pem", key=f"{LOCALHOST}.key", authority="site.pem").below(site)
    section = DisplaySection(listen="0.0.0.0:0", tls=files)
    settings = DisplaySettings(folder=str(folder), table_id=TABLE.table_id, section=section, currency="MOP")
    with table_with_persons(folder), DisplayChild(settings) as child:
        yield re.sub(r"//[0-9.]+:", f"//{LOCALHOST}:", child.home)


@needs_openssl
def test_who_has_a_certificate_is_served_and_nobody_else(tmp_path: Path) -> None:
    (site := tmp_path / "site").mkdir()
    make_site(site)
    (folder := tmp_path / "table").mkdir()
    with served(folder, site) as home:
        assert home.startswith("https://")
        with httpx.Client(base_url=home, verify=context(site, HOST), timeout=PATIENCE_S) as client:
            ready(client)
            assert client.get("/board").status_code == 200
            session = client.post("/api/v1/session", json={"id": "nobody", "pin": "x"})
            assert session.status_code == 403
            signed_in(client, "cara")
            assert sorted(cookie.name for cookie in client.cookies.jar) == [BROWSER, COOKIE]
            for cookie in client.cookies.jar:
                assert (cookie.secure, cookie.has_nonstandard_attr("HttpOnly")) == (True, True)
            assert client.get("/api/v1/session").json()["id"] == "cara"
            plain = {"Origin": str(client.base_url).rstrip("/").replace("https:", "http:")}
            assert client.delete("/api/v1/session", headers=plain).status_code == 403
        for stranger in (None, INTRUDER):
            with httpx.Client(base_url=home, verify=context(site, stranger), timeout=PATIENCE_S) as client:
                for path in ("/board", "/healthz", "/api/v1/table"):
                    with pytest.raises((httpx.TransportError, ssl.SSLError)):
                        client.get(path)
        with (
            httpx.Client(base_url=home.replace("https:", "http:"), timeout=PATIENCE_S) as client,
            pytest.raises(httpx.TransportError),
        ):
            client.get("/board")


@needs_openssl
def test_off_loopback_a_display_does_not_start_without_certificates_that_it_can_use(tmp_path: Path) -> None:
    make_site(tmp_path)
    config = tmp_path / "table.toml"
    tls = 'tls = {{ certificate = "{0}.pem", key = "{1}.key", authority = "site.pem" }}\n'
    for more, said in (
        ("", b"can be reached from other machines"),
        (tls.format("missing", LOCALHOST), b"missing.pem"),
        (tls.format(LOCALHOST, HOST), b"localhost.pem"),
        ('tls = { certificate = "localhost.pem", key = "localhost.key" }\n', b"authority"),
    ):
        config.write_text(CONFIG + more)
        for command in ("display", "run"):
            told = answered(command, config)
            assert (told.returncode, said in told.stderr) == (2, True), (command, more, told.stderr)
