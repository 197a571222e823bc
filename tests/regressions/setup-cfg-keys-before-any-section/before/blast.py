"""Sends many requests at once."""
