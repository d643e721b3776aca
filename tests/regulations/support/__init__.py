"""Support for the tests of the law: the notation of cases, profiles, ways to a state, an evaluator of our own."""
