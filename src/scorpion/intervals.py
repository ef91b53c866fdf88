"""How sure a counted share is."""

import math
from statistics import NormalDist


def wilson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a share, of which ``successes`` of ``trials`` were seen.

    It holds for shares near 0 and 1 too, and is (0, 1) for no trials. E. B. Wilson,
    "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    """
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / trials
    middle = share + z * z / (2 * trials)
    half = z * math.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    scale = 1 + z * z / trials
    # At the ends the formula is exactly 0 and 1, but for rounding.
    low = 0.0 if successes == 0 else (middle - half) / scale
    high = 1.0 if successes == trials else (middle + half) / scale
    return low, high
