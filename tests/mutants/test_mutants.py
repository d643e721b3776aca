"""The tool that puts mistakes into the law: what it makes, what it leaves alone, whether it tells dead from alive."""

import itertools
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tests.mutants import equivalents
from tests.mutants.campaign import sample
from tests.mutants.changes import meaning
from tests.mutants.finding import REPOSITORY, Finder, all_mutants, mutants_of
from tests.mutants.mutant import Mutant
from tests.mutants.part import Part
from tests.regulations.support.kits import ENFORCED
from tests.regulations.support.notation import files_of

GAME: Final = "casino_war"
RANKING: Final = f"regulations/games/{GAME}/ranking.py"
"""The game's cases notice every mistake in its comparisons."""
RAN: Final = "run: 0"


def _found(source: str) -> list[tuple[str, str]]:
    text = source.encode()
    return [(one.operator, one.applied_to(text).decode()) for one in Finder("x.py", text).found()]


@pytest.mark.parametrize(
    ("source", "operator", "mutants"),
    [
        ("x = a < b", "comparison", ["x = a <= b"]),
        ("x = 1 <= a < 3", "comparison", ["x = 1 < a < 3", "x = 1 <= a <= 3"]),
        ("x = a is not b", "comparison", ["x = a is b"]),
        ("x = a not in b", "comparison", ["x = a in b"]),
        ("x = a and b and c", "boolean", ["x = a or b or c"]),
        ("x = a and (b or c)", "boolean", ["x = a or (b or c)", "x = a and (b and c)"]),
        ("x = a or b", "operand", ["x = (b)", "x = (a)"]),
        ("x = a + b", "arithmetic", ["x = a - b"]),
        ("x = ä + b", "arithmetic", ["x = ä - b"]),
        ("x = 7", "constant", ["x = 8", "x = 6"]),
        ("x = True", "flag", ["x = False"]),
        ("x = not a", "not", ["x = bool(a)"]),
        ("x = -1", "sign", ["x = 1"]),
        ("x = min(a)", "builtin", ["x = max(a)"]),
        ("if a:\n    b()", "condition", ["if (not (a)):\n    b()"]),
        ("if a > b:\n    c()", "condition", ["if (not (a > b)):\n    c()"]),
        ("if a == b:\n    c()", "condition", []),  # the comparison negates it already
        (
            "def f():\n    a.b()\n    return",
            "statement",
            ["def f():\n    pass\n    return", "def f():\n    a.b()\n    pass"],
        ),
        ("a.b = c\na = c", "statement", ["pass\na = c"]),
        ("def f() -> bool:\n    return a", "return", ["def f() -> bool:\n    return not (a)"]),
        ("def f() -> list[int]:\n    return a", "return", ["def f() -> list[int]:\n    return []"]),
        ("def f() -> Card:\n    return a", "return", ["def f() -> Card:\n    return None"]),
        ("ROWS = (move(), *others())", "entry", ["ROWS = (*others(),)", "ROWS = (move(),)"]),
        ("x = {a: 1, **b}", "entry", ["x = {**b}", "x = {a: 1}"]),
        ('x = ("a", (), 1)', "entry", []),  # a record: nothing can be missing
        ('move("card", R.A, R.B, art("7.º"), when=A.due)', "method", ['move("card", R.A, R.B, art("7.º"), when=())']),
        ("x = (R.A, R.B)", "state", ["x = (R.B, R.B)", "x = (R.A, R.A)"]),
        ('x = ("card", "cut")', "word", ['x = ("cut", "cut")', 'x = ("card", "card")']),
        ('refuse(a, art("7.º"))', "article", ['refuse(a, art("99.º"))']),
        ('refuse(a, "reading B1")\nrefuse(b, "reading B2")', "article", None),
    ],
)
def test_what_is_made(source: str, operator: str, mutants: list[str] | None) -> None:
    made = [text for kind, text in _found(source) if kind == operator]
    if mutants is None:
        mutants = [source.replace("B1", "B2"), source.replace("B2", "B1")]
    assert sorted(made) == sorted(mutants)


@pytest.mark.parametrize(
    "source",
    [
        '"""Says 1 < 2."""',
        "import a",
        'def f(x: Literal["a", "b"]) -> Literal[1, 2]: ...',
        "class A(Protocol):\n    def f(self) -> bool:\n        return 1 < 2",
        'x = f"{a < b} cards"',
        'x = "several words"',
        "X = A | B",
        "X = Callable[[A], bool]",
        'x = f"a {b}" if a > b else ""',
        'move("card", a, b, art("7.º"), also=("reading B1", "reading B2"))',
        "class A:\n    def __str__(self) -> str:\n        return a + b",
        "zip(a, b, strict=True)[a]",
        "if TYPE_CHECKING:\n    import a",
        "def f():\n    return None",
        'Option(bound=BOUND, article=art("7.º"))',
        'ARTICLES = {art("7.º"): "Straight.", art("8.º"): "Three of a kind."}',
        'PAIR_ALSO: Final = (art("7.º"), "reading B1", "reading B2")',
        "class Rulebook:\n    def without(self) -> bool:\n        return a + b",
    ],
)
def test_what_is_left_alone(source: str) -> None:
    left = [one for one in _found(source) if not (one[0] == "statement" and "pass" in one[1])]
    assert left == []


def test_other_words_about_a_rule_are_no_change_of_it() -> None:
    rule = '"""A."""\nx = 1\n\n\ndef f():\n    """B."""\n    return x  # c\n'
    assert meaning(rule) == meaning(rule.replace("A", "D").replace("B", "E").replace("c\n", "g\n"))
    assert meaning(rule) != meaning(rule.replace("x = 1", "x = 2"))
    assert meaning(rule) != meaning(rule.replace("return x", 'return "x"'))


def test_what_is_raised_is_not_changed_but_that_it_is() -> None:
    assert _found('raise Bug(1, "card")') == [("statement", "pass")]


@pytest.fixture(scope="module")
def everything() -> list[Mutant]:
    return all_mutants()


def test_every_mutant_can_be_compiled_and_has_a_name_of_its_own(everything: list[Mutant], seed: int) -> None:
    assert len({one.name for one in everything}) == len(everything)
    for one in sample(everything, 200, seed):
        compile(one.applied_to((REPOSITORY / one.file).read_bytes()), one.file, "exec")


def test_a_name_stays_while_other_lines_move() -> None:
    source = b"def f():\n    return a < b\n"
    moved = b"X = G\n\n\n" + source
    assert [one.name for one in Finder("x.py", source).found()] == [one.name for one in Finder("x.py", moved).found()]


def test_a_sample_has_every_file_and_operator_in_proportion(everything: list[Mutant]) -> None:
    chosen = sample(everything, 1800, 1)
    assert len({one.name for one in chosen}) == 1800
    assert chosen == sample(everything, 1800, 1)
    assert chosen != sample(everything, 1800, 2)
    possible, made = (Counter((one.file, one.operator) for one in of) for of in (everything, chosen))
    missing = possible.keys() - made.keys()
    assert sum(possible[one] for one in missing) < len(everything) // 50
    assert sample(everything, len(everything) + 1, 1) == everything


def test_the_checks_are_the_tests_that_pytest_finds() -> None:
    """A mutant that dies here dies by ``pytest -m law``."""
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-m", "law", "-n", "0", "tests/regulations"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = {name: int(count) for name, _, count in (line.partition(": ") for line in told.splitlines()) if count}
    assert found.pop("tests/regulations/test_cases.py") == sum(len(files_of(game)) for game in ENFORCED) + 1
    assert found == Counter(f"{one.module.replace('.', '/')}.py" for one in Part().tests)


def _uncovered() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("COV")}


RUN_TWICE: Final = """
import os
from pathlib import Path
from tests.mutants import campaign
from tests.mutants.__main__ import main
from tests.mutants.finding import all_mutants
from tests.mutants.mutant import Edit, Mutant
from tests.mutants.part import Check, Part, forget_the_law
from tests.mutants.trial import begin

def tried(text, order):
    edit = Edit(0, 0, text)
    of = {{"file": "regulations/play/context/open_wager.py", "operator": "x", "where": "-", "before": "", "after": ""}}
    mutant = Mutant(**of, line=1, ordinal=0, edit=edit)
    pid, reads = begin(mutant, part, order, cpu_s=1)
    _, status = os.waitpid(pid, 0)
    return status, os.read(reads, 99)

part = Part()
forget_the_law()
for check in part.cases.keys() - {{one for one in part.cases if one.module == "{game}"}}:
    del part.cases[check]
part.tests.clear()
part.checks[:] = part.cases
for _ in range(2):
    status = main(["{file}", "--operator", "comparison", "--seed", "1", "--jobs", "2", "--results", {folder!r}],
                  lambda: part)
    print("run:", status, flush=True)
"""
"""With one game's cases: `make test` has run them all."""

ENDLESS: Final = """
print(tried(b"while True: pass\\n", part.checks))
print(tried(b"1 / 0\\n", part.checks))
print(tried(b"x = 1\\n", part.checks[:3]))
"""

EDITED: Final = """
del part.checks[20:]  # the law without a mistake is tried twice
editions = iter(["a", "a", "b"])
results = campaign.Results(Path({folder!r}) / "edited", lambda: next(editions))
mutants = [one for one in all_mutants([campaign.LAW / "law" / "payouts.py"])][:3]
try:
    campaign.try_all(mutants, part, results, seed=1, jobs=1)
except campaign.Disturbed as error:
    print(error)
print(len(results.found))
part.checks.append(Check("tests.regulations.test_rules", "test_that_is_not_there", 0))
try:
    campaign.try_all(mutants, part, results, seed=1, jobs=1)
except campaign.Disturbed as error:
    print(error)
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results")


@pytest.fixture(scope="module")
def said(results: Path) -> list[str]:
    """What all three say; in one process, since to load all checks takes a second."""
    code = (RUN_TWICE + ENDLESS + EDITED).format(folder=str(results), file=RANKING, game=GAME)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, env=_uncovered(), capture_output=True, text=True, check=False
    )
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def tried(said: list[str]) -> list[str]:
    return said[said.index(RAN, said.index(RAN) + 1) + 1 :]


def test_mutants_die_and_a_second_run_knows_it(said: list[str], results: Path) -> None:
    made = len([one for one in mutants_of(REPOSITORY / RANKING) if one.operator == "comparison"])
    sums = [before for before, line in itertools.pairwise(said) if line == RAN]
    assert len(sums) == 2, said
    for line in sums:
        assert f"mutants: made={made} killed={made} survived=0 equivalent=0 killed_share=1.0000 " in line
        assert " seed=1 " in line
    assert f"{made} of {made} mutants, {made} to try" in said
    assert f"{made} of {made} mutants, 0 to try" in said
    (kept,) = results.glob("*.jsonl")
    lines = kept.read_text().splitlines()
    assert len(lines) == made
    assert all('"by": "' in line and '"by": ""' not in line for line in lines)


def test_a_change_under_way_and_a_law_that_fails_by_itself_end_the_run(tried: list[str]) -> None:
    """Else mutants would seem to be noticed that are not."""
    disturbed, found, failed = tried[3:]
    assert "changed while mutants were tried" in disturbed
    assert found == "1"
    assert "the law without a mistake fails: tests.regulations.test_rules: test_that_is_not_there" in failed


def test_an_endless_loop_is_stopped_and_counts_as_noticed(tried: list[str]) -> None:
    endless, broken, alive = tried[:3]
    assert endless.startswith("(24, b'')")  # SIGXCPU
    assert broken == "(256, b'import')"
    assert alive == "(0, b'')"


def test_every_known_survivor_is_still_a_mutant(everything: list[Mutant]) -> None:
    """Each entry of `docs/mutants.md` is true of the law as it is now, and has a reason."""
    known = equivalents.read()
    assert known.keys() - {one.content for one in everything} == set()
    assert all(len(reason.split()) > 2 for reason in known.values())


def test_an_item_without_a_reason_cannot_be_read(tmp_path: Path) -> None:
    page = tmp_path / "mutants.md"
    page.write_text(
        "### regulations/x.py\n\n- `comparison` in `f`: `a < b` → `a <= b`: never equal\n", encoding="utf-8"
    )
    assert equivalents.read(page) == {("regulations/x.py", "comparison", "f", "a < b", "a <= b"): "never equal"}
    page.write_text("### regulations/x.py\n\n- `comparison` in `f`: `a < b` → `a <= b`\n", encoding="utf-8")
    with pytest.raises(ValueError, match="reason"):
        equivalents.read(page)
