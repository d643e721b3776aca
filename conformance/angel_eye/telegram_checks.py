"""Sections 3 to 6: what the shoe tells."""

from itertools import pairwise
from typing import Final

from conformance import manual_steps
from conformance.angel_eye.rig import CLEAR, FORCE_END, LOCK, UNLOCK, AngelEyeRig
from conformance.check import Checks
from conformance.check_result import CheckSkipped, require, unmet
from conformance.faces import FACES, require_all_read
from conformance.manual_steps import ManualStep
from conformance.recorder import EVENT_S
from protocols.angel_eye.messages import (
    CardDrawn,
    CardDrawnOutsideGame,
    CardReadOutsideGame,
    CardRetransmitted,
    CutCardDrawn,
    ErrorCleared,
    ErrorCode,
    ErrorRaised,
    LockChanged,
    Outcome,
    RoundResult,
    Started,
)

CHECKS: Final[Checks[AngelEyeRig]] = Checks("telegrams")

_TELEGRAMS: Final = "3. Telegrams: shoe to host"
_CARDS: Final = "4. Cards"
_RESULT: Final = "5. Result"
_ERRORS: Final = "6. Errors, lock, presets"
_COPIES: Final = 3
_APART_S: Final = 0.05
_APART_MAX_S: Final = 0.3
"""Three copies must lie within the second in which a host drops them as copies."""
_LAST_SEQ: Final = 9
_FEW: Final = 4
_ROUND: Final = 6
_BUTTONS: Final = ("player", "banker", "tie")
_UNREAD: Final = (ErrorCode.CANNOT_READ, ErrorCode.CARD_CODE)


@CHECKS.check(_TELEGRAMS, "the sender: every byte of the frame, and its check")
def well_formed(rig: AngelEyeRig) -> None:
    """All that the shoe sends is telegrams with the right form, fields and check."""
    rig.ready_to_play()
    rig.draw(_FEW)
    for _ in range(2 * _LAST_SEQ // _FEW):
        # A check of digits alone does not show whether its letters are capitals.
        if rig.garbage or any(one.message.raw[-2:].upper() != one.message.raw[-2:].lower() for one in rig.telegrams()):
            break
        rig.draw(_FEW)
    garbage = rig.garbage[0] if rig.garbage else None
    require(garbage is None, "telegrams and nothing else", garbage, garbage.raw if garbage else b"")
    require(rig.telegrams(), f"telegrams of {_FEW} cards", "none")


@CHECKS.check(_TELEGRAMS, "the repetition: three copies, all bytes the same, Seq included")
def three_copies(rig: AngelEyeRig) -> None:
    """Each telegram is sent three times, about 50 ms apart, all bytes the same."""
    rig.ready_to_play()
    rig.draw(_FEW)
    for telegram in rig.telegrams():
        count = len(telegram.times_s)
        require(count == _COPIES, f"{_COPIES} copies of {telegram.message}", count, telegram.message.raw)
        gaps = [after - before for before, after in pairwise(telegram.times_s)]
        require(max(gaps) <= _APART_MAX_S, "copies about 0.05 s apart", gaps, telegram.message.raw)
        if abs(max(gaps) - _APART_S) > _APART_S / 2:
            rig.bench.observe(f"two copies came {max(gaps):.2f} s apart")


@CHECKS.check(_TELEGRAMS, "Seq: one higher with each telegram, 1 after 9")
def seq_counts_to_nine(rig: AngelEyeRig) -> None:
    """Seq is one higher with each telegram, and 1 after 9."""
    rig.ready_to_play()
    for _ in range(2 * _LAST_SEQ // _ROUND):
        if len(rig.telegrams()) > _LAST_SEQ:
            break
        rig.draw(_ROUND)
    require(len(rig.telegrams()) > _LAST_SEQ, "ten telegrams of eighteen cards", len(rig.telegrams()))
    for before, after in pairwise(telegram.message for telegram in rig.telegrams()):
        expected = before.seq % _LAST_SEQ + 1
        restarted = isinstance(after, Started)
        require(after.seq == expected or restarted, f"Seq {expected} after {before.seq}", after.seq, after.raw)


@CHECKS.check(_CARDS, "every card that leaves the mouth: in a game or outside one, read or not")
def every_card_is_told(rig: AngelEyeRig) -> None:
    """Each card that leaves the shoe is reported by one telegram, "D" in a game and "d" outside one."""
    rig.ready_to_play()
    for _ in range(_ROUND):
        before = len(rig.telegrams())
        rig.draw()
        told = [telegram.message for telegram in rig.telegrams()[before:]]
        cards = [one for one in told if isinstance(one, CardDrawn | CardDrawnOutsideGame | CutCardDrawn)]
        overdrawn = [one for one in told if isinstance(one, ErrorRaised) and one.code == ErrorCode.OVERDRAW]
        require(len(cards) + len(overdrawn) == 1, "one telegram of the card", told)
        if overdrawn:
            rig.bench.observe("an overdrawn card brings error 2 and no D")
            break


@CHECKS.check(_CARDS, "the table of ranks and suits")
def cards_as_drawn(rig: AngelEyeRig) -> None:
    """The card in the telegram is the card that was drawn."""
    rig.ready_to_play()
    drawn = [card for answer in rig.draw(_FEW, named=True) for card in answer.cards]
    if not drawn:
        raise CheckSkipped(f"{rig.bench.helper.name} does not say which cards were drawn")
    told = [one.message for one in rig.telegrams() if isinstance(one.message, CardDrawn)]
    seen = [one.card for one in told]
    require(seen == drawn, str(drawn), seen, b"".join(one.raw for one in told))


@CHECKS.check(_CARDS, "the reader, and the table of ranks and suits: the faces that differ")
def all_faces(rig: AngelEyeRig) -> None:
    """Each of the 52 faces is read as what it is, of a deck in known order."""
    rig.ready_to_play()
    rig.act(manual_steps.load_in_order(FACES))
    rig.draw_rounds(len(FACES) // _FEW, _FEW)
    told: list[str | None] = []
    for telegram in rig.telegrams():
        one = telegram.message
        if isinstance(one, CardDrawn | CardReadOutsideGame):
            told.append(one.card)
        elif isinstance(one, ErrorRaised) and one.code in _UNREAD and told[-1:] != [None]:
            told.append(None)
    require_all_read(rig.bench, told)


@CHECKS.check(_CARDS, "target and index: each place of a round once")
def places_of_a_round(rig: AngelEyeRig) -> None:
    """Within a round no place is given to two cards; burned cards have an index of 0 to 10."""
    rig.ready_to_play()
    rig.draw(_FEW)
    told = [one.message for one in rig.telegrams() if isinstance(one.message, CardDrawn)]
    places = [(one.target, one.index) for one in told]
    named = [f"{target.name.lower()} {index}" for target, index in places]
    require(len(set(places)) == len(places), "each place once", named, b"".join(one.raw for one in told))
    rig.bench.observe(f"the first cards went to {', '.join(named)}")


@CHECKS.check("4. Cards; 6. Errors, lock, presets", "a card that is not read: it has left the shoe all the same")
def unread_card(rig: AngelEyeRig) -> None:
    """A card that was not read is reported without a name, or by error 1 or 6; clearing the error is reported."""
    rig.ready_to_play()
    rig.bench.act(manual_steps.UNREAD, rig.listen)
    rig.forget()
    rig.draw()
    told = [one.message for one in rig.telegrams()]
    nameless = [one for one in told if isinstance(one, CardDrawn) and one.card is None]
    errors = [
        one for one in told if isinstance(one, ErrorRaised) and one.code in {ErrorCode.CANNOT_READ, ErrorCode.CARD_CODE}
    ]
    require(nameless or errors, "D without a card, or E 1 or 6", told)
    rig.bench.observe(f"a card that was not read: {', then '.join(type(one).__name__ for one in told)}")
    if not errors:
        return
    rig.forget()
    rig.act(CLEAR)
    cleared = [one.message.code for one in rig.telegrams() if isinstance(one.message, ErrorCleared)]
    require(errors[0].code in cleared, f"e {errors[0].code}", cleared)


@CHECKS.check(_RESULT, "the result: sent when the right button is pressed, and when a round is ended by force")
def result_of_a_round(rig: AngelEyeRig) -> None:
    """At the end of a round "G" tells its result; a wrong button is error 3."""
    rig.ready_to_play()
    rig.draw(_FEW)
    for _ in range(_ROUND - _FEW + 1):
        for button in _BUTTONS:
            rig.forget()
            rig.act(ManualStep(f"press {button}", f"Press the button for {button} at the shoe."))
            results = [one.message for one in rig.telegrams() if isinstance(one.message, RoundResult)]
            if results:
                outcome = results[0].outcome
                require(outcome is Outcome[button.upper()], f"the result {button}", outcome, results[0].raw)
                return
            wrong = [one.message for one in rig.telegrams() if isinstance(one.message, ErrorRaised)]
            require(all(one.code == ErrorCode.WRONG_BUTTON for one in wrong), "error 3 for a wrong button", wrong)
        rig.draw()
    unmet("a result once a round of at most six cards is complete", "none, whichever button was pressed")


@CHECKS.check(_RESULT, "a round that is ended by force")
def forced_end(rig: AngelEyeRig) -> None:
    """A round that is ended by force is reported as "G" with outcome 7."""
    rig.ready_to_play()
    rig.draw()
    rig.forget()
    rig.act(FORCE_END)
    results = [one.message for one in rig.telegrams() if isinstance(one.message, RoundResult)]
    require(results, "G", rig.telegrams())
    require(results[0].outcome is Outcome.FORCED_END, "outcome 7", results[0], results[0].raw)


@CHECKS.check(_ERRORS, "the key: L when it changes anything, and d for what is drawn while it locks")
def key_and_cards(rig: AngelEyeRig) -> None:
    """The key is reported by "L"; a card drawn while the shoe is locked is reported by "d"."""
    rig.ready_to_play()
    rig.act(LOCK)
    changed = [one.message.locked for one in rig.telegrams() if isinstance(one.message, LockChanged)]
    require(changed == [True], "L, locked", rig.telegrams())
    rig.forget()
    rig.draw()
    outside = [one.message for one in rig.telegrams() if isinstance(one.message, CardDrawnOutsideGame)]
    require(len(outside) == 1, "d for the card", rig.telegrams())
    require(outside[0].locked, "d with state 0, locked", outside[0], outside[0].raw)
    rig.forget()
    rig.act(UNLOCK)
    changed = [one.message.locked for one in rig.telegrams() if isinstance(one.message, LockChanged)]
    require(changed == [False], "L, unlocked", rig.telegrams())


@CHECKS.check(_ERRORS, "an overdrawn card: E 2 at once, and the card again for the next round once it is cleared")
def overdraw(rig: AngelEyeRig) -> None:
    """A card more than the round allows is error 2; when that is cleared "e" and "R" with the card follow."""
    rig.ready_to_play()
    for _ in range(_ROUND + 1):
        rig.forget()
        rig.draw()
        errors = [one.message for one in rig.telegrams() if isinstance(one.message, ErrorRaised)]
        if any(one.code == ErrorCode.OVERDRAW for one in errors):
            break
    else:
        unmet(f"error 2 by the {_ROUND + 1}th card of a round", "none")
    rig.forget()
    rig.act(CLEAR)
    told = [one.message for one in rig.telegrams()]
    cleared = [one.code for one in told if isinstance(one, ErrorCleared)]
    require(ErrorCode.OVERDRAW in cleared, "e 2", told)
    again = [one for one in told if isinstance(one, CardRetransmitted)]
    require(len(again) == 1, "R with the card, for the next round", told)
    rig.bench.observe(f"R names {again[0].target.name.lower()} {again[0].index}")


@CHECKS.check(_TELEGRAMS, "power-up: the first telegram")
def starts_with_s(rig: AngelEyeRig) -> None:
    """After power-up the shoe begins with "S"."""
    rig.restarted(manual_steps.POWER_CYCLE)
    rig.listen(EVENT_S, lambda: bool(rig.telegrams()))
    rig.listen_until_quiet()
    rig.in_error.clear()
    telegrams = rig.telegrams()
    require(telegrams, "S after power-up", "nothing")
    first = telegrams[0].message
    require(isinstance(first, Started), "S first", first, first.raw)
    rig.bench.observe(f"S has Seq {first.seq}")


@CHECKS.check("3. Telegrams; 11. Rules for the host", "the change of a shoe: S once a new stack is in")
def starts_with_a_new_stack(rig: AngelEyeRig) -> None:
    """After a change of shoe "S" is sent."""
    rig.act(manual_steps.LOAD)
    require(rig.of(Started), "S", rig.telegrams())
