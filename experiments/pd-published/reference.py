#!/usr/bin/python3
"""Makes reference.json: the tip of the heavy cantilever of pd-published for bending stiffnesses from 0.9 EI to 2.2 EI. Run it
without arguments.

Two lists, for the two ways to shear: `equal` has GA = EA, as the published weights have it; `nu05` has GA = EA/3, as a material
with Poisson's ratio 0.5 and a shear factor of 1.
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))
import heavy_cantilever  # noqa: E402

LENGTH, RADIUS, YOUNG, DENSITY, GRAVITY = 0.2, 5e-3, 1e6, 1300.0, 9.81
FACTORS = [round(0.90 + 0.05 * k, 2) for k in range(27)]
SHEAR = {"equal": 1.0, "nu05": 1 / 3}

# list and factor: tip x/L as known to four digits from a boundary value problem solved elsewhere
KNOWN = {("equal", 1.0): 0.5040, ("nu05", 1.0): 0.5037, ("equal", 2.0): 0.7185}


def rod(factor, shear):
    area = math.pi * RADIUS**2
    EI = YOUNG * math.pi * RADIUS**4 / 4
    return heavy_cantilever.Cantilever(
        LENGTH, DENSITY * GRAVITY * area, EA=YOUNG * area, GA=shear * YOUNG * area, EI=factor * EI
    )


def main():
    entries = {}
    for name, shear in SHEAR.items():
        entries[name] = []
        for factor in FACTORS:
            entry = heavy_cantilever.reference(rod(factor, shear))
            known = KNOWN.get((name, factor))
            assert known is None or round(entry["tip_x"], 4) == known, (name, factor, entry)
            entries[name].append({"factor": factor, "tip_x": entry["tip_x"], "tip_z": entry["tip_z"]})
    heavy_cantilever.write(__file__, entries)


if __name__ == "__main__":
    main()
