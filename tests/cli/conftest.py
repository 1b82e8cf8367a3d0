"""The command line in this process."""

from __future__ import annotations

import pytest


@pytest.fixture
def command(capfd):
    """Run the command; return exit code, stdout and stderr."""
    from provably_fair.cli import run

    def command(*arguments):
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in err or ", in outcome" in err  # of a game that is the user's own
        return code, out, err

    return command
