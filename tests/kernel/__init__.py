"""Simulated devices on a real Linux: its USB stack, its drivers, its permissions, in a machine that boots for the test.

``uml`` boots it; ``guest`` holds what runs inside. A test is a script in ``guest`` that tells what it saw, and a test
here that says what it should have seen; one boot carries many checks.
"""
