"""Sections 2 to 6: what the shoe tells, line by line."""

from typing import Final

from conformance import manual_steps
from conformance.bee_tek.rig import BeeTekRig
from conformance.check import Checks
from conformance.check_result import CheckSkipped, require
from conformance.faces import FACES, require_all_read
from conformance.manual_steps import ManualStep, StepResult
from protocols.bee_tek.messages import AlarmRaised, CardDrawn, CardNotRead, WarningGiven

CHECKS: Final[Checks[BeeTekRig]] = Checks("lines")

_LINES: Final = "3. Lines and frames"
_CARDS: Final = "4. Cards"
_FEW: Final = 5
_SILENCE_S: Final = 3.0
_ONE_CARD_S: Final = 1.0
_LINE_END: Final = b"\r\n"


@CHECKS.check(_LINES, "the sender: tag, body, and CR LF at the end of each line")
def well_formed(rig: BeeTekRig) -> None:
    """All that the shoe sends is lines of the known forms, each ended by CR LF."""
    rig.stocked()
    _draw(rig, _FEW)
    raw = bytes(rig.raw)
    garbage = [one for one in rig.garbage if one.reason != "noise"]
    require(not garbage, "lines of the known forms", garbage, garbage[0].raw if garbage else b"")
    require(raw.endswith(_LINE_END), "CR LF at the end of each line", raw[-8:].hex(" "), raw)
    bare = raw.replace(_LINE_END, b"")
    require(b"\r" not in bare and b"\n" not in bare, "CR and LF together", "one without the other", raw)


@CHECKS.check(_CARDS, "every card that leaves the mouth: one line, once")
def every_card_is_told_once(rig: BeeTekRig) -> None:
    """Each card that leaves the shoe is reported by one line, sent once."""
    rig.stocked()
    for _ in range(_FEW):
        rig.forget()
        answer = rig.act(manual_steps.draw())
        if "cut card" in answer.text:
            rig.bench.observe("no line tells of the cut card" if not rig.said else f"the cut card: {rig.said}")
            continue
        require(len(rig.said) == 1, "one line for one card", [said.item for said in rig.said], bytes(rig.raw))


@CHECKS.check(_CARDS, "the table of ranks and suits")
def cards_as_drawn(rig: BeeTekRig) -> None:
    """The card in the line is the card that was drawn."""
    rig.stocked()
    drawn = [card for answer in _draw(rig, _FEW, named=True) for card in answer.cards]
    if not drawn:
        raise CheckSkipped(f"{rig.bench.helper.name} does not say which cards were drawn")
    told = [said.item.card for said in rig.said if isinstance(said.item, CardDrawn)]
    require(told == drawn, str(drawn), told, bytes(rig.raw))


@CHECKS.check(_CARDS, "the reader, and the table of ranks and suits: the faces that differ")
def all_faces(rig: BeeTekRig) -> None:
    """Each of the 52 faces is read as what it is, of a deck in known order."""
    rig.act(manual_steps.load_in_order(FACES))
    rig.forget()
    _draw(rig, len(FACES))
    cards = [said.item for said in rig.said if isinstance(said.item, CardDrawn | CardNotRead)]
    require_all_read(rig.bench, [one.card if isinstance(one, CardDrawn) else None for one in cards])


@CHECKS.check(_CARDS, "the characters behind the frame, in game mode")
def repeated_characters(rig: BeeTekRig) -> None:
    """Behind a card's frame stands nothing, or the same card's characters again."""
    rig.stocked()
    _draw(rig, _FEW)
    noise = [one for one in rig.garbage if one.reason == "noise"]
    require(not noise, "nothing, or the card's characters", noise, noise[0].raw if noise else b"")
    lines = [line for line in bytes(rig.raw).split(_LINE_END) if line]
    repeats = any(not line.rstrip().endswith(b">") for line in lines)
    rig.bench.observe(f"the characters of a card are {'repeated' if repeats else 'not repeated'} behind its frame")
    modes = {said.item.mode.name.lower() for said in rig.said if isinstance(said.item, CardDrawn)}
    rig.bench.observe(f"the shoe is in {', '.join(sorted(modes))} mode")


@CHECKS.check("3. Lines and frames; 8. Open questions", "a card that is not read: it has left the shoe all the same")
def unread_card(rig: BeeTekRig) -> None:
    """A card that was not read is reported by a line of its own, or by an alarm, or both within 1 s."""
    rig.stocked()
    rig.bench.act(manual_steps.UNREAD, rig.listen)
    rig.forget()
    rig.act(manual_steps.draw())
    told = [said for said in rig.said if isinstance(said.item, CardNotRead | AlarmRaised)]
    require(told, "[Game]<Game> or an alarm", [said.item for said in rig.said], bytes(rig.raw))
    apart_s = told[-1].at_s - told[0].at_s
    require(apart_s <= _ONE_CARD_S, "both within 1 s: they are one card", f"{apart_s:.2f} s", bytes(rig.raw))
    cards = [said.item for said in rig.said if isinstance(said.item, CardDrawn)]
    require(not cards, "no card named", cards, bytes(rig.raw))
    rig.bench.observe(f"a card that was not read: {', then '.join(type(said.item).__name__ for said in told)}")


@CHECKS.check(_LINES, "alarms: the code is the first word")
def alarm(rig: BeeTekRig) -> None:
    """An alarm has a text of 1 to 40 characters, whose first word is its code."""
    rig.act(ManualStep("alarm E5 Door Open", "Bring about an alarm: open the shoe's door."))
    alarms = [said.item for said in rig.said if isinstance(said.item, AlarmRaised)]
    require(alarms, "an alarm", [said.item for said in rig.said], bytes(rig.raw))
    code = alarms[0].text.split()[:1]
    right = bool(code) and code[0][:1].isalpha() and code[0][1:].isdigit()
    require(right, "a code such as E5 as its first word", alarms[0], alarms[0].raw)


@CHECKS.check(_LINES, "warnings: two hex digits, without a tag")
def warning(rig: BeeTekRig) -> None:
    """A warning is two hex digits in angle brackets, without a tag."""
    rig.act(ManualStep("warn 1", "Bring about a warning, as the shoe's manual says."))
    warnings = [said.item for said in rig.said if isinstance(said.item, WarningGiven)]
    require(warnings, "a warning", [said.item for said in rig.said], bytes(rig.raw))


@CHECKS.check("5. Not sent, as far as known", "what the shoe says by itself")
def silent_while_nothing_happens(rig: BeeTekRig) -> None:
    """While nothing happens the shoe says nothing that could be taken for a card."""
    rig.listen(_SILENCE_S)
    cards = [said.item for said in rig.said if isinstance(said.item, CardDrawn | CardNotRead)]
    require(not cards, "no card", cards, bytes(rig.raw))
    rig.bench.observe(f"{len(rig.raw)} bytes in {_SILENCE_S:g} s while nothing happened")


@CHECKS.check("5. Not sent; 8. Open questions", "power-up: no line may look like a card")
def power_up(rig: BeeTekRig) -> None:
    """At power-up no card is reported."""
    rig.restarted(manual_steps.POWER_CYCLE)
    rig.listen_until_quiet()
    cards = [said.item for said in rig.said if isinstance(said.item, CardDrawn | CardNotRead)]
    require(not cards, "no card", cards, bytes(rig.raw))
    rig.bench.observe(f"{len(rig.raw)} bytes at power-up")


@CHECKS.check("2. Line; 7. Not detected", "the line after the cable was out: it must work again")
def after_unplugging(rig: BeeTekRig) -> None:
    """After the cable was out and in again, cards are reported as before."""
    rig.stocked()
    rig.bench.act(manual_steps.UNPLUG, rig.bench.pause)
    rig.restarted(manual_steps.REPLUG)
    rig.forget()
    _draw(rig, 1)
    require(rig.said, "the card that was drawn then", bytes(rig.raw).hex(" ") or "nothing")


def _draw(rig: BeeTekRig, count: int, *, named: bool = False) -> list[StepResult]:
    if rig.bench.helper.is_person:
        return [rig.act(manual_steps.draw(count, named=named))]
    return [rig.act(manual_steps.draw()) for _ in range(count)]
