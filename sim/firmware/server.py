"""The device's SMP server: bytes in, bytes out (``docs/protocols/smp.md``)."""

from collections.abc import Callable
from typing import Final

from sim.firmware.images import ERASE, GROUP, STATE, UPLOAD, Images
from sim.firmware.lines import FRAME_MAX, LineReader, to_lines
from sim.firmware.loader import BootLoader, RunningImage
from sim.firmware.smp import READ, WRITE, Fields, SmpRequest, answer, field

_OS: Final = 0
_ECHO: Final = 0
_RESET: Final = 5
_PARAMETERS: Final = 6


class SmpServer:
    def __init__(
        self, loader: BootLoader, running: RunningImage | None, send: Callable[[bytes], None], reset: Callable[[], None]
    ) -> None:
        images = Images(loader, running)
        self._send: Final = send
        self._reset: Final = reset
        self._is_reset_wanted = False
        self._reader: Final = LineReader()
        self._services: Final = {
            SmpRequest(WRITE, _OS, _ECHO): _echo,
            SmpRequest(WRITE, _OS, _RESET): self._want_reset,
            SmpRequest(READ, _OS, _PARAMETERS): _parameters,
            SmpRequest(READ, GROUP, STATE): images.states,
            SmpRequest(WRITE, GROUP, STATE): images.change,
            SmpRequest(WRITE, GROUP, UPLOAD): images.upload,
            SmpRequest(WRITE, GROUP, ERASE): images.erase,
        }

    def receive(self, data: bytes) -> None:
        for packet in self._reader.feed(data):
            reply = answer(packet, self._services)
            if reply is not None:
                self._send(to_lines(reply))
            if self._is_reset_wanted:
                self._is_reset_wanted = False
                self._reset()
                return  # what came behind it was said to a device that is gone

    def _want_reset(self, _fields: Fields) -> Fields:
        self._is_reset_wanted = True
        return {}


def _echo(fields: Fields) -> Fields:
    return {"r": field(fields, "d", str)}


def _parameters(_fields: Fields) -> Fields:
    return {"buf_size": FRAME_MAX, "buf_count": 1}
