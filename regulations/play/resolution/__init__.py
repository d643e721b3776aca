"""Resolution of irregularities: an open one blocks requests until a person resolves it."""
