"""Bytes to messages and back, one folder per device family. Pure: no port, no clock, no thread, no randomness.

Pages below ``docs/protocols/`` hold the byte tables and are normative. Every decoder has ``feed(data)``: any chunking
of the same bytes gives the same messages, the buffer is bounded, no input raises, and skipped bytes are returned as
:class:`protocols.garbage.Garbage` and counted.
"""
