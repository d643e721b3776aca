"""The tests of the law: cases written from the regulation and the table log, and what walks every state."""
