"""Numbers and vectors by chance, the same for a seed on every machine."""

import math
import random


def rounded(value, digits=4):
    return float(f"{value:.{digits}g}")


class Chance:
    """Numbers from random.Random.random() alone, which is the same in every version of Python."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def __call__(self, probability):
        return self._random.random() < probability

    def between(self, low, high):
        return low + (high - low) * self._random.random()

    def log(self, low, high):
        return rounded(math.exp(self.between(math.log(low), math.log(high))))

    def whole(self, low, high):
        return min(high, low + int((high - low + 1) * self._random.random()))

    def one_of(self, *choices):
        return choices[self.whole(0, len(choices) - 1)]

    def weighted(self, **weights):
        left = self._random.random() * sum(weights.values())
        for name, weight in weights.items():
            left -= weight
            if left < 0:
                return name
        return name

    def direction(self):
        z, turn = self.between(-1, 1), self.between(0, 2 * math.pi)
        across = math.sqrt(1 - z * z)
        return [across * math.cos(turn), across * math.sin(turn), z]


# ---- vectors -----------------------------------------------------------------------------------------------------------
def plus(a, b, scale=1.0):
    return [x + scale * y for x, y in zip(a, b)]


def times(scale, a):
    return [scale * x for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    size = math.sqrt(sum(x * x for x in a))
    return [x / size for x in a]


def across(a):
    """A direction at right angles to a."""
    return unit(cross(a, [0, 0, 1] if abs(a[2]) < 0.9 * math.sqrt(sum(x * x for x in a)) else [1, 0, 0]))


def vector(a):
    return [rounded(x, 8) + 0.0 for x in a]
