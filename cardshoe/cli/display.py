"""``cardshoe display``: the pages and the interface of a table alone."""

from pathlib import Path

import click

from cardshoe.cli.echo import echo
from cardshoe.process.exits import Exit, Stop


@click.command("display")
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path))
def display_command(config: Path) -> None:
    """Serve the pages of the table that CONFIG (table.toml) describes.

    `cardshoe run` does so by itself where there is a [display] and no [live]; this is for a display on its own, started
    as the account that [live] names, or else the table's. The table need not run: the pages say so until it does.
    Ctrl-C ends it.
    """
    from cardshoe.process.clock import wall_time
    from cardshoe.process.plain_log import log_plainly
    from cardshoe.table.display.listening import listener
    from cardshoe.table.display.server import serve
    from cardshoe.table.display.settings import settings_of
    from cardshoe.table.setup.config import load
    from cardshoe.table.setup.fault_texts import fault_texts
    from cardshoe.table.setup.secrets_at_start import must_be_kept

    log_plainly("cardshoe display: %(message)s")
    loaded = load(config, wall_time())
    settings = settings_of(loaded, fault_texts({device.name: device.family for device in loaded.devices}))
    if settings is None:
        raise Stop(
            f"{config}: no [display]", "Add the section: `cardshoe config example` explains its keys.", Exit.USAGE
        )
    section = settings.section
    if section.tls is not None:
        must_be_kept(Path(section.tls.key))
    with listener(section) as listening:
        scheme = "http" if section.tls is None else "https"
        for page in section.pages:
            echo(f"{scheme}://{section.listen}/{page}")
        serve(settings, listening)
