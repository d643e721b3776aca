"""The journal's file and its rows."""
