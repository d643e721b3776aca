"""A witness on a real socket of this machine, in this process, and a journal that sends it notes."""

import contextlib
import gc
import queue
import socket
import ssl
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx

from cardshoe.journal import Journal
from cardshoe.journal.proof.cosignature import CosignatureKey
from cardshoe.journal.witness.app import LIMITS, WitnessLimits, make_server
from cardshoe.journal.witness.client import WitnessClient
from cardshoe.journal.witness.http_target import HttpTarget
from cardshoe.journal.witness.service import WitnessService
from cardshoe.journal.witness.store import WitnessStore
from cardshoe.journal.witness.tasks import Task, Tasks
from cardshoe.journal.witness.witness import NoteSender
from cardshoe.process.http.connection_limits import ROOM, ConnectionLimits, LimitedListener
from tests.kit.waiting import PATIENCE_S, eventually

RETRY_S: Final = 0.01


@contextlib.contextmanager
def serving(
    state: Path,
    *,
    accept_new: bool = True,
    tls: ssl.SSLContext | None = None,
    limits: WitnessLimits = LIMITS,
    room: ConnectionLimits = ROOM,
    port: int = 0,
) -> Iterator[str]:
    """A witness at work; its address."""
    listener = LimitedListener(socket.create_server(("127.0.0.1", port)), room)
    with contextlib.closing(listener), contextlib.closing(WitnessStore(state)) as store:
        service = WitnessService(store, accept_new=accept_new, now=lambda: 1_700_000_000)
        server = make_server(service, listener, tls, limits)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            eventually(lambda: server.started, "the witness listens")
            scheme, host = ("http", "127.0.0.1") if tls is None else ("https", "localhost")
            yield f"{scheme}://{host}:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)
            _forget_sockets()


def _forget_sockets() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


class Table:
    """A thread that has a journal, as the controller's, and answers tasks between two things that it does."""

    def __init__(self, journal: Journal) -> None:
        self.journal: Final = journal
        self.inbox: Final[queue.SimpleQueue[Task[Any] | None]] = queue.SimpleQueue()
        self.tasks: Final = Tasks(self.inbox.put)

    def answer_until(self, witness: NoteSender) -> None:
        """Answers tasks until nothing waits for a witness."""
        looking = threading.Thread(target=self._end_when, args=(witness,))
        looking.start()
        while (task := self.inbox.get(timeout=PATIENCE_S)) is not None:
            task.run()
        looking.join()

    def _end_when(self, witness: NoteSender) -> None:
        try:
            eventually(lambda: not witness.window().notes, "nothing waits")
        finally:
            self.inbox.put(None)

    def witness(self, url: str, tls: ssl.SSLContext | None = None, pinned: CosignatureKey | None = None) -> NoteSender:
        """A witness of this journal, not begun."""
        return NoteSender(HttpTarget(WitnessClient(url, tls, pinned=pinned), self.tasks), retry_s=RETRY_S)

    def end(self, witness: NoteSender) -> None:
        self.tasks.hand_over()
        witness.stop()
        self.tasks.close()


def post(url: str, body: bytes, path: str = "/add-checkpoint") -> httpx.Response:
    """Sends a witness something."""
    return httpx.post(url + path, content=body, trust_env=False)
