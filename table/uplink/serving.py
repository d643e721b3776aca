"""An uplink until it is told to end."""

import contextlib
import threading
from pathlib import Path

from table.uplink.figures import FiguresFile
from table.uplink.settings import UplinkSettings
from table.uplink.uplink import Uplink


def serve(settings: UplinkSettings, over: threading.Event) -> None:
    """Delivers until an event is set.

    Nothing is finished then: what was under way is sent again by the next uplink, and the table must not wait.

    Args:
        settings: of the uplink.
        over: the end.

    Raises:
        Stop: a certificate cannot be used.
    """
    uplink = Uplink(settings)
    with contextlib.ExitStack() as held:
        if settings.metrics is not None:
            held.enter_context(FiguresFile(Path(settings.metrics), settings.table_id, uplink.figures))
        threading.Thread(target=_work, args=(uplink, over), name="uplink", daemon=True).start()
        over.wait()
        uplink.stop()


def _work(uplink: Uplink, over: threading.Event) -> None:
    try:
        uplink.run()
    finally:
        over.set()  # after a defect the process ends, and whoever started it starts another
