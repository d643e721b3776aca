"""Every message that can be made can be written and is read back as the same."""

from hypothesis import given
from hypothesis import strategies as st

from protocols.angel_eye.codec import (
    decode_command,
    decode_reply,
    decode_telegram,
    encode_command,
    encode_reply,
    encode_telegram,
)
from protocols.angel_eye.messages import (
    Ack,
    CardDrawn,
    CardDrawnOutsideGame,
    CardReadOutsideGame,
    CardRetransmitted,
    Command,
    CommandType,
    CutCardDrawn,
    ErrorCleared,
    ErrorRaised,
    LockChanged,
    Nak,
    NakCode,
    Outcome,
    PresetChanged,
    Reply,
    RoundResult,
    ShoeMessage,
    StandBy,
    Started,
    Target,
)
from protocols.angel_eye.rows import ROWS
from regulations.events.cards import DECK, Card

SEQ = st.integers(1, 9)
CARD: st.SearchStrategy[Card | None] = st.one_of(st.none(), st.sampled_from(DECK))
HAND = st.tuples(st.sampled_from([Target.PLAYER, Target.BANKER]), st.integers(1, 3))
BURN = st.tuples(
    st.sampled_from([Target.BURN, Target.BURN_COUNT_FIXING, Target.BURN_BY_COUNT]),
    st.integers(0, 10),
)
PLACE = st.one_of(HAND, BURN)
PRINTABLE = st.characters(min_codepoint=0x20, max_codepoint=0x7E)


def outside(seq: int, state: int, error_code: int) -> CardDrawnOutsideGame:
    return CardDrawnOutsideGame(seq, state == 0, state == 1, state == 2, error_code)


def read_outside(seq: int, state: int, error_code: int, card: Card | None) -> CardReadOutsideGame:
    return CardReadOutsideGame(seq, state == 0, state == 1, state == 2, error_code, card)


def drawn(seq: int, place: tuple[Target, int], card: Card | None) -> CardDrawn:
    return CardDrawn(seq, place[0], place[1], card)


def retransmitted(seq: int, place: tuple[Target, int], card: Card | None) -> CardRetransmitted:
    return CardRetransmitted(seq, place[0], place[1], card)


MESSAGES: dict[type[ShoeMessage], st.SearchStrategy[ShoeMessage]] = {
    Started: st.builds(Started, SEQ),
    StandBy: st.builds(StandBy, SEQ),
    CardDrawn: st.builds(drawn, SEQ, PLACE, CARD),
    CardRetransmitted: st.builds(retransmitted, SEQ, PLACE, CARD),
    CardDrawnOutsideGame: st.builds(outside, SEQ, st.integers(0, 2), st.integers(0, 15)),
    CardReadOutsideGame: st.builds(read_outside, SEQ, st.integers(0, 2), st.integers(0, 15), CARD),
    RoundResult: st.builds(RoundResult, SEQ, st.sampled_from(Outcome), st.booleans(), st.booleans()),
    CutCardDrawn: st.builds(CutCardDrawn, SEQ),
    ErrorRaised: st.builds(ErrorRaised, SEQ, st.integers(0, 63), st.booleans()),
    ErrorCleared: st.builds(ErrorCleared, SEQ, st.integers(0, 127)),
    LockChanged: st.builds(LockChanged, SEQ, st.booleans()),
    PresetChanged: st.builds(
        PresetChanged,
        SEQ,
        st.text(PRINTABLE, min_size=2, max_size=2),
        st.text(PRINTABLE, min_size=4, max_size=4),
    ),
}


def test_every_type_of_telegram_is_drawn() -> None:
    assert set(MESSAGES) == {row.message for row in ROWS}


@given(message=st.one_of(*MESSAGES.values()))
def test_telegram_is_read_back(message: ShoeMessage) -> None:
    raw = encode_telegram(message)
    read = decode_telegram(raw)
    assert read == message
    assert read.raw == raw


@given(command=st.builds(Command, st.sampled_from(CommandType), st.integers(0, 99)))
def test_command_is_read_back(command: Command) -> None:
    assert decode_command(encode_command(command)) == command


@given(reply=st.one_of(st.just(Ack()), st.builds(Nak, st.sampled_from(NakCode))))
def test_reply_is_read_back(reply: Reply) -> None:
    assert decode_reply(encode_reply(reply)) == reply


def test_every_card_at_every_place_has_bytes_of_its_own() -> None:
    places = [(target, index) for target in (Target.PLAYER, Target.BANKER) for index in range(1, 4)]
    places += [
        (target, index)
        for target in (Target.BURN, Target.BURN_COUNT_FIXING, Target.BURN_BY_COUNT)
        for index in range(11)
    ]
    cards: list[Card | None] = [None, *DECK]
    messages = [CardDrawn(1, target, index, card) for target, index in places for card in cards]
    assert len({encode_telegram(message) for message in messages}) == len(messages) == 39 * 53
