"""The bridge between the host and a device's firmware: sessions that turn messages into events, and the interlock."""
