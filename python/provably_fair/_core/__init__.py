"""What every room uses: arguments, optional packages, progress, printable text, drawing.

Nothing here knows what is played.
"""
