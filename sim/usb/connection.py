"""One host connected over USB/IP."""

import contextlib
import errno
import socket
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from sim.usb.device import DeviceDetached, UsbDevice
from sim.usb.endpoints import DONE, IN, Transfer
from sim.usb.setup import Setup, Stalled
from sim.usb.usbip import (
    BUSY,
    NO_DEVICE,
    SHORT_NOT_OK,
    Exported,
    ImportRequest,
    ListRequest,
    ProtocolBroken,
    Request,
    Submit,
    Unlink,
    UsbIpDecoder,
    device_list,
    import_granted,
    import_refused,
    submitted,
    unlinked,
)
from sim.wires.wire import WRITE_LIMIT

_UNREAD_LIMIT_BYTES: Final = 4 << 20

_SEND_BUFFER_BYTES: Final = 64 << 10


class DeviceDirectory(Protocol):
    def listed(self) -> list[Exported]:
        """The devices that may be imported now."""

    def borrow(self, bus_id: str, by: "UsbIpConnection") -> tuple[UsbDevice, Exported] | None:
        """Lend a device; ``None`` if lent already. Raises ``KeyError`` if there is no such device."""

    def give_back(self, by: "UsbIpConnection") -> None:
        """Release the device of a connection that ended."""


class UsbIpConnection:
    def __init__(
        self, peer: socket.socket, shelf: DeviceDirectory, on_unsent: Callable[["UsbIpConnection", bool], None]
    ) -> None:
        self.peer: Final = peer
        peer.setblocking(False)  # noqa: FBT003  # the standard library's own signature
        # Else an answer waits for the host's acknowledgement of the one before: 40 ms, where USB takes 1.
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER_BYTES)
        self._shelf = shelf
        self._on_unsent = on_unsent
        self._decoder = UsbIpDecoder()
        self._unsent = bytearray()
        self._waits_for_room = False
        self._device: UsbDevice | None = None
        self._plug_count = 0
        self._device_id = 0
        self._pending: dict[int, Transfer] = {}
        self.is_open = True

    def read(self) -> None:
        """Serve the host's requests; close when it disconnects or breaks the protocol."""
        try:
            data = self.peer.recv(WRITE_LIMIT)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.close()
            return
        self._decoder.push(data)
        try:
            while self.is_open and (request := self._decoder.next()) is not None:
                self._do(request)
        except ProtocolBroken:
            # Nothing that follows would make sense, and there is no way to say so in USB/IP.
            self.close()

    def flush(self) -> None:
        """Send queued answers."""
        try:
            sent = self.peer.send(self._unsent)
        except BlockingIOError:
            sent = 0
        except OSError:
            # The socket is readable now, with its end: `read` closes.
            sent = len(self._unsent)
        del self._unsent[:sent]
        if bool(self._unsent) != self._waits_for_room:
            self._waits_for_room = not self._waits_for_room
            self._on_unsent(self, self._waits_for_room)

    def close(self) -> None:
        """Close the connection and release the device. Idempotent."""
        if not self.is_open:
            return
        self.is_open = False
        self._shelf.give_back(self)
        self.peer.close()
        if self._device is not None and self._device.plug_count == self._plug_count:
            self._device.reset()

    def _do(self, request: Request) -> None:
        match request:
            case ListRequest():
                self._send(device_list(self._shelf.listed()))
            case ImportRequest():
                self._import(request)
            case Submit():
                self._submit(request)
            case Unlink():
                self._unlink(request)

    def _import(self, request: ImportRequest) -> None:
        try:
            lent = self._shelf.borrow(request.bus_id, self)
        except KeyError:
            self._send(import_refused(NO_DEVICE))
            return
        if lent is None:
            self._send(import_refused(BUSY))
            return
        self._device, exported = lent
        self._plug_count = self._device.plug_count
        self._device_id = exported.device_id
        self._device.reset()
        self._decoder.is_attached = True
        self._send(import_granted(exported))

    def _submit(self, request: Submit) -> None:
        device = self._check(request.device_id)
        if request.endpoint in (0, IN):
            self._control(device, request)
            return
        transfer = Transfer(request.endpoint, request.length, partial(self._over, request), bytearray(request.data))
        self._pending[request.number] = transfer
        device.submit(transfer, self._plug_count)

    def _control(self, device: UsbDevice, request: Submit) -> None:
        setup = Setup.parse(request.setup)
        try:
            answer = device.control(setup, request.data)
        except Stalled:
            self._send(submitted(request, -errno.EPIPE, 0))
        except DeviceDetached:
            self.close()
        else:
            moved = len(answer) if setup.is_in else request.length
            self._send(submitted(request, DONE, moved, answer))

    def _over(self, request: Submit, transfer: Transfer) -> None:
        self._pending.pop(request.number, None)
        if transfer.status is None or transfer.status == errno.ENODEV or not self.is_open:
            # Unplugged: no answer; the connection is closed next, which tells the host.
            return
        is_in = bool(request.endpoint & IN)
        status = -transfer.status
        if status == DONE and is_in and request.flags & SHORT_NOT_OK and transfer.moved < request.length:
            status = -errno.EREMOTEIO
        self._send(submitted(request, status, transfer.moved, bytes(transfer.data) if is_in else b""))

    def _unlink(self, request: Unlink) -> None:
        device = self._check(request.device_id)
        transfer = self._pending.pop(request.victim, None)
        was_pending = transfer is not None and device.cancel(transfer)
        # 0: it was over, and its answer is on the way.
        self._send(unlinked(request, -errno.ECONNRESET if was_pending else DONE))

    def _check(self, device_id: int) -> UsbDevice:
        if self._device is None or device_id != self._device_id:
            raise ProtocolBroken("another device than the imported one", device_id.to_bytes(4, "big"))
        return self._device

    def _send(self, data: bytes) -> None:
        was_waiting = bool(self._unsent)
        self._unsent += data
        if not was_waiting:
            self.flush()
        if len(self._unsent) > _UNREAD_LIMIT_BYTES:
            # Closed by `read`, which finds the end: this may be the middle of a transfer.
            self._unsent.clear()
            with contextlib.suppress(OSError):  # it has hung up itself
                self.peer.shutdown(socket.SHUT_RDWR)
