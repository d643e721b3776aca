"""The short form of ``make fuzz``: each target a fixed number of inputs; and that the fuzzer finds what is broken."""

import inspect
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import protocols
from tests.fuzz import catalogue
from tests.fuzz.runner import Effort, fuzz_together, is_installed
from tests.fuzz.target import BYTEWISE, WHOLE, Supply, pieces

needs_atheris = pytest.mark.skipif(not is_installed(), reason="needs atheris, which has no wheel for this machine")
INPUTS_UNTIL_FOUND = 1_000_000
TIMEOUT_S = 100


def of_module(module: str) -> list[str]:
    return [name for name, one in catalogue.MODULES.items() if one == module]


@needs_atheris
@pytest.mark.parametrize("module", dict.fromkeys(catalogue.MODULES.values()))
def test_nothing_but_what_is_documented_comes_out(module: str, seed: int, tmp_path: Path) -> None:
    runs = {name: catalogue.target(name).short_runs for name in of_module(module)}
    results = fuzz_together(runs, Effort(seed=seed), tmp_path)
    assert [result.name for result in results] == list(runs)
    for result in results:
        kept = result.failing and result.failing.read_bytes()
        assert result.is_ok, f"{result.name}:\n{result.log}\nthe input is {kept!r}"
        assert result.runs >= runs[result.name]
        assert result.edges >= result.edges_of_seeds > 0, "no branch was watched"


@pytest.mark.parametrize("name", catalogue.MODULES)
def test_the_seeds_pass_without_the_fuzzer(name: str) -> None:
    target = catalogue.target(name)
    seeds = list(target.seeds())
    assert seeds
    for one in seeds:
        assert len(one) <= target.max_bytes, "the fuzzer would cut it"
        target.check(one)


@needs_atheris
def test_each_broken_decoder_of_a_process_is_found_and_its_input_kept(tmp_path: Path) -> None:
    results = fuzz_together(dict.fromkeys(catalogue.CONTROLS, INPUTS_UNTIL_FOUND), Effort(seed=1), tmp_path)
    assert [result.name for result in results] == list(catalogue.CONTROLS)
    for result in results:
        assert not result.is_ok
        assert 0 < result.runs < INPUTS_UNTIL_FOUND
        assert result.failing is not None
        with pytest.raises((AssertionError, IndexError)):
            catalogue.target(result.name).check(result.failing.read_bytes())


@needs_atheris
def test_the_last_line_and_the_exit_code_say_what_became_of_it(tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tests.fuzz", *arguments, "--keep", str(tmp_path)]
        return subprocess.run(
            command, cwd=catalogue.ROOT, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )

    good = run("bee-tek-codec", "--runs", "200")
    assert good.returncode == 0
    assert good.stdout.splitlines()[-1].startswith("fuzz: targets=1 runs=200 failures=0 seed=")
    bad = run("control-loss", "--runs", "20000")
    assert bad.returncode == 1
    assert " failures=1 seed=" in bad.stdout.splitlines()[-1]
    again = next(line for line in bad.stdout.splitlines() if line.startswith("repeat it: "))
    repeated = run(*again.split()[-3:])
    assert repeated.returncode == 1
    assert "bytes are lost or invented" in repeated.stderr
    nobody = run("no-such-target")
    assert (nobody.returncode, "no such target: no-such-target" in nobody.stderr) == (2, True)


def test_every_decoder_of_the_protocols_has_a_target() -> None:
    targets = "".join(inspect.getsource(import_module(module)) for module in set(catalogue.MODULES.values()))
    modules = [import_module(one.name) for one in pkgutil.walk_packages(protocols.__path__, "protocols.")]
    decoders = {
        name
        for module in modules
        for name, made in vars(module).items()
        if getattr(made, "__module__", None) == module.__name__
        and not name.startswith("_")  # a part of another, and fuzzed with it
        and (name.startswith("decode_") or hasattr(made, "feed") or hasattr(made, "receive"))
    }
    assert {"decode_telegram", "LineDecoder", "MessageReader", "Link", "TlsStream"} <= decoders
    assert [name for name in sorted(decoders) if name not in targets] == []


def test_pieces_and_supply() -> None:
    assert pieces(WHOLE + b"abc") == [b"abc"]
    assert pieces(BYTEWISE + b"abc") == [b"a", b"b", b"c"]
    assert pieces(b"\x02\x00\x01abcd") == [b"a", b"bc", b"d"]
    assert pieces(b"") == [b""]
    supply = Supply(b"\x01\x02\x02ab\x09")
    assert (supply.number(2), supply.piece(), supply.is_left) == (0x0102, b"ab", True)
    assert (supply.piece(), supply.number(4), supply.is_left) == (b"", 0, False)
