"""The pytest plugin works in a project whose tests may open no sockets but those of the file system."""

from pathlib import Path

from tests.plugin.foreign import Foreign

GUARDED = """
import socket

import pytest

_socket = socket.socket


class GuardedSocket(_socket):
    \"\"\"As pytest-socket's with --disable-socket --allow-unix-socket.\"\"\"

    def __new__(cls, family=-1, type=-1, proto=-1, fileno=None):
        if family != socket.AF_UNIX:
            raise RuntimeError("A test tried to use socket.socket.")
        return super().__new__(cls, family, type, proto, fileno)


@pytest.fixture(autouse=True)
def disable_socket(monkeypatch):
    monkeypatch.setattr(socket, "socket", GuardedSocket)


def test_a_card_of_a_simulated_shoe(cardshoe_shoe, cardshoe_table):
    assert cardshoe_table(cardshoe_shoe)
    cardshoe_shoe.control.do("about")
    with pytest.raises(RuntimeError):
        socket.create_connection(("127.0.0.1", 9))
"""


def test_a_simulated_shoe_without_tcp(tmp_path: Path) -> None:
    # Longer than an address of a Unix socket may be.
    folder = tmp_path / ("long-" * 20)
    folder.mkdir()
    Foreign(folder, GUARDED).run("-q").assert_outcomes("1 passed")
