"""Stands for a forked ``cardshoe``, with a pid of its own: what `tests.kit.forked.program` makes runs this script."""

import json
import os
import signal
import socket
import sys


def main(address: str, *arguments: str) -> int:
    """Ask for the process, pass signals on to it, and end as it does; killed, it takes the process along."""
    os.umask(mask := os.umask(0o077))
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as status:
        status.connect(bytes.fromhex(address))
        folder = os.getcwd()  # noqa: PTH109  # to import pathlib costs as much as all of this
        told = json.dumps([arguments, folder, dict(os.environ), mask]).encode()
        socket.send_fds(status, [told], [0, 1, 2])
        pid = int(status.recv(32))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda received, _frame: os.kill(pid, received))
        os.closerange(0, 3)  # a reader sees the end of the output when the process ends
        code = int(status.recv(32))
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
