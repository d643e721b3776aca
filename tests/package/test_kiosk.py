"""The kiosk's files, as its one command writes them: units, compositor and the browser's policy."""

import configparser
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.house.files import ROOT

INSTALL = ROOT / "packaging" / "kiosk" / "install"
POLICY = "etc/chromium/policies/managed/cardshoe.json"
UNITS = "etc/systemd/system"


def installed(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CARDSHOE_ROOT": str(root)}
    return subprocess.run(
        ["/bin/sh", str(INSTALL), *arguments], env=environment, capture_output=True, text=True, check=False
    )


def unit(root: Path, name: str) -> dict[str, str]:
    """The fields of a unit's service; of one that stands more than once, the last."""
    read = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
    read.optionxform = str  # type: ignore[assignment,method-assign]  # as configparser's documentation has it
    read.read_string((root / UNITS / name).read_text().replace("\\\n", ""))
    return {**dict(read["Unit"]), **dict(read["Service"]), **dict(read["Install"])}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    done = installed(tmp_path, "127.0.0.1:8443", "HDMI-A-1", "DP-1")
    assert (done.returncode, done.stderr) == (0, "")
    return tmp_path


def test_the_browser_may_open_the_tables_pages_and_nothing_else(root: Path) -> None:
    policy: dict[str, Any] = json.loads((root / POLICY).read_text())
    assert (policy["URLBlocklist"], policy["URLAllowlist"]) == (["*"], ["http://127.0.0.1:8443"])
    wanted = {
        "DeveloperToolsAvailability": 2,
        "DownloadRestrictions": 3,
        "PrintingEnabled": False,
        "AllowFileSelectionDialogs": False,
        "PasswordManagerEnabled": False,
        "ExtensionInstallBlocklist": ["*"],
    }
    assert {name: policy[name] for name in wanted} == wanted


def test_each_unit_starts_again_and_the_browser_keeps_its_sandbox(root: Path) -> None:
    compositor, screen = unit(root, "cardshoe-kiosk.service"), unit(root, "cardshoe-screen@.service")
    for one in (compositor, screen):
        assert (one["User"], one["Restart"], one["RestartSec"]) == ("cardshoe-kiosk", "always", "1s")
        assert one["StartLimitIntervalSec"] == "0"
    assert screen["BindsTo"] == "cardshoe-kiosk.service"
    assert "http://127.0.0.1:8443/%i" in screen["ExecStart"]
    # What would take the namespaces that Chromium's sandbox needs, or the sandbox itself.
    assert "--no-sandbox" not in screen["ExecStart"]
    assert not {"NoNewPrivileges", "RestrictNamespaces", "SystemCallFilter", "PrivateUsers"} & set(screen)


def test_each_page_has_its_output_and_no_screen_is_blanked(root: Path) -> None:
    lines = (root / "etc/cardshoe-kiosk/sway.conf").read_text().splitlines()
    assert {"workspace croupier output HDMI-A-1", "workspace board output DP-1"} <= set(lines)
    for page in ("croupier", "board"):
        assert f'assign [app_id="^cardshoe-{page}$"] workspace {page}' in lines
    # Chromium asks for the whole screen itself: a window that lost it again showed its tabs.
    assert not any("fullscreen" in line for line in lines)
    assert not any(line.startswith(("bindsym", "exec", "bar", "mode")) or "dpms" in line for line in lines)


@pytest.mark.parametrize(
    "arguments",
    [(), ("127.0.0.1:8443",), ("10.0.0.1:8443", "HDMI-A-1"), ("127.0.0.1:8443", "HDMI A/1"), ("127.0.0.1:x", "DP-1")],
)
def test_what_cannot_be_a_kiosk_is_refused_and_nothing_is_written(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = installed(tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze (Debian package systemd)")
def test_systemd_understands_the_units(root: Path) -> None:
    for name in ("cardshoe-kiosk.service", "cardshoe-screen@.service"):
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", str(root / UNITS / name)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Unknown" not in done.stderr, done.stderr
