"""Link faults: each alone, together, and the same again for the same seed."""

import random
from collections.abc import Callable

import pytest

from sim.clock import VirtualClock
from sim.wires.direct import DirectWire
from sim.wires.wire import Sink
from tests.kit.line_faults import (
    Corrupting,
    Delayed,
    Duplicating,
    Faulty,
    Lossy,
    OneByteAtATime,
    UnplugAfter,
    through,
)

DATA = bytes(range(256)) * 40


class Line:
    """The bytes that came out, in the pieces in which they came."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def __call__(self, data: bytes) -> None:
        self.pieces.append(data)

    @property
    def data(self) -> bytes:
        return b"".join(self.pieces)


def test_one_byte_at_a_time() -> None:
    line = Line()
    OneByteAtATime(line)(b"card")
    assert line.pieces == [b"c", b"a", b"r", b"d"]


def test_lossy_loses_about_as_many_as_told_and_keeps_the_order(seed: int) -> None:
    line = Line()
    fault = Lossy(line, random.Random(seed), 0.1)
    fault(DATA)
    assert fault.lost == len(DATA) - len(line.data)
    assert 0.08 < fault.lost / len(DATA) < 0.12
    rest = iter(DATA)
    assert all(value in rest for value in line.data)


def test_corrupting_changes_about_as_many_as_told_and_always_to_something_else(seed: int) -> None:
    line = Line()
    fault = Corrupting(line, random.Random(seed), 0.1)
    fault(DATA)
    changed = [(a, b) for a, b in zip(DATA, line.data, strict=True) if a != b]
    assert len(changed) == fault.changed
    assert 0.08 < fault.changed / len(DATA) < 0.12
    assert any((a ^ b).bit_count() == 1 for a, b in changed)
    assert any((a ^ b).bit_count() > 1 for a, b in changed)


def test_duplicating_doubles_about_as_many_as_told(seed: int) -> None:
    line = Line()
    fault = Duplicating(line, random.Random(seed), 0.1)
    fault(DATA)
    assert len(line.data) == len(DATA) + fault.doubled
    assert 0.08 < fault.doubled / len(DATA) < 0.12


@pytest.mark.parametrize("kind", [Lossy, Corrupting, Duplicating])
def test_a_probability_of_0_changes_nothing_and_one_of_1_everything(
    kind: Callable[[Sink, random.Random, float], Sink], seed: int
) -> None:
    line = Line()
    kind(line, random.Random(seed), 0.0)(DATA)
    assert line.data == DATA
    line = Line()
    kind(line, random.Random(seed), 1.0)(DATA)
    assert not set(zip(line.data, DATA, strict=False)) & {(value, value) for value in DATA} or len(line.data) > len(
        DATA
    )
    with pytest.raises(ValueError, match="no probability"):
        kind(line, random.Random(seed), 1.5)


def test_delayed_keeps_the_order_whatever_the_jitter(seed: int) -> None:
    clock, line = VirtualClock(), Line()
    fault = Delayed(line, clock, 0.1, random.Random(seed), jitter_s=0.5)
    for value in range(100):
        fault(bytes([value]))
        clock.advance(0.01)
    assert line.data != bytes(range(100))
    clock.run_until_idle()
    assert line.data == bytes(range(100))
    with pytest.raises(ValueError, match="seed"):
        Delayed(line, clock, 0.1, jitter_s=0.5)


def test_delayed_without_jitter_takes_exactly_its_time() -> None:
    clock, line = VirtualClock(), Line()
    Delayed(line, clock, 0.1)(b"x")
    clock.advance(0.099)
    assert line.data == b""
    clock.advance(0.001)
    assert line.data == b"x"


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 8])
def test_unplug_after_n_bytes_wherever_the_pieces_end(count: int) -> None:
    line = Line()
    wire = DirectWire(line)
    fault = UnplugAfter(wire.send, count, wire.unplug)
    fault(b"card")
    fault(b"next")
    fault(b"more")
    assert line.data == b"cardnextmore"[:count]
    assert wire.lost_bytes == 12 - count
    wire.replug()
    fault(b"!")
    assert line.data.endswith(b"!")


def composed(seed: int) -> tuple[bytes, int]:
    rng, clock, line = random.Random(seed), VirtualClock(), Line()
    sink = through(
        line,
        lambda sink: Lossy(sink, rng, 0.02),
        lambda sink: Corrupting(sink, rng, 0.02),
        lambda sink: Duplicating(sink, rng, 0.02),
        lambda sink: Delayed(sink, clock, 0.01, rng, 0.02),
        OneByteAtATime,
    )
    for start in range(0, len(DATA), 8):
        sink(DATA[start : start + 8])
        clock.advance(0.005)
    clock.run_until_idle()
    return line.data, len(line.pieces)


def test_composed_faults_are_the_same_for_the_same_seed_and_others_for_another(seed: int) -> None:
    assert composed(seed) == composed(seed)
    assert composed(seed) != composed(seed + 1)
    data, pieces = composed(seed)
    assert data != DATA
    assert pieces == len(data)


def test_the_first_fault_named_is_the_first_that_the_bytes_meet() -> None:
    line = Line()

    def tag(letter: bytes) -> Callable[[Sink], Sink]:
        return lambda sink: lambda data: sink(data + letter)

    through(line, tag(b"1"), tag(b"2"))(b"-")
    assert line.data == b"-12"


def test_a_faulty_wire_is_a_wire(seed: int) -> None:
    host, device = Line(), Line()
    inner = DirectWire(host)
    wire = Faulty(
        inner,
        to_host=[OneByteAtATime],
        to_device=[lambda sink: Lossy(sink, random.Random(seed), 1.0)],
    )
    wire.listen(device)
    wire.send(b"ab")
    inner.from_host(b"lost")
    assert host.pieces == [b"a", b"b"]
    assert device.pieces == []
    plugged = [wire.is_plugged]
    wire.unplug()
    plugged.append(wire.is_plugged)
    wire.send(b"ab")
    assert wire.lost_bytes == 2
    wire.replug()
    plugged.append(wire.is_plugged)
    assert plugged == [True, False, True]
    wire.pump()
    wire.on_wake(lambda: None)
    assert wire.fds() == ()
    wire.close()
