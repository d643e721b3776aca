"""Bytes to messages and back, a folder per device family (``docs/protocols/``).

Each ``feed`` gives the same messages for any chunking, bounds its buffer and never raises.
"""
