"""A device that may be at the table by all that it shows, and must not: an update of it is not over."""

from collections.abc import Callable
from typing import Final

import msgspec

from firmware_bridge.admission.judge import Judge, Judgement, failed
from firmware_bridge.trust.codes import Code
from firmware_bridge.trust.facts import Presented
from protocols.tdp.messages import Hello
from regulations.events.notices import DeviceJudged

CHECK: Final = "update"


class UpdateWatch:
    """A judge that refuses a device while an update of it is not over, whatever else is said of it.

    Args:
        judge: who judges all else.
        look: says what keeps the device off the table; ``None`` if nothing does.
    """

    def __init__(self, judge: Judge, look: Callable[[], str | None]) -> None:
        self._judge: Final = judge
        self._look: Final = look
        # Without a site an update cannot begin while the table is at work: they share a folder.
        self._is_held: Final = look() is not None

    @property
    def judges(self) -> bool:
        """As the judge; and a device that is refused is to be held."""
        return self._judge.judges or self._is_held

    def attesting(self, presented: Presented) -> Judgement:
        """Judge a device by what it shows and signs, and by its update log."""
        return self._watched(self._judge.attesting(presented))

    def plain(self, name: str, family: str, port: str, hello: Hello | None) -> Judgement:
        """Judge a device that cannot sign anything. Arguments as in ``Judge``."""
        return self._watched(self._judge.plain(name, family, port, hello))

    def recall(self, judged: DeviceJudged) -> None:
        """Take up what a journal of this table says of a verdict."""
        self._judge.recall(judged)

    def _watched(self, found: Judgement) -> Judgement:
        what = self._look()
        if what is None:
            return found
        check = failed(CHECK, Code.UPDATE_UNFINISHED, what)
        return msgspec.structs.replace(found, verdict="refused", checks=(*found.checks, check))
