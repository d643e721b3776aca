"""Endpoints: packets on the device's side, transfers on the host's. No call waits.

An IN transfer ends with a short packet or a full room; an OUT transfer waits for room (NAK).
"""

import errno
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

DONE: Final = 0
IN: Final = 0x80


@dataclass(slots=True, eq=False)
class Transfer:
    """A transfer of a host.

    Attributes:
        endpoint: address; bit 7: IN.
        length: room in bytes for IN, bytes to send for OUT.
        on_end: called once, under the device's lock: it returns at once and calls no device.
        moved: bytes transferred.
        status: ``None`` while under way; then 0, or the kernel's ``errno``: EPIPE stall, EOVERFLOW babble,
            ENODEV gone, ECONNRESET reset.
    """

    endpoint: int
    length: int
    on_end: Callable[["Transfer"], None]
    data: bytearray
    moved: int = 0
    status: int | None = None

    def end(self, status: int) -> None:
        """Set the status and call ``on_end``."""
        self.status = status
        self.on_end(self)


class _Endpoint(ABC):
    def __init__(self, packet_bytes: int, limit_bytes: int) -> None:
        self.packet_bytes: Final = packet_bytes
        self._limit_bytes: Final = limit_bytes
        self._transfers: Final[deque[Transfer]] = deque()
        self.is_halted = False

    @property
    def is_awaited(self) -> bool:
        return bool(self._transfers)

    def submit(self, transfer: Transfer) -> None:
        self._transfers.append(transfer)
        self._serve()

    def cancel(self, transfer: Transfer) -> None:
        self._transfers.remove(transfer)

    def halt(self) -> None:
        self.is_halted = True
        self._serve()

    def clear_halt(self) -> None:
        self.is_halted = False
        self._serve()

    def abort(self, status: int) -> None:
        """End all waiting transfers."""
        self.is_halted = False
        while self._transfers:
            self._transfers.popleft().end(status)

    @abstractmethod
    def _serve(self) -> None:
        """Move packets and end finished transfers."""


class InEndpoint(_Endpoint):
    def __init__(self, packet_bytes: int, limit_bytes: int) -> None:
        super().__init__(packet_bytes, limit_bytes)
        self._packets: deque[bytes] = deque()
        self.queued_bytes = 0
        self.taken_packets = 0
        self.lost_bytes = 0

    def offer(self, data: bytes) -> None:
        """Queue ``data`` as one transfer, ended by a short or empty packet."""
        kept = data[: self._limit_bytes - self.queued_bytes]
        if kept:
            size = self.packet_bytes
            self._packets.extend(kept[at : at + size] for at in range(0, len(kept), size))
            if len(kept) % size == 0:
                self._packets.append(b"")
            self.queued_bytes += len(kept)
            self._serve()
        self.lost_bytes += len(data) - len(kept)

    def drop(self) -> None:
        """Drop the queued bytes."""
        self.lost_bytes += self.queued_bytes
        self._packets.clear()
        self.queued_bytes = 0

    def abort(self, status: int) -> None:
        self.drop()
        super().abort(status)

    def _serve(self) -> None:
        while self._transfers and (self.is_halted or self._packets):
            transfer = self._transfers[0]
            status = errno.EPIPE if self.is_halted else self._move(transfer)
            if status is not None:
                self._transfers.popleft()
                transfer.end(status)

    def _move(self, transfer: Transfer) -> int | None:
        packet = self._packets[0]
        if len(packet) > transfer.length - transfer.moved:
            # The host's controller refuses it and the device does not hear of it: the packet stays.
            return errno.EOVERFLOW
        self._packets.popleft()
        self.queued_bytes -= len(packet)
        self.taken_packets += 1
        transfer.data += packet
        transfer.moved += len(packet)
        ends = len(packet) < self.packet_bytes or transfer.moved == transfer.length
        return DONE if ends else None


class OutEndpoint(_Endpoint):
    def __init__(self, packet_bytes: int, limit_bytes: int) -> None:
        super().__init__(packet_bytes, limit_bytes)
        self._held = bytearray()

    @property
    def has_bytes(self) -> bool:
        return bool(self._held)

    def consume(self) -> bytes:
        """Return the received bytes; makes room for more."""
        data = bytes(self._held)
        self._held.clear()
        self._serve()
        return data

    def _serve(self) -> None:
        while self._transfers:
            transfer = self._transfers[0]
            if self.is_halted:
                status = errno.EPIPE
            else:
                self._move(transfer)
                if transfer.moved < transfer.length:
                    return
                status = DONE
            self._transfers.popleft()
            transfer.end(status)

    def _move(self, transfer: Transfer) -> None:
        room = self._limit_bytes - len(self._held)
        if transfer.length - transfer.moved > room:
            # A device takes a packet or refuses it: no half ones.
            room -= room % self.packet_bytes
        part = transfer.data[transfer.moved : transfer.moved + room]
        self._held += part
        transfer.moved += len(part)


Endpoint = InEndpoint | OutEndpoint
