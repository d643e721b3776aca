"""The tamper campaign: what somebody who has the file can do to a journal, and whether both verifiers name it."""
