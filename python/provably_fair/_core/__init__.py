"""What every room stands on: arguments, optional packages, progress, printable text, drawing.

Nothing here knows what is played.
"""
