from . import dieharder as dieharder
from .avalanches import Avalanche as Avalanche, avalanche as avalanche
from .bias import Bias as Bias, bias_table as bias_table
from .corrections import holm as holm
from .fitting import (
    BucketsFit as BucketsFit,
    UniformFit as UniformFit,
    fit_buckets as fit_buckets,
    fit_uniform as fit_uniform,
)
from .planning import Power as Power, power as power, rounds_needed as rounds_needed
from .report import (
    FairnessReport as FairnessReport,
    FairnessTest as FairnessTest,
    fairness_report as fairness_report,
)
