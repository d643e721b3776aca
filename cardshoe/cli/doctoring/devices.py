"""Check each device: present, permitted, and free."""

import errno
import getpass
import grp
import os
import stat
from collections.abc import Iterator, Sequence

from cardshoe.cli.doctoring.configured import DeviceToCheck
from cardshoe.cli.doctoring.findings import Finding, fine, problem, warning
from cardshoe.cli.doctoring.link import listen
from cardshoe.cli.doctoring.trust import judged_at_the_line
from cardshoe.process.exits import Exit
from drivers.discovery import list_bulk_ports
from drivers.driverless import plugged_without_port
from drivers.errors import DriverError, PortBusy, PortForbidden, PortMissing
from drivers.os_errors import open_failure
from drivers.port_holders import holders, strangers
from drivers.port_names import PortCandidate, is_bulk, target_of
from drivers.usb_errors import usb_open_failure
from firmware_bridge.admission.verifier import DeviceVerifier


def device(
    one: DeviceToCheck, candidates: Sequence[PortCandidate], listen_s: float, judge: DeviceVerifier | None = None
) -> Iterator[Finding]:
    """Check a device; ``listen_s`` seconds, 0: it is not opened."""
    about = f"device {one.name}"
    try:
        if is_bulk(one.port):
            candidates, unseen = list_bulk_ports()
            if unseen is not None:
                raise unseen
        target = target_of(one.port, candidates)
    except DriverError as caught:
        error = (isinstance(caught, PortMissing) and plugged_without_port(one.port)) or caught
        yield problem(about, f"{error.port}: {error.problem}", error.remedy, Exit.DEVICE)
        return
    path = target.removeprefix("spy://").partition("?")[0]
    in_use = False
    if "://" not in path:
        found, in_use = port(about, one.port, path, candidates)
        yield found
        if found.exit_code:
            return
    elif not listen_s:
        yield warning(about, f"{one.port}: on the network, not checked", "Look while no table runs: --listen 5")
    if listen_s and in_use:
        yield fine(about, "not listened to: the running table has the port")
    elif listen_s:
        yield listen(about, one.family, one.port, one.settings, listen_s)
        if judge is not None:
            yield judged_at_the_line(about, one, judge, listen_s)


def port(about: str, name: str, path: str, candidates: Sequence[PortCandidate]) -> tuple[Finding, bool]:
    """Check a port without opening it; True if a table has it."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  paths of ports are text, as configured
    except OSError as error:
        return unreachable(about, name, path, error, candidates), False
    if not stat.S_ISCHR(mode):
        remedy = "Name a port: `cardshoe ports` lists them."
        return problem(about, f"{name}: is a file, not a device", remedy, Exit.DEVICE), False
    if not os.access(path, os.R_OK | os.W_OK):
        return unreachable(about, name, path, PermissionError(errno.EACCES, "no permission"), candidates), False
    others = [holder for holder in holders(path) if holder.pid != os.getpid()]
    running = [holder for holder in others if holder.is_table]
    besides = [holder for holder in strangers(path) if not holder.is_table] if running else []
    if besides:
        busy = PortBusy(name, besides)
        return problem(about, f"{name}: used by the running table, and {busy.problem}", busy.remedy, Exit.DEVICE), True
    if running:
        return fine(about, f"{name}: there, in use by the running table (pid {running[0].pid})"), True
    if users := strangers(path):
        busy = PortBusy(name, users)
        return problem(about, f"{name}: {busy.problem}", busy.remedy, Exit.DEVICE), False
    simulated = ", simulated by `cardshoe sim`" if others else ""
    return fine(about, f"{name}: there, and this user may open it{simulated}"), False


def unreachable(about: str, name: str, path: str, error: OSError, candidates: Sequence[PortCandidate]) -> Finding:
    usb = next((one for one in candidates if one.kind == "bulk" and one.device == path), None)
    said = open_failure(name, path, error) if usb is None else usb_open_failure(name, usb, error)
    remedy = said.remedy
    if isinstance(said, PortForbidden):
        adapter = next((one for one in candidates if os.path.realpath(path) == one.device and one.vid), None)
        if adapter is not None:
            remedy = remedy.replace("VVVV", f"{adapter.vid:04x}").replace("PPPP", f"{adapter.pid:04x}")
        if _joined_since_login(said.group):
            remedy = f"The user is in group {said.group} since the last login: log in again."
    return problem(about, f"{name}: {said.problem}", remedy, Exit.DEVICE)


def _joined_since_login(group: str) -> bool:
    try:
        found = grp.getgrnam(group)
    except KeyError:
        return False
    return getpass.getuser() in found.gr_mem and found.gr_gid not in os.getgroups()
