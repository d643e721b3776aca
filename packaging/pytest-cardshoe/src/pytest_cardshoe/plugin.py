"""The hooks: options, header, seeds, failure reports, recordings."""

from collections.abc import Generator

import pytest

from pytest_cardshoe import options, recording, replaying
from pytest_cardshoe.bench import BENCHES, GUARD, OUTCOME
from pytest_cardshoe.options import SETTINGS
from pytest_cardshoe.processes import ProcessGuard


def pytest_addoption(parser: pytest.Parser) -> None:
    options.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    options.configure(config)
    config.stash[GUARD] = ProcessGuard()
    config.stash[BENCHES] = {}
    settings = config.stash[SETTINGS]
    if settings.record is not None and not hasattr(config, "workerinput") and not config.option.collectonly:
        recording.begin(settings.record, settings)


def pytest_unconfigure(config: pytest.Config) -> None:
    guard = config.stash.get(GUARD, None)
    if guard is not None:
        guard.close()


def pytest_report_header(config: pytest.Config) -> str:
    return config.stash[SETTINGS].header()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    file = config.stash[SETTINGS].replay
    if file is not None:
        items += replaying.replays(session, file)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when != "teardown" or report.failed:
        item.stash[OUTCOME] = report.outcome
    if report.failed:
        names = getattr(item, "fixturenames", ())
        for name, bench in item.config.stash[BENCHES].items():
            report.sections += bench.sections() if name in names else []
    return report
