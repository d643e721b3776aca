"""Devices that remember roots wrongly (sections 10 and 12, rules R1 to R4)."""

from typing import Final

from tests.conformance.defects import Defect, Parts
from tests.second_device.device import BAD_VALUE, OTHER_ROOT, SMALLER_TREE, Device
from tests.second_device.messages import Message, Type, encode
from tests.second_device.outbox import Outbox


class ForgetsRoots(Outbox):
    """Takes roots and keeps none."""

    def remember_root(self, log: bytes, size: int, root: bytes) -> None:
        """Nothing is kept."""


class SmallSizes(Outbox):
    """Keeps four bytes of a size."""

    def remember_root(self, log: bytes, size: int, root: bytes) -> None:
        super().remember_root(log, size & 0xFFFFFFFF, root)


class SignedSizes(Device):
    """Takes a size for a signed number."""

    def _obstacle(self, message: Message) -> int | None:
        signed = message.type is Type.REMEMBER_ROOT and message.number("size") >> 63
        return BAD_VALUE if signed else super()._obstacle(message)


class RemembersFour(Outbox):
    def remember_root(self, log: bytes, size: int, root: bytes) -> None:
        super().remember_root(log, size, root)
        while len(self.memory.roots) > 4:
            del self.memory.roots[next(iter(self.memory.roots))]


class FirstBegunGoes(Outbox):
    """Lets the log go that was begun first, though it was told since."""

    def remember_root(self, log: bytes, size: int, root: bytes) -> None:
        order = list(self.memory.roots)
        super().remember_root(log, size, root)
        if log.hex() in order:
            self.memory.roots = {one: self.memory.roots[one] for one in order}


class CountsEachRoot(Outbox):
    """Counts roots in place of logs."""

    def remember_root(self, log: bytes, size: int, root: bytes) -> None:
        self.memory.logs += log.hex() in self.memory.roots
        super().remember_root(log, size, root)


class RootsGoWithPower(Outbox):
    """Does not keep roots over a power cut."""

    def boot(self, reason: int) -> None:
        self.memory.roots.clear()
        super().boot(reason)


class TakesSmallerTrees(Device):
    """Lets a log shrink."""

    def _obstacle(self, message: Message) -> int | None:
        reason = super()._obstacle(message)
        return None if reason == SMALLER_TREE else reason


class TakesOtherRoots(Device):
    """Lets a root be exchanged."""

    def _obstacle(self, message: Message) -> int | None:
        reason = super()._obstacle(message)
        return None if reason == OTHER_ROOT else reason


class EmptyTrees(Device):
    """Takes a size of 0."""

    def message(self, body: bytes, now_s: float) -> None:
        super().message(body, now_s)
        if body[0] == Type.REMEMBER_ROOT:
            number = int.from_bytes(body[1:5])
            bad = encode(Type.REFUSED, id=number, reason=BAD_VALUE)
            self._out = bytearray(bytes(self._out).replace(bad, encode(Type.DONE, id=number)))


class DoneWithoutRoot(Device):
    """Done before RootRemembered."""

    def _tell_asked(self, message: Message) -> bytes:
        told = super()._tell_asked(message)
        done = encode(Type.DONE, id=message.number("id"))
        return done + told if message.type is Type.RECALL_ROOT else told


class HidesTheNextCard(Device):
    """Shows the next card in the number of logs."""

    def _tell_asked(self, message: Message) -> bytes:
        told = super()._tell_asked(message)
        cards = self.mechanism._cards  # noqa: SLF001  the defect is there
        return told[:-1] + bytes(cards[-1:]) if message.type is Type.RECALL_ROOT and cards else told


ROOTS: Final = [
    Defect("hides the next card", ("secrecy.nothing-tells-the-next-card",), Parts(device=HidesTheNextCard)),
    Defect("keeps no root", ("roots.root-is-recalled",), Parts(outbox=ForgetsRoots)),
    Defect("takes a size for signed", ("roots.root-is-recalled",), Parts(device=SignedSizes)),
    Defect("keeps half a size", ("roots.root-is-recalled",), Parts(outbox=SmallSizes)),
    Defect("Done before the root", ("roots.root-is-recalled",), Parts(device=DoneWithoutRoot)),
    Defect("lets a log shrink", ("roots.smaller-tree-refused",), Parts(device=TakesSmallerTrees)),
    Defect("lets a root be exchanged", ("roots.other-root-refused",), Parts(device=TakesOtherRoots)),
    Defect("takes an empty tree", ("roots.empty-tree-refused",), Parts(device=EmptyTrees)),
    Defect("remembers four logs", ("roots.last-eight-logs-remembered",), Parts(outbox=RemembersFour)),
    Defect("lets the log begun first go", ("roots.last-eight-logs-remembered",), Parts(outbox=FirstBegunGoes)),
    Defect("counts roots for logs", ("roots.last-eight-logs-remembered",), Parts(outbox=CountsEachRoot)),
    Defect("loses roots with power", ("power.roots-outlive-power",), Parts(outbox=RootsGoWithPower, keeps=True)),
]
