"""``cardshoe witness``: the service that keeps signed notes on another machine."""

import socket
import sys
from contextlib import closing
from pathlib import Path

import click

from cardshoe.cli.address import LOCALHOST, host_and_port, is_loopback
from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.group import Subgroup
from cardshoe.journal.proof.note import BadNote, VerifyKey
from cardshoe.journal.witness.store import WitnessStore, trust
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.http.tls import TlsFiles
from cardshoe.process.plain_log import log_plainly
from cardshoe.table.setup.secrets_at_start import must_be_kept

STATE = click.option(
    "--state",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the witness: its key, the trusted logs, and their notes.",
)


@click.group("witness", cls=Subgroup)
def witness_group() -> None:
    """Run a witness for the journals of tables, on a machine of its own."""


@witness_group.command("serve")
@STATE
@click.option("--listen", default=f"{LOCALHOST}:8470", show_default=True, metavar="HOST:PORT", help="Where it listens.")
@click.option("--tls-cert", type=click.Path(dir_okay=False), help="Its certificate (PEM).")
@click.option("--tls-key", type=click.Path(dir_okay=False), help="The key that belongs to it (PEM).")
@click.option("--client-ca", type=click.Path(dir_okay=False), help="The authority of the tables' certificates (PEM).")
@click.option(
    "--client-crl", type=click.Path(dir_okay=False), help="The list of those revoked by that authority (PEM)."
)
@click.option("--accept-new", is_flag=True, help="Accept unregistered journals, trusting their first key.")
@JSON
def serve_command(
    state: Path,
    listen: str,
    tls_cert: str | None,
    tls_key: str | None,
    client_ca: str | None,
    client_crl: str | None,
    *,
    accept_new: bool,
    as_json: bool,
) -> None:
    """Take signed notes over HTTP, keep them, cosign them.

    A note is taken if its journal is registered (`cardshoe witness trust`), signed by its keys, and proved to have only
    grown since the last one. A note that contradicts an earlier one is refused, kept as evidence, and
    reported on standard error.
    """
    from cardshoe.journal.witness.app import make_server, serve
    from cardshoe.journal.witness.service import WitnessService
    from cardshoe.process.http.connection_limits import LimitedListener

    log_plainly("cardshoe witness: %(message)s")
    host, port = host_and_port(listen, "--listen")
    tls = _tls(host, listen, (tls_cert, tls_key, client_ca), client_crl)
    for secret in (state / "witness-key", *([] if tls is None else [Path(tls.key)])):
        must_be_kept(secret)
    context = None if tls is None else tls.server()
    with closing(WitnessStore(state)) as store, closing(LimitedListener(_listener(host, port, listen))) as door:
        service = WitnessService(store, accept_new=accept_new)
        where = door.getsockname()
        scheme, name = ("http" if context is None else "https"), (f"[{host}]" if ":" in host else host)
        address = f"{scheme}://{name}:{where[1]}"
        said = {"witness": str(service.key), "listening": address}
        answer([f"witness {service.key}", f"listening on {address}"], said, as_json=as_json)
        sys.stdout.flush()
        serve(make_server(service, door, context), door)


@witness_group.command("trust", short_help="Register a journal by its first key")
@STATE
@click.argument("key")
@JSON
def trust_command(state: Path, key: str, *, as_json: bool) -> None:
    """Register a journal by its first KEY, as `cardshoe run` prints it when it begins one, also while it serves."""
    try:
        first = VerifyKey.parse(key)
    except BadNote as error:
        remedy = "It is the line that `cardshoe run` prints: NAME+ID+KEY."
        raise Stop(f"no key: {error.reason}", remedy, Exit.USAGE) from error
    is_new = trust(state, first)
    said = {"journal": first.name, "key": str(first), "is_new": is_new}
    answer([f"{first.name}: {'registered' if is_new else 'was registered already'}"], said, as_json=as_json)


def _tls(
    host: str, listen: str, files: tuple[str | None, str | None, str | None], revoked: str | None
) -> TlsFiles | None:
    certificate, key, authority = files
    if certificate is not None and key is not None and authority is not None:
        return TlsFiles(certificate=certificate, key=key, authority=authority, revoked=revoked)
    if any(files) or revoked is not None:
        raise Stop(
            "TLS needs certificates on both sides",
            "Give --tls-cert, --tls-key and --client-ca, all three, or none of them and no --client-crl.",
            Exit.USAGE,
        )
    if not is_loopback(host):
        raise Stop(
            f"--listen {listen!r}: other machines could reach it without a certificate",
            f"Give --tls-cert, --tls-key and --client-ca, or listen on {LOCALHOST}.",
            Exit.USAGE,
        )
    return None


def _listener(host: str, port: int, listen: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise Stop(f"{listen}: {error.strerror or error}", "Choose another address.", Exit.USAGE) from error
