#!/usr/bin/python3
"""Makes reference.json: the inextensible strip between two clamps that are brought together, by their approach over its length. Run it
without arguments.

Its inflections lie at a quarter and at three quarters of the length, and what is between them is Euler's strut of half the length
between pins. With K and E, the complete elliptic integrals of modulus k:

    distance of the ends / L = 2E/K - 1,   load / (4 pi^2 EI/L^2) = (2K/pi)^2

(Timoshenko and Gere, Theory of Elastic Stability, ch. 2.)
"""

import json
import math
import pathlib

from scipy.optimize import brentq
from scipy.special import ellipe, ellipk


def load(shortening):
    m = brentq(lambda m: 2 - 2 * ellipe(m) / ellipk(m) - shortening, 0, 0.9, xtol=1e-14)
    return (2 * ellipk(m) / math.pi) ** 2


def main():
    entries = {"load": {str(s): round(float(load(s)), 10) for s in (0.05, 0.1, 0.15, 0.2)}}
    path = pathlib.Path(__file__).with_name("reference.json")
    path.write_text(json.dumps(entries, indent=2) + "\n")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
