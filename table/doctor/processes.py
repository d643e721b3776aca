"""Which of our commands another process is: a running table holds its port and its journal, as it should."""

from pathlib import Path


def role_of(pid: int) -> str | None:
    """The command of a cardshoe process, ``run`` or ``sim``; ``None`` if it is another program's.

    Args:
        pid: its process id.
    """
    try:
        raw = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended, or there is no /proc
        return None
    words = [word.decode(errors="replace") for word in raw.split(b"\0")]
    for index, word in enumerate(words):
        if Path(word).name == "cardshoe":
            return next((after for after in words[index + 1 :] if after and not after.startswith("-")), "")
    return None
