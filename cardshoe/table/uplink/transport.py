"""Carriers of batches to a floor, and the one over HTTPS."""

import logging
import threading
from abc import ABC, abstractmethod
from http import HTTPStatus
from typing import Final, TypeVar

import httpx
import msgspec

from cardshoe.journal.delivery.wire import Batch, Has, Mark, Marks, Refusal, Stands
from cardshoe.journal.proof.note import BadNote, VerifyKey
from cardshoe.table.setup.uplink_section import UplinkSection

logger: Final = logging.getLogger(__name__)

STEP_S: Final = 10.0
EXCHANGE_S: Final = 40.0
"""Whole exchange: the floor waits for its disk before it answers."""
ANSWER_BYTES: Final = 4 * 1024 * 1024
KindT = TypeVar("KindT")


class FloorUnavailable(Exception):
    """The floor cannot be reached, or accepts no data now: retry."""


class SenderConflict(FloorUnavailable):
    """Another uplink sends for this table, or did seconds ago."""


class UplinkRejected(Exception):
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal: Final = refusal


class FloorTransport(ABC):
    """Access to one floor, with certificates on both sides."""

    def __init__(self, section: UplinkSection) -> None:
        self._where: Final = section.to.rstrip("/")
        self._pinned: Final = None if section.key is None else VerifyKey.parse(section.key)
        self._key: VerifyKey | None = self._pinned

    @abstractmethod
    def close(self) -> None:
        """Close the connection, from any thread; an exchange under way fails."""

    def has(self, has: Has) -> Marks:
        """Query the floor's position in each log.

        Raises:
            FloorUnavailable: unreachable, or an unverifiable answer.
            UplinkRejected: the floor rejects it.
        """
        marks = self._ask(has, Marks)
        if self._pinned is None:
            try:
                self._key = VerifyKey.parse(marks.key)
            except BadNote as error:
                raise FloorUnavailable(f"{self._where}: the key of its marks cannot be read: {error.reason}") from error
        return marks

    def send(self, batch: Batch) -> Stands:
        """Send a batch; entries up to the receipt are committed.

        Raises:
            FloorUnavailable: not delivered, or outcome unknown.
            UplinkRejected: the floor rejects it.
        """
        return self._ask(batch, Stands)

    def mark(self, stands: Stands, table: str, log: str) -> Mark | None:
        """The floor's verified receipt of a log; ``None``: none."""
        if not stands.mark:
            return None
        if self._key is None:
            raise FloorUnavailable(f"{self._where}: the key of its marks is not known yet")
        try:
            mark = Mark.read(stands.mark.encode(), self._key)
        except BadNote as error:
            raise FloorUnavailable(f"{self._where}: its mark was rejected: {error.reason}") from error
        if (mark.table, mark.log) != (table, log):
            raise FloorUnavailable(f"{self._where}: a mark of another log")
        return mark

    @abstractmethod
    def _exchange(self, said: Has | Batch) -> tuple[bool, bytes]:
        """Exchange a message; return acceptance and answer. Raises ``FloorUnavailable``."""

    def _ask(self, said: Has | Batch, kind: type[KindT]) -> KindT:
        is_taken, answer = self._exchange(said)
        try:
            if is_taken:
                return msgspec.json.decode(answer, type=kind)
            refusal = msgspec.json.decode(answer, type=Refusal)
        except msgspec.MsgspecError as error:
            raise FloorUnavailable(f"{self._where}: its answer is not a floor's") from error
        if refusal.code == "other_sender":
            raise SenderConflict(f"{self._where}: {refusal.reason}")
        if refusal.code in {"database", "busy", "revoked", "too_long"}:
            raise FloorUnavailable(f"{self._where}: {refusal.reason}")
        raise UplinkRejected(refusal)


class HttpsCarrier(FloorTransport):
    """One floor over HTTPS."""

    def __init__(self, section: UplinkSection, exchange_s: float = EXCHANGE_S) -> None:
        super().__init__(section)
        self._exchange_s: Final = exchange_s
        # No proxy of the environment: what is between table and floor is the house's business, not a variable's.
        self._transport: Final = httpx.HTTPTransport(verify=section.tls.client(), trust_env=False)
        self._http: Final = httpx.Client(transport=self._transport, timeout=STEP_S, trust_env=False)

    def close(self) -> None:
        """Close the connection; a request under way fails."""
        self._http.close()

    def _exchange(self, said: Has | Batch) -> tuple[bool, bytes]:
        is_batch = isinstance(said, Batch)
        body = said.encoded() if isinstance(said, Batch) else msgspec.json.encode(said)
        status, answer = self._posted("/v1/lines" if is_batch else "/v1/has", body)
        return status == HTTPStatus.OK, answer

    def _posted(self, path: str, body: bytes) -> tuple[int, bytes]:
        # The library's patience is with each step; whoever sends byte by byte never exhausts it.
        cut = threading.Timer(self._exchange_s, self._transport.close)
        cut.daemon = True
        cut.start()
        try:
            with self._http.stream("POST", self._where + path, content=body) as response:
                answer = bytearray()
                for chunk in response.iter_raw():
                    answer += chunk
                    if len(answer) > ANSWER_BYTES:
                        raise FloorUnavailable(f"{self._where}: answers with more than {ANSWER_BYTES} bytes")
                if self._http.is_closed:  # while it connected: the library forgot a connection that it had not yet
                    response.extensions["network_stream"].close()
                return response.status_code, bytes(answer)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, RuntimeError) as error:
            raise FloorUnavailable(f"{self._where}: cannot be reached: {str(error) or type(error).__name__}") from error
        finally:
            cut.cancel()
