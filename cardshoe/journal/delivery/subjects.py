"""The traffic between an uplink and a floor over NATS: subjects, headers, names. Pure.

| subject | messages |
|---|---|
| ``cardshoe.lines.TABLE`` | batches with lines; the stream keeps them |
| ``cardshoe.asks.TABLE.has``, ``.lines`` | requests: a table's logs; a batch without lines. Not kept |
| ``cardshoe.answers.TABLE.>`` | answers of the floor, and of the server |
| ``cardshoe.floor`` | the floor has restarted: pending requests are sent again |
"""

from typing import Final

STREAM: Final = "CARDSHOE"
LINES: Final = "cardshoe.lines"
ASKS: Final = "cardshoe.asks"
ANSWERS: Final = "cardshoe.answers"
BEGUN: Final = "cardshoe.floor"
FLOOR: Final = "floor"
"""The last token of the subject on which the floor answers what came by the stream."""
MESSAGE_ID: Final = "Nats-Msg-Id"
ABOUT: Final = "Cardshoe-About"
"""Of an answer: the id of the message that it answers."""
ANSWER: Final = "Cardshoe-Answer"
"""Of an answer: `TAKEN`, or `REFUSED`."""
TAKEN: Final = "taken"
REFUSED: Final = "refused"
CERTIFICATE: Final = "Cardshoe-Certificate"
"""Of what a table sends: its certificate, DER in base64."""
SIGNATURE: Final = "Cardshoe-Signature"
"""Of what a table sends: over the subject, a line end and the body, in base64."""
PAYLOAD_BYTES: Final = 4 * 1024 * 1024
"""Bytes of one message: a body, or an answer about a thousand logs."""
ANSWER_S: Final = 60.0
"""Seconds to wait for an answer: longer than 300 tables take to reconnect together."""
DUPLICATES_S: Final = 10.0
"""Seconds for which a server knows a message again: as long as one sending is repeated."""
_PLAIN: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def token(name: str) -> str:
    """A name as a subject token; other characters become ``=`` and their byte.

    Args:
        name: not empty.
    """
    return "".join(chr(byte) if byte in _PLAIN else f"={byte:02X}" for byte in name.encode())


def message_id(table: str, log: str, first: int, count: int, sending: str) -> str:
    """Id of a batch: table, log, first line, length, attempt.

    A resend takes a new id, so that the server does not drop it; a publication repeated for want of an acknowledgement
    keeps its id.
    """
    return f"{token(table)}:{log}:{first}+{count}:{sending}"
