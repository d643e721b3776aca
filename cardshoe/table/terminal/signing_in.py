"""``login``, ``logout`` and ``enrol`` at the terminal."""

import threading
from collections.abc import Callable
from typing import Final

from cardshoe.persons.lockout import TERMINAL
from cardshoe.persons.refusal import AccessRefusal
from cardshoe.persons.sessions import SignInPlace
from cardshoe.process.free_text import terminal_text
from cardshoe.table.staff_service import Persons

LOOK_S: Final = 20.0
AT: Final = SignInPlace("terminal")
NO_PERSONS: Final = "this table has no persons: name their file, [persons] file, in its configuration"
COMMANDS: Final = ("login", "logout", "enrol")


class SigningIn:
    """Sign-in at the keyboard; ``persons`` ``None``: no staff."""

    def __init__(
        self, persons: Persons | None, say: Callable[[str], object], hide: Callable[[str | None], object]
    ) -> None:
        self._persons: Final = persons
        self._say: Final = say
        self._hide: Final = hide
        self._waiting: list[str] = []
        self._typed: list[str] = []
        self._then: Callable[[list[str]], object] = lambda _: None
        self._done = ""

    @property
    def is_asking(self) -> bool:
        return bool(self._waiting)

    def begin(self, command: str, rest: str) -> None:
        """Begin a command."""
        persons = self._persons
        if persons is None:
            self._say(NO_PERSONS)
        elif command == "logout":
            refusal = persons.sign_out_of_terminal(rest)
            self._say("signed out" if refusal is None else f"not taken: {refusal}")
        elif not rest or " " in rest:
            self._say(f"type `{command} ID`; the PIN is asked for in a line of its own")
        elif command == "login":
            self._ask([f"PIN of {rest}: "], lambda typed: persons.sign_in(AT, rest, typed[0], TERMINAL), "")
        else:
            prompts = ["one-time code of this table: ", f"a PIN for {rest}: ", "the PIN again: "]
            self._ask(prompts, lambda typed: _enrolled(persons, rest, typed), f"{rest} is a supervisor: `login {rest}`")

    def take(self, line: str) -> None:
        """Accept a secret; an empty one cancels."""
        self._typed.append(line)
        del self._waiting[0]
        if not line:
            self._waiting = []
            self._hide(None)
            self._say("nothing was typed; no one was signed in")
        elif self._waiting:
            self._hide(self._waiting[0])
        else:
            self._hide(None)
            self._look()

    def _ask(self, prompts: list[str], then: Callable[[list[str]], object], done: str) -> None:
        self._waiting, self._typed, self._then, self._done = prompts, [], then, done
        self._hide(prompts[0])

    def _look(self) -> None:
        persons, then, typed, done = self._persons, self._then, self._typed, self._done
        self._typed = []
        answered = threading.Event()

        def answer(came: object) -> None:
            if isinstance(came, AccessRefusal):
                self._say(f"not taken: {terminal_text(str(came))}")
            elif done:
                self._say(done)
            answered.set()

        if persons is not None:
            persons.later(lambda: then(typed), answer)
            answered.wait(LOOK_S)


def _enrolled(persons: Persons, person: str, typed: list[str]) -> object:
    code, pin, again = typed
    if pin != again:
        return AccessRefusal(code="bad_pin", reason="the two PINs differ", remedy="Begin again.")
    return persons.enrol(person, pin, code, TERMINAL)
