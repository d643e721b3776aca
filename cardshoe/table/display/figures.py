"""Health of a display, and figures for Prometheus."""

from pathlib import Path
from typing import Final

from msgspec import UNSET
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily

from cardshoe.process.plain_file import read_plain
from cardshoe.table.display.feed import Feed
from cardshoe.table.display.settings import DisplaySettings

CLOCK_STEP_S: Final = 60.0


def failing(feed: Feed) -> dict[str, str]:
    found: dict[str, str] = {}
    if feed.why_not:
        found["table"] = feed.why_not
    if (view := feed.view) is None:
        return found
    for name, device in view.devices.items():
        if device.lost:
            found[f"device {name}"] = "disconnected" + ("" if device.since is UNSET else f" since {device.since}")
        elif device.faults:
            found[f"device {name}"] = "fault " + ", ".join(str(fault.code) for fault in device.faults)
    if view.clock is not None and abs(view.clock.seconds) > CLOCK_STEP_S:
        found["clock"] = f"set by {view.clock.seconds:+g} s at {view.clock.at}"
    return found


def text(settings: DisplaySettings, feed: Feed, streams: int) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    table = settings.table_id
    own = [
        ("cardshoe_display_current", "Whether the table reported in the last two seconds.", int(not feed.why_not)),
        ("cardshoe_display_streams", "Event streams that are open.", streams),
    ]
    written = _written(settings.metrics)
    if written is None:
        own.append(("cardshoe_journal_entries", "Lines in the journal.", feed.seq))
    found = [_gauge(name, about, table, value) for name, about, value in own]
    registry.register(_Found(found))
    return generate_latest(registry) + (written or b"")


class _Found:
    def __init__(self, found: list[GaugeMetricFamily]) -> None:
        self._found: Final = found

    def collect(self) -> list[GaugeMetricFamily]:
        return self._found


def _gauge(name: str, about: str, table: str, value: float) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, about, labels=["table"])
    family.add_metric([table], value)
    return family


def _written(path: str | None) -> bytes | None:
    if path is None:
        return None
    try:
        return read_plain(Path(path))
    except OSError:
        return None
