"""The games of Crypto.Games: cards drawn from one SHA-512 of the seeds."""

from . import blackjack, video_poker
from .blackjack import *  # noqa: F403
from .explaining import ByteStep as ByteStep
from .video_poker import *  # noqa: F403

__all__ = ["ByteStep"]
__all__ += blackjack.__all__
__all__ += video_poker.__all__
