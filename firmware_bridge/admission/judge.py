"""Who judges a device, and what comes of it; at a table without a site, nobody does."""

from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from firmware_bridge.trust.codes import RESOLUTIONS, Code
from firmware_bridge.trust.facts import Check, Presented, Unit
from protocols.tdp.messages import Hello
from regulations.events.notices import DeviceJudged
from regulations.events.vocabulary import DeviceVerdict


class Judgement(Struct, frozen=True, kw_only=True):
    """The result of judging a device.

    Attributes:
        verdict: whether it may be at the table, and by what.
        checks: all that were made.
        by: the persons who let it in, as far as somebody has.
        unit: of a device that does not say so itself: what stands on its plate.
        registry: head of the registry by which it was judged.
    """

    verdict: DeviceVerdict
    checks: tuple[Check, ...] = ()
    by: tuple[str, ...] = ()
    unit: Unit | None = None
    registry: str = ""

    @property
    def refusals(self) -> tuple[Check, ...]:
        """The checks that do not hold."""
        return tuple(one for one in self.checks if not one.ok)


class Judge(Protocol):
    """Judges devices. Calls come from the threads of several ports, and from the table's."""

    @property
    def judges(self) -> bool:
        """True if anything is compared: without, no device is asked to attest or held back."""

    def attesting(self, presented: Presented) -> Judgement:
        """Judge a device by what it shows and signs."""

    def plain(self, name: str, family: str, port: str, hello: Hello | None) -> Judgement:
        """Judge a device that cannot sign anything.

        Args:
            name: in the table's configuration.
            family: of the device.
            port: the stable name of its port.
            hello: what it says of itself, if it does.
        """

    def recall(self, judged: DeviceJudged) -> None:
        """Take up what a journal of this table says of a verdict, of whatever device."""


class Nobody:
    """The judge of a table without a site: demonstrations, benches, houses that have no authority yet."""

    judges: Final = False

    def attesting(self, presented: Presented) -> Judgement:  # noqa: ARG002  as in `Judge`
        """It was not judged."""
        return Judgement(verdict="not_judged")

    def plain(self, name: str, family: str, port: str, hello: Hello | None) -> Judgement:  # noqa: ARG002  as above
        """It was not judged."""
        return Judgement(verdict="not_judged")

    def recall(self, judged: DeviceJudged) -> None:
        """Nobody remembers anything."""


class UpdateWatch:
    """A judge around a judge: it refuses a device while an update of it is not over.

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
        check = failed("update", Code.UPDATE_UNFINISHED, what)
        return replace(found, verdict="refused", checks=(*found.checks, check))


def refused(name: str, code: Code, detail: str) -> Judgement:
    """The judgement on a device of which one thing is known, and that is enough.

    Args:
        name: of the check.
        code: why it does not hold.
        detail: what was found.
    """
    return Judgement(verdict="refused", checks=(failed(name, code, detail),))


def failed(name: str, code: Code, detail: str) -> Check:
    """A check that does not hold. Arguments as :func:`refused`."""
    return Check(name, ok=False, code=code, detail=detail, who=RESOLUTIONS[code].who, remedy=RESOLUTIONS[code].remedy)
