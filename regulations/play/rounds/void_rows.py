"""The rows by which a round is void, on each of its grounds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from regulations.law.rows import Guards, Refusal, RegulationRow, move, refusals, refuse
from regulations.play.context.game_round import Round
from regulations.play.context.voiding import VoidRules

VOID_ALSO: Final = ("reading G3",)
G12 = "reading G12"
OwnGround = tuple[tuple[StrEnum, ...], Guards, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidLaw:
    idle: StrEnum
    going: tuple[StrEnum, ...]
    decided: tuple[StrEnum, ...]
    void: StrEnum
    misdeal: str
    stack: str = G12
    exposed: str = ""
    own: Sequence[OwnGround] = ()
    also: tuple[str, ...] = ()


def void_rows(law: VoidLaw) -> tuple[RegulationRow, ...]:
    voidable = (*law.going, *law.decided)
    return (
        *refusals("void", voidable, _objections(law)),
        refuse(
            "void",
            law.decided,
            "not_allowed",
            G12,
            "the result is out, and nothing is open from before it that would void the round",
            when=VoidRules.result_stands,
        ),
        *(row for trigger in ("void", "void_round") for row in _moves(law, trigger)),
        refuse("void", (law.idle, law.void), "not_now", law.misdeal, "there is no round to void"),
        move("abandon", (law.idle, law.void), law.idle, law.misdeal, do=Round.abandon_round),
    )


def _objections(law: VoidLaw) -> Iterable[Refusal]:
    return (
        (VoidRules.ground_unknown, "not_allowed", G12, "a round is void on a ground alone"),
        (VoidRules.persons_missing, "two_persons_needed", G12, "two different persons void a round"),
        (
            VoidRules.exposure_voids_nothing,
            "not_allowed",
            law.exposed or G12,
            "a card that was seen voids no round of this game"
            if not law.exposed
            else "no card of the croupier's lies hidden that could be seen too early",
        ),
        (VoidRules.stack_is_not_empty, "not_allowed", law.stack, "the stack is not empty where a card is due"),
        (VoidRules.round_has_begun, "not_allowed", G12, "a card of the round is out"),
        (VoidRules.nothing_dealt, "not_allowed", law.misdeal, "no card of the round is out that could lie wrong"),
    )


def _moves(law: VoidLaw, trigger: str) -> Iterable[RegulationRow]:
    voidable, also = (*law.going, *law.decided), (*VOID_ALSO, *law.also)

    def on(states: tuple[StrEnum, ...], guard: Guards, article: str, *more: str) -> RegulationRow:
        return move(trigger, states, law.void, article, when=guard, do=Round.void_round, also=(*more, *also))

    for own in law.own:
        yield on(*own)
    yield on(voidable, VoidRules.on_malfunction, G12)
    yield on(law.going, VoidRules.on_empty_stack, law.stack)
    if trigger == "void":
        yield on(law.going, VoidRules.on_no_beginning, G12)
    yield move(trigger, voidable, law.void, law.misdeal, do=Round.void_round, also=(G12, *also))
