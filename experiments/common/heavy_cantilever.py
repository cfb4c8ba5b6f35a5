"""The heavy cantilever as a boundary value problem: where the reference.json of the cantilever experiments comes from.

A planar rod that stretches and shears is clamped along +x at s = 0 and free at s = L; gravity g acts along -z. With the
section's angle theta from +x to +z, the tangent t = (cos theta, sin theta) and the normal n = (-sin theta, cos theta):

    force     N(s) = (0, -rho g A (L - s))          the weight of what lies beyond s
    strains   eps = N.t / EA,  gamma = N.n / GA
    shape     r' = (1 + eps) t + gamma n
    moment    M' = -(r' x N),  theta' = M / EI
    ends      r(0) = 0, theta(0) = 0, M(L) = 0

All lengths below are divided by L, so that three numbers remain: the load number rho g A L^3 / EI, EA L^2 / EI and
GA L^2 / EI. The problem is solved twice, by collocation and by shooting; the two must agree.
"""

import json
import pathlib
from dataclasses import dataclass

import numpy
from scipy.integrate import solve_bvp, solve_ivp
from scipy.optimize import brentq

AGREEMENT = 1e-10  # of the tip by collocation with the tip by shooting, in rod lengths


@dataclass(frozen=True)
class Cantilever:
    """SI units."""

    length: float
    weight_per_length: float
    EA: float
    GA: float
    EI: float

    @property
    def load_number(self):
        return self.weight_per_length * self.length**3 / self.EI

    @property
    def axial(self):
        return self.EA * self.length**2 / self.EI

    @property
    def shear(self):
        return self.GA * self.length**2 / self.EI


def with_load_number(load_number, weight_per_length, EA, GA, EI):
    """The rod of the length at which it has this load number, rounded to 1e-12 m so that the JSON holds it exactly."""
    length = round((load_number * EI / weight_per_length) ** (1 / 3), 12)
    return Cantilever(length, weight_per_length, EA, GA, EI)


def slopes(rod, load, s, theta):
    """x', z' and M' at the places s for the angles theta, dimensionless."""
    down = load * (1 - s)
    eps = -down * numpy.sin(theta) / rod.axial
    gamma = -down * numpy.cos(theta) / rod.shear
    x_slope = (1 + eps) * numpy.cos(theta) - gamma * numpy.sin(theta)
    z_slope = (1 + eps) * numpy.sin(theta) + gamma * numpy.cos(theta)
    return x_slope, z_slope, down * x_slope


def tip_by_collocation(rod):
    """Tip x, z and angle. The load is raised in steps, each solution the guess of the next: the branch that starts from
    the straight rod. (At large load numbers there are others, with the rod curled over the clamp.)"""
    mesh = numpy.linspace(0, 1, 201)
    values = numpy.vstack([mesh, 0 * mesh, 0 * mesh, 0 * mesh])  # x, z, theta, M
    steps = max(2, int(4 * numpy.log2(1 + rod.load_number)))
    for fraction in numpy.geomspace(min(1, 1 / rod.load_number), 1, steps):
        load = rod.load_number * fraction

        def derivative(s, y):
            x_slope, z_slope, moment_slope = slopes(rod, load, s, y[2])
            return numpy.vstack([x_slope, z_slope, y[3], moment_slope])

        def ends(start, end):
            return numpy.array([start[0], start[1], start[2], end[3]])

        tolerance = 1e-11 if fraction == 1 else 1e-6
        solution = solve_bvp(derivative, ends, mesh, values, tol=tolerance, max_nodes=400_000)
        if not solution.success:
            raise RuntimeError(f"load number {load:g}: {solution.message}")
        mesh, values = solution.x, solution.y
    return values[0, -1], values[1, -1], values[2, -1]


def tip_by_shooting(rod, near_angle):
    """Tip x and z. From the tip, where M = 0, with its angle unknown but near the given one; the clamp's angle 0 is met by
    root finding."""

    def derivative(s, y):
        x_slope, z_slope, moment_slope = slopes(rod, rod.load_number, s, y[2])
        return [x_slope, z_slope, y[3], moment_slope]

    def clamp(tip_angle):
        return solve_ivp(derivative, (1, 0), [0, 0, tip_angle, 0], method="DOP853", rtol=1e-13, atol=1e-15).y[:, -1]

    tip_angle = brentq(lambda angle: clamp(angle)[2], near_angle - 1e-6, near_angle + 1e-6, xtol=1e-15, rtol=1e-14)
    x, z = clamp(tip_angle)[:2]
    return -x, -z


def reference(rod):
    """The entry of reference.json for one rod. Raises when the two methods disagree."""
    *collocation, angle = tip_by_collocation(rod)
    shooting = tip_by_shooting(rod, angle)
    difference = float(numpy.hypot(collocation[0] - shooting[0], collocation[1] - shooting[1]))
    if not difference < AGREEMENT:
        raise RuntimeError(f"collocation {collocation} and shooting {shooting} differ by {difference:.1e}")
    return {
        "length_m": rod.length,
        "load_number": round(rod.load_number, 9),
        "tip_x": round(float(shooting[0]), 11),
        "tip_z": round(float(shooting[1]), 11),
    }


def write(script, entries):
    """Writes reference.json next to the script."""
    path = pathlib.Path(script).with_name("reference.json")
    path.write_text(json.dumps(entries, indent=2) + "\n")
    print(f"wrote {path}")
