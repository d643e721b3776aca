"""The authorities of a house, certificates of its tables, and a collector that runs in a process of its own."""

import json
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any, Final, Self

import httpx
import msgspec

from cardshoe.journal.delivery.wire import Batch, Has, Marks, Refusal, Stands
from cardshoe.process.http.tls import TlsFiles
from cardshoe.table.setup.uplink_section import UplinkSection
from cardshoe.table.uplink.settings import UplinkSettings
from tests.kit.certificates import AUTHORITY_USE, openssl
from tests.kit.forked import ForkedProcess, started
from tests.kit.running_table import write_config

TABLE: Final = "T-1"

GOOD = """
[floor]
listen = "127.0.0.1:8471"
database = "postgresql:///cardshoe"
state = "floor"
tables = "tables.txt"
[floor.tls]
certificate = "floor.pem"
key = "floor.key"
authority = "tables.pem"
"""

PATIENCE_S: Final = 60.0
FLOOR: Final = "127.0.0.1"
_CURVE: Final = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
_CA: Final = """[ca]
default_ca = own
[own]
database = index.txt
crlnumber = crlnumber
default_md = sha256
default_crl_days = 2
"""


class Site:
    """The folder with all certificates: authorities `tables`, `readers` and `stranger`."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        self.enrolled: Final = folder / "tables.txt"
        folder.mkdir(exist_ok=True)
        for authority in ("tables", "readers", "stranger"):
            openssl(folder, "req", "-x509", *_CURVE, "-keyout", f"{authority}.key", "-out", f"{authority}.pem",
                    "-subj", f"/CN={authority}", "-days", "2", "-addext", AUTHORITY_USE)  # fmt: skip
        (folder / "ca.cnf").write_text(_CA)
        (folder / "index.txt").touch()
        (folder / "crlnumber").write_text("01\n")
        self.enrolled.write_text("# The tables of the house\n")
        self.certify("floor", "tables", FLOOR)
        self.revoke()

    def certify(self, stem: str, authority: str = "tables", name: str | None = None, uses: str | None = None) -> None:
        """Makes STEM.pem and STEM.key, of a name; of the floor also for the address."""
        extension = self.folder / f"{stem}.ext"
        name_of_floor = f"subjectAltName=IP:{FLOOR}\n" if stem == "floor" else ""
        # The floor is a server, and a client of its broker and its receivers.
        uses = "serverAuth,clientAuth" if stem == "floor" else "clientAuth" if uses is None else uses
        extension.write_text(
            f"authorityKeyIdentifier=keyid\n{name_of_floor}" + (f"extendedKeyUsage={uses}\n" if uses else "")
        )
        if authority == "tables" and stem != "floor":
            with self.enrolled.open("a") as file:
                file.write(f"{json.dumps(name or stem)}\n")
        subject = "/CN=" + (name or stem).replace("\\", "\\\\").replace("/", "\\/").replace("+", "\\+")
        openssl(self.folder, "req", *_CURVE, "-utf8", "-keyout", f"{stem}.key", "-out", f"{stem}.csr", "-subj", subject)
        openssl(self.folder, "x509", "-req", "-in", f"{stem}.csr", "-CA", f"{authority}.pem", "-CAkey",
                f"{authority}.key", "-CAcreateserial", "-extfile", extension.name, "-out", f"{stem}.pem",
                "-days", "2")  # fmt: skip

    def revoke(self, *stems: str, authority: str = "tables") -> None:
        """Writes an authority's list of revoked certificates, with some more: revoked.pem, AUTHORITY-revoked.pem."""
        own = ("-config", "ca.cnf", "-keyfile", f"{authority}.key", "-cert", f"{authority}.pem")
        for stem in stems:
            openssl(self.folder, "ca", *own, "-revoke", f"{stem}.pem")
        openssl(self.folder, "ca", *own, "-gencrl", "-out", "revoked.new")
        name = "revoked.pem" if authority == "tables" else f"{authority}-revoked.pem"
        (self.folder / "revoked.new").rename(self.folder / name)

    def tls(self, stem: str) -> TlsFiles:
        """The files of one side."""
        if not (self.folder / f"{stem}.pem").exists():
            self.certify(stem)
        return TlsFiles(
            certificate=str(self.folder / f"{stem}.pem"),
            key=str(self.folder / f"{stem}.key"),
            authority=str(self.folder / "tables.pem"),
        )

    def uplink(self, address: str, journals: Path, table: str, stem: str | None = None) -> UplinkSettings:
        """The settings of a table's uplink."""
        section = UplinkSection(to=f"https://{address}", tls=self.tls(stem or table))
        return UplinkSettings(folder=str(journals), table_id=table, section=section)


class Collector:
    """`cardshoe floor run`, as a process."""

    def __init__(self, site: Site, state: Path, database: str, more: str = "") -> None:
        self._site: Final = site
        self.file: Final = state.with_name(f"{state.name}.toml")
        self.port: Final = _free_port()
        self.address: Final = f"{FLOOR}:{self.port}"
        self.file.write_text(f"""
[floor]
listen = "{self.address}"
database = "{database}"
state = "{state}"
tables = "{site.enrolled}"
{more}
[floor.tls]
certificate = "{site.folder}/floor.pem"
key = "{site.folder}/floor.key"
authority = "{site.folder}/tables.pem"
revoked = "{site.folder}/revoked.pem"
[read]
listen = "127.0.0.1:0"
""")
        self._process: ForkedProcess | subprocess.Popen[bytes] | None = None
        self._http: Final = httpx.Client(timeout=PATIENCE_S, trust_env=False)
        self.read = ""
        self.key = ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._http.close()

    def start(self) -> None:
        """Starts it, and waits until it listens."""
        self._process = started(["floor", "run", str(self.file), "--json"])
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            assert self._process.stderr is not None
            raise AssertionError(self._process.stderr.read().decode())
        said = json.loads(line)
        self.read, self.key = f"http://{said['read']}", said["marks"]

    @property
    def pid(self) -> int:
        """Of its process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kills it, as the power does."""
        self._end(signal.SIGKILL)

    def stop(self) -> str:
        """Has it end; what it said."""
        return self._end(signal.SIGTERM)

    def ended(self) -> str:
        """Waits until it ends by itself; what it said."""
        assert self._process is not None
        _, said = self._process.communicate(timeout=PATIENCE_S)
        assert self._process.returncode
        self._process = None
        return (said or b"").decode()

    def _end(self, number: int) -> str:
        if self._process is None:
            return ""
        self._process.send_signal(number)
        _, said = self._process.communicate(timeout=PATIENCE_S)
        self._process = None
        return (said or b"").decode()

    def get(self, path: str, **query: object) -> Any:  # noqa: ANN401  # what JSON holds
        answer = self._http.get(self.read + path, params={name: str(value) for name, value in query.items()})
        assert answer.status_code == 200, answer.text
        return answer.json()


class Teller(httpx.Client):
    """Says anything to a collector with a table's certificate."""

    def __init__(self, site: Site, address: str, stem: str) -> None:
        super().__init__(base_url=f"https://{address}", verify=site.tls(stem).client(), timeout=PATIENCE_S)

    def tell(self, said: Batch | Has) -> Stands | Marks | Refusal:
        """Send a batch, or the table's list of logs."""
        is_batch = isinstance(said, Batch)
        body = said.encoded() if isinstance(said, Batch) else msgspec.json.encode(said)
        answer = self.post("/v1/lines" if is_batch else "/v1/has", content=body)
        kind: Any = Refusal if answer.status_code != 200 else Stands if is_batch else Marks
        found: Stands | Marks | Refusal = msgspec.json.decode(answer.content, type=kind)
        return found


def _free_port() -> int:
    with socket.create_server((FLOOR, 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def copy_of(folder: Path, to: Path) -> Path:
    """A copy of a folder, such as a disk image."""
    shutil.copytree(folder, to)
    return to


def configured(folder: Path, site: Site, floor: Collector, to: str = "") -> Path:
    """A table with an uplink to a collector, perhaps by another way."""
    config = write_config(folder, None)
    tls = site.tls(TABLE)
    names = {"certificate": tls.certificate, "key": tls.key, "authority": tls.authority}
    said = ", ".join(f"{name} = {json.dumps(value)}" for name, value in names.items())
    text = config.read_text().replace('folder = "journals"', 'folder = "journals"\nmetrics = "cardshoe.prom"')
    config.write_text(
        f'{text}\n[uplink]\nto = "{to or f"https://{floor.address}"}"\nkey = "{floor.key}"\ntls = {{ {said} }}\n'
    )
    return config
