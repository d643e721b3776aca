"""The 52 faces: reports paired with cards, and a person asked once for a deck in known order."""

from concurrent.futures import Future
from xml.etree import ElementTree as ET

import pytest

from cardshoe.cli.sim.virtual import Far, bench_of
from conformance.check_result import CheckStatus, FaceReading
from conformance.faces import FACES, readings
from conformance.history import report_data
from conformance.html_report import html_page
from conformance.junit import junit_xml
from conformance.manual_steps import ManualStep, StepResult
from conformance.operator import LineOperator
from conformance.runner import ConformanceReport, run_suite
from tests.conformance.suites import suite
from tests.conformance.virtual import angel_eye_shoe, bee_tek_shoe, tdp_device


class AskedPerson(LineOperator):
    """A person who does what is asked at a device in virtual time, and types the cards drawn."""

    def __init__(self, far: Far) -> None:
        super().__init__("a person", far.execute, background=False)
        self.is_person = True  # type: ignore[misc]  # what the rigs ask for
        self.asked: list[str] = []
        self._far = far

    def begin(self, act: ManualStep) -> Future[StepResult]:
        self.asked.append(act.words)
        if not act.names_cards:
            return super().begin(act)
        future: Future[StepResult] = Future()
        future.set_result(StepResult(done=True, text="drew " + ", ".join(self._drawn(act.times))))
        return future

    def _drawn(self, count: int) -> list[str]:
        return [card for _ in range(count) for card in StepResult(done=True, text=self._far.execute("draw")).cards]


def report_of(family: str, far: Far, seed: int, *only: str) -> tuple[ConformanceReport, list[str]]:
    person = AskedPerson(far)
    settings = {"security": "plain"} if family == "tdp" else {}
    report = run_suite(
        suite(family), bench_of(far, seed, person), settings, port="here", seed=seed, started="now", only=only
    )
    return report, person.asked


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        (FACES, {}),
        ((*FACES[:5], *FACES[6:]), {"6S": None}),
        ((*FACES[:5], "9S", *FACES[6:]), {"6S": "9S"}),
        ((*FACES[:5], None, *FACES[6:]), {"6S": None}),
        ((*FACES[:6], "6S", *FACES[6:]), {}),
        (FACES[1:], {"AS": None}),
        ((), dict.fromkeys(FACES)),
    ],
    ids=["all", "one lost", "one misread", "one unread", "one twice", "the first lost", "none"],
)
def test_a_report_too_few_or_too_many_moves_no_other(
    told: tuple[str | None, ...], wrong: dict[str, str | None]
) -> None:
    found = readings(FACES, told)
    assert [one.face for one in found] == list(FACES)
    assert {one.face: one.read_as for one in found if not one.is_right} == wrong


@pytest.mark.parametrize("family", ["angel_eye", "bee_tek", "tdp"])
def test_a_person_is_asked_for_a_deck_and_to_draw_it_once(family: str, seed: int) -> None:
    far = {"angel_eye": angel_eye_shoe, "bee_tek": bee_tek_shoe, "tdp": lambda one: tdp_device("shoe", one)}[family](
        seed
    )
    name = {"angel_eye": "telegrams", "bee_tek": "lines", "tdp": "events"}[family]
    report, asked = report_of(family, far, seed, f"{name}.all-faces")
    (result,) = report.results
    assert (result.verdict, result.got) == (CheckStatus.PASSED, "")
    assert result.faces == tuple(FaceReading(face, face) for face in FACES)
    assert [words[:14] for words in asked[-2:]] == [
        "Sort one deck:",
        "Draw 52 cards;" if family == "angel_eye" else "Draw 52 cards,",
    ]


@pytest.mark.parametrize(("family", "check"), [("angel_eye", "telegrams"), ("bee_tek", "lines")])
def test_a_person_types_the_cards_drawn(family: str, check: str, seed: int) -> None:
    far = angel_eye_shoe(seed) if family == "angel_eye" else bee_tek_shoe(seed)
    report, _asked = report_of(family, far, seed, f"{check}.cards-as-drawn")
    assert [(one.verdict, one.got) for one in report.results] == [(CheckStatus.PASSED, "")]


def test_a_whole_suite_asks_a_person_few_questions(seed: int) -> None:
    report, asked = report_of("angel_eye", angel_eye_shoe(seed), seed)
    assert report.count(CheckStatus.PASSED) == len(report.results)
    assert len(asked) <= 60


def test_the_reports_have_the_matrix(seed: int) -> None:
    far = tdp_device("shoe", seed)
    drawn = iter(range(1, 53))

    class Misreading(AskedPerson):
        def _exchange_at(self, line: str) -> str:
            if line == "draw" and (number := next(drawn)) in {9, 20}:
                far.execute("misread 6D" if number == 9 else "unread")
            return far.execute(line)

    person = Misreading(far)
    person._exchange = person._exchange_at  # type: ignore[misc]  # noqa: SLF001  the reader's faults
    report = run_suite(
        suite("tdp"), bench_of(far, seed, person), {"security": "plain"}, port="here", seed=seed, started="now",
        only=("events.all-faces",),
    )  # fmt: skip
    (result,) = report.results
    assert (result.verdict, result.got) == (CheckStatus.FAILED, "52 reports; 9S misread as 6D, 7H not read")
    faces = report_data(report)["results"][0]["faces"]
    assert [one for one in faces if one["face"] != one["read_as"]] == [
        {"face": "9S", "read_as": "6D"},
        {"face": "7H", "read_as": None},
    ]
    page = html_page(report)
    assert "Faces read: 50 of 52" in page
    assert page.count('title="read"') == 50
    assert 'title="misread as 6D"><b>9S</b><br>→ 6D</td>' in page
    assert 'title="not read"><b>7H</b><br>–</td>' in page
    lines = ["".join(one.itertext()).splitlines() for one in ET.fromstring(junit_xml(report)).iter("system-out")]  # noqa: S314  our own
    assert [line for line in lines[0] if line.startswith("face ") and not line.endswith(": read")] == [
        "face 9S: misread as 6D",
        "face 7H: not read",
    ]
    assert sum(line.startswith("face ") for line in lines[0]) == 52
