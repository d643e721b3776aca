"""Programs that run inside the machine that ``tests.kernel.uml`` boots. Nothing here is a test by itself."""
