"""Fails, to show that a failure inside is one outside."""

from tests.kernel.guest.telling import tell

if __name__ == "__main__":
    tell("it said this", 1)
    tell("too much", 1 // 0)
