"""Who goes when there are too many at a witness's door."""

import asyncio
import socket

import pytest

from table.witnessing.door import AT_ONCE, Door, Room, peer_of


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

    async def come() -> list[bool]:
        with Door(socket.create_server(("127.0.0.1", 0)), Room(each=3, all=4)) as door:
            there = []
            for host in ("127.0.0.2", "127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.3"):
                there.append(socket.create_connection(door.getsockname(), source_address=(host, 0)))
                accepted = door.accept()[0]
                there.append(accepted)
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

    assert asyncio.run(come()) == [False, True, False, False, False]


def test_a_burst_waits_for_those_that_are_there() -> None:
    async def burst() -> None:
        with Door(socket.create_server(("127.0.0.1", 0))) as door:
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
        with Door(socket.create_server(("127.0.0.1", 0)), Room(each=2, all=2, handshake_s=0.05)) as door:
            for _ in range(10):
                with socket.create_connection(door.getsockname()) as there, door.accept()[0] as here:
                    there.sendall(b"x")
                    assert here.recv(1) == b"x"
                await asyncio.sleep(0)

    asyncio.run(again())
