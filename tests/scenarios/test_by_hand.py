"""Tables without a device: every card is typed, and what comes of it stands in the specification of the table log."""

import json
from pathlib import Path

from tests.cardshoe.cli.support import cardshoe
from tests.kit.command import Line
from tests.kit.running_table import journal_of, lines_of, write_config


def told(folder: Path, typed: str, **options: object) -> list[str]:
    """A table's answers to typed lines: event and what it comes down to, without the inputs and the prompts."""
    equipment = str(options.pop("equipment", "shoe"))
    config = write_config(folder, None, options=options, equipment=equipment)
    done = cardshoe("run", "--json", config, stdin=f"{typed}\nclosed\nquit\n".encode())
    assert done.returncode == 0, done.stderr.decode()
    assert cardshoe("verify", journal_of(folder)).returncode == 0
    said = done.stdout.decode().splitlines()
    assert said == lines_of(journal_of(folder))
    return [text for text in map(_short, map(json.loads, said)) if text]


TOLD: dict[str, str] = {
    "dealt": "dealt {card} {to} {position}",
    "burned": "burned {card} {why}",
    "result": "result {outcome} {points}",
    "irregularity": "irregularity {code}",
    "refused": "refused {code}",
    "resolved": "resolved {action}",
    "reveal": "reveal {who} {cards}",
    "last_round": "last_round",
    "shoe_over": "shoe_over",
    "reversed": "reversed",
    "voided": "voided",
}


def _short(line: Line) -> str:
    if line["event"] == "settled":
        return "settled " + ", ".join(f"{w['seat']} {w['bet']} {w['net']}" for w in line["wagers"])
    return TOLD.get(line["event"], "").format_map(line)


def test_a_shuffler_dealer(tmp_path: Path) -> None:
    # Art. 1.º and 2.º: nothing is cut or burned; after the round the cards go back, the exact number that came out.
    typed = """
        loaded 416
        bets_closed 1 [{"seat":1,"bet":"banker","stake":10000},{"seat":1,"bet":"tie","stake":2000}]
        card 7H
        card 2D
        card KS
        card 4C
        round_closed
        cards_returned 3
        cards_returned 4
        bets_closed 2 [{"seat":2,"bet":"player","stake":500}]
        card 2S
        card 3S
        card 3H
        card AS
        card TD
        card 2C up
        resolve 1 burn by=7
        round_closed
        cards_returned 6
    """
    # The first: player 7 and banker 6 stand. The second: player 5 draws a ten, on which the banker's 4 stands (9.º-3):
    # the card after it is one too many (10.º).
    said = told(tmp_path, typed, equipment="shuffler_dealer")
    assert said == [
        "dealt 7H player 1",
        "dealt 2D banker 1",
        "dealt KS player 2",
        "dealt 4C banker 2",
        "result player {'player': 7, 'banker': 6}",
        "settled 1 banker -10000, 1 tie -2000",
        "refused cards_missing",
        "dealt 2S player 1",
        "dealt 3S banker 1",
        "dealt 3H player 2",
        "dealt AS banker 2",
        "dealt TD player 3",
        "result player {'player': 5, 'banker': 4}",
        "settled 2 player 500",
        "irregularity card_not_due",
        "resolved burn",
        "burned 2C invalid",
    ]


def test_half_on_six(tmp_path: Path) -> None:
    # Art. 18.º: with this option a banker win with six points pays one half.
    typed = (
        """
        shuffled croupier
        cut player
        cut_card_placed 14
        loaded 416
    """
        + "card 9C\n" * 8
        + """
        bets_closed 1 [{"seat":1,"bet":"banker","stake":10001}]
        card TH
        card 2D
        card 6S
        card 4C
        round_closed
        bettor_left 1 by=7,8
        bets_closed 1 [{"seat":1,"bet":"banker","stake":10000}]
        card 2H
        card 2D
        card 4S
        card 5C
        round_closed
        bets_closed 1 [{"seat":1,"bet":"banker","stake":10001}]
        card TH
        card 2D
        card 2S
        card 4C
        card KD
        round_closed
    """
    )
    said = [
        line for line in told(tmp_path, typed, banker_win="half_on_six") if not line.startswith(("dealt", "burned"))
    ]
    assert said == [
        "result tie {'player': 6, 'banker': 6}",
        "settled 1 banker 0",
        "voided",
        "result banker {'player': 6, 'banker': 7}",
        "settled 1 banker 10000",
        # 10001 / 2 = 5000.5, rounded half-even.
        "result banker {'player': 2, 'banker': 6}",
        "settled 1 banker 5000",
    ]


def test_face_down_with_what_goes_wrong(tmp_path: Path) -> None:
    # Art. 16.º: after four cards player, then banker are shown; a third card is shown before the next is called.
    typed = (
        """
        shuffled croupier
        cut player
        cut_card_placed 14
        loaded 416
    """
        + "card 5C\n" * 7
        + """
        bets_closed 1 [{"seat":1,"bet":"player","stake":100}]
        card 5C
        bets_closed 1 [{"seat":1,"bet":"player","stake":100}]
        card 2H
        card 2D
        card 3S
        card 4C
        card 9S
        resolve 1 burn by=7
        revealed banker
        revealed player
        revealed banker
        card 4H
        void "the house wants it" by=7,8
        void "a card fell under the table" by=7 ground=misdeal
        void "a card fell under the table" by=7,8 ground=misdeal
        round_closed
    """
    )
    said = told(tmp_path, typed, deal="face_down")
    assert said[:8] == ["burned None initial"] * 7 + ["refused burn_missing"]
    assert said[8:] == [
        "burned None initial",
        "dealt None player 1",
        "dealt None banker 1",
        "dealt None player 2",
        "dealt None banker 2",
        "irregularity card_not_due",
        "resolved burn",
        "burned None invalid",
        "refused not_now",
        "reveal player ['2H', '3S']",
        "reveal banker ['2D', '4C']",
        "dealt None player 3",
        "refused not_allowed",
        "refused two_persons_needed",
        "voided",
    ]
