"""An uplink until it is stopped."""

import contextlib
import threading
from functools import partial
from pathlib import Path

from cardshoe.process.metrics_file import MetricsFile
from cardshoe.table.uplink.settings import UplinkSettings
from cardshoe.table.uplink.uplink import Uplink


def serve(settings: UplinkSettings, over: threading.Event) -> None:
    """Deliver until an event is set; unfinished batches are resent later."""
    uplink = Uplink(settings)
    with contextlib.ExitStack() as held:
        if settings.metrics is not None:
            figures = partial(uplink.figures.metrics, settings.table_id)
            held.enter_context(MetricsFile(Path(settings.metrics), figures))
        threading.Thread(target=_work, args=(uplink, over), name="uplink", daemon=True).start()
        over.wait()
        uplink.stop()


def _work(uplink: Uplink, over: threading.Event) -> None:
    try:
        uplink.run()
    finally:
        over.set()  # after a defect the process ends, and whoever started it starts another
