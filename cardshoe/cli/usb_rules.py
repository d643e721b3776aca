"""``cardshoe usb-rules``: udev rules that keep USB to a table's card devices."""

from pathlib import Path

import click

from cardshoe.cli.echo import echo


@click.command("usb-rules")
@click.argument("config", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--udev", "for_udev", is_flag=True, help="Print rules for udev instead of usbguard.")
def usb_rules_command(config: Path, *, for_udev: bool) -> None:
    """Print rules for usbguard that let in the devices of CONFIG (table.toml), and nothing that calls itself one.

    The configuration's open facts are taken from the devices that are plugged in, if the guard allows them. Nothing is
    changed; packaging/usbguard/README.md says where the rules go.
    """
    from cardshoe.process.clock import wall_time
    from cardshoe.process.exits import Exit, Stop
    from cardshoe.table.setup.config import load
    from cardshoe.table.setup.usb_opening import found_on_usb
    from cardshoe.table.setup.usb_rules import Unwritable, subject_of, udev_rules, usbguard_rules
    from drivers.usb_devices import UsbBus

    table = load(config, wall_time())
    try:
        subjects = [subject_of(allowed, found) for allowed, found in found_on_usb(table.devices, UsbBus())]
    except Unwritable as error:
        raise Stop(f"{config}: device {error.device}: {error}", error.remedy, Exit.DEVICE) from error
    program = "udev" if for_udev else "usbguard"
    echo(f"# USB devices of table {table.table.table_id}, for {program}; made by `cardshoe usb-rules`.")
    if not subjects:
        echo("# No rules: no [[device]] has a port on USB.")
        return
    for line in (udev_rules if for_udev else usbguard_rules)(subjects):
        echo(line)
