"""Opens a port by its name, as a user whose rights the caller chose; prints in JSON what became of it."""

import json
import sys

from drivers.discovery import port_by_name
from drivers.errors import DriverError


def main(name: str) -> None:
    try:
        port = port_by_name(name)
        port.open()
    except DriverError as error:
        outcome = [type(error).__name__, str(error)]
    else:
        port.close()
        outcome = ["open", ""]
    print(json.dumps(outcome))  # noqa: T201  # for whoever started this


if __name__ == "__main__":
    main(sys.argv[1])
