"""The tools of tests of several packages: a table as process or in this one, its dealer, wires, USB, certificates."""
