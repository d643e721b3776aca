"""``cardshoe uplink``: send a table's log to the floor."""

import threading
from pathlib import Path

import click

from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_log import log_plainly


@click.command("uplink")
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path))
def uplink_command(config: Path) -> None:
    """Send the journals of the table that CONFIG (table.toml) describes to its floor.

    `cardshoe run` does so by itself where there is an [uplink] and no [live]; this is for one on its own, started as
    the account that [live] names, or else the table's, such as to deliver closed journals of a table that runs no
    more. Ctrl-C ends it.
    """
    from cardshoe.process.clock import wall_time
    from cardshoe.process.signals import signals_stop
    from cardshoe.table.setup.config import load
    from cardshoe.table.setup.secrets_at_start import must_be_kept
    from cardshoe.table.uplink.serving import serve
    from cardshoe.table.uplink.settings import settings_of

    log_plainly("cardshoe uplink: %(message)s")
    settings = settings_of(load(config, wall_time()))
    if settings is None:
        raise Stop(
            f"{config}: no [uplink]", "Add the section: `cardshoe config example` explains its keys.", Exit.USAGE
        )
    must_be_kept(Path(settings.section.tls.key))
    over = threading.Event()
    with signals_stop(over.set):
        serve(settings, over)
