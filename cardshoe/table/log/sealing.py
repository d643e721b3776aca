"""Face-down cards, encrypted in the log.

Only the table's thread sees the card; others get ``"card": null`` and ``"sealed"``.
"""

import base64
import binascii
import os
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import UNSET, UnsetType

from cardshoe.table.log.sealing_keys import SealingKeys
from regulations.events import inputs
from regulations.events.codec import decode_input
from regulations.events.errors import MalformedLine
from regulations.events.inputs import AnyInput

NONCE_BYTES: Final = 12
PADDED_BYTES: Final = 256
"""Padding of the plaintext: its length would reveal the card."""

HIDDEN: Final[Mapping[type, Mapping[str, Any]]] = {
    inputs.CardDrawn: {"card": None, "raw": UNSET},
    inputs.Revealed: {"cards": UNSET, "raw": UNSET},
    inputs.Exposed: {"cards": UNSET, "raw": UNSET},
    inputs.Resolve: {"card": UNSET, "cards": UNSET},
    inputs.Proposed: {"what": UNSET},
    inputs.DeviceResult: {"outcome": None, "pairs": UNSET, "raw": UNSET},
    inputs.RoundPartial: {"raw": UNSET},
    inputs.Fault: {"raw": UNSET},
    inputs.FaultCleared: {"raw": UNSET},
}


class CannotOpen(Exception):
    """A sealed input cannot be opened; ``key_id`` empty: not named."""

    def __init__(self, key_id: str, held: list[str], reason: str, *, is_lost: bool = False) -> None:
        super().__init__(reason)
        self.key_id = key_id
        self.held = held
        self.reason = reason
        self.is_lost = is_lost


class Sealer:
    """Seals and opens the inputs of one log.

    Each log has a derived key; log and line number are bound in, so that no card can be moved.
    """

    def __init__(self, keys: SealingKeys, origin: str) -> None:
        self._keys: Final = keys
        self._origin: Final = origin.encode()
        self._ciphers: Final[dict[str, ChaCha20Poly1305]] = {}

    def seal(self, line: AnyInput, like: str | UnsetType = UNSET) -> AnyInput:
        """A numbered input for others; unchanged if it has no hidden card.

        Args:
            like: an earlier sealing: same key and nonce give the same bytes.
        """
        blanks = HIDDEN.get(type(line), {})
        whole = msgspec.to_builtins(line)
        secret = {name: whole[name] for name, blank in blanks.items() if whole.get(name) not in (None, [], blank)}
        if not secret:
            return line
        key_id, nonce = (self._keys.first, os.urandom(NONCE_BYTES)) if like is UNSET else _parsed(like)[:2]
        plain = msgspec.json.encode(secret)
        plain = plain.ljust(-(-len(plain) // PADDED_BYTES) * PADDED_BYTES)
        sealed = nonce + self._cipher(key_id).encrypt(nonce, plain, self._bound(line))
        text = f"{key_id}.{base64.urlsafe_b64encode(sealed).decode()}"
        return msgspec.structs.replace(line, **{name: blanks[name] for name in secret}, sealed=text)

    def open(self, line: AnyInput) -> AnyInput:
        """The original of a sealed input.

        Raises:
            CannotOpen: a missing key, or altered.
        """
        key_id, nonce, sealed = _parsed(line.sealed if isinstance(line.sealed, str) else "")
        try:
            secret = msgspec.json.decode(self._cipher(key_id).decrypt(nonce, sealed, self._bound(line)), type=dict)
            whole = msgspec.to_builtins(line) | secret
            del whole["sealed"]
            return decode_input(msgspec.json.encode(whole))
        except (InvalidTag, msgspec.DecodeError, MalformedLine) as error:
            reason = "what is sealed in it was altered, or belongs to another line"
            raise CannotOpen(key_id, self._keys.ids, reason) from error

    def _bound(self, line: AnyInput) -> bytes:
        return b"%s\n%d" % (self._origin, line.seq if isinstance(line.seq, int) else 0)

    def _cipher(self, key_id: str) -> ChaCha20Poly1305:
        if key_id not in self._ciphers:
            key = self._keys.get(key_id)
            if key is None:
                reason = f"the sealing key {key_id} is not here; there are {', '.join(self._keys.ids) or 'none'}"
                raise CannotOpen(key_id, self._keys.ids, reason, is_lost=True)
            derived = HKDF(SHA256(), 32, salt=None, info=b"cardshoe seal 1\n" + self._origin).derive(key)
            self._ciphers[key_id] = ChaCha20Poly1305(derived)
        return self._ciphers[key_id]


def _parsed(text: str) -> tuple[str, bytes, bytes]:
    key_id, _, coded = text.partition(".")
    try:
        data = base64.b64decode(coded, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise CannotOpen(key_id, [], "`sealed` is not KEY.BASE64") from error
    if len(data) <= NONCE_BYTES:
        raise CannotOpen(key_id, [], "`sealed` is too short")
    return key_id, data[:NONCE_BYTES], data[NONCE_BYTES:]
