"""The doctor on an installation, clock, disk and permissions that no sound machine has."""

import base64
import hashlib
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from cardshoe.cli.doctoring import clock, disk, installation
from cardshoe.cli.doctoring.devices import unreachable
from cardshoe.cli.doctoring.findings import Finding, Level, exit_code, fine, problem, warning
from cardshoe.cli.doctoring.link import judged
from cardshoe.journal.file.disk_space import BEGIN_BYTES, LOW_BYTES
from cardshoe.process.exits import Exit
from drivers.errors import PortMissing
from drivers.link_health import LinkHealth
from drivers.port_names import PortCandidate

MIB = 1024 * 1024


def said_in_a_process(code: str, path: Path) -> str:
    """The output of a Python that looks for packages in ``path`` before it looks where ours are."""
    program = f"import sys; sys.path.insert(0, {str(path)!r}); from cardshoe.cli.doctoring import installation; {code}"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def package(folder: Path, name: str) -> Path:
    module = folder / name / "__init__.py"
    module.parent.mkdir(parents=True)
    module.write_text("")
    return module


def distribution(folder: Path, name: str, modules: list[Path]) -> Distribution:
    """A distribution as an installer leaves it behind."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    record = []
    for module in modules:
        digest = base64.urlsafe_b64encode(hashlib.sha256(module.read_bytes()).digest()).rstrip(b"=").decode()
        record.append(f"{module.relative_to(folder)},sha256={digest},{module.stat().st_size}\n")
    (info / "RECORD").write_text("".join(record))
    return Distribution.at(info)


class TestPackages:
    def test_here_all_seven_are_ours(self) -> None:
        assert [finding.level for finding in installation.packages()] == [Level.OK]

    def test_a_shadowed_package_is_named_with_what_shadows_it(self, tmp_path: Path) -> None:
        shadow = package(tmp_path, "protocols")
        said = said_in_a_process("[print(f.level, f.what) for f in installation.packages()]", tmp_path)
        assert said.startswith(f"problem `protocols` comes from {shadow}, not from cardshoe (")

    def test_a_package_that_another_distribution_brings_as_well(self, tmp_path: Path) -> None:
        module = package(tmp_path, "drivers")
        distribution(tmp_path, "hal", [module])
        module.unlink()  # its files may be gone, or lie where ours lie: its record remains
        said = said_in_a_process("[print(f.what) for f in installation.packages()]", tmp_path)
        assert said == "`drivers` is brought by hal as well\n"

    def test_two_distributions_that_brought_the_same_module(self, tmp_path: Path) -> None:
        """`pip install .` without the lock leaves this: `smp` asks for crcmod, and we for crcmod-plus."""
        assert list(installation.mixed()) == []
        module = package(tmp_path, "crcmod")
        for name in ("crcmod", "crcmod-plus"):
            distribution(tmp_path, name, [module])
        said = said_in_a_process("[print(f.level, f.what, f.remedy) for f in installation.mixed()]", tmp_path)
        assert said == (
            "problem `crcmod` was installed by crcmod and crcmod-plus: it is not known whose code runs "
            f"This differs from the tested installation. {installation.REINSTALL}\n"
        )

    def test_a_module_that_was_overwritten(self, tmp_path: Path) -> None:
        module = package(tmp_path, "serial")
        found = distribution(tmp_path, "pyserial", [module])
        assert installation.altered_files(found, "serial") == []
        module.write_text("print('a fork')\n")
        assert installation.altered_files(found, "serial") == ["serial/__init__.py"]
        module.unlink()
        assert installation.altered_files(found, "serial") == ["serial/__init__.py"]
        assert installation.altered_files(found, "another") == []

    def test_a_source_tree_is_where_its_distribution_says(self, tmp_path: Path) -> None:
        found = distribution(tmp_path, "cardshoe", [])
        assert installation.home_of(found) == tmp_path
        direct = '{"dir_info": {"editable": true}, "url": "file:///srv/a%20tree"}'
        (tmp_path / "cardshoe-1.0.dist-info" / "direct_url.json").write_text(direct)
        assert installation.home_of(found) == Path("/srv/a tree")


class TestLibraries:
    def test_here_they_are_as_they_should_be(self) -> None:
        assert {finding.level for finding in installation.libraries()} == {Level.OK}

    def test_a_namesake_of_pyserial(self, tmp_path: Path) -> None:
        namesake = package(tmp_path, "serial")
        said = said_in_a_process("print(installation.serial_library().what)", tmp_path)
        assert said == f"`serial` comes from {namesake}, not from pyserial\n"

    def test_a_fork_of_pyserial_beside_it(self, tmp_path: Path) -> None:
        distribution(tmp_path, "pyserial-fork", [package(tmp_path, "serial")])
        said = said_in_a_process("f = installation.serial_library(); print(f.what, f.remedy)", tmp_path)
        assert said.startswith("`serial` is brought by pyserial-fork Uninstall pyserial-fork, then reinstall pyserial")

    @pytest.mark.parametrize(
        ("version", "level"),
        [("3.51.3.0", "ok"), ("3.54.1.0", "ok"), ("3.51.2.0", "problem"), ("3.9.0.0", "problem"), (None, "problem")],
    )
    def test_the_database_must_keep_commits(self, version: str | None, level: str) -> None:
        assert installation.database(version).level == level

    @pytest.mark.parametrize(
        ("name", "level"),
        [
            ("utf-8", "ok"),
            ("UTF8", "ok"),
            ("ascii", "warning"),
            ("iso-8859-1", "warning"),
            (None, "warning"),
            ("?", "warning"),
        ],
    )
    def test_the_terminal_should_show_articles(self, name: str | None, level: str) -> None:
        assert installation.encoding(name).level == level


class TestClock:
    @pytest.mark.parametrize(("year", "level"), [(1970, "problem"), (2024, "problem"), (2026, "ok"), (2106, "problem")])
    def test_a_clock_that_was_never_set(self, year: int, level: str) -> None:
        assert clock.year(datetime(year, 2, 3, tzinfo=UTC)).level == level

    @pytest.mark.parametrize(("known", "level"), [(True, "ok"), (False, "warning"), (None, "warning")])
    def test_a_time_server_should_keep_it(self, known: bool | None, level: str) -> None:
        assert clock.synchronisation(known).level == level

    def test_the_kernel_is_asked(self) -> None:
        assert clock.synchronised() in {True, False, None}

    def test_a_computer_that_sleeps_hears_nothing(self) -> None:
        assert clock.sleep(0.01).level == "ok"
        assert "slept for 90 s" in clock.sleep(90.2).what


class TestDisk:
    @pytest.mark.parametrize(
        ("free", "level"),
        [
            (LOW_BYTES - 1, "problem"),
            (LOW_BYTES, "problem"),
            (BEGIN_BYTES - 1, "problem"),
            (BEGIN_BYTES, "warning"),
            (500 * MIB, "warning"),
            (2048 * MIB, "ok"),
            (0, "problem"),
        ],
    )
    def test_room(self, free: int, level: str) -> None:
        assert disk.room(free).level == level

    def test_where_a_log_cannot_be_begun_it_says_what_that_needs(self) -> None:
        assert disk.room(40 * MIB).what == "40 MiB free: a table begins a log with 42 MiB or more"

    def test_how_far_it_goes_is_said(self) -> None:
        assert disk.room(500 * MIB).what == "500 MiB free, enough for about 58 shoe games"  # (500 - 32) / 8

    def test_what_a_folder_lies_on(self) -> None:
        assert disk.file_system(Path("/proc/self")) == "proc"
        assert disk.file_system(Path("/")) not in {None, "proc"}

    @pytest.mark.parametrize(
        ("name", "levels"), [("tmpfs", ["warning"]), ("nfs4", ["warning"]), ("ext4", []), (None, [])]
    )
    def test_memory_and_network_are_no_place(self, name: str | None, levels: list[str]) -> None:
        assert [finding.level.value for finding in disk.kind(name)] == levels


class TestPermissions:
    def forbidden(self, path: Path, group_may: int, candidates: tuple[PortCandidate, ...] = ()) -> Finding:
        path.write_text("")
        path.chmod(0o600 | group_may)
        return unreachable("device shoe", str(path), str(path), PermissionError(13, "Permission denied"), candidates)

    def test_a_group_that_may_open_it_is_to_be_joined(self, tmp_path: Path) -> None:
        found = self.forbidden(tmp_path / "shoe", 0o060)
        assert (found.level, found.exit_code) == (Level.PROBLEM, 5)
        assert "permission denied" in found.what
        assert "sudo usermod -aG " in found.remedy

    def test_where_no_group_may_the_udev_rule_has_the_adapter_s_numbers(self, tmp_path: Path) -> None:
        path = tmp_path / "ttyUSB0"
        adapter = PortCandidate(device=str(path), vid=0x0403, pid=0x6001)
        found = self.forbidden(path, 0, (adapter,))
        assert 'ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6001"' in found.remedy
        assert "dialout" in found.remedy


class TestLadder:
    def test_not_open_yet(self) -> None:
        found = judged("device shoe", LinkHealth(), 1.0)
        assert (found.level, found.exit_code) == (Level.PROBLEM, 5)
        assert found.remedy == "Listen longer than 1 s."

    def test_gone(self) -> None:
        health = LinkHealth()
        health.lost(PortMissing("shoe", "nothing there", "Plug it in."))
        found = judged("device shoe", health, 1.0)
        assert (found.what, found.remedy) == ("shoe: nothing there", "Plug it in.")

    def test_repeats_alone_are_heard(self) -> None:
        health = LinkHealth()
        health.opened(0)
        health.received(10, 1.0)
        health.reply(expected=False)
        assert judged("device shoe", health, 1.0).level == Level.OK


def test_a_missing_device_counts_more_than_a_broken_journal_and_that_more_than_the_rest() -> None:
    device, journal = problem("a", "b", "c", Exit.DEVICE), problem("a", "b", "c", Exit.JOURNAL)
    other, harmless = problem("a", "b", "c"), [fine("a", "b"), warning("a", "b", "c")]
    assert exit_code([*harmless, other, journal, device]) == Exit.DEVICE
    assert exit_code([other, journal]) == Exit.JOURNAL
    assert exit_code([*harmless, other]) == Exit.FAILURE
    assert exit_code(harmless) == Exit.OK
