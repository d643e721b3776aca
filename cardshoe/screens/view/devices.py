"""A table's devices, from its log."""

from msgspec import UNSET

from cardshoe.screens.view.parts import DeviceView, FaultView
from regulations.events import inputs, notices
from regulations.events.inputs import AnyInput
from regulations.events.line import DeviceReport
from regulations.events.origins import origin_of

WHO = ("maker", "model", "serial", "firmware")


def apply_device(devices: dict[str, DeviceView], event: AnyInput) -> None:
    """Apply an input about a device. The same code of another origin is another fault."""
    if not isinstance(event, DeviceReport) or event.device is UNSET:
        return
    device = devices.setdefault(event.device, DeviceView())
    at = "" if event.at is UNSET else event.at
    match event:
        case inputs.DeviceLost():
            device.lost, device.since = True, at
        case inputs.DeviceBack():
            device.lost, device.since = False, at
        case inputs.Fault():
            _end(device, event)
            device.faults.append(
                FaultView(
                    code=event.code,
                    origin=origin_of(event),
                    at=at,
                    frame_type=event.frame_type,
                    frame_length=event.frame_length,
                )
            )
        case inputs.FaultCleared():
            _end(device, event)
        case notices.DeviceIdentified() | notices.DeviceJudged():
            for name in WHO:
                if (said := getattr(event, name)) is not UNSET:
                    setattr(device, name, said)
            if isinstance(event, notices.DeviceJudged):
                device.verdict = event.verdict
            else:
                device.reads = event.reads
        case _:
            pass


def _end(device: DeviceView, event: inputs.Fault | inputs.FaultCleared) -> None:
    key = (event.code, origin_of(event))
    device.faults = [one for one in device.faults if (one.code, one.origin) != key]
