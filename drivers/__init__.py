"""Ports and the devices behind them: the only package in which bytes move."""
