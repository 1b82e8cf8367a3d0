"""Slow oracles in plain Python, one per system. They share no code with the package."""
