"""Random scenes as a careful user would write them: `tame(seed)` is one, always the same for a seed.

Everything is sized by what bends: with EI of the rod and L the length of the whole, a force is some EI/L², a moment some EI/L, a
line load some EI/L³, a stiffness some EI/L³; a time is some part of T, the period of the lowest bending or swinging. SI units.
"""

import math

import kinds
import loads
import obstacles
import supports
from chance import Chance, plus, rounded, times, vector
from shapes import Rod, curve, fine_enough, rest_of
from stuff import Stuff

G = 9.81
WEIGHTS = {"cantilever": 6, "bridge": 5, "hanging": 2, "flying": 2, "ring": 4, "star": 3, "ladder": 2, "chain": 2, "hair": 2}
MEETING = {"pile": 5, "drape": 5, "crossing": 5, "wound": 4}  # kinds in which rods meet
LOOSE = ("flying", "pile", "drape")  # what nothing holds comes to no rest that is its own


class Scene:
    def __init__(self, seed, method=None, integrator=None):
        self.seed = seed
        self.chance = chance = Chance(seed)
        self.settles = seed % 4 == 3
        self.rods, self.joints, self.supports, self.loads, self.links = [], [], [], [], []
        self.files = {}  # beside the scene: name, text
        self.held = set()  # places
        self.stuff = stuff = Stuff(chance)
        self.gravity = 0 if chance(0.2) else G
        # As long as its weight bends it by this much, or as is usual for a rod of its thickness.
        weight = chance.log(0.01, 1000)
        own = max(stuff.mass * G, 1e-30)
        self.length = rounded(max(15 * stuff.radius, min(stuff.radius * chance.log(25, 500), (weight * stuff.EI / own) ** (1 / 3))))
        self.weight = own * self.length**3 / stuff.EI if self.gravity else 0
        self.origin = [0, 0, 0] if chance(0.7) else vector(times(self.length * chance.between(0, 3), chance.direction()))
        self.meeting = obstacles.chance_of(seed, method)
        self.obstacles, self.contact = [], {}
        self.given_thickness = bool(self.meeting and self.meeting(0.2))
        self.thickness = rounded(2 * stuff.radius * (self.meeting.between(0.6, 1.5) if self.given_thickness else 1), 6)
        # What may begin that much nearer than it touches: rods each other, and loose ones obstacles.
        self.nearer = rounded(self.meeting.between(0.6, 1)) if self.meeting and self.meeting(0.15) else 1
        weights = WEIGHTS | (MEETING if self.meeting else {})
        self.kind = chance.weighted(**weights | (dict.fromkeys(LOOSE, 0) if self.settles else {}))
        getattr(kinds, self.kind)(self)
        self.bending = 1.79 * self.length**2 * math.sqrt(stuff.mass / stuff.EI)  # s, period of a cantilever
        swing = 2 * math.pi * math.sqrt(self.length / G)
        self.period = min(self.bending, swing) if self.gravity else self.bending
        self.put_time()
        loads.put_gravity(self)
        loads.put_links(self)
        loads.put_loads(self)
        supports.put_motions(self)
        self.put_method(method or ("newton" if self.meeting else None), integrator)
        if self.meeting:
            obstacles.put_all(self, self.meeting)

    # -- sizes
    def force(self, low, high):
        return rounded(self.chance.log(low, high) * self.stuff.EI / self.length**2)

    def moment(self, low, high):
        return rounded(self.chance.log(low, high) * self.stuff.EI / self.length)

    def line_load(self, low, high):
        return rounded(self.chance.log(low, high) * self.stuff.EI / self.length**3)

    # -- rods
    def add_rod(self, name, shape, length, turning, ends=None, plain=False, segments=None, closed=False):
        chance, points = self.chance, None
        if "polyline" in shape and name == "rod" and chance(0.3):
            points = shape["polyline"]["points"]
            self.files["line.obj"] = "".join("v {} {} {}\n".format(*p) for p in points)
            shape = {"obj": "line.obj"}
        entry = {"section": "own", "centreline": shape}
        if self.stuff.material:
            entry["material"] = "own"
        if closed:
            entry["closed"] = True
        entry["segments"] = segments or fine_enough(chance, turning, self.weight)
        rest = None if plain else rest_of(chance, length, turning, shape)
        if rest:
            entry["rest"] = rest
        if not plain and chance(0.15):
            entry["initial_twist"] = rounded(chance.between(-2, 2) * math.pi)
        if not plain and chance(0.1) and "curvature" not in (rest or {}):
            entry["rest_twist"] = rounded(chance.between(-1, 1) * math.pi)
        if chance(0.12) and self.stuff.material:
            entry["taper"] = [[0, 1], [1, rounded(chance.between(0.5, 1))]]
        rod = Rod(name, entry, length, turning, *(ends or (None, None)))
        rod.points = points
        self.rods.append(rod)
        return rod

    def any_rod(self, name="rod", at=None, length=None):
        shape, turning, ends = curve(self.chance, length or self.length, at or self.origin)
        return self.add_rod(name, shape, length or self.length, turning, ends)

    def straight_rod(self, name, start, end, segments=None):
        length = math.dist(start, end)
        return self.add_rod(name, {"line": {"from": vector(start), "to": vector(end)}}, length, 0, (start, end), True, segments)

    def clamp(self, place, **keys):
        self.held.add(place)
        self.supports.append({"clamp": place, **keys})

    def pin(self, place, **keys):
        self.held.add(place)
        self.supports.append({"pin": place, **keys})

    # -- all else
    def put_time(self):
        chance = self.chance
        nice = self.period / chance.log(5, 500)
        if chance(0.25) and 0.1 < self.period / 1e-3 < 3e4:
            nice = 1e-3
        if self.meeting:  # where things fall on each other, they are followed more closely
            nice = min(nice, self.period / 30)
        self.dt = rounded(nice, 1 if chance(0.5) else 3)
        self.steps = chance.whole(40, 120)
        self.until = rounded(self.dt * self.steps, 12)

    def put_method(self, method, integrator):
        chance = self.chance
        drawn = chance.weighted(newton=6, pd=4), chance.weighted(euler=1, midpoint=1)
        self.method = method or drawn[0]
        self.integrator = "euler" if self.method == "pd" else integrator or drawn[1]
        if self.integrator == "midpoint":
            self.settles = False  # which takes euler always
        self.solver = {"method": self.method, "integrator": self.integrator}
        if chance(0.15):
            self.solver["tolerance"] = chance.one_of(1e-4, 1e-5, 1e-7, 1e-8)
        if chance(0.2):
            self.solver["pd"] = {"iterations": chance.one_of(5, 20, 50)}
        self.adaptive, self.tolerance = chance(0.05), chance(0.05)
        self.formats = ["vtk", "usd", "obj", "html"] if chance(0.2) else []

    def scene(self):
        chance = self.chance
        time = {"dt": self.dt, "until": self.until}
        if self.adaptive:
            time["adaptive"] = True
        if self.tolerance and self.method == "newton" and not self.meeting:  # every blow would be followed in 1/1024 of a step
            time["tolerance"] = 1e-2 if self.integrator == "midpoint" else 1e-3  # what rings is as fast as steps can be
        probes = [{"name": f"p{i}", "at": rod.place(chance), "fields": ["position", "tension", "moment", "curvature", "twist"]}
                  for i, rod in enumerate(self.rods[:2])]
        output = {"probes": probes, "picture": {"view": chance.one_of("xz", "xy", "yz", "iso"),
                                                "color": chance.one_of("none", "tension", "curvature", "twist", "speed")}}
        if self.formats:
            output |= {"formats": self.formats, "frame_interval": rounded(self.until / (20 if self.meeting else 5))}
        out = {"writhe": 1, "title": f"random {self.kind}, seed {self.seed}"}
        out["gravity"] = self.gravity_entry
        if self.stuff.material:
            out["materials"] = {"own": self.stuff.material}
        out["sections"] = {"own": self.stuff.section}
        out["rods"] = {rod.name: rod.entry for rod in self.rods}
        for key in ("joints", "supports", "loads", "links", "obstacles", "contact", "damping"):
            if getattr(self, key):
                out[key] = getattr(self, key)
        return out | {"time": time, "solver": self.solver, "output": output}


def tame(seed, method=None, integrator=None):
    """The scene of a seed, the files that it names, and whether it can come to rest."""
    made = Scene(seed, method, integrator)
    return made.scene(), made.files, made.settles
