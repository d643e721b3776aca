"""The simulated TDP devices: firmware, certificates, and ways to deceive."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from regulations.events.vocabulary import EquipmentKind
from sim.croupier.routine import CroupierTraits, Routine
from sim.croupier.tdp_croupier import TdpCroupier
from sim.felt import CardTable
from sim.firmware.board import FirmwareBoard, new_board
from sim.firmware.flash import FlashMisuse
from sim.firmware.image_check import ImageRefused
from sim.simulated import (
    Ask,
    BadOrder,
    DeviceOrder,
    ProcessOrder,
    RunningDevice,
    SimOption,
    SimulatedDevice,
    SimulatedKind,
)
from sim.tdp.certified import SECURED, certified, signer_of
from sim.tdp.control import TdpControl
from sim.tdp.hands import TdpHands, TdpKind, tdp_at
from sim.tdp.hostile import CLONED, USB_EXTRAS, Hostile, attests_with, taking_any_host, unit_key_name
from sim.tdp.identity import SimIdentity
from sim.tdp.machine import Machine
from sim.tdp.machine_faults import JamPlace
from sim.tdp.machine_hands import AnyMachineHands, MachineHands
from sim.tdp.reference_shoe import SEED_MAX, ReferenceShoe
from sim.tdp.settings import SHELVES, TdpMachineSettings
from sim.usb.hostile import ExtraInterface
from sim.wires.pty import PtyWire

Values = Mapping[str, Any]
_HELP: Final = """

    It is switched on, and empty. Type `load`, then `draw` as far as the host lets cards out; `help` lists what else
    hands and mishaps can do to it. Without --certificate, --key and --authority the line is plain, which is for
    bring-up: a table takes it with `security = "plain"`. The end of standard input ends it, unless there is a --control
    port; Ctrl-C always does.
    """
_CERTIFICATES: Final = ("certificate", "key", "authority")
_WAYS: Final = tuple(way.value for way in Hostile)
_COMMON: Final = (
    SimOption(
        "--service",
        "Give it flash, a boot loader and a service port of this name, present while the key is at 9.",
        path=True,
    ),
    SimOption("--firmware", "The MCUboot image that it is shipped with.", path=True, exists=True),
    SimOption(
        "--hostile",
        f"Make it hostile to the table; may be repeated: {', '.join(_WAYS)}.",
        words=_WAYS,
        many=True,
    ),
    SimOption("--certificate", "The device's certificate, PEM.", path=True, exists=True),
    SimOption("--key", "Its private key, PEM.", path=True, exists=True),
    SimOption("--authority", "The certificate of the authority that it trusts, PEM.", path=True, exists=True),
    SimOption("--blind", "It has no reader: it counts cards but does not identify them."),
    SimOption("--forgetful", "It forgets unreported events when its power is cut."),
)


def hostile_ways(values: Values) -> frozenset[Hostile]:
    return frozenset(map(Hostile, values.get("hostile", ())))


def usb_side(serial_number: str, values: Values) -> tuple[str, ExtraInterface | None]:
    hostile = hostile_ways(values)
    extra = next((USB_EXTRAS[way] for way in USB_EXTRAS if way in hostile), None)
    return CLONED if Hostile.CLONED_SERIAL in hostile else serial_number, extra


def settings_of(title: str, order: DeviceOrder, port: PtyWire | None) -> TdpMachineSettings:
    values, hostile = order.values, hostile_ways(order.values)
    settings = TdpMachineSettings(
        identity=_identity(title, usb_side(order.serial_number, values)[0]),
        reads=not values.get("blind"),
        keeps_events=not values.get("forgetful"),
        shelves=values.get("shelves", SHELVES),
        dispenses=not values.get("no_dispense"),
        tells_restarts=Hostile.SILENT_REBOOT not in hostile,
        hostile=hostile,
    )
    settings = _secured(settings, [values.get(name) for name in _CERTIFICATES])
    context = settings.context
    if context is not None and Hostile.ANY_HOST in hostile:
        context = taking_any_host(context)
    signer = _signer(order.serial_number, values.get("key"), hostile, attests=port is not None)
    board = None if port is None else _board(title, order, port, hostile)
    return replace(settings, context=context, signer=signer, board=board)


def _identity(model: str, serial_number: str) -> SimIdentity:
    try:
        return SimIdentity().changed("serial", serial_number).changed("model", model)
    except ValueError as error:
        raise BadOrder(f"--serial-number: {error}", "Give a shorter one.") from error


def _secured(settings: TdpMachineSettings, files: Sequence[Path | None]) -> TdpMachineSettings:
    certificate, key, authority = files
    if certificate is None and key is None and authority is None:
        return settings
    if certificate is None or key is None or authority is None:
        missing = ", ".join(f"--{name}" for name, file in zip(_CERTIFICATES, files, strict=True) if file is None)
        raise BadOrder(f"without {missing} there is no TLS", "Give all three files, or none for a plain line.")
    try:
        context = certified(certificate, key, authority)
    except OSError as error:
        raise BadOrder(
            f"{certificate}, {key}, {authority}: {error}",
            "Give PEM files of a certificate, of its key, and of the authority.",
        ) from error
    return replace(settings, terms=SECURED, context=context)


def _signer(
    serial: str, key: Path | None, hostile: frozenset[Hostile], *, attests: bool
) -> Callable[[bytes], bytes] | None:
    if key is not None and Hostile.SHARED_KEY not in hostile:
        try:
            return signer_of(key)
        except (OSError, ValueError) as error:
            raise BadOrder(f"--key: {error}", "Give the device's private key, PEM.") from error
    if attests or hostile & {Hostile.SHARED_KEY, Hostile.CLONED_SERIAL}:
        return attests_with(unit_key_name(serial, hostile))
    return None


def _board(title: str, order: DeviceOrder, port: PtyWire, hostile: frozenset[Hostile]) -> FirmwareBoard:
    firmware: Path | None = order.values.get("firmware")
    try:
        return new_board(
            title,
            random.Random(order.seed),  # what a power cut leaves behind is no secret
            port,
            image=None if firmware is None else firmware.read_bytes(),
            checks_signature=Hostile.UNSIGNED_UPDATE not in hostile,
        )
    except (OSError, ImageRefused, FlashMisuse) as error:
        raise BadOrder(
            f"--firmware {firmware}: {error}",
            f"Give an image for {title!r}, signed by the simulation's maker (docs/simulator.md).",
        ) from error


def _service_port(values: Values) -> PtyWire | None:
    service: Path | None = values.get("service")
    if service is None:
        if values.get("firmware") is not None or Hostile.UNSIGNED_UPDATE in hostile_ways(values):
            raise BadOrder("without a service port there is no firmware to change", "Give --service PATH.")
        return None
    try:
        return PtyWire(service)
    except OSError as error:
        raise BadOrder(f"{service}: {error.strerror or error}", "Choose another name.") from error


def _run(order: ProcessOrder) -> RunningDevice:
    try:
        shoe = ReferenceShoe(order.program, order.serial_number, 1 + order.seed % SEED_MAX)
    except OSError as error:
        raise BadOrder(str(error), "Build it again: `make -C reference/shoe clean posix`.") from error
    return RunningDevice(MachineHands(shoe, CardTable(order.decks)), shoe.port, shoe.settings, shoe)


def _kind(
    kind: TdpKind,
    name: str,
    title: str,
    what: str,
    *,
    commands: tuple[str, ...],
    options: tuple[SimOption, ...] = (),
    run: Callable[[ProcessOrder], RunningDevice] | None = None,
) -> SimulatedKind[TdpHands]:
    def make(order: DeviceOrder) -> SimulatedDevice[TdpHands]:
        port = _service_port(order.values)
        try:
            settings = settings_of(title, order, port)
        except BadOrder:
            if port is not None:
                port.close()
            raise
        rng = random.Random(order.seed)  # cards, no secret
        hands = tdp_at(kind, order.wire, order.clock, order.decks, rng, settings)
        return SimulatedDevice(
            hands,
            TdpControl(hands, order.wire, order.seed),
            {"security": "plain"} if settings.context is None else {},
            [] if port is None else [port],
            {} if port is None else {"service": str(port.path.absolute())},
            _mishaps(hands.device),
        )

    equipment: EquipmentKind = kind
    return SimulatedKind(
        name=name,
        title=title,
        help=what + _HELP,
        equipment=equipment,
        make=make,
        croupier=_croupier,
        commands=commands,
        options=(*_COMMON, *options),
        usb=usb_side,
        is_machine=True,
        run=run,
    )


def _croupier(hands: AnyMachineHands, person: CroupierTraits, ask: Ask) -> Routine:
    return TdpCroupier(hands, person, ask)


def _mishaps(device: Machine) -> Mapping[str, Callable[[], object]]:
    return {
        "unread": device.reader.fail_next,
        "jam": lambda: device.mishaps.jam(JamPlace.EXIT),
        "double feed": device.double_feed_next,
        "dust": device.mishaps.block_sensor,
        "cover": device.open_cover,
    }


KINDS: Final = (
    _kind(
        "shoe",
        "tdp-shoe",
        "TDP shoe",
        "Simulate a card-reading shoe that speaks TDP.",
        commands=("lock", "let_draw"),
        run=_run,
    ),
    _kind(
        "shuffler_dealer",
        "shuffler-dealer",
        "Shuffler-dealer",
        "Simulate a shuffler-dealer that speaks TDP.",
        commands=("lock", "dispense", "accept_return"),
        options=(SimOption("--shelves", "Shelves of its carousel.", least=2, default=SHELVES),),
    ),
    _kind(
        "shuffler",
        "shuffler",
        "Shuffler",
        "Simulate a shuffler that speaks TDP.",
        commands=("dispense", "shuffle"),
        options=(SimOption("--no-dispense", "It ejects the stack instead of dealing from it."),),
    ),
)
