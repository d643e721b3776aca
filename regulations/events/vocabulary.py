"""The words that events are made of, as the table log spells them."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

Origin = Literal["device", "person", "table"]
Role = Literal["croupier", "supervisor", "surveillance", "technician", "regulator"]
Place = Literal["terminal", "table_screen", "own_screen"]
SignedOutBecause = Literal["asked", "idle", "relieved", "changed", "again", "gone"]
"""Reason of a sign-out.

Values:
    asked: the person signed out.
    idle: no input for too long.
    relieved: another croupier signed in.
    changed: the entry in the staff list changed.
    again: signed in again at the same place.
    gone: the connection ended.
"""
NAME: Final = Meta(pattern=r"^[a-z][a-z0-9_]{0,31}$", description="a name in small letters")
Game: TypeAlias = Annotated[str, NAME]
EquipmentKind = Literal["box", "shoe", "shuffler", "shuffler_dealer"]
Shuffler = Literal["croupier", "shuffler"]
Cutter = Literal["player", "croupier"]
PickUp = Literal[
    "dealt",
    "dealt_turned",
    "player_first",
    "player_first_turned",
    "banker_first",
    "banker_first_turned",
    "last_seat_first",
    "last_seat_first_turned",
]
"""How the cards of a round are picked up.

Values:
    dealt: in the order of dealing.
    dealt_turned: the same; the packet is then turned over.
    player_first: hand by hand, from player or first seat to banker or croupier.
    player_first_turned: the same, turned over.
    banker_first: banker or croupier, then the seats.
    banker_first_turned: the same, turned over.
    last_seat_first: from the last seat to the croupier.
    last_seat_first_turned: the same, turned over.
"""
Face = Literal["down", "up"]
Holder = Literal["player", "banker", "croupier", "seat"]
Target = Literal["player", "banker", "croupier", "seat", "burn"]
Bet: TypeAlias = Annotated[str, NAME]
DecisionAction: TypeAlias = Annotated[str, NAME]
Outcome = Literal["player", "banker", "tie"]
DeviceOutcome = Literal["player", "banker", "tie", "forced_end"]
"""``forced_end``: a round that the shoe broke off."""
DeviceVerdict = Literal["admitted", "refused", "not_judged", "cannot_attest"]
"""Decision about a device.

Values:
    admitted: it may be used.
    refused: it may not; a ``fault`` with the code ``not_admitted`` follows until it is admitted.
    not_judged: the site verifies no devices.
    cannot_attest: a device without cryptography that two people have admitted.
"""
Side = Literal["player", "banker"]
Do = Literal[
    "shuffle",
    "cut",
    "place_cut_card",
    "load",
    "burn",
    "draw",
    "close_bets",
    "decide",
    "reveal",
    "close_round",
    "return_cards",
    "resolve",
    "nothing",
]
"""The croupier's next act.

Values:
    shuffle: shuffle the cards.
    cut: have the stack cut.
    place_cut_card: put the cut card into the stack.
    load: load the equipment.
    burn: burn a card.
    draw: draw a card for ``to``.
    close_bets: close the bets.
    decide: ask the bettor for a decision.
    reveal: turn the cards of ``to`` face up.
    close_round: collect the cards.
    return_cards: return the cards to the shuffler-dealer.
    resolve: resolve the irregularity.
    nothing: the table is closed or its profile is refused.
"""
BurnReason = Literal["initial", "round", "croupier_second", "war", "misdeal", "invalid"]
"""Reason for which a card is out of play.

Values:
    initial: burned after the shuffle.
    round: burned at the start of a round.
    croupier_second: extra card of the croupier.
    war: burned before a challenge.
    misdeal: struck by a correction.
    invalid: not valid in this round.
"""
RefusalCode = Literal[
    "not_now",
    "no_such_seat",
    "no_wager",
    "not_allowed",
    "bad_option",
    "burn_missing",
    "cards_missing",
    "cut_card_depth",
    "wrong_deck_count",
    "needs_authorisation",
    "irregularity_open",
    "not_enough_cards",
    "two_persons_needed",
    "no_answer",
]
"""Reason of a refusal. Nothing changed.

Values:
    not_now: not its turn; ``bets_closed``, ``demonstration``: the table waits for a device (reading
        G13).
    not_allowed: the regulation or the profile does not allow it here.
    bad_option: ``table``, ``equipment``: unknown option, impossible value, conflict, too few seats,
        equipment that the game does not have.
    needs_authorisation: ``table``, ``equipment``: the authorisation is missing or not yet effective.
    wrong_deck_count: ``table``, ``loaded``: impossible number of decks or cards.
    cut_card_depth: ``cut_card_placed``: too few or too many cards behind it.
    burn_missing: ``bets_closed``, ``demonstration``: the initial burn is not complete.
    no_such_seat: a seat that does not exist, is named twice, or has a wager without being among
        ``seats``.
    no_wager: a seat without a wager, a wager without its stake or the wager that it needs;
        ``bettor_left``: no stake of this bettor is held.
    cards_missing: cards are still to be dealt, shown, named or returned.
    irregularity_open: an irregularity is open: resolve it first.
    two_persons_needed: ``by`` must name two different people.
    not_enough_cards: too few cards for a round with these seats.
    no_answer: the rules failed on the input: a defect of the program. A device's card counts as not
        read, and ``fault`` ``not_answered`` follows.
"""
IrregularityCode = Literal[
    "card_not_due",
    "card_before_bets_closed",
    "card_after_last_round",
    "unread_card",
    "surplus_card",
    "count_gap",
    "cut_card_not_due",
    "cut_card_missing",
    "card_turned",
    "croupier_card_exposed",
    "misdeal",
    "stack_exhausted",
    "device_fault",
    "device_lost",
    "round_partial",
    "device_disagrees",
    "wrong_stack_count",
    "dispute",
    "card_by_hand",
]
"""An irregularity and its usual resolutions.

``void`` is possible while a round is open, after the result only for an irregularity that was open
before it (reading G12). If no other resolution is possible, ``end_shoe`` is.

Values:
    card_not_due: a card came when none was due: ``burn``, ``void``; ``next_round`` and ``accept`` where the
        profile allows it; q poker: ``void``, ``reassign``.
    card_before_bets_closed: ``burn``; baccarat also ``enter_bets``.
    card_after_last_round: a card came after the shoe game was over: ``burn``.
    unread_card: a card was not read that should have been: ``identify``, ``void``.
    surplus_card: more copies of a card than the decks hold: ``identify``, ``void``, ``end_shoe``.
    count_gap: the device counted unreported cards: ``identify``, ``void``, ``end_shoe``.
    cut_card_not_due: no cut card is in the stack, one has counted, or it came outside its range (reading G16):
        ``counts``, ``set_aside``, ``end_shoe``.
    cut_card_missing: fewer cards are left than the least behind the cut card: ``continue`` (it counts where it
        was declared), ``end_shoe``.
    card_turned: blackjack: a card left face up (56/2004 art. 5.º-1(1)): ``burn``; ``accept`` where the profile
        allows it.
    croupier_card_exposed: q poker: the croupier's card was seen too early: ``void``.
    misdeal: reported by a person: ``reassign``, ``identify``, ``void``; blackjack also ``decision``.
    stack_exhausted: a card is due and none is left: ``void``.
    device_fault: reported by the device: ``continue`` once it is cleared, ``void``, ``end_shoe``; q poker from
        a shuffler: ``void``.
    device_lost: the device is disconnected: as ``device_fault``.
    round_partial: the device was connected in mid-round: ``void``, ``end_shoe``.
    device_disagrees: the device has another place for a card, another result, or another card than the person
        entered: ``continue`` (the regulation's counts), ``void``.
    wrong_stack_count: cards left, returned or counted differ from the number required: ``continue``.
    dispute: reported by a person: ``settle``.
    card_by_hand: a person entered a card, or the cut card, that a working reader reports (reading G19):
        ``accept``, ``strike``.
"""
ShoeEndReason = Literal["too_few_cards", "house", "cards_worn", "device", "dispute", "other"]
"""Why the casino ends a shoe game early (reading G15).

Values:
    too_few_cards: too few cards for a further round.
    house: end of play, or another game.
    cards_worn: the cards are worn.
    device: the equipment failed or is exchanged.
    dispute: a dispute.
    other: in words in ``detail``.
"""
Mark = Literal["late_name", "late_decision", "late_bets", "by_hand", "cut_card_by_hand"]
"""A mark for surveillance: an entry to check.

Values:
    late_name: a card that a device had read was renamed after the result (reading G18).
    late_decision: a decision was entered after its card (reading J30).
    late_bets: wagers were entered after the round's first card (reading B8).
    by_hand: a card was entered beside a working reader (reading G19).
    cut_card_by_hand: the cut card was entered beside a working reader (reading G19).
"""
Ground = Literal["misdeal", "exposed", "malfunction", "stack", "not_begun"]
"""Grounds of a void round (reading G12).

Values:
    misdeal: a card of the round has left and the deal cannot be corrected.
    exposed: q poker: the croupier has a card, and that hand is not yet due to be opened (89/2004 art. 11.º-3).
    malfunction: the equipment failed.
    stack: a card is due and none is left.
    not_begun: the bets were closed by mistake, and no card of the round has left, a burned one included.
"""
NOT_UNDERSTOOD: Final = "not_understood"
"""A frame that the protocol page does not explain; no malfunction of the equipment."""
ResolutionAction = Literal[
    "burn",
    "enter_bets",
    "next_round",
    "accept",
    "identify",
    "reassign",
    "continue",
    "void",
    "end_shoe",
    "settle",
    "counts",
    "set_aside",
    "decision",
    "strike",
]
"""Resolution of an irregularity, with its own fields and the people who must authorise it.

Values:
    burn: the card is out of play. One person.
    enter_bets: baccarat: ``seats``, ``wagers``: those on the layout when the card left; the round begins with
        that card. Two, croupier and supervisor.
    next_round: the card becomes the first of the next round, or the second. One.
    accept: the card is valid; one entered by hand left. ``card`` if the croupier's extra card was not read.
        Two; one for ``card_turned``.
    identify: ``card``: what it is; it goes where it was due. After ``count_gap`` ``cards``, in order; in a
        misdeal ``cards`` of the round. Two.
    reassign: ``cards`` of the round do not count, with the ``ground``; the others move up. Two.
    void: the round is void; the irregularity is the ground. Two.
    end_shoe: the shoe game is over; an open round is finished and is the last, or is void if ``void`` is
        possible too. Two.
    settle: the deal continues. Two.
    counts: the cut card counts where it came. Two.
    set_aside: the cut card has no effect. Two.
    decision: blackjack: ``decision``: the hand's decision before the card that was taken for its hit. Two, one
        of them a supervisor.
    strike: the card or cut card entered by hand never left. Two.
    continue: play continues. One; two for ``device_disagrees``.
"""
