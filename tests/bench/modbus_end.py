"""A pymodbus server on a serial port, a process of its own: ``python -m tests.bench.modbus_end PORT``."""

import sys

from pymodbus.framer import FramerType
from pymodbus.server import StartSerialServer
from pymodbus.simulator import DataType, SimData, SimDevice

from tests.bench.settings import BAUD, DEVICE_ID, REGISTERS, VALUE


def main() -> None:
    """Serves until it is ended."""
    registers = SimData(address=0, count=REGISTERS, values=VALUE, datatype=DataType.REGISTERS)
    device = SimDevice(id=DEVICE_ID, simdata=[registers])
    print("here", flush=True)
    StartSerialServer(device, framer=FramerType.RTU, port=sys.argv[1], baudrate=BAUD)


if __name__ == "__main__":
    main()
