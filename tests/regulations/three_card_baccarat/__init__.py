"""Tests of three-card baccarat by 22/96/M with 219/96/M."""
