"""Tests of casino war by 74/2005."""
