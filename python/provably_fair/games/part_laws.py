"""Laws from the program of a rule."""


def combined(laws): ...
