"""What rods are made of: materials from 0.1 MPa to 200 GPa, radii from 0.2 mm to 2 cm."""

import math

from chance import rounded


class Stuff:
    """A section of a material: the entries of the scene, and its numbers."""

    def __init__(self, chance):
        self.material = self._material(chance)
        radius = chance.log(2e-4, 2e-2)
        kind = chance.weighted(circle=5, tube=2, rectangle=2, ellipse=2, stiffness=2)
        self.radius = radius
        quarter = math.pi / 4
        self.wind = True
        if kind == "circle":
            self.section = {"circle": {"radius": radius}}
            area, i1, i2 = math.pi * radius**2, quarter * radius**4, quarter * radius**4
        elif kind == "tube":
            inner = rounded(radius * chance.between(0.3, 0.9))
            self.section = {"tube": {"outer_radius": radius, "inner_radius": inner}}
            area, i1 = math.pi * (radius**2 - inner**2), quarter * (radius**4 - inner**4)
            i2 = i1
        elif kind == "rectangle":
            width, height = rounded(2 * radius), rounded(2 * radius * chance.log(0.2, 1))
            self.section = {"rectangle": {"width": width, "height": height}}
            area, i1, i2 = width * height, width * height**3 / 12, height * width**3 / 12
        elif kind == "ellipse":
            other = rounded(radius * chance.log(0.2, 1))
            self.section = {"ellipse": {"semi_axis1": radius, "semi_axis2": other}}
            area, i1, i2 = math.pi * radius * other, quarter * radius * other**3, quarter * other * radius**3
        else:
            area, i1 = math.pi * radius**2, quarter * radius**4 * chance.log(0.1, 1)
            i2 = i1 * chance.log(0.3, 3)
        young, density = self.young, self.density
        self.EA, self.EI, self.mass = young * area, young * min(i1, i2), density * area
        if kind == "stiffness":
            self.section = {
                "stiffness": {
                    "EA": rounded(self.EA),
                    "GA": rounded(self.EA * chance.between(0.3, 0.5)),
                    "EI1": rounded(young * i1),
                    "EI2": rounded(young * i2),
                    "GJ": rounded(self.EI * chance.between(0.5, 1.3)),
                    "linear_density": rounded(self.mass),
                    "inertia": [rounded(density * i) for i in (i1, i2, i1 + i2)],
                    "radius": radius,
                }
            }
            self.material = None
        elif chance(0.1):
            self.section["shear_factor"] = rounded(chance.between(0.8, 1))

    def _material(self, chance):
        self.young = chance.log(1e5, 2e11)
        self.density = chance.log(800, 1500) if self.young < 1e10 else chance.log(1500, 9000)
        presets = {"steel": (210e9, 7850), "nylon": (2.7e9, 1140), "silicone": (1.32e6, 1030), "hair": (3.89e9, 1320)}
        if chance(0.15):
            name = chance.one_of(*presets)
            self.young, self.density = presets[name]
            return {"preset": name}
        out = {"young": self.young, "density": self.density}
        if chance(0.8):
            out["poisson"] = rounded(chance.between(0, 0.5))
        else:
            out["shear"] = rounded(self.young * chance.between(0.3, 0.5))
        return out
