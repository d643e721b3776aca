"""Sessions that turn a device's messages into events, and the interlock."""
