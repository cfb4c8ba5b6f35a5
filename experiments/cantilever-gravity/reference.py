#!/usr/bin/python3
"""Makes reference.json: the tip of a heavy cantilever at load numbers 1, 16 and 256. Run it without arguments."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))
import heavy_cantilever  # noqa: E402

RADIUS, YOUNG, POISSON, DENSITY, GRAVITY = 5e-3, 1e6, 0.5, 1300.0, 9.81

# load number: length (m), tip x/L and z/L as known to six digits; the length follows from the load number
TABLE = {
    1: (0.0788417, 0.991150, -0.124953),
    16: (0.198669, 0.509705, -0.799070),
    256: (0.500613, 0.093691, -0.965710),
}


def rod(load_number):
    area = math.pi * RADIUS**2
    return heavy_cantilever.with_load_number(
        load_number,
        weight_per_length=DENSITY * GRAVITY * area,
        EA=YOUNG * area,
        GA=YOUNG / (2 * (1 + POISSON)) * area,
        EI=YOUNG * math.pi * RADIUS**4 / 4,
    )


def main():
    entries = {}
    for load_number, (length, tip_x, tip_z) in TABLE.items():
        entry = heavy_cantilever.reference(rod(load_number))
        assert float(f"{entry['length_m']:.6g}") == length, (load_number, entry)
        assert round(entry["tip_x"], 6) == tip_x, (load_number, entry)
        assert round(entry["tip_z"], 6) == tip_z, (load_number, entry)
        entries[f"g{load_number}"] = entry
    heavy_cantilever.write(__file__, entries)


if __name__ == "__main__":
    main()
