"""Who goes when there are too many at a witness's door."""

import asyncio
import socket
from collections.abc import Sequence
from typing import Final

import pytest

from cardshoe.process.http.connection_limits import AT_ONCE, ConnectionLimits, LimitedListener, peer_of


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%lo", "fe80::2", True),
    ],
)
def test_one_machine_is_one_peer(one: str, other: str, *, same: bool) -> None:
    assert (peer_of((one, 1)) == peer_of((other, 2))) is same


def test_over_the_limit_of_all_the_peer_with_the_most_gives_way() -> None:
    """One machine has three connections, others one each: the next that comes takes the place of its oldest."""
    assert cut(ConnectionLimits(each=3, all=4), [2, 1, 1, 1, 3]) == [False, True, False, False, False]


def test_others_leave_room_for_this_machine() -> None:
    """Machines 2 to 4 may have four of six: their fifth takes the place of an older one of the peer with the most."""
    room = ConnectionLimits(each=3, all=6, here=2)
    assert cut(room, [1, 2, 2, 3, 4, 3]) == [False, True, False, False, False, False]
    assert cut(room, [2, 2, 3, 4, 1, 1]) == [False] * 6


def test_a_stream_goes_after_all_that_are_idle() -> None:
    assert cut(ConnectionLimits(each=2, all=6), [2, 2, 2], lasting=1) == [False, True, False]


class Wired(asyncio.Transport):
    """A transport of a socket."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__({"socket": connection})
        self._connection: Final = connection

    def abort(self) -> None:
        self._connection.shutdown(socket.SHUT_RDWR)


def cut(room: ConnectionLimits, hosts: Sequence[int], lasting: int = 0) -> list[bool]:
    """Which of the connections from these hosts of 127.0.0.0/24 end; 1 is the machine itself."""

    async def come() -> list[bool]:
        listener = socket.create_server(("127.0.0.1", 0))
        with LimitedListener(listener, room, lambda peer: peer == "127.0.0.1") as door:
            there = []
            for number, host in enumerate(hosts):
                there.append(socket.create_connection(door.getsockname(), source_address=(f"127.0.0.{host}", 0)))
                accepted = door.accept()[0]
                there.append(accepted)
                if number < lasting:
                    transport = Wired(accepted)
                    door.entered(transport)
                    door.lasts(transport)
                await asyncio.sleep(0)  # the next turn
            gone = [is_cut(one) for one in there[::2]]
            for one in there:
                one.close()
            return gone

    def is_cut(one: socket.socket) -> bool:
        one.settimeout(0)
        try:
            return one.recv(1) == b""
        except BlockingIOError:
            return False

    return asyncio.run(come())


def test_a_burst_waits_for_those_that_are_there() -> None:
    async def burst() -> None:
        with LimitedListener(socket.create_server(("127.0.0.1", 0))) as door:
            there = [socket.create_connection(door.getsockname()) for _ in range(AT_ONCE + 1)]
            there += [door.accept()[0] for _ in range(AT_ONCE)]
            with pytest.raises(BlockingIOError):
                door.accept()
            await asyncio.sleep(0)
            there.append(door.accept()[0])
            for one in there:
                one.close()

    asyncio.run(burst())


def test_a_number_that_is_used_again_is_another_connection() -> None:
    """The system gives the number of a closed connection to the next one, which is not cut for the old one."""

    async def again() -> None:
        with LimitedListener(
            socket.create_server(("127.0.0.1", 0)), ConnectionLimits(each=2, all=2, handshake_s=0.05)
        ) as door:
            for _ in range(10):
                with socket.create_connection(door.getsockname()) as there, door.accept()[0] as here:
                    there.sendall(b"x")
                    assert here.recv(1) == b"x"
                await asyncio.sleep(0)

    asyncio.run(again())
