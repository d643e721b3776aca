"""The image for the Cortex-M3 in QEMU: UART0 is a TCP socket, UART1 takes control lines, and a file is its FRAM."""

import socket
from pathlib import Path
from typing import Final

HOST: Final = "127.0.0.1"


def free_port() -> int:
    """A TCP port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def command(image: Path, port: int, memory: Path) -> list[str]:
    """The command that runs the image; its standard input and output are the control lines."""
    return [
        "qemu-system-arm",
        *("-M", "mps2-an385"),
        *("-object", f"memory-backend-file,id=psram,mem-path={memory},size=16M,share=on"),
        *("-machine", "memory-backend=psram"),
        *("-display", "none", "-monitor", "none"),
        *("-serial", f"tcp:{HOST}:{port},server=on,wait=off,nodelay=on"),
        *("-serial", "stdio"),
        *("-kernel", str(image)),
    ]
