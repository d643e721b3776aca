"""Run a cardshoe table and a card shoe from your own tests."""

from pytest_cardshoe.control import Control
from pytest_cardshoe.errors import (
    CardshoeFailure,
    CommandMissing,
    CommandRefused,
    InputNotUnderstood,
    InputRefused,
    JournalRejected,
    ProcessEnded,
    RecordingDamaged,
    ReplayDiffers,
    Silent,
)
from pytest_cardshoe.faults import Faults
from pytest_cardshoe.fixtures import (
    _cardshoe_bench,
    cardshoe_device,
    cardshoe_fault,
    cardshoe_module,
    cardshoe_seed,
    cardshoe_session,
    cardshoe_shoe,
    cardshoe_table,
)
from pytest_cardshoe.plugin import (
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_report_header,
    pytest_runtest_makereport,
    pytest_unconfigure,
)
from pytest_cardshoe.shoes import Shoe, ShoeDraw
from pytest_cardshoe.tables import Table, TableReply

__all__ = [
    "CardshoeFailure",
    "CommandMissing",
    "CommandRefused",
    "Control",
    "Faults",
    "InputNotUnderstood",
    "InputRefused",
    "JournalRejected",
    "ProcessEnded",
    "RecordingDamaged",
    "ReplayDiffers",
    "Shoe",
    "ShoeDraw",
    "Silent",
    "Table",
    "TableReply",
    "_cardshoe_bench",
    "cardshoe_device",
    "cardshoe_fault",
    "cardshoe_module",
    "cardshoe_seed",
    "cardshoe_session",
    "cardshoe_shoe",
    "cardshoe_table",
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_report_header",
    "pytest_runtest_makereport",
    "pytest_unconfigure",
]
