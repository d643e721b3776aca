"""``cardshoe sim``: simulated devices for another terminal or a test rig."""

from typing import Final

import click

from cardshoe.cli.group import Subgroup, with_example

REPLAY: Final = "replay"


class SimGroup(Subgroup):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's own signature
        from cardshoe.cli.sim.kinds import simulated_kinds

        return sorted([*(one.kind.name for one in simulated_kinds()), REPLAY])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from cardshoe.cli.sim.bench import command_of
        from cardshoe.cli.sim.kinds import simulated_kinds

        if cmd_name == REPLAY:
            from cardshoe.cli.sim.replay import replay_command

            return with_example(ctx, cmd_name, replay_command)
        found = next((one for one in simulated_kinds() if one.kind.name == cmd_name), None)
        return None if found is None else with_example(ctx, cmd_name, command_of(found))


@click.group("sim", cls=SimGroup)
def sim_group() -> None:
    """Simulated devices."""
