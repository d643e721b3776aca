"""Cards that lie face down are sealed in the log, and opened again by whoever has the key."""

import json
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import UNSET, structs

from cardshoe.journal import JournalBroken, read_only
from cardshoe.process.exits import Stop
from cardshoe.table.log.log_builder import LoggedInput, Scribe
from cardshoe.table.log.replaying import SealingKeyMissing, replayed
from cardshoe.table.log.sealing import PADDED_BYTES, CannotOpen, Sealer
from cardshoe.table.log.sealing_keys import SealingKeys, change_key, make_keys, read_keys
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.log.verify import verify
from regulations.events.errors import SealedInput
from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardDrawn,
    Cut,
    CutCardPlaced,
    DeviceResult,
    Exposed,
    Fault,
    Loaded,
    Resolve,
    Revealed,
    RoundClosed,
    RoundPartial,
    Shuffled,
    Table,
    Void,
    Wager,
)
from tests.cardshoe.cli.support import invoke
from tests.kit.command import assert_message
from tests.kit.sealed import keys_beside, opened_inputs, verified

AT = "2026-01-05T10:00:00.000000Z"
FACE_DOWN = Table(
    table_id="T-1", game="baccarat", decks=8, seats=7, equipment="shoe", at=AT, options={"deal": "face_down"}
)
OPENING: list[AnyInput] = [
    Shuffled(by="croupier", at=AT),
    Cut(by="player", at=AT),
    CutCardPlaced(behind=14, at=AT),
    Loaded(cards=416, at=AT),
]
BETS = BetsClosed(seats=[1], wagers=[Wager(seat=1, bet="banker", stake=100)], at=AT)
RAW = "c0ffee"


def card(name: str | None, face: str = "down") -> CardDrawn:
    return CardDrawn(card=name, face=face, raw=RAW, device="shoe", at=AT)  # type: ignore[arg-type]  # as typed


BURNED: list[AnyInput] = [card("2C")] * 8
DEALT: list[AnyInput] = [card("9H"), card("3D"), card("KS"), card("4C")]


def keys(count: int = 1) -> SealingKeys:
    return SealingKeys([secrets.token_bytes(32) for _ in range(count)])


def played(events: Sequence[AnyInput], table: Table = FACE_DOWN, sealer: Sealer | None = None) -> list[LoggedInput]:
    scribe = Scribe(table, sealer=sealer or Sealer(keys(), "x"))
    return [scribe.take(event) for event in events]


def last(events: Sequence[AnyInput], table: Table = FACE_DOWN) -> AnyInput:
    return played(events, table)[-1].event


class TestWhatIsSealed:
    def test_a_card_that_lies_face_down(self) -> None:
        taken = played([*OPENING, *BURNED, BETS, card("9H")])[-1]
        assert isinstance(taken.event, CardDrawn)
        assert (taken.event.card, taken.event.raw) == (None, UNSET)
        line = json.loads(taken.lines[0])
        assert line["card"] is None
        assert line["device"] == "shoe"
        assert "raw" not in line
        assert '"9H"' not in taken.entry.decode()
        assert RAW not in taken.entry.decode()
        # Who needs it has it: the bridge of the device.
        assert isinstance(taken.opened, CardDrawn)
        assert (taken.opened.card, taken.opened.raw) == ("9H", RAW)

    def test_a_burned_card(self) -> None:
        assert last([*OPENING, card("2C")]).sealed is not UNSET

    def test_not_one_that_is_dealt_face_up(self) -> None:
        face_up = structs.replace(FACE_DOWN, options={})
        event = last([*OPENING, *BURNED, BETS, card("9H")], face_up)
        assert isinstance(event, CardDrawn)
        assert (event.card, event.raw, event.sealed) == ("9H", RAW, UNSET)

    def test_not_one_that_left_the_shoe_face_up(self) -> None:
        assert last([*OPENING, *BURNED, BETS, card("9H", "up")]).sealed is UNSET

    def test_nothing_of_a_card_that_nobody_read_and_no_device_told(self) -> None:
        event = CardDrawn(card=None, unseen=True, at=AT)
        assert last([*OPENING, event]).sealed is UNSET

    def test_the_frame_of_a_card_that_was_not_read_well_enough(self) -> None:
        # The frame may hold the device's guess.
        event = last([*OPENING, *BURNED, BETS, card(None)])
        assert isinstance(event, CardDrawn)
        assert (event.raw, event.sealed is UNSET) == (UNSET, False)

    def test_a_card_that_is_not_due(self) -> None:
        assert last([card("9H")]).sealed is not UNSET

    def test_a_shoes_result_while_cards_lie_face_down(self) -> None:
        result = DeviceResult(device="shoe", outcome="banker", pairs=["player"], raw=RAW, at=AT)
        event = last([*OPENING, *BURNED, BETS, *DEALT, result])
        assert isinstance(event, DeviceResult)
        assert (event.outcome, event.pairs, event.raw) == (None, UNSET, UNSET)
        shown = [Revealed(who="player", at=AT), Revealed(who="banker", at=AT)]
        event = last([*OPENING, *BURNED, BETS, *DEALT, *shown, result])
        assert isinstance(event, DeviceResult)
        assert (event.outcome, event.raw, event.sealed) == ("banker", RAW, UNSET)

    @pytest.mark.parametrize("before", [[], [BETS]], ids=["between rounds", "bets closed"])
    def test_a_shoes_late_result_of_a_void_round_whose_cards_nobody_turned(self, before: list[AnyInput]) -> None:
        returned: list[AnyInput] = [Void(ground="misdeal", reason="x", by=[1, 2], at=AT), RoundClosed(at=AT), *before]
        result = DeviceResult(device="shoe", outcome="banker", pairs=["player"], raw=RAW, at=AT)
        taken = played([*OPENING, *BURNED, BETS, *DEALT, *returned, result])[-1]
        assert isinstance(taken.event, DeviceResult)
        assert (taken.event.outcome, taken.event.pairs, taken.event.raw) == (None, UNSET, UNSET)
        assert '"banker"' not in b"".join(line for line in taken.lines).decode()

    def test_a_shoes_result_that_counts_a_burned_card_for_a_hand(self) -> None:
        face_up = structs.replace(FACE_DOWN, options={})
        undue: list[AnyInput] = [card("9S"), Resolve(irregularity=1, action="burn", by=["101", "102"], at=AT)]
        result = DeviceResult(device="shoe", outcome="tie", pairs=[], raw=RAW, at=AT)
        taken = played([*OPENING, *BURNED, BETS, *DEALT, *undue, result], face_up)[-1]
        assert isinstance(taken.event, DeviceResult)
        assert (taken.event.outcome, taken.event.raw, taken.event.sealed is UNSET) == (None, UNSET, False)
        said = b"".join(line for line in taken.lines).decode()
        assert "device_disagrees" in said
        assert "tie" not in said

    def test_not_a_late_result_that_the_regulation_has_said_or_that_there_is_none(self) -> None:
        turned: list[AnyInput] = [Revealed(who="player", at=AT), Revealed(who="banker", at=AT), RoundClosed(at=AT)]
        confirmed = DeviceResult(device="shoe", outcome="player", at=AT)
        assert last([*OPENING, *BURNED, BETS, *DEALT, *turned, confirmed]).sealed is UNSET
        ended = DeviceResult(device="shoe", outcome="forced_end", at=AT)
        assert last([*OPENING, *BURNED, ended]).sealed is UNSET

    @pytest.mark.parametrize(
        "event",
        [
            RoundPartial(device="shoe", raw=RAW, at=AT, origin="device"),
            Fault(device="shoe", code="sequence_gap", raw=RAW, at=AT, origin="device"),
        ],
        ids=lambda event: type(event).__name__,
    )
    def test_the_frame_of_a_report_that_may_hold_the_next_card(self, event: AnyInput) -> None:
        taken = played([*OPENING, *BURNED, BETS, event])[-1]
        assert RAW not in taken.lines[0].decode()
        assert taken.event.sealed is not UNSET
        assert taken.opened == structs.replace(event, seq=taken.opened.seq, round=taken.opened.round)

    def test_cards_named_in_what_is_refused(self) -> None:
        named = Revealed(who="banker", cards=["3D", "4C"], at=AT)
        taken = played([*OPENING, *BURNED, BETS, *DEALT, named])[-1]
        assert taken.is_refused
        assert '"3D"' not in taken.lines[0].decode()

    def test_not_cards_named_as_they_are_turned(self) -> None:
        named = Revealed(who="player", cards=["9H", "KS"], at=AT)
        taken = played([*OPENING, *BURNED, BETS, *DEALT, named])[-1]
        assert not taken.is_refused
        assert taken.event.sealed is UNSET

    def test_cards_that_were_seen_too_soon(self) -> None:
        event = last([*OPENING, *BURNED, BETS, *DEALT, Exposed(who="banker", cards=["3D"], at=AT)])
        assert isinstance(event, Exposed)
        assert event.cards is UNSET

    @pytest.mark.parametrize(("options", "is_sealed"), [({"deal": "face_down"}, True), ({}, False)])
    def test_a_card_that_a_person_names(self, options: dict[str, object], is_sealed: bool) -> None:
        unread = card(None)
        named = Resolve(irregularity=1, action="identify", by=["a", "b"], card="7D", at=AT)
        table = structs.replace(FACE_DOWN, options=options)
        taken = played([*OPENING, *BURNED, BETS, unread, named], table)[-1]
        assert not taken.is_refused
        assert (taken.event.sealed is not UNSET) is is_sealed
        assert ('"7D"' not in b"".join(line for line in taken.lines).decode()) is is_sealed

    def test_a_frame_that_tells_of_more_cards_wherever_its_own_lies(self) -> None:
        scribe = Scribe(structs.replace(FACE_DOWN, options={}), sealer=Sealer(keys(), "x"))
        for event in [*OPENING, *BURNED, BETS]:
            scribe.take(event)
        taken = scribe.take(card("9H"), tells_others=True)
        assert isinstance(taken.event, CardDrawn)
        assert (taken.event.card, taken.event.raw) == (None, UNSET)
        assert b'"card":"9H"' in taken.lines[1]

    def test_the_frame_with_which_a_card_was_seen_too_soon(self) -> None:
        event = last([*OPENING, *BURNED, BETS, *DEALT, Exposed(who="banker", device="shoe", raw=RAW, at=AT)])
        assert isinstance(event, Exposed)
        assert (event.raw, event.sealed is UNSET) == (UNSET, False)

    def test_cards_that_a_way_out_has_no_use_for(self) -> None:
        named = Resolve(irregularity=1, action="void", by=["a"], cards=["7D"], at=AT)
        taken = played([*OPENING, *BURNED, BETS, card(None), named])[-1]
        assert taken.is_refused
        assert '"7D"' not in taken.lines[0].decode()

    def test_a_card_that_is_named_in_vain(self) -> None:
        named = Resolve(irregularity=5, action="identify", by=["a", "b"], card="7D", at=AT)
        taken = played([*OPENING, *BURNED, BETS, card(None), named])[-1]
        assert taken.is_refused
        assert taken.event.sealed is not UNSET


class TestSealer:
    def test_opens_what_it_sealed(self) -> None:
        sealer = Sealer(keys(), "log")
        line = structs.replace(card("9H"), seq=7)
        sealed = sealer.seal(line)
        assert sealed != line
        assert sealer.open(sealed) == line

    def test_the_same_card_never_looks_the_same_twice(self) -> None:
        sealer = Sealer(keys(), "log")
        line = structs.replace(card("9H"), seq=7)
        assert sealer.seal(line).sealed != sealer.seal(line).sealed

    def test_its_length_does_not_tell_the_card(self) -> None:
        sealer = Sealer(keys(), "log")
        lines = [CardDrawn(card="9H", seq=1), CardDrawn(card="TS", seq=2, raw="00" * 40), card(None)]
        assert len({len(str(sealer.seal(structs.replace(line, seq=1)).sealed)) for line in lines}) == 1

    def test_what_is_longer_is_filled_up_too(self) -> None:
        sealer = Sealer(keys(), "log")
        lengths = {len(str(sealer.seal(CardDrawn(card="9H", seq=1, raw="00" * n)).sealed)) for n in range(130, 190)}
        assert len(lengths) == 1
        assert min(lengths) > PADDED_BYTES

    def test_a_log_that_is_written_again_gets_the_same_bytes(self) -> None:
        held = keys()
        line = structs.replace(card("9H"), seq=7)
        sealed = Sealer(held, "log").seal(line)
        assert Sealer(held, "log").seal(line, sealed.sealed) == sealed

    @pytest.mark.parametrize("change", ["number", "log", "byte", "form", "short"])
    def test_does_not_open_what_belongs_elsewhere(self, change: str) -> None:
        held = keys()
        sealed = Sealer(held, "log").seal(structs.replace(card("9H"), seq=7))
        assert isinstance(sealed.sealed, str)
        other = "A" if sealed.sealed[40] != "A" else "B"
        altered = {
            "number": structs.replace(sealed, seq=8),
            "log": sealed,
            "byte": structs.replace(sealed, sealed=sealed.sealed[:40] + other + sealed.sealed[41:]),
            "form": structs.replace(sealed, sealed=f"{held.first}.***"),
            "short": structs.replace(sealed, sealed=f"{held.first}.AAAA"),
        }[change]
        with pytest.raises(CannotOpen) as caught:
            Sealer(held, "other" if change == "log" else "log").open(altered)
        assert not caught.value.is_lost

    def test_names_the_key_that_is_missing(self) -> None:
        first, second = keys(), keys()
        sealed = Sealer(first, "log").seal(structs.replace(card("9H"), seq=7))
        with pytest.raises(CannotOpen) as caught:
            Sealer(second, "log").open(sealed)
        assert caught.value.is_lost
        assert (caught.value.key_id, caught.value.held) == (first.first, second.ids)

    def test_a_sealed_line_is_not_taken_as_it_stands(self) -> None:
        sealed = played([*OPENING, card("2C")])[-1].event
        scribe = Scribe(FACE_DOWN)
        for event in OPENING:
            scribe.take(event)
        with pytest.raises(SealedInput) as caught:
            scribe.take(sealed)
        assert caught.value.event == "card"


def written(folder: Path, events: Sequence[AnyInput], *, sealing_key: Path | None = None) -> Path:
    log = open_log(folder, FACE_DOWN, AT, lambda _: None, sealing_key=sealing_key)
    with log.journal:
        for event in events:
            log.journal.append([log.scribe.take(event).entry])
    return log.journal.path


class TestInAJournal:
    EVENTS = [*OPENING, *BURNED, BETS, *DEALT]  # noqa: RUF012  never changed

    def test_it_is_taken_up_with_its_cards(self, tmp_path: Path) -> None:
        path = written(tmp_path, self.EVENTS)
        told: list[LoggedInput] = []
        log = open_log(tmp_path, FACE_DOWN, AT, told.append)
        with log.journal:
            assert [one.opened.card for one in told if isinstance(one.opened, CardDrawn)][-4:] == [
                "9H",
                "3D",
                "KS",
                "4C",
            ]
            # 9 and 0 against 3 and 4: the regulation knows that the player has a natural, and nobody else does.
            log.journal.append([log.scribe.take(Revealed(who="player", at=AT)).entry])
            taken = log.scribe.take(Revealed(who="banker", at=AT))
            assert [one.__struct_config__.tag for one in taken.outputs][:2] == ["reveal", "result"]
            log.journal.append([taken.entry])
        found = verified(path)
        assert found.entries == len(self.EVENTS) + 3
        assert [one.card for one in opened_inputs(path) if isinstance(one, CardDrawn)][8:] == ["9H", "3D", "KS", "4C"]

    def test_the_file_says_nothing_of_them(self, tmp_path: Path) -> None:
        path = written(tmp_path, self.EVENTS)
        data = path.read_bytes()
        for hidden in ("9H", "3D", "KS", "4C", "2C"):
            assert f'"{hidden}"'.encode() not in data
        assert RAW.encode() not in data

    def test_verified_without_the_key_it_says_what_is_missing(self, tmp_path: Path) -> None:
        path = written(tmp_path, self.EVENTS)
        (key,) = keys_beside(path).ids
        whole = verified(path)
        with pytest.raises(SealingKeyMissing) as caught:
            verify(path)
        assert (caught.value.key_id, caught.value.held) == (key, [])
        found = verify(path, without_keys=True)  # tree and signatures need no secret
        assert (found.replayed, found.not_replayed, found.missing_key) == (False, "no_sealing_key", key)
        assert (found.entries, found.entries, found.root, found.proved) == (
            whole.entries,
            whole.entries,
            whole.root,
            whole.proved,
        )
        assert (whole.replayed, whole.not_replayed, whole.missing_key) == (True, None, None)

    def test_a_copy_elsewhere_is_verified_by_the_command_and_not_replayed(self, tmp_path: Path) -> None:
        path = written(tmp_path, self.EVENTS)
        (key,) = keys_beside(path).ids
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        copy = shutil.copy(path, elsewhere / path.name)
        done = invoke("verify", copy)
        assert done.exit_code == 0, done.stderr
        assert done.stdout.startswith(f"NOT replayed: no sealing key (cards are sealed with {key}; --sealing-key FILE)")
        told = json.loads(invoke("verify", "--json", copy).stdout)
        assert (told["replayed"], told["not_replayed"], told["missing_key"]) == (False, "no_sealing_key", key)
        strict = invoke("verify", "--require-replay", copy)
        assert_message(strict.exit_code, strict.stderr, 4, f"is sealed with the key {key}", "--sealing-key")
        given = invoke("verify", "--require-replay", "--sealing-key", path.with_name("sealing.key"), copy)
        assert given.exit_code == 0
        assert "replay the same byte for byte" in given.stdout
        data = bytearray(Path(copy).read_bytes())
        data[-100] ^= 1
        Path(copy).write_bytes(data)
        assert invoke("verify", copy).exit_code == 4  # without the key as well

    def test_a_table_does_not_start_without_its_key(self, tmp_path: Path) -> None:
        path = written(tmp_path, self.EVENTS)
        before = path.read_bytes()
        (tmp_path / "sealing.key").unlink()
        with pytest.raises(Stop, match=r"sealing\.key: the table's sealing key is not there"):
            open_log(tmp_path, FACE_DOWN, AT, lambda _: None)
        make_keys(tmp_path / "sealing.key")
        with pytest.raises(SealingKeyMissing):
            open_log(tmp_path, FACE_DOWN, AT, lambda _: None)
        assert path.read_bytes() == before

    def test_a_changed_key_opens_what_the_old_one_sealed(self, tmp_path: Path) -> None:
        path = written(tmp_path, self.EVENTS)
        key_file = tmp_path / "sealing.key"
        (old,) = read_keys(key_file).ids
        new = change_key(key_file).first
        assert read_keys(key_file).ids == [new, old]
        written(tmp_path, [card("5H")])
        with read_only(path) as evidence:
            lines = [json.loads(line) for entry in evidence.entries() for line in entry.lines]
        used = {line["sealed"].partition(".")[0] for line in lines if "sealed" in line}
        assert used == {old, new}
        assert verified(path).entries == len(self.EVENTS) + 2

    def test_a_configured_file_is_never_made(self, tmp_path: Path) -> None:
        with pytest.raises(Stop, match="cardshoe key new"):
            written(tmp_path, [], sealing_key=tmp_path / "elsewhere.key")
        assert not list(tmp_path.glob("*.journal"))
        make_keys(tmp_path / "elsewhere.key")
        written(tmp_path, self.EVENTS, sealing_key=tmp_path / "elsewhere.key")
        assert not (tmp_path / "sealing.key").exists()

    def test_sealed_cards_that_trade_places_are_found(self, tmp_path: Path) -> None:
        # By the tree first; this is what the seal itself would say.
        path = written(tmp_path, self.EVENTS)
        sealer = Sealer(keys_beside(path), "another journal")
        with read_only(path) as evidence, pytest.raises(JournalBroken, match="belongs to another line"):
            list(replayed(path, evidence.entries(), sealer))
