"""Journals that are worse than the product's, each in one way: a harness that does not find them out is blind."""

from dataclasses import dataclass
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.journal import Keyring
from cardshoe.journal.file.database import Setting
from tests.powercut.judge import Problem


class EarlyEraser(Keyring):
    """Erases the old key as soon as the new one is there, before the journal names that: a power cut leaves neither."""

    def make(self, epoch: int) -> Ed25519PrivateKey:
        key = super().make(epoch)
        self.erase_others(epoch)
        return key


class Unlinker(Keyring):
    """Takes the name of an old key away and leaves its bytes on the disk."""

    def erase_others(self, epoch: int) -> None:
        for other in self.held():
            if other != epoch:
                self.path(other).unlink()


@dataclass(frozen=True)
class Control:
    """A journal that is worse than the product's.

    Attributes:
        problem: what the harness must find in it.
    """

    problem: Problem
    weakened: tuple[Setting, ...] = ()
    keyrings: type[Keyring] = Keyring


CONTROLS: Final = {
    "synchronous=NORMAL": Control("lost", (("synchronous", 1),)),
    "synchronous=OFF": Control("lost", (("synchronous", 0),)),
    "old keys erased before the statement": Control("lost", keyrings=EarlyEraser),
    "old keys unlinked and not overwritten": Control("corrupt", keyrings=Unlinker),
}
PRODUCT: Final = Control("lost")
"""The journal as it is."""
