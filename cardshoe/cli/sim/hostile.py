"""The options of ``cardshoe sim`` for a device's firmware, and for turning it against the table."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from cardshoe.process.exits import Exit, Stop
from sim.firmware.board import new_board
from sim.firmware.flash import FlashMisuse
from sim.firmware.judge import ImageRefused
from sim.tdp.certified import signer_of
from sim.tdp.hostile import CLONED, USB_EXTRAS, Hostile, attests_with, taking_any_host, unit_key_name
from sim.tdp.settings import TdpSettings
from sim.usb.hostile import Guise
from sim.wires.pty import PtyWire


class Turned(NamedTuple):
    """The values of these options.

    Attributes:
        service: name of the service port, if it has one.
        firmware: its first image.
        hostile: how it deceives.
    """

    service: Path | None
    firmware: Path | None
    hostile: frozenset[Hostile]

    @property
    def usb_extra(self) -> Guise | None:
        """The interface that it offers besides; the first, if several were named."""
        return next((USB_EXTRAS[way] for way in USB_EXTRAS if way in self.hostile), None)

    def serial(self, asked: str) -> str:
        """The serial number that it bears."""
        return CLONED if Hostile.CLONED_SERIAL in self.hostile else asked

    def port(self) -> PtyWire | None:
        """The service port's line, plugged in for now.

        Raises:
            Stop: it cannot be had.
        """
        if self.service is None:
            if self.firmware is not None or Hostile.UNSIGNED_UPDATE in self.hostile:
                raise Stop("without a service port there is no firmware to change", "Give --service PATH.", Exit.USAGE)
            return None
        try:
            return PtyWire(self.service)
        except OSError as error:
            raise Stop(f"{self.service}: {error.strerror or error}", "Choose another name.", Exit.USAGE) from error

    def settings(
        self, settings: TdpSettings, model: str, serial: str, key: Path | None, port: PtyWire | None, seed: int
    ) -> TdpSettings:
        """The settings with all of it.

        Args:
            settings: the rest of them.
            model: what hardware it is.
            serial: the serial number that was asked for.
            key: the key of its certificate, if it has one.
            port: its service port's line.
            seed: for what power cuts leave in the flash.

        Raises:
            Stop: the firmware or the key is none.
        """
        hostile = self.hostile
        signer = self._signer(serial, key, attests=port is not None)
        board = None
        if port is not None:
            try:
                board = new_board(
                    model,
                    random.Random(seed),  # noqa: S311  # what a power cut leaves behind is no secret
                    port,
                    image=None if self.firmware is None else self.firmware.read_bytes(),
                    checks_signature=Hostile.UNSIGNED_UPDATE not in hostile,
                )
            except (OSError, ImageRefused, FlashMisuse) as error:
                port.close()
                raise Stop(
                    f"--firmware {self.firmware}: {error}",
                    f"Give an image for {model!r}, signed by the simulation's maker (docs/simulator.md).",
                    Exit.USAGE,
                ) from error
        context = settings.context
        if context is not None and Hostile.ANY_HOST in hostile:
            context = taking_any_host(context)
        tells_restarts = settings.tells_restarts and Hostile.SILENT_REBOOT not in hostile
        return replace(
            settings, signer=signer, board=board, hostile=hostile, tells_restarts=tells_restarts, context=context
        )

    def _signer(self, serial: str, key: Path | None, *, attests: bool) -> Callable[[bytes], bytes] | None:
        """The function that signs attestations, if there are any: by the certificate's key, or the simulation's."""
        if key is not None and Hostile.SHARED_KEY not in self.hostile:
            try:
                return signer_of(key)
            except (OSError, ValueError) as error:
                raise Stop(f"--key: {error}", "Give the device's private key, PEM.", Exit.USAGE) from error
        if attests or self.hostile & {Hostile.SHARED_KEY, Hostile.CLONED_SERIAL}:
            return attests_with(unit_key_name(serial, self.hostile))
        return None


def turned_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options to a command; it gets them as one argument, ``turned``."""

    def with_turned(**given: Any) -> None:  # noqa: ANN401  # whatever options the command has
        hostile = frozenset(map(Hostile, given.pop("hostile")))
        command(turned=Turned(given.pop("service"), given.pop("firmware"), hostile), **given)

    with_turned.__name__, with_turned.__doc__ = command.__name__, command.__doc__
    with_turned.__dict__.update(command.__dict__)  # where click has left the options of the command itself
    wrapped: Callable[..., None] = with_turned
    for option in (
        click.option(
            "--hostile",
            type=click.Choice(ways := [way.value for way in Hostile]),
            multiple=True,
            metavar="WAY",
            help=f"Make it hostile to the table; may be repeated: {', '.join(ways)}.",
        ),
        click.option(
            "--firmware",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="The MCUboot image that it is shipped with.",
        ),
        click.option(
            "--service",
            type=click.Path(path_type=Path),
            help="Give it flash, a boot loader and a service port of this name, present while the key is at 9.",
        ),
    ):
        wrapped = option(wrapped)
    return wrapped
