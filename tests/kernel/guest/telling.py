"""How a script inside tells the test outside what it saw: marked lines on the console."""

import json
from typing import Final

MARK: Final = "RESULT:"


def tell(name: str, value: object) -> None:
    """Tell one thing, by a name that is used once; ``value`` is something that JSON can hold."""
    print(f"{MARK}{json.dumps([name, value])}", flush=True)  # noqa: T201  # the console is all that leads out
