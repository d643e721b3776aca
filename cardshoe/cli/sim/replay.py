"""``cardshoe sim replay FILE``: a capture as a device."""

from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import click

from cardshoe.cli.captured_device import captured_device
from cardshoe.cli.completing import families
from cardshoe.cli.families import FamilyName
from cardshoe.cli.sim.bench import bench_options, run_device
from cardshoe.cli.sim.kinds import Simulated
from sim.croupier.reading import reading_croupier
from sim.replayed import BadRecording, RecordedBytes, ReplayControl
from sim.simulated import BadOrder, DeviceOrder, SimulatedDevice, SimulatedKind

if TYPE_CHECKING:
    from firmware_bridge.families import Family


@click.command("replay")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--family",
    type=FamilyName(),
    shell_complete=families,
    help="The device's family; default: the one with the most frames.",
)
@bench_options
def replay_command(file: Path, family: "Family | None", **given: Any) -> None:  # noqa: ANN401  # the bench's options
    """Replay a capture FILE as a device.

    It begins at the control line `start`. Bytes come at their times after what came before; a recorded write of the
    host is awaited. TDP messages are sent in a session of their own. `cardshoe capture test FILE` makes a test of it.
    """
    device = captured_device(file, family)
    recorded = [RecordedBytes(read.t_s, read.sender, read.data) for read in device.reads]

    def make(order: DeviceOrder) -> SimulatedDevice[Any]:
        try:
            replay = device.family.part("replay", FunctionType)(recorded, order.clock, order.wire.send)
        except BadRecording as error:
            raise BadOrder(f"{file}: {error}", "Choose another recording, or name the family with --family.") from error
        order.wire.listen(replay.receive)
        control = ReplayControl(replay, order.wire)
        return SimulatedDevice(control.hands, control, replay.settings)

    kind: SimulatedKind[Any] = SimulatedKind(
        name="replay",
        title=f"Recording of {device.family.name}",
        help="",
        equipment="shoe",
        make=make,
        croupier=reading_croupier("shoe"),
    )
    run_device(Simulated(device.family, kind), given)
