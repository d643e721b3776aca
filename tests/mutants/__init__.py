"""Mutants of the law: small mistakes put into `regulations`, each of which the tests marked ``law`` must notice."""
