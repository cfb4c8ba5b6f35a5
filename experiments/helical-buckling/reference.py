#!/usr/bin/python3
"""Makes reference.json: the localised buckle of a long twisted rod, by its shortening D and end turn R. Run it without arguments.

With the torque m = ML/B and the tension t = TL^2/B (van der Heijden and Thompson, Nonlinear Dynamics 21, 2000):

    D/L = sqrt((16/t) (1 - m^2/4t)),   R = (B/C) m + 4 arccos(m / 2 sqrt(t)),   cos(phi_max) = m^2/2t - 1

phi is the angle between the tangent and the line through the clamps. With a = arccos(m / 2 sqrt(t)), phi_max = 2a and the first two
become one equation for a.
"""

import json
import math
import pathlib

from scipy.optimize import brentq

# bending and twisting stiffness (N m^2), length, shortening (m), end turn (rad): Bergou and others 2008, Fig. 7
B, C, L, D, R = 1.345, 0.789, 9.29, 0.3, 27 * 2 * math.pi


def root_tension(a):
    return 4 * math.sin(a) * L / D


def torque(a):
    return 2 * root_tension(a) * math.cos(a)


def main():
    a = brentq(lambda a: B / C * torque(a) + 4 * a - R, 1e-3, math.pi / 4, xtol=1e-14)
    assert abs(2 * a - 0.919) < 6e-4  # the paper's number
    entries = {"phi_max": 2 * a, "tension": root_tension(a) ** 2, "torque": torque(a)}
    path = pathlib.Path(__file__).with_name("reference.json")
    path.write_text(json.dumps({key: round(value, 8) for key, value in entries.items()}, indent=2) + "\n")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
