"""Slow oracles in plain Python, one for each system. They share no code with the package, and must not."""
