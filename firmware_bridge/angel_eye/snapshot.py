"""What is remembered of a shoe whose new stack no card has left (``firmware_bridge.memory``)."""

from typing import Literal

import msgspec


class SequenceSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The order of telegrams.

    Attributes:
        last_seq: the number of the last one; ``None``: any may follow.
        last_raw: its bytes, hexadecimal; empty if its copies need not be known.
        before_break: the bytes whose copies may come however late.
    """

    last_seq: int | None
    last_raw: str
    before_break: str


class CardsSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cards that the shoe has told: none.

    Attributes:
        missing: telegrams lost since the last card, by number.
        anything_lost: whether the numbers do not say how many.
        unread_half: which half of a card that it could not read it told last.
        in_overdraw: whether the next cards are overdrawn ones.
    """

    missing: int
    anything_lost: bool
    unread_half: Literal["error", "card"] | None
    in_overdraw: bool


class ShoeSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The shoe.

    Attributes:
        is_lost: whether its link was lost.
        errors: that hold.
        cut_card_out: whether the cut card came out.
        shoe_over: whether the shoe game is over.
        sequence: the order of telegrams.
        cards: what it told of cards.
    """

    is_lost: bool
    errors: list[int]
    cut_card_out: bool
    shoe_over: bool
    sequence: SequenceSnapshot
    cards: CardsSnapshot
