"""Bytes to messages and back, one folder per device family. Pure: no port, no clock, no thread, no randomness.

A family's page under ``docs/protocols/`` holds its byte tables and is normative; the code follows it. Every decoder has
``feed(data)`` with the same contract: any chunking of the same bytes gives the same messages, the buffer is bounded,
nothing is raised on any input, and what was skipped is returned as :class:`protocols.garbage.Garbage` and counted.

Errors form one tree::

    ProtocolError
     +-- FrameError     these bytes are not a frame        (offset, raw, reason)
     +-- EncodeError    this message has no form in bytes  (subject, why)
"""
