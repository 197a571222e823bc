"""Counts votes."""
