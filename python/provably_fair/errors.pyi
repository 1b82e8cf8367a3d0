from ._core.errors import ArgumentError as ArgumentError, BadType as BadType, BadValue as BadValue
from .games.draws import EndlessRoundError as EndlessRoundError
from .games.laws import UnlistedLawError as UnlistedLawError
from .monitoring.duplicates import DuplicateBatch as DuplicateBatch
from .seeds.chains import UnreachedHashError as UnreachedHashError
from .sources.source import LogError as LogError, MissingColumnError as MissingColumnError
from .verification.report import VerificationError as VerificationError
