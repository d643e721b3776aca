"""Devices that open, keep or end sessions wrongly (sections 4 and 5)."""

from typing import Final

from tests.conformance.defects import Defect, Parts
from tests.second_device import framing
from tests.second_device.framing import Frame, Kind
from tests.second_device.link import DeviceLink
from tests.second_device.session import WINDOW_MAX, Reason, Session

_CLOSES_BOTH: Final = "messages.impossible-length-closes-both-sessions"


class EndsAtOnce(DeviceLink):
    """An OPEN ends the session that stands."""

    def _accept(self, host: int, window: int, payload: int, now_s: float) -> None:
        self._end("replaced")
        super()._accept(host, window, payload, now_s)


class AcceptsWhatStands(DeviceLink):
    """Accepts a session again when it is confirmed."""

    def _confirmed(self, candidate: Session) -> None:
        super()._confirmed(candidate)
        payload = bytes((1, candidate.window, candidate.payload, self._security))
        self._line += framing.encode(Frame(Kind.ACCEPT, candidate.number, payload=payload))


class ComplainsOfNothing(DeviceLink):
    """Begins a session with a NAK."""

    def _confirmed(self, candidate: Session) -> None:
        super()._confirmed(candidate)
        self._send(candidate, Kind.NAK, candidate.since_s)


class KeepsTheOld(DeviceLink):
    """A new session does not end the one before."""

    def _of_session(self, frame: Frame, now_s: float) -> None:
        self._older: Session | None = getattr(self, "_older", None)
        if self._candidate is not None and frame.session == self._candidate.number:
            self._older = self._standing
        if self._older is None or frame.session != self._older.number:
            super()._of_session(frame, now_s)


class NewNumberEachTime(DeviceLink):
    """The same H again gets another D."""

    def _accept(self, host: int, window: int, payload: int, now_s: float) -> None:
        self._candidate = None
        super()._accept(host, window, payload, now_s)


class OneNumber(DeviceLink):
    """Every session has the same D."""

    def _accept(self, host: int, window: int, payload: int, now_s: float) -> None:
        self._number = 7
        super()._accept(host, window, payload, now_s)


class CountsOverZero(DeviceLink):
    """Gives 0 after 255."""

    def _accept(self, host: int, window: int, payload: int, now_s: float) -> None:
        before = self._number
        super()._accept(host, window, payload, now_s)
        if before == 0xFF != self._number:
            self._number = 0


class ForgetsTooSoon(DeviceLink):
    """Counts the time until an accepted session is forgotten from its first ACCEPT."""

    def _accept(self, host: int, window: int, payload: int, now_s: float) -> None:
        before = self._candidate
        since_s = now_s if before is None else before.since_s
        super()._accept(host, window, payload, now_s)
        if before is not None and before is self._candidate:
            before.since_s = since_s


class OwnTerms(DeviceLink):
    """Answers with its own window and payload, whatever was offered."""

    def _accept(self, host: int, _window: int, _payload: int, now_s: float) -> None:
        super()._accept(host, 4, 224, now_s)


class ExactOffers(DeviceLink):
    """Does not know an OPEN with bytes that it does not know."""

    def _offer(self, frame: Frame, now_s: float) -> None:
        if len(frame.payload) == 5:
            super()._offer(frame, now_s)


class OnlyItsVersion(DeviceLink):
    """Does not speak with a host that speaks later versions too."""

    def _offer(self, frame: Frame, now_s: float) -> None:
        if frame.payload[1:2] == b"\x01":
            super()._offer(frame, now_s)


class SilentToOthers(DeviceLink):
    """Says nothing where it should refuse."""

    def _refuse(self, _session: int, _reason: Reason) -> None:
        """Silence."""


class AnySecurity(DeviceLink):
    """Takes the security that the host offers."""

    def _offer(self, frame: Frame, now_s: float) -> None:
        payload = frame.payload[:4] + bytes([self._security]) + frame.payload[5:]
        super()._offer(Frame(frame.kind, frame.session, frame.sequence, frame.acknowledgement, payload), now_s)


class AnyOffer(DeviceLink):
    """Takes what no host may offer."""

    def _offer(self, frame: Frame, now_s: float) -> None:
        lowest, highest, window, payload, security = [*frame.payload[:5], 0, 0, 0, 0, 0][:5]
        if lowest == 1 or highest == 1:
            self._accept(frame.host, min(max(window, 1), 4), min(max(payload, 16), 224), now_s)
        else:
            super()._offer(frame, now_s)
        _ = security


class BeyondThePage(DeviceLink):
    """Agrees on a window and a payload that the page does not have."""

    def _offer(self, frame: Frame, now_s: float) -> None:
        self._window, self._payload = 255, 255
        super()._offer(frame, now_s)


class CutShort(DeviceLink):
    """Answers an offer of too large a window with an ACCEPT of one byte."""

    def _offer(self, frame: Frame, now_s: float) -> None:
        if frame.payload[2] > WINDOW_MAX:
            self._line += framing.encode(Frame(Kind.ACCEPT, frame.session | 1, 0, 0, bytes([framing.VERSION])))
        else:
            super()._offer(frame, now_s)


class NumberedResets(DeviceLink):
    """Writes an acknowledgement into RESET."""

    def _send_reset(self, session: int, reason: Reason) -> None:
        payload = bytes((reason, framing.VERSION, framing.VERSION))
        self._line += framing.encode(Frame(Kind.RESET, session, 0, 1, payload))


class TwoResets(DeviceLink):
    """Two RESETs for each frame of an unknown session."""

    def _refuse(self, session: int, reason: Reason) -> None:
        self._send_reset(session, reason)
        self._send_reset(session, reason)


class Disturbed(DeviceLink):
    """A frame of an unknown session ends the session that stands."""

    def _refuse(self, session: int, reason: Reason) -> None:
        super()._refuse(session, reason)
        self._end("stranger")


class ResetForHalves(DeviceLink):
    """Answers frames of half a session number."""

    def _of_session(self, frame: Frame, now_s: float) -> None:
        super()._of_session(frame, now_s)
        if not frame.device:
            self._send_reset(frame.session, Reason.UNKNOWN_SESSION)


class ResetForReset(DeviceLink):
    def _reset(self, frame: Frame) -> None:
        super()._reset(frame)
        self._send_reset(frame.session, Reason.UNKNOWN_SESSION)


class AnyReset(DeviceLink):
    """Any RESET ends the session."""

    def _reset(self, _frame: Frame) -> None:
        self._end("reset")


class DeafToReset(DeviceLink):
    """A RESET does not end the session."""

    def _reset(self, _frame: Frame) -> None:
        """Not heard."""


class AnswersCopies(DeviceLink):
    """Answers a copy of the OPEN that led to the session that stands."""

    def _offer(self, frame: Frame, now_s: float) -> None:
        super()._offer(frame, now_s)
        if self._standing is not None and self._standing.number >> 8 == frame.host:
            self._accept(frame.host, 4, 224, now_s)


class ConfirmedByAckAlone(DeviceLink):
    """Only ACK confirms."""

    def _of_session(self, frame: Frame, now_s: float) -> None:
        candidate = self._candidate
        if candidate is None or frame.session != candidate.number or frame.kind is Kind.ACK:
            super()._of_session(frame, now_s)


class SpeaksTooSoon(DeviceLink):
    """Sends ACK for a session that nobody has confirmed."""

    def _accept(self, host: int, window: int, payload: int, now_s: float) -> None:
        super()._accept(host, window, payload, now_s)
        if self._candidate is not None:
            self._line += self._candidate.frame(Kind.ACK, now_s)


class Patient(DeviceLink):
    """Never minds silence."""

    def tick(self, now_s: float) -> None:
        if self._standing is not None:
            self._standing.heard_at_s = now_s
        super().tick(now_s)


class Impatient(DeviceLink):
    """A session is lost after one second."""

    def tick(self, now_s: float) -> None:
        standing = self._standing
        if standing is not None and now_s >= standing.heard_at_s + 1.0:
            self._lose("silence")
        super().tick(now_s)

    @property
    def due_s(self) -> float | None:
        due_s = super().due_s
        return due_s if due_s is None else due_s - 0.5


class DeafToAck(DeviceLink):
    """ACK does not count as heard."""

    def _of_session(self, frame: Frame, now_s: float) -> None:
        if self._standing is not None and frame.kind is Kind.ACK and frame.session == self._standing.number:
            return
        super()._of_session(frame, now_s)


class ResetForRules(DeviceLink):
    """Answers a frame that breaks a rule by RESET."""

    def _of_session(self, frame: Frame, now_s: float) -> None:
        standing = self._standing
        if standing is not None and frame.session == standing.number and frame.kind is Kind.DATA and not frame.payload:
            self._refuse(frame.session, Reason.UNKNOWN_SESSION)
            self._end("rule")
        else:
            super()._of_session(frame, now_s)


class GoneWithTheLine(DeviceLink):
    """Does not listen any more once the line was out."""

    def line_lost(self) -> None:
        super().line_lost()
        self.close()


class AcceptsOddly(DeviceLink):
    """Names a version in ACCEPT that nobody asked for."""

    def _accept(self, host: int, window: int, payload: int, now_s: float) -> None:
        before = len(self._line)
        super()._accept(host, window, payload, now_s)
        if self._candidate is not None:
            answer = bytes((2, self._candidate.window, self._candidate.payload, self._security))
            del self._line[before:]
            self._line += framing.encode(Frame(Kind.ACCEPT, self._candidate.number, payload=answer))


class AcceptsAgain(DeviceLink):
    """Compares nothing when the H is that of the accepted session."""

    def _offer(self, frame: Frame, now_s: float) -> None:
        if self._candidate is not None and self._candidate.number >> 8 == frame.host:
            self._accept(frame.host, 4, 224, now_s)
        else:
            super()._offer(frame, now_s)


class GivesUpTheAccepted(DeviceLink):
    """A refused OPEN ends the session that is accepted."""

    def _refuse(self, session: int, reason: Reason) -> None:
        self._candidate = None
        super()._refuse(session, reason)


class HearsCopies(DeviceLink):
    """A copy of OPEN keeps the session."""

    def _offer(self, frame: Frame, now_s: float) -> None:
        super()._offer(frame, now_s)
        if self._standing is not None and self._standing.number >> 8 == frame.host:
            self._standing.heard_at_s = now_s


class HearsRuleBreakers(DeviceLink):
    """A frame that breaks a rule keeps the session."""

    def _of_session(self, frame: Frame, now_s: float) -> None:
        if self._standing is not None and frame.session == self._standing.number:
            self._standing.heard_at_s = now_s
        super()._of_session(frame, now_s)


class HearsAccept(DeviceLink):
    """A kind that only a device sends keeps the session."""

    def _frame(self, frame: Frame, now_s: float) -> None:
        if self._standing is not None and frame.kind is Kind.ACCEPT and frame.session == self._standing.number:
            self._standing.heard_at_s = now_s
        super()._frame(frame, now_s)


class SpeaksAfterTheEnd(DeviceLink):
    """Sends a frame of a session that it has given up."""

    def _lose(self, why: str) -> None:
        standing = self._standing
        super()._lose(why)
        if standing is not None:
            self._line += standing.frame(Kind.ACK, standing.sent_at_s)


class KeepsWhatItCloses(DeviceLink):
    """Closes a session in word only."""

    def close(self) -> None:
        standing = self._standing
        super().close()
        self._standing = standing


class RefusesTheImpossible(DeviceLink):
    """Answers an OPEN whose lowest version is above the highest."""

    def _offer(self, frame: Frame, now_s: float) -> None:
        super()._offer(frame, now_s)
        if frame.payload[0] > frame.payload[1]:
            self._refuse(frame.session, Reason.NO_COMMON_VERSION)


class ShortResets(DeviceLink):
    """Takes a RESET without versions for one."""

    def _reset(self, frame: Frame) -> None:
        super()._reset(Frame(frame.kind, frame.session, payload=frame.payload.ljust(3, b"\0")))


class KeepsTheAccepted(DeviceLink):
    """Keeps the accepted session when it closes the other."""

    def close(self) -> None:
        candidate, self._candidate = self._candidate, None
        super().close()
        self._candidate = candidate


class ForgetsTheAccepted(DeviceLink):
    """Closes the accepted session without a RESET."""

    def close(self) -> None:
        self._candidate = None
        super().close()


class ClosesAsLost(DeviceLink):
    """Closes with the reason of a lost session."""

    def _send_reset(self, session: int, reason: Reason) -> None:
        super()._send_reset(session, Reason.LOST if reason is Reason.CLOSED else reason)


class ClosesWithoutReason(DeviceLink):
    """Closes the accepted session by a RESET without a payload."""

    def _send_reset(self, session: int, reason: Reason) -> None:
        if self._standing is not None and session == self._standing.number:
            super()._send_reset(session, reason)
        else:
            self._line += framing.encode(Frame(Kind.RESET, session))


class RefusesWithoutReason(DeviceLink):
    """Refuses unknown sessions by a RESET without a payload."""

    def _refuse(self, session: int, reason: Reason) -> None:  # noqa: ARG002  it gives none
        self._line += framing.encode(Frame(Kind.RESET, session))


LINKS: Final = [
    Defect("keeps the accepted session", (_CLOSES_BOTH,), Parts(link=KeepsTheAccepted)),
    Defect("no RESET for the accepted session", (_CLOSES_BOTH,), Parts(link=ForgetsTheAccepted)),
    Defect("refuses an impossible OPEN", ("session.impossible-offers-not-accepted",), Parts(link=RefusesTheImpossible)),
    Defect("takes a RESET without versions", ("session.rule-breakers-dropped",), Parts(link=ShortResets)),
    Defect("keeps the session that it closes", (_CLOSES_BOTH,), Parts(link=KeepsWhatItCloses)),
    Defect(
        "speaks after the end",
        ("session.silence-ends-the-session", "stream.gives-up"),
        Parts(link=SpeaksAfterTheEnd),
    ),
    Defect("closes as if it were lost", (_CLOSES_BOTH,), Parts(link=ClosesAsLost)),
    Defect("closes without a reason", (_CLOSES_BOTH,), Parts(link=ClosesWithoutReason)),
    Defect("refuses without a reason", (_CLOSES_BOTH,), Parts(link=RefusesWithoutReason)),
    Defect(
        "accepts an H again whatever it offers",
        ("session.same-offer-with-another-version-refused",),
        Parts(link=AcceptsAgain),
    ),
    Defect(
        "gives the accepted session up at a refusal",
        ("session.same-offer-with-another-version-refused",),
        Parts(link=GivesUpTheAccepted),
    ),
    Defect("hears copies of OPEN", ("session.copies-of-open-are-no-sign-of-life",), Parts(link=HearsCopies)),
    Defect("hears broken rules", ("session.rule-breakers-are-no-sign-of-life",), Parts(link=HearsRuleBreakers)),
    Defect("hears ACCEPT", ("session.rule-breakers-are-no-sign-of-life",), Parts(link=HearsAccept)),
    Defect("answers halves of numbers", ("session.half-a-number-not-answered",), Parts(link=ResetForHalves)),
    Defect("RESET for a broken rule", ("session.rule-breakers-dropped",), Parts(link=ResetForRules)),
    Defect("is gone with the line", ("power.back-after-unplugging",), Parts(link=GoneWithTheLine)),
    Defect("accepts in another version", ("session.opens",), Parts(link=AcceptsOddly)),
    Defect("an OPEN ends the session", ("session.unconfirmed-offer-changes-nothing",), Parts(link=EndsAtOnce)),
    Defect("keeps the old session", ("session.confirmed-offer-replaces",), Parts(link=KeepsTheOld)),
    Defect("a new number for the same H", ("session.same-offer-same-answer",), Parts(link=NewNumberEachTime)),
    Defect("one number for all", ("session.another-offer-another-number",), Parts(link=OneNumber)),
    Defect("counts its numbers over 0", ("session.another-offer-another-number",), Parts(link=CountsOverZero)),
    Defect("forgets too soon what it accepted", ("session.offer-again-waits-again",), Parts(link=ForgetsTooSoon)),
    Defect("its own terms", ("session.uses-the-smaller-terms",), Parts(link=OwnTerms)),
    Defect("knows no longer OPEN", ("session.more-bytes-in-open",), Parts(link=ExactOffers)),
    Defect("knows no later version", ("session.later-versions-offered-too",), Parts(link=OnlyItsVersion)),
    Defect(
        "is silent where it should refuse",
        (
            "session.other-version-refused",
            "session.other-security-refused",
            "session.unknown-session-reset",
            "power.old-session-unknown-after-power",
        ),
        Parts(link=SilentToOthers),
    ),
    Defect("takes any security", ("session.other-security-refused",), Parts(link=AnySecurity)),
    Defect("takes any offer", ("session.impossible-offers-not-accepted",), Parts(link=AnyOffer)),
    Defect("agrees on too much", ("session.terms-never-beyond-the-page",), Parts(link=BeyondThePage)),
    Defect("agrees on nothing", ("session.terms-never-beyond-the-page",), Parts(link=CutShort)),
    Defect("acknowledges in RESET", ("frames.its-own-frames",), Parts(link=NumberedResets)),
    Defect("two RESETs for each frame", ("session.strangers-do-not-disturb",), Parts(link=TwoResets)),
    Defect("a stranger's frame ends the session", ("session.strangers-do-not-disturb",), Parts(link=Disturbed)),
    Defect("RESET for RESET", ("session.reset-never-answered",), Parts(link=ResetForReset)),
    Defect("any RESET ends the session", ("session.reset-of-another-session-ignored",), Parts(link=AnyReset)),
    Defect(
        "no RESET ends the session",
        ("session.reset-ends-the-session", "session.reset-of-the-accepted-session"),
        Parts(link=DeafToReset),
    ),
    Defect("answers copies of OPEN", ("session.copy-of-the-standing-offer-ignored",), Parts(link=AnswersCopies)),
    Defect("only ACK confirms", ("session.confirmed-by-nak",), Parts(link=ConfirmedByAckAlone)),
    Defect("speaks before confirmation", ("session.nothing-before-confirmation",), Parts(link=SpeaksTooSoon)),
    Defect("never minds silence", ("session.silence-ends-the-session",), Parts(link=Patient)),
    Defect(
        "loses patience",
        ("session.silence-ends-the-session", "session.alive-keeps-the-session"),
        Parts(link=Impatient),
    ),
    Defect("is deaf to ACK", ("session.alive-keeps-the-session",), Parts(link=DeafToAck)),
]
