#!/usr/bin/python3
"""Makes reference.json: forces and moments at the ends of two planar rods, as boundary value problems. Run it without arguments.

The rod lies in the plane of x and z, its section turned by theta from x towards z; d3 = (cos, sin), d1 = (-sin, cos), d2 = -y. With the force
n = (H, V) and the moment m about d2 that the part after a section exerts on the part before it, w the weight per length and N = n.d3, Q = n.d1
(Reissner's rod: it stretches and shears as the simulated one does),

    r' = (1 + N/EA) d3 + Q/GA d1      theta' = m/EI      m' = r'_z H - r'_x V      H' = 0      V' = w

`hanging`: clamped at the origin along x, pinned at (0.6, 0.1). `loaded`: clamped likewise, a force P downwards at the other end. Both by shooting
from the clamp.
"""

import json
import math
import pathlib

from scipy.integrate import solve_ivp
from scipy.optimize import root

EA, GA = 4.0e6, 4.0e6 / 3  # N; EI = 1 N m^2 and L = 1 m


def shoot(horizontal, vertical, m, weight):
    """x, z, theta, m along the rod from the force (H, V) and the moment at the clamp."""

    def rates(s, y):
        c, t = math.cos(y[2]), math.sin(y[2])
        upwards = vertical + weight * s
        along, across = 1 + (horizontal * c + upwards * t) / EA, (upwards * c - horizontal * t) / GA
        dx, dz = along * c - across * t, along * t + across * c
        return [dx, dz, y[3], dz * horizontal - dx * upwards]

    return solve_ivp(rates, (0, 1), [0, 0, 0, m], method="DOP853", rtol=1e-13, atol=1e-13).y


def solve(misses, start):
    found = root(misses, start, tol=1e-13)
    assert max(abs(miss) for miss in misses(found.x)) < 1e-10, found
    return found.x


def at_end(horizontal, vertical, theta, m):
    c, t = math.cos(theta), math.sin(theta)
    return {"tension": horizontal * c + vertical * t, "shear1": vertical * c - horizontal * t, "moment2": m}


def hanging(weight=50.0):
    """Starts near the branch on which it hangs below both ends: two thirds of the weight on the clamp, which is pushed away."""

    def misses(p):
        end = shoot(*p, weight)[:, -1]
        return [end[0] - 0.6, end[1] - 0.1, end[3]]

    p = solve(misses, [-15, -35, -7])
    y = shoot(*p, weight)
    assert y[1].min() < -0.1 and y[0].max() < 0.75, "it does not hang"
    return {"clamp": at_end(p[0], p[1], 0, p[2]), "pin": at_end(p[0], p[1] + weight, y[2][-1], y[3][-1])}


def loaded(force=5.0, weight=5.0):
    start = [0]
    for part in [0.2, 0.4, 0.6, 0.8, 1]:
        start = solve(lambda p: [shoot(0, -part * (force + weight), p[0], part * weight)[3, -1]], start)
    y = shoot(0, -force - weight, start[0], weight)
    return {"clamp": at_end(0, -force - weight, 0, start[0]), "tip": at_end(0, -force, y[2][-1], y[3][-1])}


def main():
    rounded = {
        name: {end: {key: round(float(value), 9) for key, value in values.items()} for end, values in case.items()}
        for name, case in {"hanging": hanging(), "loaded": loaded()}.items()
    }
    path = pathlib.Path(__file__).with_name("reference.json")
    path.write_text(json.dumps(rounded, indent=2) + "\n")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
