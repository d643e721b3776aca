"""Section 15: what a device must not say."""

from typing import Final

from conformance.check import Checks
from conformance.check_result import CheckSkipped, require, unmet
from conformance.tdp.leak import DRAWS_MIN, leaks
from conformance.tdp.rig import TdpRig
from conformance.tdp.session import HostSession
from protocols.garbage import Garbage
from protocols.tdp.codec import LENGTH_BYTES, encode_message
from protocols.tdp.codes import Capability
from protocols.tdp.commands import ReadMeters, RecallRoot

CHECKS: Final[Checks[TdpRig]] = Checks("secrecy")

_SECTION: Final = "15. Not included"
_DRAWS: Final = DRAWS_MIN + 8
_BEAT_S: Final = 1.1
_CARD_AT: Final = 15
"""The type byte is 0; also of the first card in a packet."""


@CHECKS.check(_SECTION, "everything that is sent while cards are in the device: no field may depend on which ones")
def nothing_tells_the_next_card(rig: TdpRig) -> None:
    """No byte of any message tells a card that has not left the device."""
    session = rig.ready()
    rig.needs(Capability.READS_CARDS)
    rig.stocked(session, _DRAWS + 10)
    said: list[dict[tuple[int, int], int]] = []
    cards: list[int] = []
    for _ in range(_DRAWS):
        session.do(ReadMeters(rig.new_id(session)))
        if rig.can(Capability.REMEMBERS_ROOTS):
            session.do(RecallRoot(rig.new_id(session), bytes(32)))
        said.append(_newest_bytes(session))
        for event in rig.deal(session, 1):
            cards += [encode_message(event)[LENGTH_BYTES + _CARD_AT]]
    if sum(card != 0 for card in cards) < DRAWS_MIN:
        raise CheckSkipped(f"fewer than {DRAWS_MIN} of {len(cards)} cards were read")
    found = leaks(said, cards)
    got = "; ".join(
        f"byte {leak.place} of messages of type {leak.kind:02X} is the card {leak.ahead} ahead, {leak.how}"
        for leak in found
    )
    require(not found, f"nothing by which one of {len(cards)} cards could be identified before it left", got)


@CHECKS.check(_SECTION, "messages that the page does not know")
def no_message_of_its_own(rig: TdpRig) -> None:
    """A device sends only messages of the page, of their length."""
    session = rig.ready()
    session.do(ReadMeters(rig.new_id(session)))
    session.pump(_BEAT_S)
    for other in rig.sessions:
        for taken in other.log:
            garbage = taken.message
            if isinstance(garbage, Garbage):
                unmet("messages of the page", f"one that cannot be read ({garbage.reason})", garbage.raw)


def _newest_bytes(session: HostSession) -> dict[tuple[int, int], int]:
    bytes_of: dict[tuple[int, int], int] = {}
    for taken in session.log:
        message = taken.message
        raw = message.raw if isinstance(message, Garbage) else encode_message(message)[LENGTH_BYTES:]
        for place, byte in enumerate(raw):
            bytes_of[raw[0], place] = byte
    return bytes_of
