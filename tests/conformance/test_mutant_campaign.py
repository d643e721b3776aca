"""The campaign of mutants tells what noticed a mistake, and explains none that is not there."""

import pytest

from tests.conformance.mutant_campaign import FILES, Fate, all_mutants, campaign, explained, identity_of

RESENDS = "return self._counted_from_s + RETRY_S if self.under_way else None"


def test_each_part_has_mutants_and_each_explained_survivor_is_one_of_them() -> None:
    for file in FILES:
        assert len(all_mutants((file,))) > 20, file
    assert set(explained()) <= {identity_of(mutant) for mutant in all_mutants()}
    assert all(explained().values())


@pytest.mark.slow
def test_what_notices_a_mutant_is_told(seed: int) -> None:
    wanted = {
        "link | DeviceLink.__init__ | self._is_open = False -> self._is_open = True": (Fate.EXPLAINED, "the station"),
        f"stream | Outgoing.expires_at_s | {RESENDS} -> return None": (Fate.FAILED, "stream."),
        "link | DeviceLink.open | self._is_open = True -> self._is_open = True removed": (Fate.FAILED, "session.opens"),
    }
    found = {identity_of(mutant): mutant for mutant in all_mutants(("link", "stream"))}
    chosen = [found[name] for name in wanted]
    trials = zip(campaign(chosen, seed), wanted.values(), strict=True)
    assert [(trial.fate, trial.told[: len(told)]) for trial, (_fate, told) in trials] == list(wanted.values())
