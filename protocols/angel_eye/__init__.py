"""The serial protocol of the Angel Eye II-EX baccarat shoe, both directions: ``docs/protocols/angel-eye.md``.

``messages`` (with ``commands``) says what travels, ``layout`` where each bit is, ``framing`` where a frame begins and
ends, ``codec`` turns one frame into one message and back, ``decoder`` finds frames in a stream.
"""
