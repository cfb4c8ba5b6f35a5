#!/usr/bin/python3
"""Makes reference.json: the tip of a heavy ribbon in its plane. Run it without arguments.

soft   lies flat, load number 4 about its soft axis
edge   the same ribbon on edge: load number 1/4 about its stiff axis
stiff  longer, on edge: load number 4 about its stiff axis
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))
import heavy_cantilever  # noqa: E402

WIDTH, THICKNESS = 20e-3, 5e-3
YOUNG, POISSON, DENSITY, GRAVITY = 1e6, 0.5, 1300.0, 9.81


def rod(load_number, depth, breadth):
    """A ribbon whose section is `depth` high along gravity and `breadth` wide across it."""
    area = depth * breadth
    return heavy_cantilever.with_load_number(
        load_number,
        weight_per_length=DENSITY * GRAVITY * area,
        EA=YOUNG * area,
        GA=YOUNG / (2 * (1 + POISSON)) * area,
        EI=YOUNG * breadth * depth**3 / 12,
    )


def main():
    soft = rod(4, depth=THICKNESS, breadth=WIDTH)
    edge = rod(4 * (THICKNESS / WIDTH) ** 2, depth=WIDTH, breadth=THICKNESS)
    stiff = rod(4, depth=WIDTH, breadth=THICKNESS)
    assert edge.length == soft.length
    rods = {"soft": soft, "edge": edge, "stiff": stiff}
    heavy_cantilever.write(__file__, {name: heavy_cantilever.reference(rod) for name, rod in rods.items()})


if __name__ == "__main__":
    main()
