"""``cardshoe sim tdp-shoe``, ``shuffler-dealer`` and ``shuffler``: devices that speak the open protocol."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from cardshoe.cli.sim.bench import Bench, Simulated, bench_options, simulate
from cardshoe.cli.sim.hostile import Turned, turned_options
from cardshoe.process.exits import Exit, Stop
from sim.clock import RealClock
from sim.tdp.certified import SECURED, certified
from sim.tdp.control import TdpControl
from sim.tdp.hands import TdpKind, tdp_at
from sim.tdp.identity import Identity
from sim.tdp.settings import SHELVES, TdpSettings
from sim.wires.wire import Wire

DEVICES: Final[dict[str, tuple[TdpKind, str, str]]] = {
    "tdp-shoe": ("shoe", "TDP shoe", "Simulate a card-reading shoe that speaks TDP."),
    "shuffler-dealer": ("shuffler_dealer", "Shuffler-dealer", "Simulate a shuffler-dealer that speaks TDP."),
    "shuffler": ("shuffler", "Shuffler", "Simulate a shuffler that speaks TDP."),
}
"""The commands: kind, title, and what their help begins with."""

_HELP: Final = """

    It is switched on, and empty. Type `load`, then `draw` as far as the host lets cards out; `help` lists what else
    hands and mishaps can do to it. Without --certificate, --key and --authority the line is plain, which is for
    bring-up: a table takes it with `security = "plain"`. The end of standard input ends it, unless there is a --control
    port; Ctrl-C always does.
    """

_PEM: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_CERTIFICATES: Final = ("--certificate", "--key", "--authority")
Option = Callable[[Callable[..., None]], Callable[..., None]]
_COMMON: Final[Sequence[Option]] = (
    click.option("--certificate", type=_PEM, help="The device's certificate, PEM."),
    click.option("--key", type=_PEM, help="Its private key, PEM."),
    click.option("--authority", type=_PEM, help="The certificate of the authority that it trusts, PEM."),
    click.option("--blind", is_flag=True, help="It has no reader: it counts cards but does not identify them."),
    click.option("--forgetful", is_flag=True, help="It forgets unreported events when its power is cut."),
)
_OWN: Final[dict[str, Sequence[Option]]] = {
    "tdp-shoe": (),
    "shuffler-dealer": (
        click.option(
            "--shelves", type=click.IntRange(min=2), default=SHELVES, show_default=True, help="Of its carousel."
        ),
    ),
    "shuffler": (click.option("--no-dispense", is_flag=True, help="It ejects the stack instead of dealing from it."),),
}


def _command(device: str) -> click.Command:
    kind, title, summary = DEVICES[device]

    def run(  # one argument per option, as click has it
        *,
        bench: Bench,
        turned: Turned,
        blind: bool,
        forgetful: bool,
        shelves: int = SHELVES,
        no_dispense: bool = False,
        **files: Path | None,
    ) -> None:
        settings = TdpSettings(reads=not blind, keeps_events=not forgetful, shelves=shelves, dispenses=not no_dispense)
        settings = _secured(settings, [files[name.removeprefix("--")] for name in _CERTIFICATES])
        serial = turned.serial(bench.serial_number)
        settings = replace(settings, identity=_identity(title, serial))
        port = turned.port()

        def make(wire: Wire, clock: RealClock, seed: int) -> Simulated:
            whole = turned.settings(settings, title, bench.serial_number, files["key"], port, seed)
            hands = tdp_at(kind, wire, clock, bench.decks, random.Random(seed), whole)  # noqa: S311  # cards, no secret
            control = TdpControl(hands, wire, seed)
            security = {"security": "plain"} if settings.context is None else {}
            also, facts = ([], {}) if port is None else ([port], {"service": str(port.path.absolute())})
            return Simulated(title, "tdp", hands.make_ready, control, security, also, facts)

        simulate(device, make, bench._replace(serial_number=serial), turned.usb_extra)

    run.__doc__ = summary + _HELP
    for option in reversed((*_COMMON, *_OWN[device])):
        option(run)
    return click.command(device)(bench_options(turned_options(run)))


def _secured(settings: TdpSettings, files: Sequence[Path | None]) -> TdpSettings:
    certificate, key, authority = files
    if certificate is None and key is None and authority is None:
        return settings
    if certificate is None or key is None or authority is None:
        missing = ", ".join(name for name, file in zip(_CERTIFICATES, files, strict=True) if file is None)
        raise Stop(f"without {missing} there is no TLS", "Give all three files, or none for a plain line.", Exit.USAGE)
    try:
        context = certified(certificate, key, authority)
    except OSError as error:
        raise Stop(
            f"{certificate}, {key}, {authority}: {error}",
            "Give PEM files of a certificate, of its key, and of the authority.",
            Exit.USAGE,
        ) from error
    return replace(settings, terms=SECURED, context=context)


def _identity(model: str, serial_number: str) -> Identity:
    try:
        return Identity().changed("serial", serial_number).changed("model", model)
    except ValueError as error:
        raise Stop(f"--serial-number: {error}", "Give a shorter one.", Exit.USAGE) from error


tdp_commands: Final = tuple(_command(device) for device in DEVICES)
"""The commands."""
