"""What all tests of the law share."""

import gc

import pytest


@pytest.fixture(scope="session", autouse=True)
def _leave_what_is_imported_to_itself() -> None:
    """Hundreds of tables are built here; a third of that time went to collecting what was imported and never dies."""
    gc.collect()
    gc.freeze()
