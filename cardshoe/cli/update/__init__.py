"""``cardshoe update``: device firmware, from the approved list to its attestation."""

import click

from cardshoe.cli.group import Subgroup
from cardshoe.cli.update.prepare import authorise_command, cancel_command, stage_command, status_command
from cardshoe.cli.update.run import run_command
from cardshoe.table.setup.core_dumps import forbid_dumps


@click.group("update", cls=Subgroup)
def update_group() -> None:
    """Update a device's firmware (docs/update.md): stage it, have two persons authorise it, close the table, run.

    Each step is in the device's update log before it is done. Whatever stops `run`, run it again: it checks the
    device and continues from there.
    """
    forbid_dumps()


for _command in (stage_command, authorise_command, run_command, status_command, cancel_command):
    update_group.add_command(_command)
