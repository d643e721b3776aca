"""Errors of protocols, as a program and a person see them."""

import pickle
from typing import get_args

from protocols.errors import EXPLANATIONS, EncodeError, FrameError, FrameReason, ProtocolError


def test_frame_error_carries_offset_bytes_and_reason() -> None:
    error = FrameError(6, bytes.fromhex("05 31 44 81 B8 03 34 45"), "bcc")
    assert isinstance(error, ProtocolError)
    assert error.offset == 6
    assert error.raw == bytes.fromhex("05 31 44 81 B8 03 34 45")
    assert error.reason == "bcc"
    assert str(error) == f"bcc at byte 6 of [05 31 44 81 B8 03 34 45]: {EXPLANATIONS['bcc']}"


def test_encode_error_carries_subject_and_why() -> None:
    error = EncodeError({"seq": 300}, "too large")
    assert isinstance(error, ProtocolError)
    assert error.subject == {"seq": 300}
    assert error.why == "too large"
    assert str(error) == "{'seq': 300} cannot be encoded: too large"


def test_errors_survive_pickling() -> None:
    error = pickle.loads(pickle.dumps(FrameError(1, b"\x05\x30", "seq")))  # noqa: S301  our own bytes
    assert (error.offset, error.raw, error.reason) == (1, b"\x05\x30", "seq")


def test_every_reason_is_explained() -> None:
    assert set(EXPLANATIONS) == set(get_args(FrameReason))
