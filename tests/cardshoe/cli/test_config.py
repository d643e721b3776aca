"""``cardshoe config``: the sample, and what is said of a configuration that cannot be used."""

import json
import re
import subprocess
from importlib import resources
from pathlib import Path

import pytest

from cardshoe.process.config_mistakes import ConfigMistake
from cardshoe.table.setup.config import BadConfig, load, warnings
from regulations.games.registry import GAMES
from tests.cardshoe.cli.support import answered, cardshoe
from tests.cardshoe.persons.lists import Signer
from tests.kit.command import assert_message

EXAMPLE = resources.files("cardshoe.table.setup").joinpath("example.toml").read_text("utf-8")
DOCS = Path(__file__).parents[3] / "docs"
NOW = "2026-11-21T12:00:00.000000Z"
UPLINK = '[uplink]\nto = "https://floor:8471"\ntls = { certificate = "a", key = "b", authority = "c" }\n'
AUTHORISED = """[[authorisation]]
option = "banker_win"
value = "half_on_six"
reference = "DICJ/1"
requested = "{requested}"
effective = "{effective}"
"""


def changed(*changes: tuple[str, str]) -> str:
    """The sample with lines replaced; a pattern stands for the beginning of exactly one line."""
    text = EXAMPLE
    for begin, line in changes:
        text, count = re.subn(rf"^{re.escape(begin)}.*$", line, text, flags=re.MULTILINE)
        assert count == 1, begin
    return text


def written_out(text: str) -> str:
    """A sample with its optional keys taken in, but for those of sections that are optional themselves."""
    return re.sub(
        r"^# (?=\w+ = )(?!(option|value|reference|requested|effective|folder|file) )", "", text, flags=re.MULTILINE
    )


def check(folder: Path, text: str | bytes) -> subprocess.CompletedProcess[bytes]:
    path = folder / "table.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return answered("config", "check", path)


def test_the_sample_is_printed_and_is_the_one_in_the_documentation() -> None:
    printed = cardshoe("config", "example").stdout.decode()
    assert printed == EXAMPLE == (DOCS / "table.toml").read_text("utf-8")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_sample_of_a_game_is_good_also_with_every_option_written_out(game: str, tmp_path: Path) -> None:
    text = answered("config", "example", game).stdout.decode()
    assert f'\ngame = "{game}"\n' in text
    assert all(f"\n# {option.name} = " in text or f"\n{option.name} = " in text for option in GAMES[game].law.options)
    written_out = re.sub(
        r"^# (?=\w+ = )(?!(option|value|reference|requested|effective|folder|file) )", "", text, flags=re.MULTILINE
    )
    for one in (text, written_out):
        done = check(tmp_path, one)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_sample_of_each_game_has_every_section(game: str) -> None:
    sections = re.compile(r"^(?:# )?(\[+\w+\]+)$", re.MULTILINE)
    text = answered("config", "example", game).stdout.decode()
    needs = {"[[authorisation]]"} - {"[[authorisation]]" for one in GAMES[game].law.options if one.authorised}
    assert set(sections.findall(text)) == set(sections.findall(EXAMPLE)) - needs
    assert {"[display]", "[persons]", "[uplink]", "[live]", "[trust]"} <= set(sections.findall(text))
    # A game that does not take the example's device is not shown with it.
    assert ('family = "angel_eye"' in text) == (game == "baccarat")


@pytest.mark.parametrize(
    "labels",
    ['["1", "2"]', '["1", "2", "3", "5", "6", "7", "7"]', '["1", "2", "3", "5", "6", "7", "seven"]'],
)
def test_seat_labels_are_one_for_each_seat_and_short(labels: str, tmp_path: Path) -> None:
    done = check(tmp_path, f"{EXAMPLE}\n[display]\nseat_labels = {labels}\n")
    assert_message(done.returncode, done.stderr.decode(), 2, "display.seat_labels")
    good = check(tmp_path, f'{EXAMPLE}\n[display]\nseat_labels = ["1", "2", "3", "5", "6", "7", "8"]\n')
    assert (good.returncode, good.stderr) == (0, b"")


def test_a_sample_of_no_game() -> None:
    done = answered("config", "example", "roulette")
    assert_message(done.returncode, done.stderr.decode(), 2, "roulette", *GAMES)


def test_a_shoe_that_plays_baccarat_along_deals_no_other_game(tmp_path: Path) -> None:
    shoe = (("game = ", 'game = "casino_war"'), ("decks = ", "decks = 1"), ("overdrawn_card = ", ""))
    done = check(tmp_path, changed(*shoe))
    assert_message(done.returncode, done.stderr.decode(), 2, "device.family", "angel_eye", "baccarat")


def test_a_shoe_that_tells_every_card_deals_any_game(tmp_path: Path) -> None:
    shoe = (("game = ", 'game = "casino_war"'), ("decks = ", "decks = 1"), ("overdrawn_card = ", ""))
    done = check(tmp_path, changed(*shoe, ("family = ", 'family = "bee_tek"')))
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_sample_is_good(tmp_path: Path) -> None:
    done = check(tmp_path, EXAMPLE)
    assert (done.returncode, done.stderr) == (0, b"")
    path = tmp_path / "table.toml"
    said = done.stdout.decode().splitlines()
    assert said[0].startswith(f"warning: {path}: no [trust]: the table accepts devices without checking"), said
    assert said[1].startswith(f"{path}: good. Table B-101, journals in {tmp_path}")


def test_every_key_that_the_sample_shows_with_its_default_is_good(tmp_path: Path) -> None:
    # All optional keys are there behind a single #; the two that exclude each other and the authorisation stay out.
    text = written_out(EXAMPLE)
    assert "\nround_burn = false" in text
    done = check(tmp_path, text)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_table_without_stakes_and_one_with_limits_are_good(tmp_path: Path) -> None:
    limited = EXAMPLE.replace("\n# limits = {}\n", "\n") + "\n[options.limits]\ntie = { least = 5, most = 5 }\n"
    for text in (changed(("# stakes = ", 'stakes = "untracked"')), limited):
        done = check(tmp_path, text)
        assert (done.returncode, done.stderr) == (0, b"")


def test_an_authorised_option_is_good(tmp_path: Path) -> None:
    text = changed(("# banker_win = ", 'banker_win = "half_on_six"'))
    text += AUTHORISED.format(requested="2024-01-02", effective="2024-02-01")
    assert check(tmp_path, text).returncode == 0


BAD: dict[str, tuple[str, list[str]]] = {
    "misspelt key": (changed(("decks = ", "deks = 8")), ["line 9: table.deks: no such key; did you mean 'decks'?"]),
    "misspelt section": (changed(("[table]", "[tabel]")), ["tabel: no such key; did you mean 'table'?"]),
    "misspelt device key": (changed(("family = ", 'famly = "x"')), ["device[0].famly", "did you mean 'family'?"]),
    "no such pick-up": (
        changed(("# pick_up = ", 'pick_up = "any"')),
        ["line 19: table.pick_up", "'any'"],
    ),
    "no currency": (
        changed(("# currency = ", 'currency = "mop"')),
        ["line 16: table.currency: 'mop' is no currency of ISO 4217", "MOP, HKD"],
    ),
    "misspelt option": (changed(("# deal = ", 'dael = "face_up"')), ["line 65: dael: bad_option", "'deal'?"]),
    "impossible decks": (
        changed(("decks = ", "decks = 3")),
        ["line 9: decks: wrong_deck_count (55/2004 art. 1.º-1)", "allowed with a shoe: 6 to 12"],
    ),
    "decks in words": (changed(("decks = ", 'decks = "8"')), ["table.decks: expected `int`, got `str`"]),
    "limits that no stake keeps": (
        changed(("# limits = ", "limits = { tie = { least = 10, most = 5 } }")),
        ["limits: bad_option (55/2004 art. 14.º)", "'least': 10, 'most': 5"],
    ),
    "limits of stakes that nobody tells": (
        changed(("# stakes = ", 'stakes = "untracked"'), ("# limits = ", "limits = { tie = { most = 5 } }")),
        ["limits: bad_option (reading G15)", 'options.limits needs options.stakes = "tracked"'],
    ),
    "too few seats": (changed(("seats = ", "seats = 3")), ["line 11: seats: bad_option (55/2004 art. 1.º-5)"]),
    "no authorisation": (
        changed(("# banker_win = ", 'banker_win = "half_on_six"')),
        ["line 69: banker_win: needs_authorisation (55/2004 art. 19.º)", "DICJ"],
    ),
    "authorised too late": (
        changed(("# banker_win = ", 'banker_win = "half_on_six"'))
        + AUTHORISED.format(requested="2024-01-02", effective="2099-02-01"),
        ["banker_win: needs_authorisation"],
    ),
    "authorised on no day": (
        changed(("# banker_win = ", 'banker_win = "half_on_six"'))
        + AUTHORISED.format(requested="2024-02-30", effective="2024-03-01"),
        ["not written YYYY-MM-DD"],
    ),
    "options that exclude each other": (
        changed(("# round_burn = ", "round_burn = true")),
        ["overdrawn_card: bad_option (reading B11)", "exclude each other"],
    ),
    "cut card too deep": (changed(("# cut_card_behind = ", "cut_card_behind = 99")), ["cut_card_behind", "12 to 26"]),
    "no game": (
        changed(("game = ", 'game = "poker"')),
        ["table.game: unknown game 'poker'; known are baccarat, blackjack, casino_war"],
    ),
    "no TOML": (changed(("decks = ", "decks = = 8")), ["is not TOML", "line 9"]),
    "unknown family": (
        changed(("family = ", 'family = "devil_eye"')),
        ["device.family: 'devil_eye' is unknown", "angel_eye"],
    ),
    "unstable port": (
        changed(("port = ", 'port = "/dev/ttyUSB0"')),
        ["device.port: this name may mean another device after the next plug-in", "unstable:/dev/ttyUSB0"],
    ),
    "commands for a shoe that takes none": (
        changed(("family = ", 'family = "bee_tek"\ncommands = ["lock"]')),
        ["device.commands: 'bee_tek' takes no commands"],
    ),
    "no port": (changed(("port = ", 'port = ""')), ["device[0].port: expected `str` of length >= 1"]),
    "port of no kind": (changed(("port = ", 'port = "http://x:1"')), ["device.port: unknown scheme http://"]),
    "unknown command": (changed(("# commands = ", 'commands = ["look"]')), ["'look' is no command", "lock, unlock"]),
    "a command of another family": (
        changed(("# commands = ", 'commands = ["let_draw"]')),
        ["'let_draw' is no command; there are lock, unlock, clear_error, confirm_round"],
    ),
    "drawn and dispensed": (
        changed(
            ("family = ", 'family = "tdp"\ncommands = ["let_draw", "dispense"]'),
            ("# settings = ", 'settings = { security = "plain" }'),
        ),
        ["device.commands: a card is either drawn by hand or dispensed"],
    ),
    "neither plain nor certificates": (
        changed(("family = ", 'family = "tdp"')),
        ["device.settings: setting 'certificate': missing", 'only `security = "plain"` works'],
    ),
    "unknown line setting": (
        changed(("# settings = ", "settings = { bauds = 1 }")),
        ["device.settings", "baud, bytesize"],
    ),
    "impossible speed": (
        changed(("# settings = ", "settings = { baud = 1 }")),
        ["device.settings: setting 'baud': 1 is impossible"],
    ),
    "a floor's key of persons that is none": (
        EXAMPLE + '[persons]\nfile = "p"\nfloor = "x"\n' + UPLINK,
        ["persons.floor: not an Ed25519 key", "cardshoe floor persons key"],
    ),
    "a floor's persons that nobody brings": (
        EXAMPLE + f'[persons]\nfile = "p"\nfloor = "{Signer().key.public}"\n',
        ["persons.floor: nothing fetches the floor's list: name the floor in [uplink]"],
    ),
    "an uplink of another account without a folder": (
        EXAMPLE + '[live]\nfolder = "/run/t"\n' + UPLINK,
        ["uplink.folder: with [live] the uplink is the account 'cardshoe-uplink'", "a folder of its own"],
    ),
    "a socket without a folder": (
        EXAMPLE + '[live]\nfolder = ""\n',
        ["live.folder: expected `str` of length >= 1"],
    ),
    "two of a name": (
        EXAMPLE + EXAMPLE[EXAMPLE.index("[[device]]") :],
        ["device.name: two devices have the same name"],
    ),
    "no folder": (changed(("folder = ", 'folder = ""')), ["journal.folder: expected `str` of length >= 1"]),
    "nothing in it": ("", ["object missing required field `table`"]),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_configuration(tmp_path: Path, case: str) -> None:
    text, parts = BAD[case]
    done = check(tmp_path, text)
    path = str(tmp_path / "table.toml")
    assert_message(done.returncode, done.stderr.decode(), 2, path, "cardshoe config example", *parts)
    assert done.stdout == b""


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    done = check(tmp_path, b"\xff\xfe")
    assert_message(done.returncode, done.stderr.decode(), 2, "is not UTF-8 (invalid start byte at byte 0)")


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    done = answered("config", "check", tmp_path / "none.toml")
    assert_message(done.returncode, done.stderr.decode(), 2, "none.toml: No such file or directory")


def test_what_is_hardly_meant_is_said(tmp_path: Path) -> None:
    done = check(tmp_path, changed(("overdrawn_card = ", "")))
    assert done.returncode == 0
    assert b"warning: " in done.stdout
    assert b'"next_round" agrees' in done.stdout
    plain = changed(("family = ", 'family = "tdp"'), ("# settings = ", 'settings = { security = "plain" }'))
    assert b"its cards can be read and forged on the wire" in check(tmp_path, plain).stdout
    dealer = {"option": "equipment", "value": "shuffler_dealer", "reference": "DICJ 7"}
    spare = changed(("family = ", 'family = "bee_tek"'), ("equipment = ", 'equipment = "shuffler_dealer"'))
    authorised = "".join(f'{key} = "{value}"\n' for key, value in dealer.items())
    spare += f'\n[[authorisation]]\n{authorised}requested = "2024-01-02"\neffective = "2024-02-01"\n'
    assert b"is a shoe, and the table deals from a shuffler_dealer" in check(tmp_path, spare).stdout
    text = EXAMPLE[: EXAMPLE.index("[[device]]")]
    assert b"every card must be entered by hand" in check(tmp_path, text).stdout


def test_what_is_wrong_is_there_for_a_program_too(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(BAD["misspelt key"][0])
    with pytest.raises(BadConfig) as caught:
        load(path, NOW)
    reason = "no such key; did you mean 'decks'?"
    assert (caught.value.path, caught.value.faults) == (path, (ConfigMistake(key="table.deks", reason=reason, line=9),))


SPOILT = """
[table]
id = "B-101"
game = "blackjack"
decks = 99
seats = 2
equipment = "shoee"
[journal]
foldr = "journals"
witness = ["ftp://x"]
[options]
dael = "x"
[[device]]
name = "one"
family = "angle_eye"
port = "/dev/ttyUSB0"
[[device]]
name = "one"
family = "tdp"
port = "/dev/shoe"
commands = ["lok"]
"""


def test_all_that_is_wrong_is_said_at_once_and_for_programs(tmp_path: Path) -> None:
    done = check(tmp_path, SPOILT)
    path = tmp_path / "table.toml"
    wanted = {
        "table.equipment": (7, "did you mean 'shoe'?"),
        "journal.foldr": (9, "no such key; did you mean 'folder'?"),
        "device[0].family": (15, "did you mean 'angel_eye'?"),
        "device[0].port": (16, "unstable:/dev/ttyUSB0"),
        "device[1].settings": (17, "'certificate': missing"),
        "device[1].commands": (21, "did you mean 'lock'?"),
        "device.name": (14, "two devices have the same name, 'one'"),
    }
    assert_message(
        done.returncode,
        done.stderr.decode(),
        2,
        f"{path}: {len(wanted)} faults",
        "`cardshoe config example blackjack` shows every key",
        *(f"  {path}, line {line}: {key}: " for key, (line, _) in wanted.items()),
        *(reason for _, reason in wanted.values()),
    )
    told = json.loads(answered("config", "check", "--json", path).stdout)
    assert {fault["key"]: fault["line"] for fault in told["faults"]} == {key: line for key, (line, _) in wanted.items()}
    assert (told["config"], told["good"]) == (str(path), False)
    # A table that opens says one, and where the others are.
    ran = answered("run", path).stderr.decode()
    assert ran.count("line ") == 1
    assert f"There are {len(wanted) - 1} faults more: `cardshoe config check {path}`" in ran


def test_all_that_the_regulation_refuses_is_said_at_once(tmp_path: Path) -> None:
    spoilt = changed(
        ("decks = ", "decks = 3"),
        ("seats = ", "seats = 3"),
        ("# deal = ", 'dael = "face_up"'),
        ("# banker_win = ", 'banker_win = "half_on_six"'),
        ("# cut_card_behind = ", "cut_card_behind = 99"),
    )
    done = check(tmp_path, spoilt)
    said = done.stderr.decode()
    assert_message(done.returncode, said, 2, "5 faults", "`cardshoe config example baccarat`")
    assert re.findall(r"line \d+: (\w+): (\w+)", said) == [
        ("decks", "wrong_deck_count"),
        ("seats", "bad_option"),
        ("dael", "bad_option"),
        ("cut_card_behind", "bad_option"),
        ("banker_win", "needs_authorisation"),
    ]


def test_what_is_good_is_said_for_programs_too(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE)
    done = answered("config", "check", "--json", path)
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert (told["good"], told["faults"]) == (True, [])
    assert told["warnings"]


def test_the_journals_lie_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE)
    config = load(path, NOW)
    assert config.journal_dir == tmp_path / "journals"
    assert config.table.options == {"overdrawn_card": "next_round"}
    assert [device.port for device in config.devices] == ["/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A10-if00-port0"]
    (untrusted,) = warnings(config)
    assert "no [trust]" in untrusted
    path.write_text(f'{EXAMPLE}\n[trust]\nfolder = "site"\n')
    config = load(path, NOW)
    assert (warnings(config), config.trust) == ([], tmp_path / "site")
    path.write_text(changed(("folder = ", f'folder = "{tmp_path / "elsewhere"}"')))
    assert load(path, NOW).journal_dir == tmp_path / "elsewhere"
