"""The schema of the database as numbered steps, ``NNNN_NAME.sql``; each is carried out once, in one transaction."""
