"""Carries batches to a floor over HTTPS, with certificates on both sides; blocking, one connection."""

import logging
import threading
from http import HTTPStatus
from typing import Final, TypeVar

import httpx
import msgspec

from table.journal.proof.note import BadNote, VerifyKey
from table.setup.uplink_section import UplinkSection
from table.uplink.wire import Batch, Has, Mark, Marks, Refusal, Stands

logger: Final = logging.getLogger(__name__)

STEP_S: Final = 10.0
"""Seconds that each step of an exchange may take."""
EXCHANGE_S: Final = 40.0
"""Seconds that a whole exchange may take: the floor waits for its disk before it answers."""
ANSWER_BYTES: Final = 4 * 1024 * 1024
"""Of an answer: some thousand logs with their marks."""
KindT = TypeVar("KindT")


class Away(Exception):
    """The floor cannot be reached, or cannot take anything now: it is to be tried again."""


class Taken(Away):
    """Another uplink sends for this table, or did some seconds ago: after a restart it is over soon."""


class Refused(Exception):
    """The floor does not take what it was sent.

    Attributes:
        refusal: why.
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal: Final = refusal


class HttpsCarrier:
    """One floor over HTTPS.

    Args:
        section: where it is.
        exchange_s: seconds that an exchange may take.

    Raises:
        Stop: a certificate cannot be used.
    """

    def __init__(self, section: UplinkSection, exchange_s: float = EXCHANGE_S) -> None:
        self._url: Final = section.to.rstrip("/")
        self._exchange_s: Final = exchange_s
        # No proxy of the environment: what is between table and floor is the house's business, not a variable's.
        self._transport: Final = httpx.HTTPTransport(verify=section.tls.client(), trust_env=False)
        self._http: Final = httpx.Client(transport=self._transport, timeout=STEP_S, trust_env=False)
        self._pinned: Final = None if section.key is None else VerifyKey.parse(section.key)
        self._key: VerifyKey | None = self._pinned

    def close(self) -> None:
        """Closes the connection; a request under way fails."""
        self._http.close()

    def has(self, has: Has) -> Marks:
        """Asks how far the floor has each log.

        Raises:
            Away, Refused: see there.
        """
        marks = self._ask("/v1/has", msgspec.json.encode(has), Marks)
        if self._pinned is None:
            try:
                self._key = VerifyKey.parse(marks.key)
            except BadNote as error:
                raise Away(f"{self._url}: the key of its marks is none: {error.reason}") from error
        return marks

    def send(self, batch: Batch) -> Stands:
        """Sends a batch; when this returns, the floor has committed what the mark says.

        Raises:
            Away, Refused: see there.
        """
        return self._ask("/v1/lines", batch.encoded(), Stands)

    def mark(self, stands: Stands, table: str, log: str) -> Mark | None:
        """The mark that the floor has signed for a log; ``None``: it has nothing of it.

        Raises:
            Away: it is not that, or signed with another key.
        """
        if not stands.mark:
            return None
        if self._key is None:
            raise Away(f"{self._url}: the key of its marks is not known yet")
        try:
            mark = Mark.read(stands.mark.encode(), self._key)
        except BadNote as error:
            raise Away(f"{self._url}: its mark cannot be believed: {error.reason}") from error
        if (mark.table, mark.log) != (table, log):
            raise Away(f"{self._url}: a mark of another log")
        return mark

    def _ask(self, path: str, body: bytes, kind: type[KindT]) -> KindT:
        status, answer = self._exchange(path, body)
        try:
            if status == HTTPStatus.OK:
                return msgspec.json.decode(answer, type=kind)
            refusal = msgspec.json.decode(answer, type=Refusal)
        except msgspec.MsgspecError as error:
            raise Away(f"{self._url}: answers {status} with what no floor says") from error
        if refusal.code == "other_sender":
            raise Taken(f"{self._url}: {refusal.reason}")
        if refusal.code in {"database", "busy", "revoked", "too_long"}:
            raise Away(f"{self._url}: {refusal.reason}")
        raise Refused(refusal)

    def _exchange(self, path: str, body: bytes) -> tuple[int, bytes]:
        # The library's patience is with each step; whoever sends byte by byte never exhausts it.
        cut = threading.Timer(self._exchange_s, self._transport.close)
        cut.daemon = True
        cut.start()
        try:
            with self._http.stream("POST", self._url + path, content=body) as response:
                answer = bytearray()
                for chunk in response.iter_raw():
                    answer += chunk
                    if len(answer) > ANSWER_BYTES:
                        raise Away(f"{self._url}: answers with more than {ANSWER_BYTES} bytes")
                return response.status_code, bytes(answer)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, RuntimeError) as error:
            raise Away(f"{self._url}: cannot be reached: {str(error) or type(error).__name__}") from error
        finally:
            cut.cancel()
