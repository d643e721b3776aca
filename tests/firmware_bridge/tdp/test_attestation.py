"""Asking a device to attest: which answer counts, and what it has shown in this session."""

from concurrent.futures import Future
from typing import Final

import pytest

from drivers.errors import PortLost
from drivers.tdp_commands import NoAnswer, TdpResult
from firmware_bridge.tdp.attestation import AttestationExchange, AttestationRequest
from protocols.tdp.codes import BootState, RefusalReason
from protocols.tdp.commands import Attest
from protocols.tdp.messages import Attestation, Done, Refused
from tests.firmware_bridge.tdp.device import HELLO

CERTIFICATE: Final = b"der"


def told(number: int, nonce: bytes) -> Attestation:
    return Attestation(number, nonce, b"\xd1" * 32, 7, BootState.VERIFIED, b"signed")


def ended(result: TdpResult) -> "Future[TdpResult]":
    future: Future[TdpResult] = Future()
    future.set_result(result)
    return future


def asked(attesting: AttestationExchange, command_id: int = 11) -> AttestationRequest:
    """A question that went out."""
    question = attesting.to_ask()
    assert question is not None
    assert question.command(command_id) == Attest(command_id, question.nonce)
    return question


@pytest.fixture
def attesting() -> AttestationExchange:
    """A session with a device that has said who it is, and is to attest."""
    numbers = iter(range(1, 9))
    attesting = AttestationExchange(lambda count: bytes([next(numbers)]) * count)
    attesting.session(1, CERTIFICATE)
    attesting.hello = HELLO
    attesting.want()
    return attesting


def test_a_question_is_asked_once_and_judged_once(attesting: AttestationExchange) -> None:
    question = asked(attesting)
    assert attesting.to_ask() is None
    attesting.on_attestation(told(11, question.nonce))
    assert attesting.due() is None, "the device says Done when it has said all"
    attesting.ended(question, ended(Done(11)))
    assert attesting.due() is question
    assert attesting.due() is None
    presented = attesting.presented(question)
    assert presented is not None
    assert (presented.certificate, presented.hello, presented.nonce) == (CERTIFICATE, HELLO, b"\x01" * 32)
    assert presented.attestation == told(11, b"\x01" * 32)


def test_each_question_has_a_number_of_its_own(attesting: AttestationExchange) -> None:
    first = asked(attesting)
    attesting.want()
    assert asked(attesting, 12).nonce != first.nonce


def test_the_answer_to_another_command_is_none(attesting: AttestationExchange) -> None:
    """The driver asks as well, and a device may answer what nobody asked."""
    attesting.on_attestation(told(9, bytes(32)))
    question = asked(attesting)
    attesting.on_attestation(told(10, question.nonce))
    attesting.ended(question, ended(Done(11)))
    assert attesting.due() is question
    presented = attesting.presented(question)
    assert presented is not None
    assert presented.attestation is None


@pytest.mark.parametrize("result", [Refused(11, RefusalReason.NOT_SUPPORTED), NoAnswer("late", is_lost=False)])
def test_one_that_does_not_attest_is_judged_all_the_same(attesting: AttestationExchange, result: TdpResult) -> None:
    question = asked(attesting)
    attesting.ended(question, ended(result))
    assert attesting.due() is question


def test_with_the_session_the_question_is_gone(attesting: AttestationExchange) -> None:
    question = asked(attesting)
    attesting.ended(question, ended(NoAnswer("gone", is_lost=True)))
    assert attesting.due() is None
    lost: Future[TdpResult] = Future()
    lost.set_exception(PortLost("device", "gone", "Look."))
    attesting.ended(question, lost)
    assert attesting.due() is None
    attesting.over()
    assert attesting.to_ask() is None


def test_what_was_asked_before_counts_no_more(attesting: AttestationExchange) -> None:
    old = asked(attesting)
    attesting.want()
    attesting.ended(old, ended(Done(11)))
    assert attesting.due() is None
    new = asked(attesting, 12)
    attesting.not_asked(old)
    assert attesting.to_ask() is None, "the new one is under way"
    attesting.not_asked(new)
    assert attesting.to_ask() is not None, "it could not be sent: it is still to be asked"


def test_who_it_is_belongs_to_a_session(attesting: AttestationExchange) -> None:
    attesting.session(1, CERTIFICATE)
    assert attesting.hello == HELLO, "the same session: its application was dead for a while"
    attesting.session(2, None)
    question = asked(attesting)
    assert attesting.presented(question) is None, "it has not said who it is"
    attesting.hello = HELLO
    presented = attesting.presented(question)
    assert presented is not None
    assert presented.certificate is None
