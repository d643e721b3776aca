"""The other four games judged a second time, from their Portuguese texts; nothing here knows ``regulations``."""
