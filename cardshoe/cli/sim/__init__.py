"""``cardshoe sim``: simulated devices to try `cardshoe run` against, from another terminal or a test rig."""

import click

from cardshoe.cli.group import Subgroup
from cardshoe.cli.sim.shoes import angel_eye_command, bee_tek_command
from cardshoe.cli.sim.tdp import tdp_commands


@click.group("sim", cls=Subgroup)
def sim_group() -> None:
    """Simulated devices."""


for _command in (angel_eye_command, bee_tek_command, *tdp_commands):
    sim_group.add_command(_command)
