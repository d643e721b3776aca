"""Options that several commands have."""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import click

from cardshoe.journal import NoteSource, WitnessFile
from cardshoe.journal.witness.places import fault_of, is_address
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.http.tls import TlsFiles

SEALING_KEY: Final = click.option(
    "--sealing-key",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of the table's sealing keys; default: systemd's credential, or sealing.key beside the journal.",
)
WITNESS_TLS: Final = click.option(
    "--witness-tls",
    nargs=3,
    type=click.Path(exists=True, dir_okay=False),
    metavar="CERT KEY CA",
    help="For a witness at https: certificate and key to show it, and the authority of its own.",
)
WITNESS_KEYS: Final = click.option(
    "--witness-key",
    "witness_keys",
    multiple=True,
    metavar="KEY",
    help="The known key of a witness, as in witness_key of [journal]; may be repeated.",
)


def witness_at(witness: str, files: tuple[str, str, str] | None, resources: ExitStack) -> NoteSource:
    tls = None if files is None else TlsFiles(certificate=files[0], key=files[1], authority=files[2])
    if (reason := fault_of(witness, tls)) is not None:
        raise Stop(reason, "Name the file of a witness, or its address; see --witness-tls.", Exit.USAGE)
    if is_address(witness):
        from cardshoe.journal.witness.http_target import client_for

        return resources.enter_context(closing(client_for(witness, None if tls is None else tls.client())))
    if not Path(witness).exists():
        raise Stop(f"{witness}: no such file", "Check the name of the witness.", Exit.USAGE)
    return WitnessFile(Path(witness))
