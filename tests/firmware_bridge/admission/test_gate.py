"""The gate before one device: what it tells the log, what it lets out, and what outlasts a restart."""

import pytest

from firmware_bridge.admission.device_gate import NOT_ADMITTED, DeviceGate
from firmware_bridge.admission.verifier import AdmissionDecision, NoVerifier, refused
from firmware_bridge.interlock import DeviceAction, DeviceActionKind, Interlock
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.facts import DeviceEvidence, Unit
from protocols.tdp.messages import Hello
from regulations.events.inputs import AnyInput, CardDrawn, Fault, FaultCleared
from regulations.events.notices import DeviceJudged, DeviceNoted

LOCK, ONE = DeviceAction(DeviceActionKind.LOCK), DeviceAction(DeviceActionKind.LET_DRAW, 1)
GOOD = AdmissionDecision(verdict="admitted", by=("anna", "bruno"), registry="5:ab")
BAD = refused("enrolment", TrustCode.REVOKED, "stolen")
OVER = FaultCleared(device="shoe", code=NOT_ADMITTED, origin="table")
OPEN = Fault(device="shoe", code=NOT_ADMITTED, origin="table")
FORGED = FaultCleared(device="shoe", code=NOT_ADMITTED, origin="device")


class Fixed:
    """Says of each device the same."""

    judges = True

    def __init__(self, judgement: AdmissionDecision) -> None:
        self.judgement = judgement
        self.asked: list[tuple[str, str, str]] = []
        self.recalled: list[str] = []

    def attesting(self, presented: DeviceEvidence) -> AdmissionDecision:  # noqa: ARG002  it says of each the same
        return self.judgement

    def plain(self, name: str, family: str, port: str, hello: Hello | None) -> AdmissionDecision:  # noqa: ARG002  as above
        self.asked.append((name, family, port))
        return self.judgement

    def recall(self, judged: DeviceJudged) -> None:
        self.recalled.append(judged.device)


@pytest.fixture
def interlock() -> Interlock:
    return Interlock(tuple(DeviceActionKind))


def appointed(interlock: Interlock, judgement: AdmissionDecision = GOOD) -> DeviceGate:
    admission = DeviceGate("shoe", interlock)
    admission.appoint(Fixed(judgement), "bee_tek", "/dev/shoe")
    return admission


def test_nothing_is_let_out_until_it_is_judged(interlock: Interlock) -> None:
    admission = appointed(interlock)
    assert (admission.is_pending, interlock.grant(ONE), interlock.grant(LOCK)) == (True, False, True)
    (judged,) = admission.judged(GOOD)
    assert isinstance(judged, DeviceJudged)
    assert (judged.verdict, judged.by, judged.registry) == ("admitted", ["anna", "bruno"], "5:ab")
    assert (admission.is_pending, interlock.grant(ONE)) == (False, True)
    admission.begin()
    assert (admission.is_pending, interlock.grant(ONE)) == (True, False)


def test_a_refusal_is_a_fault_that_only_a_verdict_ends(interlock: Interlock) -> None:
    admission = appointed(interlock)
    judged, fault = admission.judged(BAD)
    assert isinstance(judged, DeviceJudged)
    assert (judged.verdict, judged.checks[0].code, judged.checks[0].detail) == ("refused", "revoked", "stolen")
    assert fault == OPEN
    interlock.clear()
    assert (interlock.held("admission"), interlock.grant(ONE)) == ("revoked", False)
    assert admission.judged(BAD)[1:] == [OPEN], "told at each shoe: a person may have settled it in between"
    assert admission.judged(GOOD)[1:] == [OVER]
    assert (interlock.held("admission"), interlock.grant(ONE)) == (None, True)
    assert admission.judged(GOOD)[1:] == []


def test_a_card_of_a_refused_device_is_behind_a_fault(interlock: Interlock) -> None:
    admission = appointed(interlock)
    card, note = CardDrawn(card="9H", device="shoe"), DeviceNoted(device="shoe", note="cover_opened")
    assert admission.passing([card]) == [card]
    admission.judged(BAD)
    assert admission.passing([card]) == [OPEN, card]
    assert admission.passing([note]) == [note]


def test_the_judge_is_asked_by_name_family_and_port(interlock: Interlock) -> None:
    judge = Fixed(AdmissionDecision(verdict="cannot_attest", unit=Unit("Angel", "Eye", "4711")))
    admission = DeviceGate("shoe", interlock)
    admission.appoint(judge, "angel_eye", "/dev/a")
    (judged,) = admission.by_name()
    assert isinstance(judged, DeviceJudged)
    assert (judged.verdict, judged.maker, judged.serial) == ("cannot_attest", "Angel", "4711")
    assert judge.asked == [("shoe", "angel_eye", "/dev/a")]


@pytest.mark.parametrize(
    ("journal", "expected"),
    [
        ([], []),
        ([OPEN], [OVER]),
        ([OPEN, OVER], []),
        ([OPEN, FORGED], [OVER]),
        ([Fault(device="other", code=NOT_ADMITTED, origin="table")], []),
        ([Fault(device="shoe", code=3, origin="device")], []),
    ],
    ids=["nothing", "refused", "admitted again", "the device says that it is", "another device", "another fault"],
)
def test_a_restart_remembers_a_fault(interlock: Interlock, journal: list[AnyInput], expected: list[AnyInput]) -> None:
    admission = appointed(interlock)
    for event in journal:
        admission.replay(event)
    assert admission.judged(GOOD)[1:] == expected


def test_nobody_holds_nothing_back(interlock: Interlock) -> None:
    admission = DeviceGate("shoe", interlock)
    assert admission.by_name() == []
    admission.appoint(NoVerifier(), "bee_tek", "/dev/shoe")
    assert (admission.is_pending, interlock.grant(ONE), admission.by_name()) == (False, True, [])


def test_the_judge_hears_the_verdicts_of_the_journal_of_whatever_device(interlock: Interlock) -> None:
    admission, judge = DeviceGate("shoe", interlock), Fixed(GOOD)
    admission.appoint(judge, "bee_tek", "/dev/shoe")
    for device in ("shoe", "one that is configured no more"):
        admission.replay(DeviceJudged(device=device, verdict="admitted"))
    assert judge.recalled == ["shoe", "one that is configured no more"]
