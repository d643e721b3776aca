"""``cardshoe trust``: authority, enrolment and approved firmware of a site."""

import click

from cardshoe.cli.group import Subgroup
from cardshoe.cli.trust.authority import (
    crl_command,
    host_command,
    init_command,
    key_command,
    revoke_command,
    server_command,
)
from cardshoe.cli.trust.enrolment import enrol_group
from cardshoe.cli.trust.firmware import firmware_group
from cardshoe.cli.trust.looking import list_command, show_command, verify_command
from cardshoe.table.setup.core_dumps import forbid_dumps


@click.group("trust", cls=Subgroup)
def trust_group() -> None:
    """What is admitted at the tables of this site: devices, persons, firmware (docs/trust.md).

    Whatever opens something takes two persons: one proposes, another approves, each with a key of their own. One
    person is enough to revoke.
    """
    forbid_dumps()


for _command in (
    key_command,
    init_command,
    host_command,
    server_command,
    enrol_group,
    revoke_command,
    crl_command,
    list_command,
    show_command,
    verify_command,
    firmware_group,
):
    trust_group.add_command(_command)
