"""The command line: one module per command. ``sim`` may be imported only from ``demo`` and ``sim``."""

import click

from table.cli.capture import capture_command
from table.cli.config import config_group
from table.cli.demo import demo_command
from table.cli.doctor import doctor_command
from table.cli.group import Cli
from table.cli.log import log_command
from table.cli.ports import ports_command
from table.cli.replay import replay_command, verify_command
from table.cli.rules import rules_command
from table.cli.run import run_command
from table.cli.sim import sim_group


@click.group(cls=Cli, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cardshoe", prog_name="cardshoe")
def main() -> None:
    r"""The controller at a casino table.

    \b
    Exit codes: 0 ok, 1 failure, 2 usage or bad input, 3 refusal or irregularity under --strict,
    4 journal broken, 5 device missing.
    """


main.add_command(replay_command)
main.add_command(verify_command)
main.add_command(log_command)
main.add_command(run_command)
main.add_command(config_group)
main.add_command(demo_command)
main.add_command(rules_command)
main.add_command(sim_group)
main.add_command(ports_command)
main.add_command(capture_command)
main.add_command(doctor_command)
