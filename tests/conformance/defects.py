"""How a device is made wrong: parts of the second device in which one thing differs, put together to a whole one."""

import random
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.conformance.virtual import SecondFar
from tests.second_device.device import Device
from tests.second_device.framing import FrameReader
from tests.second_device.link import DeviceLink
from tests.second_device.mechanism import Mechanism
from tests.second_device.messages import MessageReader
from tests.second_device.outbox import Outbox
from tests.second_device.session import Happening, Security, Session, Stands
from tests.second_device.station import Station
from tests.second_device.stream import Incoming, Outgoing
from tests.second_device.tls import Tls

Alter = Callable[[bytes], bytes]


def _as_it_is(data: bytes) -> bytes:
    return data


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Of what a device is made; the usual part where none is given."""

    outbox: type[Outbox] = Outbox
    mechanism: type[Mechanism] = Mechanism
    device: type[Device] = Device
    link: type[DeviceLink] = DeviceLink
    session: type[Session] = Session
    incoming: type[Incoming] = Incoming
    outgoing: type[Outgoing] = Outgoing
    reader: type[FrameReader] = FrameReader
    messages: type[MessageReader] = MessageReader
    tls: type[Tls] = Tls
    security: Security = Security.PLAIN
    context: Callable[[Path], ssl.SSLContext] | None = None
    """Makes the TLS context from a folder of certificates; plain without."""
    keeps: bool = False
    keeps_in_process: bool = False
    """Keeps events over a power cut, without a file: five hundred of them would take long."""
    alter: Alter = field(default=_as_it_is)
    """Alters what goes onto the line."""


@dataclass(frozen=True)
class Defect:
    """A wrong device.

    Attributes:
        caught_by: the checks that must find it.
    """

    what: str
    caught_by: tuple[str, ...]
    parts: Parts


class WrongStation(Station):
    """A second device of given parts."""

    def __init__(self, outbox: Outbox, rng: random.Random, parts: Parts, context: ssl.SSLContext | None) -> None:
        super().__init__(outbox, rng, context)
        self._parts: Final = parts
        self._make_tls = parts.tls
        self.device = parts.device(outbox, rng)
        self.device.mechanism = parts.mechanism(outbox, rng)

    def power_on(self, now_s: float) -> None:
        super().power_on(now_s)
        self._link = _linked(self._parts)
        self._link.open()

    def _happening(self, happening: Happening, now_s: float) -> None:
        super()._happening(happening, now_s)
        if isinstance(happening, Stands):
            self._reader = self._parts.messages()

    def take_line(self) -> bytes:
        data = super().take_line()
        return self._parts.alter(data) if data else data


def _linked(parts: Parts) -> DeviceLink:
    class Link(parts.link):  # type: ignore[misc, name-defined]  # made of the parts given
        """Gives each session the parts that are wanted."""

        _candidate: Session | None

        def _accept(self, host: int, window: int, payload: int, now_s: float) -> None:
            before = self._candidate
            super()._accept(host, window, payload, now_s)
            made = self._candidate
            if made is None or made is before:
                return
            if parts.session is not Session:
                self._candidate = made = parts.session(made.number, made.window, made.payload, now_s)
            made.incoming = parts.incoming(made.window)
            made.outgoing = parts.outgoing(made.window, made.payload)

    link: DeviceLink = Link(parts.security, number=77)
    link._reader = parts.reader()  # noqa: SLF001  the part is the link's own, and made where it is made
    return link


def wrong_device(defect: Defect, seed: int, folder: Path, site: Path | None = None) -> SecondFar:
    """The device that a defect describes, on virtual time."""
    parts = defect.parts
    keeps_events = parts.keeps or parts.keeps_in_process
    outbox = parts.outbox(folder / "memory" if parts.keeps else None, keeps_events=keeps_events)
    context = None if parts.context is None or site is None else parts.context(site)
    return SecondFar(WrongStation(outbox, random.Random(seed), parts, context))
