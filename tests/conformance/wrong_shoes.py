"""Shoes that speak wrongly: what the simulated ones say, altered on its way, or not said at all."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from cardshoe.cli.sim.virtual import SimulatedFar
from protocols.angel_eye.codec import decode_telegram, encode_telegram
from protocols.angel_eye.messages import (
    CardDrawn,
    CardDrawnOutsideGame,
    CutCardDrawn,
    ErrorCleared,
    LockChanged,
    Outcome,
    RoundResult,
    ShoeMessage,
    Started,
    Target,
)
from protocols.errors import FrameError
from protocols.tdp.codes import DeviceState
from protocols.tdp.messages import Status
from regulations.events.cards import Card
from sim.tdp.hostile import Hostile
from sim.tdp.settings import TdpMachineSettings
from tests.conformance.virtual import angel_eye_shoe, bee_tek_shoe, tdp_device

Alter = Callable[[bytes], bytes]
OTHER_SUIT: Final = {"S": "H", "H": "S", "D": "D", "C": "C"}
ACK: Final = b"\x06"
NAK: Final = 0x15


@dataclass(frozen=True)
class WrongShoe:
    """A shoe that is wrong in one thing, and the checks that must find it."""

    what: str
    caught_by: tuple[str, ...]
    make: Callable[[int], SimulatedFar]


def other_suit(card: Card | None) -> Any:  # noqa: ANN401  a card's name is a literal
    return None if card is None else card[0] + OTHER_SUIT[card[1]]


# --- Angel Eye ------------------------------------------------------------------------------------------------------


def telegrams(change: Callable[[ShoeMessage], ShoeMessage | None]) -> Alter:
    """Alters each telegram; replies pass."""

    def alter(data: bytes) -> bytes:
        try:
            message = decode_telegram(data)
        except FrameError:
            return data
        changed = change(message)
        if changed is None:
            return b""
        return data if changed == message else encode_telegram(changed)

    return alter


def without(*kinds: type) -> Alter:
    return telegrams(lambda message: None if isinstance(message, kinds) else message)


def every_third_lost() -> Alter:
    count = 0

    def alter(data: bytes) -> bytes:
        nonlocal count
        count += 1
        return b"" if len(data) > 3 and count % 3 == 0 else data

    return alter


def replies(change: Alter) -> Alter:
    return lambda data: change(data) if len(data) <= 3 else data


def wrong_check(data: bytes) -> bytes:
    return data if len(data) <= 3 else data[:-1] + bytes([data[-1] ^ 1])


def small_letters(data: bytes) -> bytes:
    return data if len(data) <= 3 else data[:-2] + data[-2:].lower()


def whole_commands_only(data: bytes) -> bytes:
    return data if len(data) >= 10 else b""


def commands_at_the_start_only(data: bytes) -> bytes:
    return data if data[:1] == b"\x02" and data.count(b"\x02") == 1 else b""


def to_player_1(message: ShoeMessage) -> ShoeMessage:
    return replace(message, target=Target.PLAYER, index=1) if isinstance(message, CardDrawn) else message


def suits_exchanged(message: ShoeMessage) -> ShoeMessage:
    return replace(message, card=other_suit(message.card)) if isinstance(message, CardDrawn) else message


def always_a_tie(message: ShoeMessage) -> ShoeMessage:
    return replace(message, outcome=Outcome.TIE) if isinstance(message, RoundResult) else message


def never_locked(message: ShoeMessage) -> ShoeMessage:
    if isinstance(message, CardDrawnOutsideGame):
        return replace(message, locked=False, setting_mode=True)
    return message


def makes_cards_up(message: ShoeMessage) -> ShoeMessage | None:
    if isinstance(message, CardDrawn) and message.card is None:
        return replace(message, card="AS")
    return None if type(message).__name__ == "ErrorRaised" else message


def answers_noise(far: SimulatedFar) -> SimulatedFar:
    """A shoe that acknowledges whatever it hears."""
    write = far.write

    def answering(data: bytes) -> None:
        write(data)
        if b"\x02" not in data:
            far.said.extend(ACK)

    far.write = answering  # type: ignore[method-assign]  # the defect is there
    return far


def shoe(alter: Alter = bytes, heard: Alter = bytes) -> Callable[[int], SimulatedFar]:
    return lambda seed: angel_eye_shoe(seed, alter=alter, alter_heard=heard)


ANGEL_EYE: Final = [
    WrongShoe("two copies", ("telegrams.three-copies",), lambda seed: angel_eye_shoe(seed, alter=every_third_lost())),
    WrongShoe("a wrong check", ("telegrams.well-formed",), shoe(wrong_check)),
    WrongShoe("small letters in the check", ("telegrams.well-formed",), shoe(small_letters)),
    WrongShoe(
        "Seq stands still", ("telegrams.seq-counts-to-nine",), shoe(telegrams(lambda message: replace(message, seq=1)))
    ),
    WrongShoe(
        "cards are not told",
        ("telegrams.every-card-is-reported",),
        shoe(without(CardDrawn)),
    ),
    WrongShoe("suits exchanged", ("telegrams.cards-as-drawn", "telegrams.all-faces"), shoe(telegrams(suits_exchanged))),
    WrongShoe("all cards to player 1", ("telegrams.places-of-a-round",), shoe(telegrams(to_player_1))),
    WrongShoe("makes cards up", ("telegrams.unread-card",), shoe(telegrams(makes_cards_up))),
    WrongShoe("errors have no end", ("telegrams.unread-card", "telegrams.overdraw"), shoe(without(ErrorCleared))),
    WrongShoe("no results", ("telegrams.forced-end", "telegrams.result-of-a-round"), shoe(without(RoundResult))),
    WrongShoe("always a tie", ("telegrams.forced-end",), shoe(telegrams(always_a_tie))),
    WrongShoe("the key is not told", ("telegrams.key-and-cards",), shoe(without(LockChanged))),
    WrongShoe(
        "cards outside a game are not told",
        ("telegrams.key-and-cards", "commands.locked-by-the-host"),
        shoe(without(CardDrawnOutsideGame, CutCardDrawn)),
    ),
    WrongShoe("never says that it is locked", ("telegrams.key-and-cards",), shoe(telegrams(never_locked))),
    WrongShoe("no S", ("telegrams.starts-with-s", "telegrams.starts-with-a-new-stack"), shoe(without(Started))),
    WrongShoe(
        "acknowledges everything",
        (
            "commands.wrong-check-refused",
            "commands.no-end-byte-refused",
            "commands.unknown-letters-refused",
            "commands.data-that-are-no-digits-refused",
            "commands.impossible-lock-refused",
        ),
        shoe(replies(lambda _data: ACK)),
    ),
    WrongShoe(
        "answers nothing",
        (
            "commands.lock-and-unlock-acknowledged",
            "commands.nothing-to-do-answered",
            "commands.byte-by-byte",
            "commands.found-in-noise",
            "commands.reply-not-inside-a-telegram",
        ),
        shoe(replies(lambda _data: b"")),
    ),
    WrongShoe("hears whole commands only", ("commands.byte-by-byte",), shoe(heard=whole_commands_only)),
    WrongShoe("hears no command behind noise", ("commands.found-in-noise",), shoe(heard=commands_at_the_start_only)),
    WrongShoe("answers noise", ("commands.found-in-noise",), lambda seed: answers_noise(angel_eye_shoe(seed))),
    WrongShoe(
        "replies inside telegrams",
        ("commands.reply-not-inside-a-telegram",),
        shoe(lambda data: data if len(data) <= 3 else data[:3] + ACK + data[3:]),
    ),
]


# --- Bee-Tek --------------------------------------------------------------------------------------------------------


def changed_card(data: bytes) -> bytes:
    """The same card of another suit."""
    return data.replace(b"S>", b"?>").replace(b"H>", b"S>").replace(b"?>", b"H>")


def unread_as_a_card(data: bytes) -> bytes:
    return b"[Manual Burn Cards]<Card:AS>\r\n" if b"E3" in data else data


def chattering(seed: int) -> SimulatedFar:
    """A shoe that says a card every second."""
    far = bee_tek_shoe(seed)

    def say() -> None:
        far.said.extend(b"[Game]<Card:4S>\r\n")
        far.clock.call_later(1.0, say)

    far.clock.call_later(1.0, say)
    return far


class AtPowerUp:
    """Says something when it is switched on; or nothing more, once its cable was out."""

    def __init__(self, far: SimulatedFar, *, word: str, says: bytes = b"", mute: bool = False) -> None:
        self._far = far
        self._word = word
        self._says = says
        self._mute = mute

    def __call__(self, line: str) -> str:
        answer = self._far.control.execute(line)
        if line == self._word:
            self._far.said.extend(self._says)
            if self._mute:
                self._far.control.execute("drop-lines 1000")
        return answer


def at(word: str, says: bytes = b"", *, mute: bool = False) -> Callable[[int], SimulatedFar]:
    def make(seed: int) -> SimulatedFar:
        far = bee_tek_shoe(seed)
        far.execute = AtPowerUp(far, word=word, says=says, mute=mute)  # type: ignore[method-assign]  # the defect
        return far

    return make


def lines(alter: Alter) -> Callable[[int], SimulatedFar]:
    return lambda seed: bee_tek_shoe(seed, alter=alter)


BEE_TEK: Final = [
    WrongShoe("ends lines with LF", ("lines.well-formed",), lines(lambda data: data.replace(b"\r\n", b"\n"))),
    WrongShoe("unknown frames", ("lines.well-formed",), lines(lambda data: data.replace(b"<Card:", b"<Kard:"))),
    WrongShoe("says all twice", ("lines.every-card-is-reported-once",), lines(lambda data: data * 2)),
    WrongShoe("says nothing", ("lines.every-card-is-reported-once",), lines(lambda _data: b"")),
    WrongShoe("suits exchanged", ("lines.cards-as-drawn", "lines.all-faces"), lines(changed_card)),
    WrongShoe(
        "noise behind cards",
        ("lines.repeated-characters",),
        lines(lambda data: data.replace(b">\r\n", b">??\r\n")),
    ),
    WrongShoe("makes cards up", ("lines.unread-card",), lines(unread_as_a_card)),
    WrongShoe("does not tell unread cards", ("lines.unread-card",), lines(lambda data: b"" if b"E3" in data else data)),
    WrongShoe("alarms without a code", ("lines.alarm",), lines(lambda data: data.replace(b"E5 ", b""))),
    WrongShoe("no warnings", ("lines.warning",), lines(lambda data: b"" if b"<W" in data else data)),
    WrongShoe("talks to itself", ("lines.silent-while-nothing-happens",), chattering),
    WrongShoe("a card at power-up", ("lines.power-up",), at("power-cycle", b"[Game]<Card:4S>\r\n")),
    WrongShoe("mute after unplugging", ("lines.after-unplugging",), at("unplug", mute=True)),
]


# --- TDP: what the second device has not ----------------------------------------------------------------------------


def signs_alike(_data: bytes) -> bytes:
    """A signature that depends on nothing."""
    return b"signed"


def turned(*hostile: Hostile) -> Callable[[int], SimulatedFar]:
    return lambda seed: tdp_device("shoe", seed, TdpMachineSettings(hostile=frozenset(hostile)))


class BeforeCard:
    """Does something before a card is drawn, counted from 1."""

    def __init__(self, far: SimulatedFar, card: int, act: Callable[[SimulatedFar], object]) -> None:
        self._far = far
        self._card = card
        self._act = act
        self._execute = far.execute
        self._drawn = 0

    def __call__(self, line: str) -> str:
        self._drawn += line == "draw"
        if line == "draw" and self._drawn == self._card:
            self._act(self._far)
        return self._execute(line)


def shoe_with(card: int, act: Callable[[SimulatedFar], object]) -> Callable[[int], SimulatedFar]:
    def make(seed: int) -> SimulatedFar:
        far = tdp_device("shoe", seed)
        far.execute = BeforeCard(far, card, act)  # type: ignore[method-assign]  # the defect
        return far

    return make


def misread(far: SimulatedFar) -> None:
    far.control.execute("misread 6D")


def miscount(far: SimulatedFar) -> None:
    far.control.hands.device.electronics.memory.counts.stack += 1


def lock(far: SimulatedFar) -> None:
    far.control.hands.device.session_lost()


def idle_with_a_card(seed: int) -> SimulatedFar:
    """A shoe that says idle before the last card of a deck."""
    far = tdp_device("shoe", seed)
    device = far.control.hands.device
    right = device.status

    def status() -> Status:
        now: Status = right()
        return replace(now, state=DeviceState.IDLE) if now.count == 51 else now

    device.status = status
    return far


TDP_SHOES: Final = [
    WrongShoe("misreads a card", ("events.all-faces",), shoe_with(9, misread)),
    WrongShoe("is idle with a card", ("events.all-faces",), idle_with_a_card),
    WrongShoe("counts a drawn card as in the stack", ("events.all-faces",), shoe_with(9, miscount)),
    WrongShoe("locks before the last card", ("events.all-faces",), shoe_with(52, lock)),
    WrongShoe(
        "signs everything alike",
        ("commands.attestation",),
        lambda seed: tdp_device("shoe", seed, TdpMachineSettings(signer=signs_alike)),
    ),
    WrongShoe("a permit survives a fault", ("lock.fault-takes-back",), turned(Hostile.PERMIT_SURVIVES)),
    WrongShoe("the permit is not told back", ("events.permit-is-echoed",), turned(Hostile.PERMIT_UNTOLD)),
    WrongShoe("events are dropped", ("events.no-place-left-stops",), turned(Hostile.DROPS_EVENTS)),
]
