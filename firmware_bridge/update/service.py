"""A device's service port: SMP by ``smpclient``; each call opens and closes it."""

import asyncio
import struct
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from cbor2 import CBORDecodeError
from smp.exceptions import SMPException
from smpclient import SMPClient
from smpclient.exceptions import SMPClientException, SMPUploadError
from smpclient.generics import error as is_error
from smpclient.requests.image_management import ImageErase, ImageStatesRead, ImageStatesWrite
from smpclient.requests.os_management import ResetWrite

from drivers.errors import DriverError
from drivers.port import Port
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.device import ImageSlot
from firmware_bridge.update.errors import DeviceFailure
from firmware_bridge.update.smp_line import LineDamaged, SmpLine

ANSWER_S: Final = 5.0
"""A device erases at most a block before it answers."""
PATIENCE_S: Final = 15.0
_AGAIN_S: Final = 0.1
_VERSION_MAX: Final = 32
ERASE_S: Final = 40.0
STALLS_MAX: Final = 8

_T = TypeVar("_T")
_NOT_SMP: Final = (SMPClientException, SMPException, LineDamaged, CBORDecodeError, ValueError, TypeError, struct.error)


class SmpService:
    def __init__(
        self, make_port: Callable[[], Port], answer_s: float = ANSWER_S, patience_s: float = PATIENCE_S
    ) -> None:
        self._make_port: Final = make_port
        self._answer_s: Final = answer_s
        self._patience_s: Final = patience_s

    def slots(self) -> Sequence[ImageSlot]:
        """See ``ServicePort``."""

        async def ask(client: SMPClient) -> Sequence[ImageSlot]:
            answer = await client.request(ImageStatesRead())
            if is_error(answer):
                raise _refused(answer)
            return [
                ImageSlot(
                    bytes(one.hash or b""),
                    _shown(one.version),
                    active=bool(one.active),
                    confirmed=bool(one.confirmed),
                    pending=bool(one.pending),
                )
                for one in answer.images
            ]

        until_s = time.monotonic() + self._patience_s
        while True:
            try:
                return self._request(ask)
            except DeviceFailure:
                # Asking changes nothing, so it may be done again.
                if time.monotonic() >= until_s:
                    raise
            threading.Event().wait(_AGAIN_S)

    def upload(self, image: bytes) -> None:
        async def ask(client: SMPClient) -> None:
            reached, stalls = 0, 0
            try:
                async for offset in client.upload(image, first_timeout_s=ERASE_S):
                    # The package goes on for ever with a device that always wants the same bytes again.
                    stalls += offset <= reached
                    reached = max(reached, offset)
                    if stalls > STALLS_MAX or offset > len(image):
                        raise DeviceFailure(
                            UpdateCode.SERVICE_REFUSED, f"the device wants byte {offset} again and again"
                        )
            except SMPUploadError as error:
                raise DeviceFailure(UpdateCode.SERVICE_REFUSED, f"the device took no image: {error}") from error

        self._request(ask)

    def want_trial(self, digest: bytes) -> None:
        self._change(ImageStatesWrite(hash=digest))

    def confirm(self, digest: bytes) -> None:
        """See ``ServicePort``."""
        # With the digest: a device that started again meanwhile and runs another image refuses.
        self._change(ImageStatesWrite(hash=digest, confirm=True))

    def restart(self) -> None:
        """See ``ServicePort``."""

        async def ask(client: SMPClient) -> None:
            answer = await client.request(ResetWrite())
            if is_error(answer):
                raise _refused(answer)

        self._request(ask)

    def erase(self) -> None:
        """See ``ServicePort``."""

        async def ask(client: SMPClient) -> None:
            answer = await client.request(ImageErase(), timeout_s=ERASE_S)
            if is_error(answer):
                raise _refused(answer)

        self._request(ask)

    def _change(self, request: ImageStatesWrite) -> None:
        async def ask(client: SMPClient) -> None:
            answer = await client.request(request)
            if is_error(answer):
                raise _refused(answer)

        self._request(ask)

    def _request(self, ask: Callable[[SMPClient], Awaitable[_T]]) -> _T:
        try:
            port = self._make_port()
        except DriverError as error:
            raise _silent(error) from error
        line = SmpLine(port)

        async def asked() -> _T:
            async with SMPClient(line, "", timeout_s=self._answer_s) as client:
                return await ask(client)

        try:
            return asyncio.run(asked())
        except DriverError as error:
            raise _silent(error) from error
        except TimeoutError as error:
            code = UpdateCode.SERVICE_GARBAGE if line.damaged else UpdateCode.SERVICE_SILENT
            what = f"service port: no answer within {self._answer_s:g} s, {line.damaged} damaged lines"
            raise DeviceFailure(code, what) from error
        except _NOT_SMP as error:
            what = f"service port: the answer is no SMP packet ({type(error).__name__})"
            raise DeviceFailure(UpdateCode.SERVICE_GARBAGE, what) from error
        finally:
            port.close()  # the client leaves it open where its first question already fails


def _shown(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text[:_VERSION_MAX])


def _silent(error: DriverError) -> DeviceFailure:
    return DeviceFailure(UpdateCode.SERVICE_SILENT, f"service port {error.port}: {error.problem}")


def _refused(answer: object) -> DeviceFailure:
    fault = getattr(answer, "err", None)
    number = getattr(fault, "rc", getattr(answer, "rc", None))
    named = getattr(number, "name", None)
    said = f"{int(number)} ({named})" if number is not None and named else str(number)
    return DeviceFailure(UpdateCode.SERVICE_REFUSED, f"the device refused with {said}")
