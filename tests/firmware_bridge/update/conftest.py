"""One site for all tests of this folder; its registry only grows."""

import pytest

from tests.firmware_bridge.update.night import NEW, OLD, Night, make

OTHER_MODEL = make(7, 3)
WAITS = make(8, 3)
"""Its maker has signed it, the regulator not."""


@pytest.fixture(scope="session")
def night(tmp_path_factory: pytest.TempPathFactory) -> Night:
    folder = tmp_path_factory.mktemp("site")
    return Night(folder, (OLD, NEW, OTHER_MODEL), (WAITS,), models={OTHER_MODEL.version: "Other shoe"})
