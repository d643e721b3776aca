"""Errors of the journal, with attributes and texts for people.

No exception of the database library leaves the package; it is the ``__cause__``.
"""

from pathlib import Path


class JournalError(Exception):
    """Root of this package's errors."""

    def __init__(self, path: Path | str, problem: str, remedy: str) -> None:
        super().__init__(f"{path}: {problem}. {remedy}")
        self.path = path
        self.problem = problem
        self.remedy = remedy

    def advise(self, more: str) -> None:
        """Add a situation's advice to the remedy."""
        self.remedy = f"{self.remedy} {more}"
        self.args = (f"{self.args[0]} {more}",)


class JournalMissing(JournalError):
    def __init__(self, path: Path) -> None:
        super().__init__(path, "no such file", "Check the name and the folder.")


class JournalExists(JournalError):
    """A new journal would overwrite something."""

    def __init__(
        self, path: Path, problem: str, remedy: str = "Choose another name; a journal is never overwritten."
    ) -> None:
        super().__init__(path, problem, remedy)


class JournalBusy(JournalError):
    """Another process has the journal open; ``pid`` ``None``: unknown."""

    def __init__(self, path: Path, pid: int | None) -> None:
        holder = f"process {pid}" if pid is not None else "another process"
        super().__init__(
            path,
            f"in use by {holder}",
            "A journal has one writer, and is read by others only once it is closed. "
            f"See which program that is{f' (ps {pid})' if pid is not None else ''}. A table that plays: leave it; "
            "`cardshoe status` and `cardshoe log --follow` show it, `cardshoe journal backup` gives a copy to read. "
            "Anything else: end it, then try again.",
        )
        self.pid = pid


class NotAJournal(JournalError):
    """Not a journal, or one of another version."""

    def __init__(self, path: Path, problem: str, remedy: str = "Check the name. The file was not changed.") -> None:
        super().__init__(path, problem, remedy)


class JournalBroken(JournalError):
    """The journal is damaged or was altered.

    Attributes:
        entry: first invalid entry; 0: the header; ``None``: elsewhere.
        proved: last signed entry; ``None``: none, or not verified.
    """

    def __init__(
        self,
        path: Path,
        entry: int | None,
        reason: str,
        proved: int | None = None,
        *,
        finding: str = "the journal is broken: ",
        remedy: str | None = None,
    ) -> None:
        where = "" if entry is None else "header: " if entry == 0 else f"entry {entry}: "
        up_to = "" if proved is None else f"; it is proved up to entry {proved}"
        super().__init__(
            path,
            f"{finding}{where}{reason}{up_to}",
            remedy
            or f"Keep {path.name} as it is, and {path.name}-wal if there is one; copy them as evidence, and tell the "
            "supervisor.",
        )
        self.entry = entry
        self.reason = reason
        self.proved = proved


class NotWitnessed(JournalBroken):
    """A witness holds no note of the journal: not verified, and not damage."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path,
            None,
            "the witness holds nothing of this journal: no note was ever sent, or the journal was made again",
            finding="",
            remedy="See first whether it is the witness of this table (a service takes a journal once its first key is "
            "registered: `cardshoe witness trust`). If it is, and knew the journal, keep all files as they are, copy "
            "them as evidence, and tell the supervisor.",
        )


class KeyMissing(JournalError):
    """The signing key is missing: entries can be read, not added."""

    def __init__(self, path: Path, epoch: int, held: list[int], problem: str = "") -> None:
        newer = [other for other in held if other > epoch]
        if newer:
            problem = f"key {newer[-1]} is beside it, and it knows of none after {epoch}: this is an old copy of it"
        super().__init__(
            path,
            f"its key {epoch} is missing: {problem or f'there is no {path.name}-key-{epoch}'}",
            "Bring journal and key back as they were left, both. If that cannot be done, keep all files as evidence, "
            "and tell the supervisor.",
        )
        self.epoch = epoch
        self.held = held


class SettingRefused(JournalError):
    """The database refused a setting on which durability rests."""

    def __init__(self, path: Path, setting: str, wanted: object, found: object) -> None:
        super().__init__(
            path,
            f"setting {setting} must be {wanted}, and {found} is in force",
            "Nothing is recorded under other settings. Put the journal on a local disk and install the locked "
            "version of apsw.",
        )
        self.setting = setting
        self.wanted = wanted
        self.found = found


class WitnessFailed(JournalError):
    """A witness fails or refuses; the journal is unaffected."""

    def __init__(
        self,
        path: Path | str,
        problem: str,
        remedy: str = "Check that its disk or stick is mounted and this user may write to it; a running table then "
        "writes what is missing.",
    ) -> None:
        super().__init__(path, f"the witness {problem}", remedy)


class LinesRefused(JournalError):
    """Defect of the caller; nothing was written."""

    def __init__(self, path: Path, number: int, reason: str) -> None:
        super().__init__(path, f"entry {number} refused: {reason}", "Nothing was written. Report this with the log.")
        self.number = number
        self.reason = reason


class JournalFailed(JournalError):
    """The system failed; this object is unusable, acknowledged entries are safe.

    Attributes:
        last: last durable entry; ``None`` while opening.
    """

    def __init__(self, path: Path, problem: str, remedy: str | None = None, last: int | None = None) -> None:
        kept = "" if last is None else f" The journal is locked. Entries up to {last} are safe."
        super().__init__(
            path,
            problem,
            (remedy or "Check the disk (cardshoe doctor, dmesg) and the file's permissions, then try again.") + kept,
        )
        self.last = last


class JournalFull(JournalFailed):
    def __init__(self, path: Path, last: int | None = None) -> None:
        super().__init__(path, "no space is left on the disk", f"Free space in {path.parent}, then try again.", last)
