"""Check commit messages: subject up to 72 characters, then a body."""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MOST_SIGNS = 72
MAINS = ("origin/main", "main")
_NO_IMPERATIVES = ("added", "adds", "adding", "fixed", "fixes", "fixing", "changed", "changes", "changing", "removed",
                   "removes", "removing", "updated", "updates", "updating")  # fmt: skip


def problems(message: str) -> Iterator[str]:
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    subject, *rest = lines or [""]
    if not subject:
        yield "the message is empty: say what the commit does, in the imperative"
        return
    if len(subject) > MOST_SIGNS:
        yield f"the subject has {len(subject)} signs, at most {MOST_SIGNS}: move the rest into the body"
    if not subject[0].isupper():
        yield f"the subject begins with {subject[0]!r}: begin with a capital"
    if subject.endswith("."):
        yield "the subject ends with a full stop: leave it out"
    if subject.split()[0].lower() in _NO_IMPERATIVES:
        yield f"the subject begins with {subject.split()[0]!r}: use the imperative, as in a command"
    if rest and rest[0]:
        yield "the second line is not empty: a subject is one line"
    if not any(line.strip() for line in rest[1:]):
        yield "there is no body: say why, after an empty line"


def commits(root: Path) -> list[str]:
    head = _git(root, "rev-parse", "HEAD").strip()
    base = next((found for name in MAINS if (found := _git(root, "merge-base", "HEAD", name).strip())), head)
    asked = [f"{base}..HEAD"] if base != head else ["-1", "HEAD"]
    return _git(root, "rev-list", "--no-merges", *asked).split()


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--message", type=Path, help="a file with one message, as git gives it to its hook")
    options = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    if options.message is not None:
        named = {"the message": options.message.read_text(encoding="utf-8")}
    else:
        found = commits(root)
        named = {commit[:9]: _git(root, "log", "-1", "--format=%B", commit) for commit in found}
    wrong = [f"{name}: {problem}" for name, message in named.items() for problem in problems(message)]
    print("\n".join(wrong) if wrong else f"{len(named)} messages are good")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
