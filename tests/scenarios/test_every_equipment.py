"""Each game with each admitted device: simulated machine, line, driver, bridge, table, journal."""

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from firmware_bridge.interlock import DeviceActionKind
from protocols.tdp.handshake import Terms
from protocols.tdp.states import Role
from regulations.events.inputs import CardDrawn, Shuffled
from regulations.events.vocabulary import EquipmentKind, Game
from regulations.games.registry import GAMES
from sim.croupier.instructions import HouseInstructions
from sim.croupier.pace import Pace
from sim.croupier.plain import PlainCroupier
from sim.croupier.routine import CroupierTraits
from sim.croupier.tdp_croupier import TdpCroupier
from sim.plain.hands import plain_hands_at
from sim.players import Players
from sim.tdp.hands import TdpKind, tdp_at
from sim.tdp.machine import Machine
from sim.tdp.machine_faults import JamPlace
from sim.tdp.settings import TdpMachineSettings
from sim.wires.pty import PtyWire
from tests.kit.certificates import NAMES, context
from tests.kit.length import SOAK, at_length
from tests.kit.running_table import journal_of
from tests.scenarios.linked import LINES, LINKED, SPEED, TROUBLED_S, LinkedTable, assert_told_once, at, journaled
from tests.scenarios.process import TableProcess, spawned, write_config
from tests.sim.croupier.profiles import materials, profile

CUT_CARD_BEHIND: Final = 14
"""Of one deck: a shoe game ends after a few rounds."""


def orders_of(game: Game, kind: EquipmentKind, rounds: int) -> HouseInstructions:
    """So many rounds; in ``make soak`` a whole shoe game where one ends by itself."""
    law = GAMES[game].law
    decks = at(game, kind, {}).decks
    ends = law.has_cut_card(kind, decks) and not law.serves_one_round(kind, decks)
    return HouseInstructions(games=1) if SOAK and ends else HouseInstructions(games=None, rounds=rounds)


@pytest.mark.parametrize(("game", "kind"), LINKED, ids=str)
def test_a_croupier_without_fault_deals_from_it(game: Game, kind: TdpKind, tmp_path: Path, seed: int) -> None:
    table = LinkedTable(tmp_path, at(game, kind, {}), seed)
    table.add(kind, line=LINES[kind])
    croupier = table.play(orders_of(game, kind, at_length(4, 100)), first=kind)
    table.assert_whole(croupier)
    assert (table.codes, table.refusals) == ({}, {}), table.tail()
    assert croupier.rounds_played == table.results >= 4


OTHER_WAYS: Final[Mapping[str, tuple[Game, TdpKind, dict[str, Any], Sequence[DeviceActionKind] | None]]] = {
    "three cards drawn in a row": ("three_card_baccarat", "shoe", {"deal": "three_at_a_time"}, None),
    "face down until it is shown": ("baccarat", "shoe", {"deal": "face_down"}, None),
    "burned before each round": ("blackjack", "shoe", {"round_burn": "start_and_before_second_croupier_card"}, None),
    "drawn at the mouth of a shuffler-dealer": (
        *("blackjack", "shuffler_dealer", {}),
        (DeviceActionKind.LOCK, DeviceActionKind.LET_DRAW, DeviceActionKind.ACCEPT_RETURN),
    ),
}


@pytest.mark.parametrize("way", OTHER_WAYS)
def test_other_ways_to_deal(way: str, tmp_path: Path, seed: int) -> None:
    game, kind, options, commands = OTHER_WAYS[way]
    table = LinkedTable(tmp_path, at(game, kind, options), seed)
    table.add(kind, line=LINES[kind], commands=commands)
    croupier = table.play(HouseInstructions(games=None, rounds=at_length(3, 30)), first=kind)
    table.assert_whole(croupier)
    assert (table.codes, table.refusals) == ({}, {}), table.tail()
    assert table.results >= at_length(3, 30)


@pytest.mark.parametrize(("game", "kind"), [("q_poker", "shuffler"), ("three_card_baccarat", "shoe")], ids=str)
def test_a_machine_without_a_reader(game: Game, kind: TdpKind, tmp_path: Path, seed: int) -> None:
    # Nobody knows the cards until they are turned, and then persons name them.
    table = LinkedTable(tmp_path, at(game, kind, {}), seed)
    table.add(kind, line=LINES[kind], settings=TdpMachineSettings(reads=False))
    croupier = table.play(HouseInstructions(games=None, rounds=2), first=kind)
    table.assert_whole(croupier)
    assert (table.codes, table.refusals) == ({}, {}), table.tail()
    cards = [taken.event for taken in table.taken if isinstance(taken.event, CardDrawn)]
    assert cards
    assert all(card.card is None and card.unseen for card in cards)
    assert table.results == 2


def test_a_card_of_a_packet_that_was_not_read_costs_no_round(tmp_path: Path, seed: int) -> None:
    table = LinkedTable(tmp_path, at("q_poker", "shuffler", {}), seed)
    device = table.add("shuffler").hands.device
    for card in (3, 9):
        table.at_card(card, device.reader.fail_next)
    croupier = table.play(HouseInstructions(games=None, rounds=2), first="shuffler")
    table.assert_whole(croupier)
    # Two persons name it; the others of the packet lie where they were due.
    assert table.codes == {"unread_card": 2}, table.tail()
    assert table.results == croupier.rounds_played == 2


@pytest.mark.parametrize(("game", "kind"), LINKED, ids=str)
def test_a_careless_croupier_comes_to_an_end(game: Game, kind: TdpKind, tmp_path: Path, seed: int) -> None:
    table = LinkedTable(tmp_path, at(game, kind, {}), seed + 1)
    table.add(kind, line=LINES[kind])
    croupier = table.play(orders_of(game, kind, at_length(3, 100)), first=kind, mistakes=1.0)
    table.assert_whole(croupier)
    assert croupier.mistakes_made.total() > 0


def told_by(table: LinkedTable, name: str) -> list[str]:
    """The kinds of events that a device reported, each once, in the order in which they first came."""
    return list(dict.fromkeys(type(t.event).__name__ for t in table.taken if getattr(t.event, "device", "") == name))


class TestTwoDevices:
    def test_a_shuffler_shuffles_for_a_shoe(self, tmp_path: Path, seed: int) -> None:
        table = LinkedTable(tmp_path, at("casino_war", "shoe", {"cut_card_behind": CUT_CARD_BEHIND}), seed)
        table.add("shoe")
        commands = (DeviceActionKind.SHUFFLE, DeviceActionKind.EJECT)
        table.add("shuffler", commands=commands, settings=TdpMachineSettings(dispenses=False))
        croupier = table.play(HouseInstructions(games=2), first="shoe", shuffler="shuffler")
        table.assert_whole(croupier)
        assert (table.codes, table.refusals) == ({}, {}), table.tail()
        assert croupier.games_played == 2
        # What is left is the shoe's to tell, the shuffle the shuffler's. No round reaches the cut card: with so few
        # cards behind it, those before it do not suffice for one more (readings W6, W9).
        assert {"Loaded", "CardDrawn", "StackCounted"} <= set(told_by(table, "shoe"))
        assert told_by(table, "shuffler") == ["DeviceIdentified", "DeviceNoted", "Shuffled"]
        shuffled = [taken.event for taken in table.taken if isinstance(taken.event, Shuffled)]
        assert [one.device for one in shuffled] == ["shuffler"] * 2

    @pytest.mark.parametrize("kind", ["shoe", "shuffler_dealer"])
    def test_another_takes_the_place_of_one_that_is_lost(self, kind: TdpKind, tmp_path: Path, seed: int) -> None:
        table = LinkedTable(tmp_path, at("baccarat", kind, {}), seed, link_second_s=TROUBLED_S)
        lost, spare = table.add(kind, "first", line=LINES[kind]), table.add("shoe", "spare")
        table.at_card(10, lost.wire.unplug)
        orders = HouseInstructions(games=None, rounds=4, replug_patience_s=0.2)
        croupier = table.play(orders, first="first", spare=("shoe", "spare"))
        table.assert_whole(croupier)
        assert table.codes == {"device_lost": 1}, table.tail()
        assert lost.hands.history
        assert spare.hands.history
        assert lost.hands.device.cards_left == 0


class TestSecured:
    def test_over_tls(self, site: Path, tmp_path: Path, seed: int) -> None:
        table = LinkedTable(tmp_path, at("q_poker", "shoe", {}), seed)
        names = {role: str(site / name) for role, name in NAMES.items()}
        host = {
            "certificate": f"{names[Role.HOST]}.pem",
            "key": f"{names[Role.HOST]}.key",
            "authority": str(site / "site.pem"),
            "device_name": NAMES[Role.DEVICE],
        }
        table.add("shoe", host=host, settings=TdpMachineSettings(terms=Terms(), context=context(site, Role.DEVICE)))
        croupier = table.play(HouseInstructions(games=None, rounds=2), first="shoe")
        table.assert_whole(croupier)
        assert (table.codes, table.refusals) == ({}, {}), table.tail()
        assert table.results == 2


class TestPowerAndCable:
    """The cards that physically came out are in the journal: ``assert_whole`` compares the two, card by card."""

    @pytest.mark.parametrize("steps", range(0, at_length(10, 24), at_length(2, 1)))
    @pytest.mark.parametrize("kind", ["shoe", "shuffler_dealer"])
    def test_power_fails_in_mid_round(self, kind: TdpKind, steps: int, tmp_path: Path, seed: int) -> None:
        # At each of the points at which it can: before and after an event is kept, a card let go, an answer kept.
        table = LinkedTable(tmp_path, at("casino_war", kind, {}), seed + steps, link_second_s=TROUBLED_S)
        device = table.add(kind).hands.device
        table.at_card(4, lambda: device.mishaps.cut_power_after(steps))
        croupier = table.play(HouseInstructions(games=None, rounds=4), first=kind)
        table.assert_whole(croupier)
        assert device.electronics.memory.boot == 2
        assert table.codes["device_lost"] == 1
        # Cards are out, so that a person must look; the device has told all of them.
        assert table.codes["device_fault"] >= 1
        assert table.codes["count_gap"] == 0

    @pytest.mark.parametrize("kind", ["shoe", "shuffler_dealer"])
    def test_unplugged_and_plugged_in_again_in_mid_round(self, kind: TdpKind, tmp_path: Path, seed: int) -> None:
        table = LinkedTable(tmp_path, at("blackjack", kind, {}), seed, link_second_s=TROUBLED_S)
        unit = table.add(kind, line=LINES[kind])

        def pull() -> None:
            unit.wire.unplug()
            table.clock.call_later(0.3 * SPEED, unit.wire.replug)

        table.at_card(11, pull)
        table.at_card(19, pull)
        croupier = table.play(HouseInstructions(games=None, rounds=3), first=kind)
        table.assert_whole(croupier)
        assert table.codes["device_lost"] == 2
        assert table.codes["count_gap"] == table.codes["wrong_stack_count"] == 0


MISHAPS: Final[Mapping[str, Callable[[Machine], None]]] = {
    "unread": lambda device: device.reader.fail_next(),
    "jam": lambda device: device.mishaps.jam(JamPlace.EXIT),
    "double feed": lambda device: device.double_feed_next(),
    "double feed unnoticed": lambda device: device.double_feed_next(noticed=False),
    "foreign card": lambda device: device.reader.foreign_next(),
    "dust": lambda device: device.mishaps.block_sensor(),
    "cover": Machine.open_cover,
    "key": lambda device: device.turn_key(1),
}


@pytest.mark.parametrize("mishap", MISHAPS)
@pytest.mark.parametrize(("game", "kind"), [("baccarat", "shoe"), ("blackjack", "shuffler_dealer")], ids=str)
def test_whatever_happens_to_the_machine_he_comes_to_an_end(
    game: Game, kind: TdpKind, mishap: str, tmp_path: Path, seed: int
) -> None:
    table = LinkedTable(tmp_path, at(game, kind, {}), seed, link_second_s=TROUBLED_S)
    device = table.add(kind, line=LINES[kind]).hands.device
    for card in (9, 13, 20):
        table.at_card(card, lambda: MISHAPS[mishap](device))
    croupier = table.play(HouseInstructions(games=None, rounds=at_length(3, 30)), first=kind)
    table.assert_whole(croupier)
    assert table.codes, table.tail()


class TestAsAProcess:
    """The command itself, and a croupier at its keyboard."""

    def test_killed_in_mid_round_every_card_is_there_once(self, tmp_path: Path, seed: int) -> None:
        profiled = profile("baccarat", "shoe", {})
        wire, rng = PtyWire(tmp_path / "shoe"), random.Random(seed)
        config = write_config(tmp_path, profiled, {"shoe": (wire.path, ("lock", "let_draw"))})
        table = TableProcess(config, profiled, [wire])
        hands = tdp_at("shoe", wire, table.clock, profiled.decks, spawned(rng))
        croupier = TdpCroupier(
            hands,
            CroupierTraits(
                say=table.say,
                rng=spawned(rng),
                clock=table.clock,
                game=profiled.game,
                players=Players(spawned(rng), seats=profiled.seats),
                pace=Pace(0),
                orders=HouseInstructions(games=None, rounds=3),
            ),
            table.type,
        )
        starts = table.play(croupier, kills=(10, 15), cards_out=lambda: len(hands.history))
        assert croupier.stuck is None
        assert starts == 3
        table.assert_money()
        told = journaled(journal_of(tmp_path))
        assert_told_once(told, hands.device.electronics.memory)
        assert [one.card for one in told if isinstance(one, CardDrawn)] == [out.card for out in hands.history]
        assert hands.cards_are_complete

    @pytest.mark.parametrize("game", [game for game, kind in materials() if kind == "box"])
    def test_every_card_of_a_box_is_typed(self, game: Game, tmp_path: Path, seed: int) -> None:
        profiled, rng = profile(game, "box", {}), random.Random(seed)
        table = TableProcess(write_config(tmp_path, profiled, {}), profiled)
        hands = plain_hands_at("box", profiled.decks, spawned(rng))
        croupier = PlainCroupier(
            hands,
            CroupierTraits(
                say=table.say,
                rng=spawned(rng),
                clock=table.clock,
                game=game,
                players=Players(spawned(rng), seats=profiled.seats, game=game),
                pace=Pace(0),
                orders=HouseInstructions(games=None, rounds=at_length(4, 100)),
            ),
            equipment="box",
        )
        table.play(croupier)
        assert croupier.stuck is None
        assert croupier.rounds_played == at_length(4, 100)
        table.assert_money()
        assert hands.cards_are_complete
