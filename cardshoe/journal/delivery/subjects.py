"""Traffic between uplink and floor over NATS: subjects, headers, names. Pure."""

from typing import Final

STREAM: Final = "CARDSHOE"
LINES: Final = "cardshoe.lines"
ASKS: Final = "cardshoe.asks"
ANSWERS: Final = "cardshoe.answers"
BEGUN: Final = "cardshoe.floor"
FLOOR: Final = "floor"
MESSAGE_ID: Final = "Nats-Msg-Id"
ABOUT: Final = "Cardshoe-About"
ANSWER: Final = "Cardshoe-Answer"
TAKEN: Final = "taken"
REFUSED: Final = "refused"
CERTIFICATE: Final = "Cardshoe-Certificate"
"""The table's certificate, DER in base64."""
SIGNATURE: Final = "Cardshoe-Signature"
"""Over the subject, a line end and the body, in base64."""
PAYLOAD_BYTES: Final = 4 * 1024 * 1024
ANSWER_S: Final = 60.0
"""Longer than 300 tables take to reconnect together."""
DUPLICATES_S: Final = 10.0
"""Time in which a server drops repeated ids: one sending's repetitions."""
_PLAIN: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def token(name: str) -> str:
    return "".join(chr(byte) if byte in _PLAIN else f"={byte:02X}" for byte in name.encode())


def message_id(table: str, log: str, first: int, count: int, sending: str) -> str:
    """Id of a batch. A resend takes a new one, so that the server does not drop it."""
    return f"{token(table)}:{log}:{first}+{count}:{sending}"
