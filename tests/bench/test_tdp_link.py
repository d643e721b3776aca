"""The cost of a card on TDP's link, in virtual time, as ADR 44 says."""

import pytest

from tests.bench.tdp_link import HOST, Bench, bulk, cards, code_lines, held
from tests.protocols.tdp.lines import Faults


def test_a_card_takes_four_frames_and_its_permit_is_back_at_once() -> None:
    figures = cards(20, 0.0)
    assert (figures["frames"], figures["bytes"]) == (4, 116)
    assert figures["ms_max"] == pytest.approx(13.0, abs=0.1)


def test_a_line_without_faults_is_full_and_no_more_than_a_window_is_kept() -> None:
    figures = bulk(0.0)
    assert figures["bytes_per_s"] > 0.9 * 11_520
    assert figures["held"] == 4 * 224
    assert held(Bench(Faults()).ends.links[HOST]) == 0


def test_the_lines_of_the_link_are_counted_without_text() -> None:
    assert set(code_lines()) == {"framing", "channel", "timing", "handshake", "states", "link"}
    assert code_lines()["timing"] == 7, "six constants and an import"
