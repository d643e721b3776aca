"""Tests of the house itself: who imports whom, the lock, the Makefile, the rules of style, what counts as a skip."""
