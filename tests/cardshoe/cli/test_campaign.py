"""``cardshoe campaign``: the same totals on any partition, exact odds, and the faults that it must find."""

import json
import os
import queue
import random
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import msgspec
import pytest

from cardshoe.cli.campaign import blocks, through
from cardshoe.cli.campaign import on_dask as on_dask_module
from cardshoe.cli.campaign.blocks import Campaign, Folder, Players, by_workers, here, play, play_block
from cardshoe.cli.campaign.command import table_of
from cardshoe.cli.campaign.dealer import Dealer
from cardshoe.cli.campaign.devices import HandsAtTable
from cardshoe.cli.campaign.games import PLAYED
from cardshoe.cli.campaign.games.baccarat import odds
from cardshoe.cli.campaign.on_dask import by_dask
from cardshoe.cli.campaign.seeds import shuffled, stream_of
from cardshoe.cli.campaign.through import Way
from cardshoe.cli.campaign.totals import Totals
from cardshoe.cli.campaign.verdict import cells_of, wrong_of
from cardshoe.process.exits import Stop
from cardshoe.table.controller import Controller
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.log.verify import verify
from regulations.events.cards import DECK, Card
from regulations.events.inputs import CardDrawn, CutCard, DeviceResult
from regulations.games.baccarat.tableau import BANKER_DRAWS_ON
from regulations.games.registry import GAMES
from regulations.law.rulebook import Rulebook
from tests.cardshoe.cli.killed_workers import MARK, killed_always, killed_once
from tests.cardshoe.cli.support import answered

GAME = "baccarat"
TABLE = table_of(GAME)
PLAYED_HERE = PLAYED[GAME]
ROUNDS = PLAYED_HERE.rounds
Deal = Callable[[int], list[Card]]


def fair(index: int) -> list[Card]:
    return shuffled(stream_of(0, GAME, "p", index, "cards"), 8)


def totals(shoes: int, deal: Deal = fair, rulebook: Rulebook | None = None) -> Totals:
    """Shoes in this process, perhaps with another way to deal or other rules."""
    found = Totals()
    for index in range(shoes):
        found.add_shoe(Dealer(TABLE, deal(index), rulebook=rulebook).play())
    return found


def played(folder: Path, shoes: int = 10, workers: int = 1, seed: int = 1, each: int = 4) -> Totals:
    campaign = Campaign(table=TABLE, shoes=shoes, seed=seed, each=each)
    players: Players = here if workers == 1 else partial(by_workers, workers=workers)
    return play(campaign, Folder(folder, campaign), players, lambda: None)


# --- cards and odds ---------------------------------------------------------------------------------------------------


def test_the_odds_are_those_that_are_known() -> None:
    # Eight decks; six decimals as they are published everywhere.
    exact = odds(8)
    assert [round(float(exact[name]), 6) for name in ("banker", "player", "tie")] == [0.458597, 0.446247, 0.095156]
    assert exact["banker"] + exact["player"] + exact["tie"] == 1
    assert exact["4 cards"] + exact["5 cards"] + exact["6 cards"] == 1
    assert exact["player pair"] == Fraction(31, 415)


def test_a_seed_is_of_its_shoe_alone() -> None:
    keys = {stream_of(seed, game, profile, index, purpose)
            for seed in (0, 1) for game in ("a", "b") for profile in ("c", "d") for index in (0, 1)
            for purpose in ("cards", "wagers")}  # fmt: skip
    assert len(keys) == 32
    assert {len(one) for one in keys} == {16}
    assert sorted(fair(0)) == sorted(list(DECK) * 8)
    assert fair(0) != fair(1)
    assert fair(0) == fair(0)
    # SHA-256 by hand: echo -ne '0\nbaccarat\np\n0\ncards' | sha256sum
    assert stream_of(0, "baccarat", "p", 0, "cards").hex() == "e9be8a65f55de7607116dd9a389e6403"


# --- partitions -------------------------------------------------------------------------------------------------------


def test_any_partition_has_the_same_totals(tmp_path: Path) -> None:
    whole = played(tmp_path / "one")
    assert whole.shoes == 10
    assert whole.fewest >= ROUNDS
    assert played(tmp_path / "two", workers=2) == whole
    assert played(tmp_path / "three", each=3) == whole
    assert played(tmp_path / "other", seed=2) != whole


@pytest.mark.parametrize("way", ["journal", "devices"])
def test_each_way_has_the_same_totals(way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(through, "MEMORY", tmp_path)
    law = Campaign(table=table_of("casino_war"), shoes=3, seed=1)
    other = msgspec.structs.replace(law, through=way)
    assert play_block(other, 0).totals == play_block(law, 0).totals
    assert play_block(other, 0).origin != play_block(law, 0).origin
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("game", "tells_cut_card"), [("baccarat", True), ("blackjack", False)])
def test_cards_of_a_device_reach_the_table_as_its_bytes(game: str, tells_cut_card: bool, tmp_path: Path) -> None:
    table, taken = table_of(game), list[LoggedInput]()
    log = open_log(tmp_path, table, through.AT, lambda _: None, resume=False)
    controller = Controller(log, queue.SimpleQueue(), lambda: through.AT, boot_s=lambda: 0.0)
    controller.listen(taken.append)
    with log.journal:
        cards = fair(0)
        hands = HandsAtTable(table, controller, cards)
        with pytest.raises(RuntimeError, match="did not report a card"):
            hands.take(CardDrawn(card="AS"))
        found = Dealer(table, cards).play_with(log.last.outputs, hands.take)
    whole = Dealer(table, cards).play()
    assert (found.rounds, found.cells, found.money, found.wrong) == (whole.rounds, whole.cells, whole.money, {})
    dealt = [one.event for one in taken if isinstance(one.event, CardDrawn)]
    assert {(one.origin, one.device) for one in dealt} == {("device", "device")}
    # Some shoes do not name burned cards.
    assert all(one.card in (None, card) for one, card in zip(dealt, cards, strict=False))
    assert sum(one.card is None for one in dealt) in (0, table.decks)
    # A shoe that does not report the cut card leaves it to the croupier.
    (cut,) = [one.event for one in taken if isinstance(one.event, CutCard)]
    assert cut.origin == ("device" if tells_cut_card else "person")
    assert any(isinstance(one.event, DeviceResult) for one in taken) == tells_cut_card


def test_a_journal_that_does_not_replay_ends_a_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(through, "MEMORY", Path("/missing"))  # without it, any folder of the system
    monkeypatch.setattr(through, "verify", lambda path, keys: replace(verify(path, keys=keys), replayed=False))
    with pytest.raises(Stop, match="does not replay"):
        play_block(Campaign(table=table_of("casino_war"), shoes=2, seed=1, through="journal"), 0)


def test_a_campaign_continues_with_the_blocks_that_are_missing(tmp_path: Path) -> None:
    whole = played(tmp_path)
    files = sorted(tmp_path.glob("block-*.json"))
    assert [file.name for file in files] == ["block-0000000.json", "block-0000001.json", "block-0000002.json"]
    kept = {file: (file.stat().st_mtime_ns, file.read_bytes()) for file in files}
    files[1].unlink()
    assert played(tmp_path) == whole
    assert files[1].read_bytes() == kept[files[1]][1]
    assert files[0].stat().st_mtime_ns == kept[files[0]][0]


def test_killed_workers_change_no_total(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "killed-once"
    monkeypatch.setenv(MARK, str(mark))
    monkeypatch.setattr(blocks, "play_block", killed_once)
    killed = played(tmp_path / "killed", workers=2)
    assert mark.exists()
    monkeypatch.undo()
    assert killed == played(tmp_path / "whole")


def test_a_block_that_kills_its_workers_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "play_block", killed_always)
    monkeypatch.setattr(blocks, "DEATHS_MAX", 0)
    with pytest.raises(Stop, match="workers ended 1 times; the first block that is left is 0"):
        played(tmp_path, shoes=4, workers=2)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"origin": "seed 9"}, "of another campaign or program: seed 9"),
        ({"shoes": 3}, "3 shoes"),
    ],
)
def test_a_block_of_another_campaign_is_refused(tmp_path: Path, change: dict[str, object], what: str) -> None:
    campaign = Campaign(table=TABLE, shoes=4, seed=1)
    block = play_block(campaign, 0)
    folder = Folder(tmp_path, campaign)
    other = msgspec.structs.replace(block, **change)
    with pytest.raises(Stop, match=what):
        folder.keep(other)
    folder.keep(block)
    (file,) = tmp_path.glob("block-*.json")
    file.write_bytes(msgspec.json.encode(other))
    with pytest.raises(Stop, match=what):
        folder.read(0)
    file.write_bytes(b"{")
    with pytest.raises(Stop, match="truncated"):
        folder.read(0)


def test_a_block_that_is_played_twice_must_be_equal(tmp_path: Path) -> None:
    campaign = Campaign(table=TABLE, shoes=4, seed=1)
    block, folder = play_block(campaign, 0), Folder(tmp_path, campaign)
    folder.keep(block)
    folder.keep(block)
    more = msgspec.structs.replace(block.totals, rounds=block.totals.rounds + 1)
    with pytest.raises(Stop, match="this block has other totals"):
        folder.keep(msgspec.structs.replace(block, totals=more))


# --- what it finds ----------------------------------------------------------------------------------------------------


def test_fair_shoes_agree() -> None:
    found = totals(12)
    assert list(wrong_of(found, PLAYED_HERE)) == []
    assert not any(cell.fails for cell in cells_of(found, PLAYED_HERE, ""))
    assert sum(found.cells[name] for name in ("player", "banker", "tie")) == 12 * ROUNDS


def test_a_payout_off_by_one_unit_is_found_in_one_shoe() -> None:
    rules = GAMES["baccarat"].rulebook
    (tie,) = [one for one in rules.payouts if one.bet == "tie" and one.name == "tie"]
    assert isinstance(tie.odds, Fraction)
    payouts = [replace(one, odds=tie.odds + 1) if one is tie else one for one in rules.payouts]
    (wrong,) = wrong_of(totals(1, rulebook=replace(rules, payouts=payouts)), PLAYED_HERE)
    assert wrong.startswith("money: tie on tie paid 90000 on 10000; due 80000 (")


def test_a_changed_row_of_the_tableau_is_found_in_three_shoes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BANKER_DRAWS_ON, 6, frozenset({5, 6, 7}))
    wrong = list(wrong_of(totals(3), PLAYED_HERE))
    due = "cards: 6 were dealt where 5 are due: the banker stands on 6 after the player's 5 ("
    assert [one for one in wrong if one.startswith(due)]


def test_a_biased_draw_is_found_in_forty_shoes() -> None:
    def biased(index: int) -> list[Card]:
        # One ace in five goes back among the others and is drawn later.
        rng, cards = random.Random(index), fair(index)
        for at in range(8, len(cards) - 60):
            if cards[at][0] == "A" and rng.random() < 0.2:
                other = rng.randrange(len(cards) - 20, len(cards))
                cards[at], cards[other] = cards[other], cards[at]
        return cards

    (ace,) = [cell for cell in cells_of(totals(40, biased), PLAYED_HERE, "") if cell.name == "rank A"]
    assert ace.fails
    assert ace.found < ace.exact


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_reports_and_writes_a_page(tmp_path: Path) -> None:
    done = answered("campaign", "baccarat", "--shoes", "6", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert text.startswith("6 shoes, ")
    assert text.endswith("the totals agree with the odds\n")
    assert "money, cards and decisions agree in every round" in (tmp_path / "campaign.html").read_text()
    again = json.loads(answered("campaign", "baccarat", "--shoes", "6", "--out", tmp_path, "--json").stdout)
    assert again["totals"]["shoes"] == 6
    assert again["wrong"] == []
    other = answered("campaign", "baccarat", "--shoes", "6", "--seed", "4", "--out", tmp_path)
    assert other.returncode == 1
    assert b"of another campaign or program" in other.stderr


def test_a_doubt_has_an_exit_code_of_its_own(tmp_path: Path) -> None:
    campaign = Campaign(table=TABLE, shoes=4, seed=0)
    block = play_block(campaign, 0)
    wrong = {"money: tie on tie was not settled": 2}
    Folder(tmp_path, campaign).keep(
        msgspec.structs.replace(block, totals=msgspec.structs.replace(block.totals, wrong=wrong))
    )
    done = answered("campaign", "baccarat", "--shoes", "4", "--out", tmp_path)
    assert done.returncode == 3
    assert b"money: tie on tie was not settled (2 times)" in done.stdout
    assert done.stdout.endswith(b"DOUBT: the totals differ from the odds\n")
    assert 'class="fails"' in (tmp_path / "campaign.html").read_text()


# --- Dask -------------------------------------------------------------------------------------------------------------


def on_dask(address: str, folder: Path, done: Callable[[], None] = lambda: None) -> Totals:
    campaign = Campaign(table=TABLE, shoes=10, seed=1, each=1)
    return play(campaign, Folder(folder, campaign), partial(by_dask, address=address), done)


def test_a_dask_cluster_with_a_killed_worker_has_the_same_totals(tmp_path: Path) -> None:
    from distributed import LocalCluster  # noqa: PLC0415  it takes half a second to load

    options = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "silence_logs": "CRITICAL"}
    with LocalCluster(n_workers=2, **options) as cluster:
        killed = [one.pid for one in cluster.workers.values()][:1]

        def done() -> None:
            while killed:
                os.kill(killed.pop(), signal.SIGKILL)

        whole = on_dask(cluster.scheduler_address, tmp_path / "dask", done)
        assert not killed
        assert whole == played(tmp_path / "here")
        # A block that ends its worker is given up at once here; Dask itself allows three ends.
        cluster.scheduler.allowed_failures = 0
        killed += [one.pid for one in cluster.workers.values()]
        with pytest.raises(Stop, match=r"block \d+: it ended 1 workers"):
            on_dask(cluster.scheduler_address, tmp_path / "ended", done)


def test_dask_that_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Stop, match="Dask is not installed"):
        on_dask("tcp://127.0.0.1:1", tmp_path)


def test_a_scheduler_that_does_not_answer_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_dask_module, "TIMEOUT_S", 0.1)
    with pytest.raises(Stop, match="no Dask scheduler answers"):
        on_dask("tcp://127.0.0.1:1", tmp_path)


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("127.0.0.1:8786", "is no address"),
        ("tcp://192.0.2.1:8786", "other machines can reach it"),
        ("tcp://scheduler:8786", "other machines can reach it"),
    ],
)
def test_a_scheduler_that_others_can_reach_needs_certificates(address: str, what: str) -> None:
    done = answered("campaign", GAME, "--shoes", "2", "--dask", address)
    assert done.returncode == 2
    assert what in done.stderr.decode()


def test_workers_and_dask_exclude_each_other() -> None:
    done = answered("campaign", GAME, "--shoes", "2", "--workers", "2", "--dask", "tcp://127.0.0.1:8786")
    assert done.returncode == 2
    assert b"--workers and --dask exclude each other" in done.stderr
