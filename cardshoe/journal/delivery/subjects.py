"""The traffic between an uplink and a floor over NATS: subjects, headers, names. Pure."""

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
"""Of one message: a body that a collector reads at most, and the answer about some thousand logs."""
ANSWER_S: Final = 60.0
"""Seconds for which a table waits for an answer. A connection that ends and a floor that begins anew are told at once;
this is for a batch that has gone from a stream unnoticed, and longer than 300 tables wait that come back together."""
DUPLICATES_S: Final = 10.0
"""Seconds for which a server knows a message again: as long as one sending is repeated."""
_PLAIN: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def token(name: str) -> str:
    """A name as one token of a subject: what is no letter, digit, hyphen or underscore stands as ``=`` and its byte.

    Args:
        name: not empty.
    """
    return "".join(chr(byte) if byte in _PLAIN else f"={byte:02X}" for byte in name.encode())


def message_id(table: str, log: str, first: int, count: int, sending: str) -> str:
    """The id of a batch: table, log and number of its first line, how many there are, and which sending it is."""
    return f"{token(table)}:{log}:{first}+{count}:{sending}"
