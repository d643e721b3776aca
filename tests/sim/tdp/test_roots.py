"""A simulated device's memory of the host's journal (``docs/protocols/tdp.md``, section 12, rules R1 to R4)."""

import pytest

from protocols.tdp.codes import Capability, RefusalReason
from protocols.tdp.commands import AcceptReturn, RecallRoot, RememberRoot
from protocols.tdp.events import CardsReturned
from protocols.tdp.messages import Done, Hello, RootRemembered
from sim.tdp.settings import TdpMachineSettings
from tests.sim.tdp.rig import Rig

LOG, OTHER = b"\x4c" * 32, b"\x4d" * 32
ONE, TWO = b"\x01" * 32, b"\x02" * 32
NOTHING = (0, bytes(32))


def recalled(rig: Rig, log: bytes = LOG) -> tuple[int, bytes]:
    rig.do(RecallRoot, log)
    told = rig.said(RootRemembered)[-1]
    assert told.log == log
    return told.size, told.root


def test_a_root_goes_forward_only() -> None:
    rig = Rig()
    assert rig.said(Hello)[0].capabilities & Capability.REMEMBERS_ROOTS
    assert recalled(rig) == NOTHING
    rig.do(RememberRoot, LOG, 7, ONE)
    rig.do(RememberRoot, LOG, 7, ONE)
    assert rig.refused(RememberRoot, LOG, 7, TWO) is RefusalReason.OTHER_ROOT
    assert rig.refused(RememberRoot, LOG, 6, ONE) is RefusalReason.SMALLER_TREE
    assert rig.refused(RememberRoot, OTHER, 0, ONE) is RefusalReason.BAD_VALUE
    assert (recalled(rig), recalled(rig, OTHER)) == ((7, ONE), NOTHING)
    rig.do(RememberRoot, LOG, (1 << 64) - 1, TWO)
    assert recalled(rig) == ((1 << 64) - 1, TWO)


def test_the_log_told_longest_ago_makes_room_and_the_change_is_counted() -> None:
    rig = Rig()
    logs = [bytes([number]) * 32 for number in range(9)]
    for log in (*logs[:8], logs[0], logs[8]):
        rig.do(RememberRoot, log, 3, ONE)
    assert [log for log in logs if recalled(rig, log) == NOTHING] == [logs[1]]
    assert rig.said(RootRemembered)[-1].logs == 9
    rig.do(RememberRoot, logs[1], 1, TWO)
    assert recalled(rig, logs[1]) == (1, TWO)
    assert rig.said(RootRemembered)[-1].logs == 10, "what was pushed out comes back as a new one"


def test_a_device_without_such_a_memory_says_so() -> None:
    rig = Rig(settings=TdpMachineSettings(remembers_roots=False))
    assert not rig.said(Hello)[0].capabilities & Capability.REMEMBERS_ROOTS
    assert rig.refused(RememberRoot, LOG, 1, ONE) is RefusalReason.NOT_SUPPORTED
    assert rig.refused(RecallRoot, LOG) is RefusalReason.NOT_SUPPORTED


@pytest.mark.parametrize("keeps_answers", [True, False])
def test_the_power_goes_at_every_step_of_remembering(*, keeps_answers: bool) -> None:
    settings = TdpMachineSettings(keeps_answers=keeps_answers, keeps_events=False)
    kept = []
    for step in range(2):  # before root and answer are kept, which is one step, and after it
        rig = Rig(settings=settings)
        rig.do(RememberRoot, LOG, 7, ONE)
        rig.device.mishaps.cut_power_after(step)
        rig.send(RememberRoot, LOG, 8, TWO)
        rig.clock.advance(0.5)
        assert not rig.device.is_powered
        rig.device.power_on()
        rig.rest()
        assert not [one for one in rig.said(Done) if rig.sent is not None and one.id == rig.sent.id]
        kept.append(recalled(rig))
    assert kept == [(7, ONE), (8, TWO)]


def test_neither_question_nor_root_ends_a_return_that_waits() -> None:
    rig = Rig("shuffler_dealer")
    rig.ready()
    rig.do(AcceptReturn)
    rig.rest()
    rig.do(RememberRoot, LOG, 7, ONE)
    recalled(rig)
    rig.rest()
    assert rig.said(CardsReturned) == []
