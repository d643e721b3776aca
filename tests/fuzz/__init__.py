"""Coverage-guided fuzzing of everything that reads bytes or text from outside: `make fuzz`, `python -m tests.fuzz`."""
