"""Sign checkpoints and the next key's certificate."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.journal.file.errors import KeyMissing
from cardshoe.journal.file.keyring import Keyring
from cardshoe.journal.proof.note import SigningKey, VerifyKey
from cardshoe.journal.proof.signatures import Numbered
from cardshoe.journal.proof.statements import Checkpoint, Takeover


class JournalSigner:
    def __init__(self, keyring: Keyring, origin: str, epoch: int, private: Ed25519PrivateKey, number: int = 0) -> None:
        self._keyring = keyring
        self._origin = origin
        self._key = SigningKey(origin, private)
        self.epoch = epoch
        self.number = number

    @classmethod
    def first(cls, keyring: Keyring, origin: str) -> "JournalSigner":
        """The signer of a new journal."""
        return cls(keyring, origin, 0, keyring.make(0))

    @classmethod
    def resume(cls, keyring: Keyring, keys: list[VerifyKey], number: int) -> "JournalSigner":
        """Resume with the last key."""
        epoch = len(keys) - 1
        notary = cls(keyring, keys[-1].name, epoch, keyring.load(epoch), number)
        if notary.public != keys[-1]:
            raise KeyMissing(keyring.journal, epoch, keyring.held(), f"{keyring.path(epoch).name} is another key")
        return notary

    @property
    def public(self) -> VerifyKey:
        """The public key."""
        return self._key.public

    def opening(self, root: bytes, at: str, before: "JournalSigner | None") -> Numbered:
        """The first key's statement over the header, certified by the log before."""
        certifying = None if before is None else before._key  # noqa: SLF001  # its own class
        return 0, self._takeover(0, 1, root, self.public, at).signed(certifying, self._key)

    def checkpoint(self, size: int, root: bytes, at: str) -> Numbered:
        """The next checkpoint; counts once stored."""
        self.number += 1
        checkpoint = Checkpoint(origin=self._origin, size=size, root=root, number=self.number, epoch=self.epoch, at=at)
        return self.number, checkpoint.signed(self._key)

    def certify_next(
        self, size: int, root: bytes, at: str, state: bytes | None = None
    ) -> tuple["JournalSigner", Numbered]:
        """Create and certify the next key; store the statement, then `erase_others`."""
        epoch = self.epoch + 1
        following = JournalSigner(self._keyring, self._origin, epoch, self._keyring.make(epoch), self.number)
        takeover = self._takeover(epoch, size, root, following.public, at, state)
        return following, (epoch, takeover.signed(self._key, following._key))  # its own class

    def erase_others(self) -> None:
        self._keyring.erase_others(self.epoch)

    def _takeover(  # what a statement says
        self, epoch: int, size: int, root: bytes, key: VerifyKey, at: str, state: bytes | None = None
    ) -> Takeover:
        return Takeover(origin=self._origin, epoch=epoch, size=size, root=root, key=key, at=at, state=state)
