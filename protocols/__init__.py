"""Convert bytes to messages and back, one folder per device family. Pure.

Pages below ``docs/protocols/`` are normative. Every decoder has ``feed(data)``: any chunking of the same bytes gives
the same messages, the buffer is bounded, no input raises, and skipped bytes are returned as
:class:`protocols.garbage.Garbage` and counted.
"""
