#!/usr/bin/python3
"""Makes reference.json: the sag of a heavy rod between two pins at the same height. Run it without arguments.

A planar rod that stretches and shears. It is symmetric about its middle, so half of it is solved, from the middle (s = 0) to a pin
(s = L/2), x to the pin and z up. With the section's angle theta from +x to +z, t = (cos theta, sin theta), n = (-sin theta, cos theta)
and the weight per length w:

    force     N(s) = (H, w s)                       what the part beyond s pulls with; H is unknown
    strains   eps = N.t / EA,  gamma = N.n / GA
    shape     r' = (1 + eps) t + gamma n
    moment    M' = -(r' x N),  theta' = M / EI
    ends      x(0) = z(0) = theta(0) = 0;  x(L/2) = d/2, M(L/2) = 0

Lengths are in m (L = 1 m), forces are divided by w L. The pins are brought together in steps, each solution the guess of the next.
"""

import json
import math
import pathlib

import numpy
from scipy.integrate import solve_bvp

POISSON, DENSITY, GRAVITY = 0.5, 1300.0, 9.81
DISTANCES_CM = (75, 50, 25, 0)

# (radius mm, Young's modulus MPa): sags (m) at the four distances, as known to six digits
TABLE = {
    (2, 1): (-0.297722, -0.399039, -0.458400, -0.480900),
    (6, 1): (-0.297231, -0.394058, -0.445185, -0.460438),
    (8, 50): (-0.292444, -0.374558, -0.405082, -0.396798),
    (3, 1): (-0.297627, -0.397898, -0.454723, -0.474861),
}


def sags(radius, young):
    """By distance in cm."""
    area = math.pi * radius**2
    weight = DENSITY * GRAVITY * area
    EA, GA = young * area / weight, young / (2 * (1 + POISSON)) * area / weight
    EI = young * math.pi * radius**4 / 4 / weight

    def derivative(s, y, p):
        _, _, theta, moment = y
        pull_x, pull_z = p[0], s
        eps = (pull_x * numpy.cos(theta) + pull_z * numpy.sin(theta)) / EA
        gamma = (-pull_x * numpy.sin(theta) + pull_z * numpy.cos(theta)) / GA
        x_slope = (1 + eps) * numpy.cos(theta) - gamma * numpy.sin(theta)
        z_slope = (1 + eps) * numpy.sin(theta) + gamma * numpy.cos(theta)
        return numpy.vstack([x_slope, z_slope, moment / EI, z_slope * pull_x - x_slope * pull_z])

    mesh = numpy.linspace(0, 0.5, 401)
    # a parabola for the first, tight enough to be near
    values, parameter = numpy.vstack([0.9 * mesh, 0.8 * mesh**2, 1.6 * mesh, 1.6 * EI + 0 * mesh]), [0.5]
    found = {}
    for distance in range(90, -1, -1):
        def ends(middle, pin, p):
            return numpy.array([middle[0], middle[1], middle[2], pin[0] - 0.005 * distance, pin[3]])

        wanted = distance in DISTANCES_CM
        solution = solve_bvp(derivative, ends, mesh, values, p=parameter, tol=1e-10 if wanted else 1e-5, max_nodes=200_000)
        if not solution.success:
            raise RuntimeError(f"r {radius}, E {young}, distance {distance} cm: {solution.message}")
        mesh, values, parameter = solution.x, solution.y, solution.p
        if wanted:
            found[distance] = -float(values[1, -1])
            # from a coarse mesh again, lest the mesh of the strict solution burden all that follow
            mesh = numpy.linspace(0, 0.5, 401)
            values = solution.sol(mesh)
    return found


def main():
    entries = {}
    for (radius_mm, young_mpa), table in TABLE.items():
        found = sags(1e-3 * radius_mm, 1e6 * young_mpa)
        for distance, known in zip(DISTANCES_CM, table):
            assert abs(found[distance] - known) < 6e-7, (radius_mm, young_mpa, distance, found[distance], known)
            entries[f"sag_r{radius_mm}_E{young_mpa}_d{distance}_m"] = round(found[distance], 9)
    path = pathlib.Path(__file__).with_name("reference.json")
    path.write_text(json.dumps(entries, indent=2) + "\n")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
