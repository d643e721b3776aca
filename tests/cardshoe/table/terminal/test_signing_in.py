"""Signing in where lines are typed: in a terminal by its line editor, and in a pipe; and the first supervisor."""

import json
import re
from pathlib import Path
from typing import Any, Final

from cardshoe.persons.registry import StaffRegistry
from tests.cardshoe.persons.support import damage
from tests.cardshoe.table.terminal.screen import Terminal
from tests.kit.command import PATIENCE_S
from tests.kit.forked import started
from tests.kit.running_table import journal_of, write_config
from tests.kit.sealed import verified

PIN: Final = "835917"


def with_persons(folder: Path, **roles: str) -> None:
    """A table with these persons."""
    write_config(folder, None)
    config = folder / "table.toml"
    config.write_text(config.read_text() + '\n[persons]\nfile = "persons.toml"\n')
    pin = folder / "pin"
    pin.touch(0o600)
    pin.write_text(PIN)
    for person, role in roles.items():
        with started(["persons", "add", person, "--role", role, "--pin-file", pin, "--json"], folder) as adding:
            added, _ = adding.communicate(timeout=PATIENCE_S)
        assert json.loads(added)["role"] == role
    assert not roles or (folder / "persons.toml").stat().st_mode & 0o777 == 0o600


def typed(folder: Path, *lines: str) -> tuple[list[dict[str, Any]], str]:
    """The answers of a table to piped lines: the log, and its messages beside it."""
    with started(["run", "table.toml", "--json"], folder) as table:
        told = "".join(f"{line}\n" for line in (*lines, "quit"))
        said, errors = table.communicate(told.encode(), PATIENCE_S)
    assert table.returncode == 0, errors
    return [json.loads(line) for line in said.splitlines()], errors.decode()


def test_in_a_pipe_the_line_behind_login_is_the_pin_and_by_needs_all_whom_it_names(tmp_path: Path) -> None:
    with_persons(tmp_path, cara="croupier", carl="croupier", sara="supervisor", sven="supervisor")
    damage(StaffRegistry(tmp_path / "persons.toml"), "sven")
    void = 'void misdeal by cara sara "x"'
    log, said = typed(
        tmp_path, "login sven", PIN, void, "login cara", PIN, void, "login sara", "4096731", "login sara", PIN,
        '{"event":"void","reason":"x","by":["cara","sara"]}', 'void misdeal by cara carl "x"', "login carl", PIN, void,
        "logout", "shuffled croupier", void,
    )  # fmt: skip
    events = [(one["event"], one.get("person") or one.get("by")) for one in log if "origin" in one]
    assert events == [
        ("table", None), ("signed_in", "cara"), ("sign_ins_refused", None), ("signed_in", "sara"),
        ("void", ["cara", "sara"]), ("signed_out", "cara"), ("signed_in", "carl"),
        *((("signed_out", one)) for one in ("sara", "carl")), ("shuffled", "croupier"),
    ]  # fmt: skip
    assert re.findall(r"not taken: (\w+)", said) == [
        "not_checked", *["not_permitted"] * 2, "sign_in_refused", *["not_permitted"] * 3
    ]  # fmt: skip
    assert "`login cara` then `login sara`" in said
    assert PIN not in said
    verified(journal_of(tmp_path))


def test_a_registry_that_others_can_read_starts_no_table(tmp_path: Path) -> None:
    with_persons(tmp_path, sara="supervisor")
    (tmp_path / "persons.toml").chmod(0o640)
    with started(["run", "table.toml"], tmp_path) as table:
        _, errors = table.communicate(timeout=PATIENCE_S)
    assert (table.returncode, b"chmod 600" in errors) == (2, True)


def test_a_table_that_knows_nobody_adds_one_supervisor_with_the_code_that_it_shows(tmp_path: Path) -> None:
    with_persons(tmp_path)
    with Terminal("run", "table.toml", folder=tmp_path) as terminal:
        terminal.until("(valid 10 min): ")
        terminal.until("enrol ID")
        found = re.search(rb"10 min\): ([2-9A-Z]{10})", terminal.raw)
        assert found is not None
        for code, prompt in (("WRONG23456", "bad_code"), (found[1].decode(), "sara is a supervisor")):
            terminal.enter("enrol sara")
            terminal.until("one-time code")
            terminal.type(f"{code}\r")
            terminal.until("a PIN for sara")
            terminal.type(f"{PIN}\r")
            terminal.until("the PIN again")
            terminal.type(f"{PIN}\r")
            terminal.until(prompt)
        terminal.enter("login sara")
        terminal.until("PIN of sara")
        terminal.type(f"{PIN}\r")
        terminal.until("supervisor sara signed in")
        # No key brings a secret back.
        terminal.type("\x1b[A")
        terminal.until("> login sara")
        assert PIN.encode() not in terminal.raw
        terminal.type("\x15")
        terminal.enter("quit")
        assert terminal.end() == 0
    assert [one.role for one in StaffRegistry(tmp_path / "persons.toml").persons().values()] == ["supervisor"]


def test_without_a_terminal_the_code_is_in_a_file_of_the_tables_account_and_gone_at_its_end(tmp_path: Path) -> None:
    with_persons(tmp_path)
    code = tmp_path / "persons.toml.code"
    with started(["run", "table.toml"], tmp_path) as table:
        assert table.stdin is not None
        assert table.stdout is not None
        while b"enrol ID" not in table.stdout.readline():
            pass
        assert code.stat().st_mode & 0o777 == 0o600
        table.stdin.write(
            f"enrol sara\n{code.read_text()}{PIN}\n{PIN}\nenrol sven\n{code.read_text()}{PIN}\n{PIN}\nquit\n".encode()
        )
        table.stdin.close()
        said = table.stdout.read().decode()
    assert "sara is a supervisor" in said
    assert "bad_code" in said
    assert not code.exists()
    assert list(StaffRegistry(tmp_path / "persons.toml").persons()) == ["sara"]
