"""The table log: writing, sealing, signing, verifying, resuming, importing."""
