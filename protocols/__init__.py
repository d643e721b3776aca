"""Convert bytes to messages and back, one folder per device family. Pure."""
