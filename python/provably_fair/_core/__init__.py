"""Helpers for all rooms: arguments, optional packages, progress, printable text, drawing.

Nothing here depends on what is played.
"""
