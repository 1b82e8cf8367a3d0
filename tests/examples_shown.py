"""Run examples as pages and docstrings show them, with any version of numpy."""

import doctest
import re

import numpy as np

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_SCALAR = re.compile(r"np\.(?:(True|False)_|(?:u?int|float)\d+\(([^()]*)\)|str_\(([^()]*)\))")


class _Checker(doctest.OutputChecker):
    """Before numpy 2.0 the repr of a scalar has no type."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if np.lib.NumpyVersion(np.__version__) < "2.0.0":
            want = _SCALAR.sub(lambda found: next(filter(None, found.groups())), want)
        return super().check_output(want, got, optionflags)


def runner() -> doctest.DocTestRunner:
    """Return a runner of doctest for such examples."""
    return doctest.DocTestRunner(checker=_Checker(), optionflags=FLAGS)
