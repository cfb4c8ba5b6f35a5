#!/usr/bin/python3
"""Makes reference.json: two heavy cords from pins at one height, joined by a spring between their ends. Run it without arguments.

A planar rod that stretches and shears, as in ../hanging-rod/reference.py. All of it is symmetric about the middle of the spring, which
hangs level and has no weight: so half of it is solved, from the end of a cord at the spring (s = 0) to its pin (s = l), x from the middle
to the pin and z up. With the section's angle theta from +x to +z, t = (cos theta, sin theta), n = (-sin theta, cos theta) and the weight
per length w:

    force     N(s) = (H, w s)                       what the part beyond s pulls with; H is unknown
    strains   eps = N.t / EA,  gamma = N.n / GA
    shape     r' = (1 + eps) t + gamma n
    moment    M' = -(r' x N),  theta' = M / EI
    ends      x(0) = (rest length + H/k)/2, z(0) = 0, M(0) = 0;  x(l) = d/2, M(l) = 0

Forces are divided by w times a metre.
"""

import json
import math
import pathlib

import numpy
from scipy.integrate import solve_bvp

RADIUS, YOUNG, POISSON, DENSITY, GRAVITY = 0.003, 1e6, 0.5, 1300.0, 9.81
LENGTH, DISTANCE = 0.45, 0.8  # m: of a cord, of the pins
STIFFNESS, REST = 4.0, 0.05  # N/m, m: of the spring


def solve():
    area = math.pi * RADIUS**2
    weight = DENSITY * GRAVITY * area
    EA, GA = YOUNG * area / weight, YOUNG / (2 * (1 + POISSON)) * area / weight
    EI = YOUNG * math.pi * RADIUS**4 / 4 / weight

    def derivative(s, y, p):
        _, _, theta, moment = y
        pull_x, pull_z = p[0], s
        eps = (pull_x * numpy.cos(theta) + pull_z * numpy.sin(theta)) / EA
        gamma = (-pull_x * numpy.sin(theta) + pull_z * numpy.cos(theta)) / GA
        x_slope = (1 + eps) * numpy.cos(theta) - gamma * numpy.sin(theta)
        z_slope = (1 + eps) * numpy.sin(theta) + gamma * numpy.cos(theta)
        return numpy.vstack([x_slope, z_slope, moment / EI, z_slope * pull_x - x_slope * pull_z])

    def ends(spring, pin, p):
        return numpy.array([spring[0] - (REST + p[0] * weight / STIFFNESS) / 2, spring[1], spring[3],
                            pin[0] - DISTANCE / 2, pin[3]])

    mesh = numpy.linspace(0, LENGTH, 401)
    guess = numpy.vstack([0.03 + 0.82 * mesh, 0.55 * mesh, 0.58 + 0 * mesh, 0 * mesh])
    solution = solve_bvp(derivative, ends, mesh, guess, p=[0.3], tol=1e-10, max_nodes=200_000)
    if not solution.success:
        raise RuntimeError(solution.message)
    return -float(solution.y[1, -1]), float(solution.p[0]) * weight


def main():
    sag, pull = solve()
    path = pathlib.Path(__file__).with_name("reference.json")
    path.write_text(json.dumps({"sag_m": round(sag, 9), "pull_N": round(pull, 9)}, indent=2) + "\n")
    print(f"wrote {path}: sag {sag:.9f} m, the spring pulls with {pull:.9f} N")


if __name__ == "__main__":
    main()
