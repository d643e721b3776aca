"""What the tests of the law share: the notation of cases, profiles, ways to a state, an evaluator of our own."""
