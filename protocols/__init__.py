"""Bytes to messages and back, one folder per device family. Pure: no port, no clock, no thread, no randomness."""
