"""Scripts that the Makefile runs: setting up, and checks that no ready-made tool does."""
