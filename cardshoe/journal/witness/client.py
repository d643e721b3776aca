"""HTTP client of a witness."""

import logging
import ssl
import threading
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

import httpx

from cardshoe.journal import ConsistencyStep, WitnessFailed
from cardshoe.journal.file.witness_file import notes_in
from cardshoe.journal.proof.cosignature import CosignatureKey
from cardshoe.journal.proof.note import BadNote, Note
from cardshoe.journal.proof.statements import Takeover, read_statement
from cardshoe.journal.witness.cosigned import Cosigned
from cardshoe.journal.witness.submission import Submission

logger: Final = logging.getLogger(__name__)

ANSWER_S: Final = 10.0
"""The witness syncs its disk before it answers."""
EXCHANGE_S: Final = 30.0
"""Whole exchange: slow bytes cannot delay a table's start for days."""
MAX_ANSWER_BYTES: Final = 64 * 1024
MAX_NOTES_BYTES: Final = 256 * 1024 * 1024
NOTES_S: Final = 3600.0
REMEDY: Final = "Check that it runs and can be reached; a running table then sends what is missing."


def _first_key(step: ConsistencyStep) -> str:
    said = read_statement(Note(step.note))
    return str(said.key) if isinstance(said, Takeover) and said.epoch == 0 else "KEY"


class StaleHead(Exception):
    """The witness holds another note than expected: query it."""


class WitnessClient:
    """One witness over HTTP.

    Args:
        exchange_s: seconds for an exchange.
        pinned: required cosigning key; default: the one received.
    """

    def __init__(
        self,
        url: str,
        tls: ssl.SSLContext | None = None,
        exchange_s: float = EXCHANGE_S,
        *,
        pinned: CosignatureKey | None = None,
    ) -> None:
        self.pinned: Final = pinned
        self._exchange_s: Final = exchange_s
        self.url: Final = url.rstrip("/")
        # No proxy of the environment: what is between table and witness is the house's business, not a variable's.
        self._transport: Final = httpx.HTTPTransport(
            verify=tls or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),  # without files, no certificate is good
            trust_env=False,
        )
        self._http: Final = httpx.Client(transport=self._transport, timeout=ANSWER_S, trust_env=False)
        self._closed = False
        self._key: CosignatureKey | None = pinned

    def close(self) -> None:
        """Close the connection; requests under way fail."""
        self._closed = True
        self._http.close()

    def read(self, origin: str) -> list[bytes]:
        """The notes of a journal, in order.

        Raises:
            WitnessFailed: unreachable, or an invalid answer.
        """
        path = f"/logs/{quote(origin)}/notes"
        status, body = self._exchange("GET", path, limit=MAX_NOTES_BYTES, within_s=NOTES_S)
        return [] if self._is_missing(status, body) else notes_in(body, origin)

    def newest(self, origin: str) -> bytes | None:
        """The last note of a journal."""
        status, body = self._exchange("GET", f"/logs/{quote(origin)}/newest")
        return None if self._is_missing(status, body) else body

    def submit(self, step: ConsistencyStep) -> Cosigned:
        """Send a note; the witness keeps it when this returns.

        Raises:
            StaleHead: the witness holds another note than the step's first.
            WitnessFailed: as in `read`; or refused, or cosigned with an unpinned key.
        """
        body = Submission(step.old, step.path, step.note).encoded()
        status, answer = self._exchange("POST", "/add-checkpoint", body)
        if status == HTTPStatus.CONFLICT:
            raise StaleHead
        if status == HTTPStatus.NOT_FOUND:
            raise WitnessFailed(
                self.url,
                f"does not take this journal: {_text(answer)}",
                f"Register its first key there: `cardshoe witness trust --state FOLDER {_first_key(step)}`.",
            )
        if status in {HTTPStatus.FORBIDDEN, HTTPStatus.UNPROCESSABLE_ENTITY}:
            raise WitnessFailed(
                self.url,
                f"refuses a signature: {_text(answer)}",
                "Tell the supervisor, keep the journal, and compare it: `cardshoe verify JOURNAL --witness URL`.",
            )
        if status != HTTPStatus.OK:
            raise self._failed(f"answers {status}: {_text(answer)}")
        return self._cosigned(step.note, answer)

    def _cosigned(self, note: bytes, answer: bytes) -> Cosigned:
        try:
            key = self._key or self._asked_key()
            signed = Note(note + answer).with_only(key)
        except (BadNote, UnicodeDecodeError) as error:
            if self.pinned is not None:
                raise WitnessFailed(
                    self.url,
                    f"did not cosign with the key that is pinned, {self.pinned}: {error}",
                    "Check what listens there. Only if the house has reinstalled the witness: put the key that "
                    "`cardshoe witness serve` prints there into witness_key of [journal], in place of the old one.",
                ) from error
            self._key = None  # it may have been set up anew
            raise self._failed(f"did not cosign as it should: {error}") from error
        if self._key is None:
            self._key = key
            # Quoted keys with dots: such lines can stand one below the other, one for each witness.
            logger.warning(
                "%s: its key is not pinned: another service there can pass for the witness. Compare the key with what "
                '`cardshoe witness serve` prints there, and put this line into [journal]: witness_key."%s" = "%s"',
                self.url,
                self.url,
                key,
            )
        return Cosigned(self.url, str(key), signed.decode())

    def _asked_key(self) -> CosignatureKey:
        status, key = self._exchange("GET", "/key")
        if status != HTTPStatus.OK:
            raise self._failed(f"answers {status} when it is asked for its key")
        return CosignatureKey.parse(key.decode().removesuffix("\n"))

    def _is_missing(self, status: int, body: bytes) -> bool:
        if status not in {HTTPStatus.OK, HTTPStatus.NOT_FOUND}:
            raise self._failed(f"answers {status}: {_text(body)}")
        return status == HTTPStatus.NOT_FOUND

    def _exchange(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        limit: int = MAX_ANSWER_BYTES,
        within_s: float | None = None,
    ) -> tuple[int, bytes]:
        # The library's patience is with each step; whoever sends byte by byte never exhausts it.
        cut = threading.Timer(self._exchange_s if within_s is None else within_s, self._transport.close)
        cut.daemon = True
        cut.start()
        try:
            with self._http.stream(method, self.url + path, content=body) as response:
                answer = bytearray()
                for chunk in response.iter_raw():
                    answer += chunk
                    if len(answer) > limit:
                        raise self._failed(f"answers with more than {limit} bytes")
                return response.status_code, bytes(answer)
        except (httpx.HTTPError, httpx.InvalidURL, RuntimeError, ValueError, AttributeError) as error:
            # The last two: `cut` closed the socket between two looks of `ssl` at it, which httpx does not translate.
            raise self._failed(f"cannot be reached: {str(error) or type(error).__name__}") from error
        finally:
            cut.cancel()
            if self._closed:
                # It was closed from another thread while the connection was being made: that one is open still.
                self._transport.close()

    def _failed(self, problem: str) -> WitnessFailed:
        return WitnessFailed(self.url, problem, REMEDY)


def _text(answer: bytes) -> str:
    return answer.decode(errors="replace").strip()[:200] or "nothing"
