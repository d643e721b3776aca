"""A bridge's memory can be written down at the start of a shoe game and taken up again."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import msgspec
import pytest

from drivers.errors import PortLost
from firmware_bridge.angel_eye.bridge import ShoeBridge
from firmware_bridge.angel_eye.session import AngelEyeState, ShoeSession
from firmware_bridge.bee_tek.session import NOT_READ, BeeTekSession
from firmware_bridge.bridge import Bridge
from firmware_bridge.report import Report
from firmware_bridge.session_state import ENCODER, StatefulSession
from firmware_bridge.tdp.session import TdpSession
from protocols.bee_tek.messages import AlarmRaised
from protocols.tdp.events import Fault as TdpFault
from protocols.tdp.messages import Message
from regulations.events.cards import Card
from regulations.events.inputs import (
    AnyInput,
    CardDrawn,
    DeviceBack,
    DeviceLost,
    Fault,
    FaultCleared,
    Loaded,
    Shuffled,
)
from tests.firmware_bridge.desk import BURN, SHOE, Listening
from tests.firmware_bridge.tdp.device import HELLO, NAME, STATUS, Device, hello

HIDDEN: Card = "8S"


def state(value: object, seen: frozenset[int] = frozenset(), besides: Collection[str] = ()) -> object:
    """All that an object of ours holds, whatever it is called; a new attribute too."""
    if id(value) in seen:
        return "again"
    inside, kind = seen | {id(value)}, type(value).__name__
    if isinstance(value, dict):
        return [(state(key, inside, besides), state(one, inside, besides)) for key, one in value.items()]
    if isinstance(value, list | tuple):
        return [state(one, inside, besides) for one in value]
    if isinstance(value, msgspec.Struct):
        return kind, state(msgspec.structs.asdict(value), inside, besides)
    if type(value).__module__.startswith(("firmware_bridge.", "protocols.")) and hasattr(value, "__dict__"):
        looked_at = {name: one for name, one in vars(value).items() if f"{kind}.{name}" not in besides}
        return kind, {name: state(one, inside, besides) for name, one in looked_at.items()}
    return value


def numbered(events: Sequence[AnyInput], first: int) -> list[AnyInput]:
    """As the journal has them; outputs lie between."""
    return [msgspec.structs.replace(event, seq=first + 3 * n) for n, event in enumerate(events)]


def angel_eye() -> tuple[list[AnyInput], list[AnyInput]]:
    line = Listening()
    line.session.stack_loaded()
    line.say(f"{BURN}, P1 4S, B1 KD, P2 5C, B2 3H, G player, E4")
    before = [*line.events, DeviceLost(device=SHOE), DeviceLost(device="another"), Loaded(cards=416)]
    after = Listening()
    after.session.stack_loaded()
    after.say(f"{BURN}, P1 4S, B1 KD")
    return before, [*after.events, CardDrawn(card="2C")]


def bee_tek() -> tuple[list[AnyInput], list[AnyInput]]:
    return [DeviceLost(device=SHOE), Loaded(cards=416)], [CardDrawn(card="2C", device=SHOE), DeviceBack(device=SHOE)]


def tdp() -> tuple[list[AnyInput], list[AnyInput]]:
    return heard_by_tdp()[:2]


def heard_by_tdp() -> tuple[list[AnyInput], list[AnyInput], TdpSession]:
    session, device = TdpSession(NAME), Device()
    events: list[AnyInput] = []

    def hear(*messages: Message) -> None:
        for message in messages:
            events.extend(session.translate(message, 1.0))

    hear(HELLO, STATUS, device.card("2C"), device.card(HIDDEN))
    events += [Fault(device=NAME, code="motor"), DeviceLost(device=NAME), Shuffled(by="croupier"), Loaded(cards=416)]
    before, events = events, []
    hear(device.card("KH"), device.card("3D"))
    return before, [*events, FaultCleared(device=NAME, code="motor"), DeviceBack(device=NAME)], session


FAMILIES: list[tuple[Callable[[], StatefulSession[Any, Any]], Callable[[], tuple[list[AnyInput], list[AnyInput]]]]] = [
    (lambda: ShoeSession(SHOE), angel_eye),
    (lambda: BeeTekSession(SHOE), bee_tek),
    (lambda: TdpSession(NAME), tdp),
]


@pytest.mark.parametrize(("make", "script"), FAMILIES, ids=["angel_eye", "bee_tek", "tdp"])
def test_a_memory_taken_up_is_the_memory_that_heard_everything(
    make: Callable[[], StatefulSession[Any, Any]], script: Callable[[], tuple[list[AnyInput], list[AnyInput]]]
) -> None:
    before, after = script()
    journal = numbered(before, 1)
    heard, restored = make(), make()
    for event in journal:
        heard.replay(event)
    snapshot = heard.snapshot()
    assert snapshot is not None
    written = ENCODER.encode(snapshot)
    assert state(heard) != state(restored)
    restored.restore(written)
    first = heard.heard_from()
    for event in journal if first is not None else []:
        if isinstance(event.seq, int) and first is not None and event.seq >= first:
            restored.recall(event)
    assert state(restored) == state(heard)
    assert restored.snapshot() == snapshot
    for event in numbered(after, 1000):
        for one in (heard, restored):
            one.replay(event)
        assert state(restored) == state(heard)


@pytest.mark.parametrize(("make", "script"), FAMILIES, ids=["angel_eye", "bee_tek", "tdp"])
def test_what_another_family_wrote_is_not_taken_up(
    make: Callable[[], StatefulSession[Any, Any]], script: Callable[[], tuple[list[AnyInput], list[AnyInput]]]
) -> None:
    del script
    before = state(make())
    memory = make()
    with pytest.raises(msgspec.ValidationError):
        memory.restore(b'{"is_lost":true,"colour":"red"}')
    assert state(memory) == before


def test_an_angel_eye_shoe_says_nothing_once_a_card_is_out() -> None:
    session = ShoeSession(SHOE)
    session.replay(Loaded(cards=416))
    assert session.snapshot() is not None
    session.replay(CardDrawn(card="2C"))
    assert session.snapshot() is None


def test_no_card_and_no_bytes_of_one_are_written_down() -> None:
    before, _, _ = heard_by_tdp()
    session = TdpSession(NAME)
    for event in numbered(before, 1):
        session.replay(event)
    written = ENCODER.encode(session.snapshot()).decode()
    secret = next(event for event in before if isinstance(event, CardDrawn) and event.card == HIDDEN)
    assert isinstance(secret.raw, str)
    assert HIDDEN not in written
    assert secret.raw[-8:] not in written
    shoe = ShoeSession(SHOE)
    cards, _ = angel_eye()
    for event in cards:
        shoe.replay(event)
    assert '"last_raw":""' in ENCODER.encode(shoe.snapshot()).decode()


def test_no_bytes_of_a_card_outlive_the_loading_of_another_stack() -> None:
    line = Listening()
    line.session.stack_loaded()
    line.say(f"{BURN}, P1 4S")
    line.session.lost()
    sequence = line.session.state.sequence
    assert sequence.last_raw == sequence.before_break != ""
    line.session.stack_loaded()
    line.session.lost()
    written = line.session.snapshot()
    assert written is not None
    assert (written.sequence.last_raw, written.sequence.before_break) == ("", "")


def test_an_event_that_is_repeated_after_the_restart_is_known_by_its_bytes() -> None:
    before, _, _ = heard_by_tdp()
    journal = numbered(before, 1)
    session, again = TdpSession(NAME), TdpSession(NAME)
    for event in journal:
        session.replay(event)
    again.restore(ENCODER.encode(session.snapshot()))
    first = session.heard_from()
    # The first card: what was reported before it had no number of the device.
    assert first == next(event.seq for event in journal if isinstance(event, CardDrawn))
    for event in journal:
        again.recall(event)
    device = Device()
    first_card, other = device.card("2C"), device.card("9C")
    assert again.translate(first_card, 1.0) == []
    assert again.repeats == 1
    assert [event.code for event in again.translate(other, 1.0) if isinstance(event, Fault)] == ["event_differs"]


def test_a_unit_that_stands_here_since_is_heard_from_there() -> None:
    session, device = TdpSession(NAME), Device()
    events = [event for message in (HELLO, STATUS, device.card("2C")) for event in session.translate(message, 1.0)]
    events += session.translate(hello(serial="SN-002"), 1.0)
    other = Device()
    events += session.translate(other.card("4D"), 1.0)
    journal = numbered([*events, Loaded(cards=416)], 1)
    memory, again = TdpSession(NAME), TdpSession(NAME)
    for event in journal:
        memory.replay(event)
    cards = [event.seq for event in journal if isinstance(event, CardDrawn)]
    assert memory.heard_from() == cards[-1]
    again.restore(ENCODER.encode(memory.snapshot()))
    assert again.snapshot() == memory.snapshot()
    assert len(memory.state.others) == 1


# --- the bridge: what the journal knows ------------------------------------------------------------------------------


def shoe_bridge() -> tuple[ShoeBridge, list[Report]]:
    """A bridge at a port that is never opened, and the reports that it puts into the inbox."""
    said: list[Report] = []

    def take(one: AnyInput | Report) -> None:
        assert isinstance(one, Report)
        said.append(one)

    return ShoeBridge(SHOE, "/dev/null", {}, [], take), said


def known_of(bridge: Bridge[Any]) -> AngelEyeState:
    taken = bridge.snapshot()
    assert taken is not None
    return msgspec.json.decode(taken.state, type=AngelEyeState)


def unplugged() -> PortLost:
    return PortLost("/dev/null", "unplugged", "Plug it in.")


def test_what_a_crash_would_take_away_is_not_in_a_snapshot() -> None:
    bridge, said = shoe_bridge()
    bridge.made_durable(Report(SHOE, (Loaded(cards=416),)))
    bridge.lost(unplugged())
    first = said[0]
    bridge.made_durable(first)
    bridge.back()
    assert known_of(bridge).is_lost
    bridge.made_durable(said[1])
    assert not known_of(bridge).is_lost
    # The port's thread and the table's may pass their reports on in another order than they made them.
    bridge.made_durable(first)
    assert not known_of(bridge).is_lost


def test_what_the_table_says_is_known_though_the_report_was_made_before() -> None:
    bridge, said = shoe_bridge()
    bridge.lost(unplugged())
    bridge.shoe_over()
    bridge.back()
    bridge.made_durable(said[0])
    assert (known_of(bridge).is_lost, known_of(bridge).shoe_over) == (True, True)
    # This one was made after it: the session knew.
    bridge.made_durable(said[1])
    assert known_of(bridge).shoe_over
    bridge.stack_loaded()
    assert not known_of(bridge).shoe_over
    bridge.shoe_over()
    assert known_of(bridge).shoe_over


LEFT_OVER = frozenset(
    {
        # What counters say since the program began.
        "ShoeSession._copies",
        "ShoeSession.gaps",
        "Cards.repeats",
        "TdpSession.repeats",
        "TdpSession.gaps",
        "BeeTekSession.warnings",
        "BeeTekSession.damaged",
        # Of telegrams whose copies may come within a second; a restart takes longer.
        "Sequence._first_heard",
        "Sequence._last_heard_s",
        "Cards._last_raw",
        # Of the session with the device: it ends with the program.
        "Translation.capabilities",
        "TdpSession.status",
        "TdpSession.is_caught_up",
        "TdpSession._behind",
        "History._here",
        # Which parts of the device report a fault: the first that says that it is over ends it.
        "Translation._causes",
        "History.acknowledgeable",
        "BeeTekSession._is_heard",
        "BeeTekSession._half",
        "BeeTekSession._half_s",
    }
)
"""Attributes that a session which goes on from its state need not know."""


@pytest.mark.parametrize("family", ["angel_eye", "bee_tek", "tdp"])
def test_a_session_that_was_at_work_goes_on_from_its_state(family: str) -> None:
    """Every attribute: one that outlives a stack and is not in the state is found here."""
    live, journal = at_work(family)
    assert live.snapshot() is not None
    again = type(live)(NAME if family == "tdp" else SHOE)
    fresh = state(again, besides=LEFT_OVER)
    again.restore(ENCODER.encode(live.snapshot()))
    for event in journal:
        again.recall(event)
    assert state(again, besides=LEFT_OVER) == state(live, besides=LEFT_OVER) != fresh


def at_work(family: str) -> tuple[StatefulSession[Any, Any], list[AnyInput]]:
    """A session that has heard and told much, with a new stack in its device; and what it told, in the journal."""
    if family == "angel_eye":
        line = Listening()
        line.session.stack_loaded()
        line.say(f"{BURN}, P1 4S, B1 KD, P2 5C, B2 3H, G player, E4")
        line.session.shoe_over()
        line.session.lost()
        line.session.stack_logged()
        return line.session, []
    if family == "bee_tek":
        shoe = BeeTekSession(SHOE)
        shoe.translate(AlarmRaised(NOT_READ), 1.0)
        shoe.lost()
        return shoe, []
    session, device, journal = TdpSession(NAME), Device(), list[AnyInput]()
    for message in (HELLO, STATUS, device.card("2C"), device.of(TdpFault, 3, 1), device.card("4S")):
        told = numbered(session.translate(message, 1.0), len(journal) + 1)
        session.made_durable(told, [one.seq for one in told if isinstance(one.seq, int)])
        journal += told
    session.lost()
    session.shoe_over()
    return session, journal
