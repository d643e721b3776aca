"""Which targets there are and where they stand; a module is imported only for its target, under the fuzzer's eyes."""

from importlib import import_module
from pathlib import Path
from typing import Final

from tests.fuzz.target import Target

ROOT: Final = Path(__file__).parents[2]
_FOLDER: Final = "tests.fuzz.targets"
_NAMES: Final = {
    "angel_eye": ("angel-eye-telegrams", "angel-eye-commands", "angel-eye-codec"),
    "bee_tek": ("bee-tek-lines", "bee-tek-codec"),
    "endpoint": ("tdp-endpoint",),
    "tdp": ("tdp-frames", "tdp-sealed-frames", "tdp-messages", "tdp-reader", "tdp-handshake"),
    "link": ("tdp-link-host", "tdp-link-device", "tdp-link-pair"),
    "tls": ("tls-plain-bytes", "tls-session"),
    "table_log": ("table-log", "console", "live-requests"),
    "files": ("port-names", "captures"),
    "firmware": ("mcuboot-image", "smp-server"),
    "service": ("smp-answers",),
    "shoes": ("control-lines", "control-lines-tdp"),
    "boxes": ("control-channel", "telnet"),
    "configuration": ("config",),
    "usb": ("usb-descriptors",),
    "persons": ("persons-list",),
}
_CONTROLS: Final = ("control-crash", "control-leak", "control-loss")

MODULES: Final = {name: f"{_FOLDER}.{module}" for module, names in _NAMES.items() for name in names}
"""The module of each target."""

CONTROLS: Final = dict.fromkeys(_CONTROLS, f"{_FOLDER}.broken")
"""Targets that are broken on purpose: a fuzzer that does not find them finds nothing."""

INSTRUMENTED: Final = {
    "angel_eye": ("protocols.angel_eye", "protocols.layouts"),
    "bee_tek": ("protocols.bee_tek",),
    "tdp": ("protocols.tdp", "protocols.layouts"),
    "link": ("protocols.tdp.link", "protocols.tdp.channel", "protocols.tdp.handshake", "protocols.tdp.timing"),
    "tls": ("protocols.tdp.tls",),
    "endpoint": ("protocols.tdp.endpoint", "protocols.tdp.reader", "protocols.tdp.tls"),
    "table_log": ("regulations.events", "cardshoe.table.terminal.console", "cardshoe.table.live.messages"),
    "firmware": ("protocols.mcuboot", "protocols.layouts", "sim.firmware"),
    "service": ("firmware_bridge.update.service", "firmware_bridge.update.smp_line", "smp"),
    "files": ("drivers.capture", "drivers.port_names", "urllib.parse", "json"),
    "shoes": ("sim.control", "sim.control_lines", "sim.bee_tek.control", "sim.tdp.control"),
    "boxes": ("sim.control_words", "sim.telnet", "sim.com_port", "json"),
    "configuration": ("cardshoe.table.setup.config", "tomllib"),
    "usb": ("drivers.usb_facts", "firmware_bridge.usb_guard"),
    "persons": ("cardshoe.persons.signed_list", "cardshoe.journal.proof.note"),
    "broken": ("tests.fuzz.targets.broken", "protocols.angel_eye", "protocols.tdp.framing"),
}
"""Whose branches guide the fuzzer, by the target's module; it must be known before they are imported."""


def instrumented(name: str) -> list[str]:
    """The modules whose branches guide the fuzzer at this target."""
    return list(INSTRUMENTED[_module(name).rsplit(".", 1)[-1]])


def spared(name: str) -> list[str]:
    """The other modules of the same packages; atheris goes by the package alone, and the law takes it two seconds."""
    wanted = instrumented(name)
    packages = {one.split(".")[0] for one in wanted}
    files = [file.relative_to(ROOT).with_suffix("") for package in packages for file in (ROOT / package).rglob("*.py")]
    modules = {".".join(file.parts).removesuffix(".__init__") for file in files}
    return sorted(module for module in modules if not f"{module}.".startswith(tuple(f"{one}." for one in wanted)))


def target(name: str) -> Target:
    """The target of that name, its module imported now.

    Raises:
        KeyError: there is none.
    """
    found: Target = import_module(_module(name)).TARGETS[name]
    return found


def _module(name: str) -> str:
    return (MODULES | CONTROLS)[name]
