#!/usr/bin/python3
"""Makes reference.json: the tip of an inextensible cantilever under a dead force P at its end. Run it without arguments.

With the slope theta from the clamp's direction to the force, a = sqrt(PL^2/EI) and theta_L the slope at the tip,
EI theta'' = -P cos(theta) integrates to theta'^2 = 2 a^2 (sin theta_L - sin theta) / L^2. With k^2 = (1 + sin theta_L)/2 and
k sin(phi) = sqrt((1 + sin theta)/2), phi from phi0 = asin(1/(k sqrt 2)) at the clamp to pi/2 at the tip:

    a = K(k) - F(phi0, k)                       gives k
    w/L = 1 - 2 (E(k) - E(phi0, k)) / a         deflection along the force
    1 - u/L = 2 k cos(phi0) / a                 u: how far the tip has come back

(Bisshopp and Drucker 1945; Mattiasson 1981 has the table to five digits, against which this is checked.)
"""

import json
import math
import pathlib

from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

# PL^2/EI: w/L and u/L, Mattiasson, Int. J. Numer. Methods Eng. 17 (1981), 145
TABLE = {1: (0.30172, 0.05643), 2: (0.49346, 0.16064), 5: (0.71379, 0.38763), 10: (0.81061, 0.55500)}


def tip(load_number):
    a = math.sqrt(load_number)

    def clamp_angle(m):
        return math.asin(min(1.0, 1 / math.sqrt(2 * m)))

    def excess(m):
        return ellipk(m) - ellipkinc(clamp_angle(m), m) - a

    m = brentq(excess, 0.5 + 1e-13, 1 - 1e-13, xtol=1e-16, rtol=1e-15)  # m = k^2
    phi0 = clamp_angle(m)
    w = 1 - 2 * (ellipe(m) - ellipeinc(phi0, m)) / a
    u = 1 - 2 * math.sqrt(m) * math.cos(phi0) / a
    return w, u


def main():
    entries = {}
    for load_number, (w_table, u_table) in TABLE.items():
        w, u = tip(load_number)
        assert abs(w - w_table) < 6e-6 and abs(u - u_table) < 6e-6, (load_number, w, u)
        entries[str(load_number)] = {"w": round(w, 11), "u": round(u, 11)}
    path = pathlib.Path(__file__).with_name("reference.json")
    path.write_text(json.dumps(entries, indent=2) + "\n")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
