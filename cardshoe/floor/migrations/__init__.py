"""The database schema as numbered steps, ``NNNN_NAME.sql``, each in one transaction."""
