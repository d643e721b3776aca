"""A table's hold on Python's garbage collector while it runs, alone in its process and beside others."""

import gc
import subprocess
import sys

from cardshoe.process import collector

PROGRAM = """
import gc
from cardshoe.process import collector

before = gc.get_freeze_count()  # 375 in Python 3.12, 0 in others

def said():
    print(gc.get_freeze_count() > before, gc.isenabled())

said()
with collector.between_rounds_only():
    said()
    with collector.between_rounds_only():
        pass
    print(gc.get_freeze_count() > before)
said()
collector.leave_alone()
with collector.between_rounds_only():
    said()
said()
"""


def test_what_is_there_is_left_alone_until_the_last_table_ends_or_for_good() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "False True",
        "True False",  # a table runs
        "True",  # another one has ended
        "False True",
        "True False",
        "True True",  # a table has ended, and the process holds on to it
    ]


def test_no_table_thaws_what_the_tests_hold() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    with collector.between_rounds_only():
        assert gc.get_freeze_count() == frozen
    assert gc.get_freeze_count() == frozen
