"""A TDP device's memory of the journal."""

import threading
from collections.abc import Callable
from typing import Final

from drivers.errors import DriverError
from drivers.tdp import TdpDevice
from drivers.tdp_commands import REPLY_TIMEOUT_S, MakeCommand, NoAnswer
from firmware_bridge.errors import RootFailed
from firmware_bridge.roots import Remembered
from protocols.tdp.codes import Capability, RefusalReason
from protocols.tdp.commands import RecallRoot, RememberRoot
from protocols.tdp.messages import Done, Hello, Refused, RootRemembered

ANSWER_S: Final = 2 * REPLY_TIMEOUT_S
NEVER_SHRINKS: Final = frozenset({int(RefusalReason.SMALLER_TREE), int(RefusalReason.OTHER_ROOT)})


class TdpRoots:
    def __init__(self, name: str, device: TdpDevice, on_disagreement: Callable[[str], None]) -> None:
        self._name: Final = name
        self._device: Final = device
        self._on_disagreement: Final = on_disagreement
        self._changed: Final = threading.Condition()
        self._is_able: bool | None = None
        self._told: RootRemembered | None = None

    @property
    def session(self) -> int:
        return self._device.session

    # --- the port's side ---------------------------------------------------------------------------------------------

    def on_message(self, message: Hello | RootRemembered) -> None:
        with self._changed:
            if isinstance(message, RootRemembered):
                self._told = message
            else:
                self._is_able = bool(message.capabilities & Capability.REMEMBERS_ROOTS)
                self._changed.notify_all()

    # --- the witness's side ------------------------------------------------------------------------------------------

    def recall(self, log: bytes, wait_s: float) -> Remembered | None:
        """See ``RootMemory``."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._is_able is not None, wait_s):
                raise RootFailed(self._name, "no session with it yet")
            if not self._is_able:
                return None
        session = self.session
        answer = self._send(lambda command_id: RecallRoot(command_id, log), session)
        if isinstance(answer, Refused) and answer.reason == RefusalReason.NOT_SUPPORTED:
            return None
        with self._changed:
            told = self._told
        if isinstance(answer, Refused) or told is None or (told.id, told.log) != (answer.id, log):
            raise RootFailed(self._name, "it does not say what it remembers")
        return Remembered(told.size, told.root, told.logs, session)

    def remember(self, log: bytes, size: int, root: bytes, session: int) -> None:
        """See ``RootMemory``."""
        answer = self._send(lambda command_id: RememberRoot(command_id, log, size, root), session)
        if isinstance(answer, Refused):
            refused = f"it refuses {size} entries (reason {answer.reason})"
            raise RootFailed(self._name, refused, disagrees=answer.reason in NEVER_SHRINKS)

    def disagree(self, why: str) -> None:
        """See ``RootMemory``."""
        self._on_disagreement(why)

    def _send(self, make: MakeCommand, session: int) -> Done | Refused:
        try:
            answer = self._device.send_command(make, session).result(ANSWER_S)
        except DriverError as error:
            raise RootFailed(self._name, error.problem) from error
        except TimeoutError as error:
            raise RootFailed(self._name, f"no answer within {ANSWER_S:g} s") from error
        if isinstance(answer, NoAnswer):
            raise RootFailed(self._name, answer.why)
        return answer
