"""The rig for the checks of an Angel Eye shoe."""

from itertools import groupby
from typing import Final, NamedTuple

from conformance import manual_steps
from conformance.bench import Bench
from conformance.check_result import CheckSkipped
from conformance.manual_steps import ManualStep, StepResult
from conformance.recorder import MessageRecorder, TimedMessage
from protocols.angel_eye.codec import encode_command
from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.messages import Ack, Command, ErrorCleared, ErrorRaised, LockChanged, Nak, ShoeMessage

REPLY_S: Final = 0.5
"""Seconds for an answer: three copies of a telegram may be under way."""

UNLOCK: Final = ManualStep("key unlock", "Unlock the shoe with its key.")
LOCK: Final = ManualStep("key lock", "Lock the shoe with its key.")
CLEAR: Final = ManualStep("clear", "Clear the error at the shoe.")
FORCE_END: Final = ManualStep("force-end", "End the round by force, at the shoe.")


class TimedTelegram(NamedTuple):
    """One telegram with the times of all its copies."""

    message: ShoeMessage
    times_s: tuple[float, ...]


class AngelEyeRig(MessageRecorder[ShoeMessage | Ack | Nak]):
    """A bench with a shoe."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench, TelegramDecoder)
        self.in_error: Final[set[int]] = set()
        self.locked = False

    def took(self, item: ShoeMessage | Ack | Nak, now_s: float) -> None:
        if isinstance(item, Ack | Nak):
            self.bench.health.reply(expected=True)
            return
        self.bench.health.frame(item.raw, now_s)
        if isinstance(item, ErrorRaised):
            self.in_error.add(item.code)
        elif isinstance(item, ErrorCleared):
            self.in_error.discard(item.code)
        elif isinstance(item, LockChanged):
            self.locked = item.locked

    def telegrams(self) -> list[TimedTelegram]:
        """The telegrams since the check began, copies joined: the same bytes in a row are one telegram."""
        said: list[TimedMessage[ShoeMessage]] = [
            TimedMessage(one.at_s, one.item) for one in self.said if not isinstance(one.item, Ack | Nak)
        ]
        joined: list[TimedTelegram] = []
        for _raw, copies in groupby(said, key=lambda one: one.item.raw):
            group = list(copies)
            joined.append(TimedTelegram(group[0].item, tuple(one.at_s for one in group)))
        return joined

    def replies(self) -> list[Ack | Nak]:
        """The replies since the check began."""
        return [one.item for one in self.said if isinstance(one.item, Ack | Nak)]

    def send_frame(self, frame: bytes) -> Ack | Nak | None:
        """Send a command's bytes; return the reply, None if none came in time."""
        before = len(self.replies())
        self.bench.write(frame)
        self.listen(REPLY_S, lambda: len(self.replies()) > before)
        answers = self.replies()[before:]
        return answers[0] if answers else None

    def command(self, command: Command) -> Ack | Nak | None:
        """Send a command; return the reply."""
        return self.send_frame(encode_command(command))

    def ready_to_play(self) -> None:
        """Prepare a shoe with cards, unlocked, without error, between two rounds.

        Raises:
            CheckSkipped: the operator or the device cannot.
        """
        self.stocked()
        if self.locked:
            self.act(UNLOCK)
        if self.in_error and not self.attempt(CLEAR).done:
            self.in_error.clear()  # nothing to clear: the shoe had not told that it was over
        self.act(FORCE_END)
        if self.in_error:
            raise CheckSkipped(f"the shoe stays in error {sorted(self.in_error)}")
        self.forget()

    def draw(self, count: int = 1, *, named: bool = False) -> list[StepResult]:
        """Draw cards, one after the other, each told before the next; a person is asked once for all."""
        if self.bench.helper.is_person:
            return [self.act(manual_steps.draw(count, named=named))]
        return [self.act(manual_steps.draw()) for _ in range(count)]

    def draw_rounds(self, rounds: int, cards: int) -> None:
        """Draw rounds of so many cards, each ended by force."""
        if self.bench.helper.is_person:
            words = (
                f"Draw {rounds * cards} cards; after each {cards} end the round by force, at the shoe. If it shows an "
                "error, clear it there and continue."
            )
            self.act(ManualStep("draw\n" * cards + FORCE_END.line, words, rounds))
            return
        for _ in range(rounds):
            self.draw(cards)
            self.act(FORCE_END)
