#!/usr/bin/python3
"""Makes reference.json: an angle of two straight legs under small loads, by beam theory. Run it without arguments.

What a leg does at the point s of its length to the tip r away, when the tip carries the force F and the moment M: it turns by
c_K (r x F + M) and gives way by c_C F a length, c_K and c_C its compliances in space axes. The tip turns with it, and moves by that
turn times r. Summed up over the legs (Simpson's rule, exact for what is a polynomial of second degree) this is Castigliano's
theorem with shear and stretch. A second clamp is a load at the tip that brings it back.
"""

import json
import pathlib

import numpy as np

STRETCH = (1e6 / 3, 1e6 / 3, 1e6)  # GA, GA, EA along d1, d2, d3
BEND = (1.0, 1.5, 2 / 3)  # EI1, EI2, GJ
X, Y, Z = np.eye(3)
# From, to, and the axes d1, d2, d3: d1 across the plane.
LEGS = ((0 * X, X, (Z, np.cross(X, Z), X)), (X, X + Y, (Z, np.cross(Y, Z), Y)))


def lever(r):
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def compliance(read, load, legs):
    """6x6: displacement and turn at `read` by force and moment at `load`, both beyond all of these legs."""
    out = np.zeros((6, 6))
    for start, end, axes in legs:
        length = np.linalg.norm(end - start)
        d = np.stack(axes, 1)
        stretch, bend = d @ np.diag(1 / np.array(STRETCH)) @ d.T, d @ np.diag(1 / np.array(BEND)) @ d.T
        for s, weight in ((0, 1 / 6), (0.5, 4 / 6), (1, 1 / 6)):
            at = start + s * (end - start)
            by_read, by_load = (np.hstack([lever(p - at), np.eye(3)]) for p in (read, load))
            out += weight * length * by_read.T @ bend @ by_load
            out[:3, :3] += weight * length * stretch
    return out


def main():
    tip, middle = X + Y, 0.5 * X
    at_tip = compliance(tip, tip, LEGS)
    half_leg = ((LEGS[0][0], middle, LEGS[0][2]),)
    held = np.linalg.solve(at_tip, -compliance(tip, middle, half_leg)[:, 2])  # by a force along z
    reference = {
        "in_plane": at_tip[0, 0],
        "out_of_plane": at_tip[2, 2],
        "twist": at_tip[3, 2],
        "torque": held[4],
    }
    path = pathlib.Path(__file__).with_name("reference.json")
    path.write_text(json.dumps(reference, indent=2) + "\n")


if __name__ == "__main__":
    main()
