"""What every room stands on: arguments, optional packages, progress, printable text. No word about games."""
