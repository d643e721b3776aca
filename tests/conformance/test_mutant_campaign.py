"""The campaign of mutants changes code alone, tells what noticed a mistake, and continues where it stopped."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conformance import second_mutants
from tests.conformance.mutant_campaign import Results, campaign, explained, patterns_of, share_of
from tests.conformance.mutant_trial import Fate, Trial
from tests.reference_shoe import mutants as shoe_mutants
from tests.reference_shoe.building import FOLDER, needs_compiler

RESENDS = "return self._counted_from_s + RETRY_S if self.under_way else None"
ONE, TWO, THREE = "link | a | b -> c", "link | a | b -> c | again 2", "link | d | e -> f"


class Scripted:
    """A device whose mutants fail as its script says."""

    def __init__(self, **fates: Trial) -> None:
        self.sources: list[Path] = []
        self.fates = fates
        self.asked: list[str] = []

    def mutants(self) -> Mapping[str, str]:
        return {ONE: "one", TWO: "two", THREE: "three"}

    def tried(self, mutant: str | None, _seed: int) -> Trial:
        self.asked.append(mutant or "itself")
        return self.fates.get(mutant or "itself", Trial(Fate.SURVIVED, "", frozenset({"a.check"})))


def test_each_part_has_mutants() -> None:
    parts = Counter(name.partition(" | ")[0] for name in second_mutants.SecondDevice().mutants())
    assert set(parts) == set(second_mutants.FILES)
    assert min(parts.values()) > 20


def test_each_explained_survivor_is_a_mutant() -> None:
    names = list(second_mutants.SecondDevice().mutants())
    names += [one.name for file in shoe_mutants.FILES for one in shoe_mutants.mutants_of(file)]
    assert set(explained()) <= {pattern for name in names for pattern in patterns_of(name)}
    assert all(explained().values())


@pytest.mark.parametrize("file", shoe_mutants.FILES)
def test_each_mutant_of_the_shoe_is_another_program(file: str) -> None:
    source = (FOLDER / "core" / f"{file}.c").read_text(encoding="utf-8")
    mutants = list(shoe_mutants.mutants_of(file))
    texts = {source[: one.start] + one.after + source[one.end :] for one in mutants}
    assert source not in texts
    assert len(texts) == len(mutants) > 20
    for one in mutants:
        line = source.splitlines()[one.line - 1]
        before = line.split("/*")[0]
        assert f" | {before.strip()}" in one.name, "comments stay"


def test_fates_are_kept_and_a_survivor_is_tried_again_with_other_checks(tmp_path: Path) -> None:
    device = Scripted(one=Trial(Fate.FAILED, "a.check"))
    first = list(campaign(device, [ONE, TWO], 1, Results(tmp_path, "edition", "checks")))
    assert first == [(ONE, Trial(Fate.FAILED, "a.check")), (TWO, Trial(Fate.SURVIVED, "", frozenset({"a.check"})))]
    assert device.asked == ["itself", "one", "two"]
    with (tmp_path / "edition.jsonl").open("a", encoding="utf-8") as file:
        file.write('\n{"name": "torn')
    for checks, edition, asked in (
        ("checks", "edition", []),
        ("more checks", "edition", ["itself", "two"]),
        ("checks", "other", ["itself", "one", "two"]),
    ):
        device.asked.clear()
        again = list(campaign(device, [ONE, TWO], 1, Results(tmp_path, edition, checks)))
        assert [trial.fate for _name, trial in again] == [Fate.FAILED, Fate.SURVIVED]
        assert device.asked == asked


def test_a_mutant_that_more_checks_skip_is_not_failed() -> None:
    device = Scripted(one=Trial(Fate.SURVIVED, "", frozenset({"a.check", "b.check"})))
    assert list(campaign(device, [ONE], 1)) == [(ONE, Trial(Fate.SKIPPED_MORE, "b.check"))]


def test_a_device_that_does_not_pass_has_no_mutants() -> None:
    with pytest.raises(RuntimeError, match=r"failed a\.check"):
        list(campaign(Scripted(itself=Trial(Fate.FAILED, "a.check")), [ONE], 1))


def test_the_share_counts_what_another_device_can_do() -> None:
    fates = {Fate.FAILED: 6, Fate.STOPPED: 1, Fate.SURVIVED: 2, Fate.SKIPPED_MORE: 1, Fate.EXPLAINED: 9}
    assert share_of(Counter({**fates, Fate.SAME_CODE: 5, Fate.NO_PROGRAM: 7})) == 0.7
    assert share_of(Counter({Fate.EXPLAINED: 9})) == 1.0


def test_what_notices_a_mutant_of_the_second_device_is_told(seed: int) -> None:
    wanted = {
        "link | DeviceLink.__init__ | self._is_open = False -> self._is_open = True": (Fate.EXPLAINED, "the station"),
        f"stream | Outgoing.expires_at_s | {RESENDS} -> return None": (Fate.FAILED, "stream."),
        "link | DeviceLink.open | self._is_open = True -> self._is_open = True removed": (Fate.FAILED, ""),
    }
    with second_mutants.make() as device:
        trials = dict(campaign(device, wanted, seed))
    assert {name: (trial.fate, trial.by[: len(wanted[name][1])]) for name, trial in trials.items()} == wanted


@needs_compiler
def test_what_notices_a_mutant_of_the_shoe_is_told(seed: int) -> None:
    wanted = {
        "link.c": ("send_again(link, now_ms); -> ;", Fate.FAILED),
        "memory.c": ("copy.check = check_of(&copy); -> ;", Fate.FAILED),
        "frame.c": ("size_t length = 0; -> size_t length = 1;", Fate.SAME_CODE),
    }
    with shoe_mutants.make() as device:
        chosen = [
            next(name for name in device.mutants() if name.startswith(f"{file} | ") and name.endswith(f" | {shown}"))
            for file, (shown, _fate) in wanted.items()
        ]
        trials = [trial for _name, trial in campaign(device, chosen, seed)]
    assert [trial.fate for trial in trials] == [fate for _shown, fate in wanted.values()], trials
    assert trials[0].by.startswith("stream.")
