"""Options that several commands have."""

from pathlib import Path
from typing import Final

import click

SEALING_KEY: Final = click.option(
    "--sealing-key",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of the table's sealing keys; otherwise systemd's credential, or sealing.key beside the journal.",
)
