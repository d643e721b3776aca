"""What a bridge remembers can be written down at the start of a shoe game and taken up again."""

from collections.abc import Callable, Sequence

import msgspec
import pytest

from firmware_bridge.angel_eye.session import ShoeSession
from firmware_bridge.bee_tek.session import BeeTekSession
from firmware_bridge.memory import Memory
from firmware_bridge.tdp.session import TdpSession
from protocols.tdp.messages import Message
from regulations.cards import Card
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


def state(value: object, seen: frozenset[int] = frozenset()) -> object:
    """All that an object of ours holds, whatever it is called; a new attribute too."""
    if id(value) in seen:
        return "again"
    inside = seen | {id(value)}
    if isinstance(value, dict):
        return [(state(key, inside), state(one, inside)) for key, one in value.items()]
    if isinstance(value, list | tuple):
        return [state(one, inside) for one in value]
    if type(value).__module__.startswith(("firmware_bridge.", "protocols.")) and hasattr(value, "__dict__"):
        return type(value).__name__, {name: state(one, inside) for name, one in vars(value).items()}
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
            events.extend(session.hear(message, 1.0))

    hear(HELLO, STATUS, device.card("2C"), device.card(HIDDEN))
    events += [Fault(device=NAME, code="motor"), DeviceLost(device=NAME), Shuffled(by="croupier"), Loaded(cards=416)]
    before, events = events, []
    hear(device.card("KH"), device.card("3D"))
    return before, [*events, FaultCleared(device=NAME, code="motor"), DeviceBack(device=NAME)], session


FAMILIES: list[tuple[Callable[[], Memory], Callable[[], tuple[list[AnyInput], list[AnyInput]]]]] = [
    (lambda: ShoeSession(SHOE), angel_eye),
    (lambda: BeeTekSession(SHOE), bee_tek),
    (lambda: TdpSession(NAME), tdp),
]


@pytest.mark.parametrize(("make", "script"), FAMILIES, ids=["angel_eye", "bee_tek", "tdp"])
def test_a_memory_taken_up_is_the_memory_that_heard_everything(
    make: Callable[[], Memory], script: Callable[[], tuple[list[AnyInput], list[AnyInput]]]
) -> None:
    before, after = script()
    journal = numbered(before, 1)
    heard, restored = make(), make()
    for event in journal:
        heard.replay(event)
    snapshot = heard.snapshot()
    assert snapshot is not None
    written = msgspec.json.encode(snapshot)
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
    make: Callable[[], Memory], script: Callable[[], tuple[list[AnyInput], list[AnyInput]]]
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
    written = msgspec.json.encode(session.snapshot()).decode()
    secret = next(event for event in before if isinstance(event, CardDrawn) and event.card == HIDDEN)
    assert isinstance(secret.raw, str)
    assert HIDDEN not in written
    assert secret.raw[-8:] not in written
    shoe = ShoeSession(SHOE)
    cards, _ = angel_eye()
    for event in cards:
        shoe.replay(event)
    assert '"last_raw":""' in msgspec.json.encode(shoe.snapshot()).decode()


def test_an_event_that_is_repeated_after_the_restart_is_known_by_its_bytes() -> None:
    before, _, _ = heard_by_tdp()
    journal = numbered(before, 1)
    session, again = TdpSession(NAME), TdpSession(NAME)
    for event in journal:
        session.replay(event)
    again.restore(msgspec.json.encode(session.snapshot()))
    first = session.heard_from()
    # The first card: what was reported before it had no number of the device.
    assert first == next(event.seq for event in journal if isinstance(event, CardDrawn))
    for event in journal:
        again.recall(event)
    device = Device()
    first_card, other = device.card("2C"), device.card("9C")
    assert again.hear(first_card, 1.0) == []
    assert again.repeats == 1
    assert [event.code for event in again.hear(other, 1.0) if isinstance(event, Fault)] == ["event_differs"]


def test_a_unit_that_stands_here_since_is_heard_from_there() -> None:
    session, device = TdpSession(NAME), Device()
    events = [event for message in (HELLO, STATUS, device.card("2C")) for event in session.hear(message, 1.0)]
    events += session.hear(hello(serial="SN-002"), 1.0)
    other = Device()
    events += session.hear(other.card("4D"), 1.0)
    journal = numbered([*events, Loaded(cards=416)], 1)
    memory, again = TdpSession(NAME), TdpSession(NAME)
    for event in journal:
        memory.replay(event)
    cards = [event.seq for event in journal if isinstance(event, CardDrawn)]
    assert memory.heard_from() == cards[-1]
    again.restore(msgspec.json.encode(memory.snapshot()))
    assert again.snapshot() == memory.snapshot()
    assert len(memory.snapshot().others) == 1
