"""Random scenes as a careful user would write them: `tame(seed)` is one, always the same for a seed.

Everything is sized by what bends: with EI of the rod and L the length of the whole, a force is some EI/L², a moment some EI/L, a
line load some EI/L³, a stiffness some EI/L³; a time is some part of T, the period of the lowest bending or swinging. Materials go
from 0.1 MPa to 200 GPa, radii from 0.2 mm to 2 cm. SI units.
"""

import math
import random

DIRECTIONS = ([1, 0, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [0.6, 0, -0.8], [0.8, 0.6, 0])
G = 9.81


def rounded(value, digits=4):
    return float(f"{value:.{digits}g}")


class Chance:
    """Numbers from random.Random.random() alone, which is the same in every version of Python."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def __call__(self, probability):
        return self._random.random() < probability

    def between(self, low, high):
        return low + (high - low) * self._random.random()

    def log(self, low, high):
        return rounded(math.exp(self.between(math.log(low), math.log(high))))

    def whole(self, low, high):
        return min(high, low + int((high - low + 1) * self._random.random()))

    def one_of(self, *choices):
        return choices[self.whole(0, len(choices) - 1)]

    def weighted(self, **weights):
        left = self._random.random() * sum(weights.values())
        for name, weight in weights.items():
            left -= weight
            if left < 0:
                return name
        return name

    def direction(self):
        z, turn = self.between(-1, 1), self.between(0, 2 * math.pi)
        across = math.sqrt(1 - z * z)
        return [across * math.cos(turn), across * math.sin(turn), z]


# ---- vectors -----------------------------------------------------------------------------------------------------------
def plus(a, b, scale=1.0):
    return [x + scale * y for x, y in zip(a, b)]


def times(scale, a):
    return [scale * x for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    size = math.sqrt(sum(x * x for x in a))
    return [x / size for x in a]


def across(a):
    """A direction at right angles to a."""
    return unit(cross(a, [0, 0, 1] if abs(a[2]) < 0.9 * math.sqrt(sum(x * x for x in a)) else [1, 0, 0]))


def vector(a):
    return [rounded(x, 8) + 0.0 for x in a]


# ---- what a rod is made of ----------------------------------------------------------------------------------------------
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


# ---- a rod --------------------------------------------------------------------------------------------------------------
class Rod:
    """name, the entry of the scene, length (m), how far the curve turns in all (rad), ends of a straight one."""

    def __init__(self, name, entry, length, turning, start=None, end=None):
        self.name, self.entry, self.length, self.turning = name, entry, length, turning
        self.start, self.end = start, end
        self.closed = "ring" in entry["centreline"] or entry.get("closed", False)

    def nodes(self):
        return self.entry["segments"] + (0 if self.closed else 1)

    def place(self, chance):
        if self.closed:
            return f"{self.name}.node[{chance.whole(0, self.nodes() - 1)}]"
        return chance.one_of(f"{self.name}.start", f"{self.name}.end", f"{self.name}.node[{chance.whole(1, self.nodes() - 2)}]")

    def node(self, part):
        last = self.entry["segments"]
        return f"{self.name}.node[{min(int(part * last), last - 1 if self.closed else last)}]"


def fine_enough(chance, turning, weight):
    """Segments: some 15 degrees of a curve each, and a few for the length over which weight bends a slack rod."""
    least = max(8, turning / math.radians(15), 4 * max(weight, 1) ** (1 / 3))
    return min(400, int(least * chance.log(1, 4)) // 4 * 4)


def curve(chance, length, at, radius):
    """A centreline of this length from `at`, how far it turns (rad), and its ends where they are known."""
    along = chance.one_of(*DIRECTIONS) if chance(0.8) else chance.direction()
    along = unit(along)
    side = across(along)
    kind = chance.weighted(line=10, arc=3, helix=2, parabola=2, polyline=3)
    if kind == "line":
        end = plus(at, along, length)
        return {"line": {"from": vector(at), "to": vector(end)}}, 0, (at, end)
    if kind == "arc":
        angle = math.radians(chance.between(10, 270))
        start = times(-1, side)
        # tangent = normal x start is `along`
        normal = cross(start, along)
        r = length / angle
        return (
            {"arc": {"radius": rounded(r, 8), "angle": rounded(angle, 8), "centre": vector(plus(at, side, r)),
                     "normal": vector(normal), "start": vector(start)}},
            angle,
            None,
        )
    if kind == "helix":
        turns = rounded(chance.between(0.5, 5))
        rise = length / turns * chance.between(0.2, 0.9)
        r = math.sqrt((length / turns) ** 2 - rise**2) / (2 * math.pi)
        return (
            {"helix": {"radius": rounded(r, 8), "pitch": rounded(rise, 8), "turns": chance.one_of(1, -1) * turns,
                       "centre": vector(plus(at, side, r)), "axis": vector(along), "start": vector(times(-1, side))}},
            2 * math.pi * turns * (1 - (rise * turns / length) ** 2) ** 0.5,
            None,
        )
    if kind == "parabola":
        end = plus(at, along, 0.95 * length)
        sag = 0.95 * length * chance.between(0.02, 0.2)
        up = vector(side) if abs(along[2]) > 0.5 else [0, 0, 1]
        return {"parabola": {"from": vector(at), "to": vector(end), "sag": rounded(sag), "up": up}}, 8 * sag / length, None
    points, heading, turning = [at], along, 0.0
    pieces = chance.whole(2, 5)
    for _ in range(pieces):
        points.append(plus(points[-1], heading, length / pieces))
        bend = chance.between(0, math.radians(50))
        turning += bend
        turned = unit(plus(times(math.cos(bend), heading), across(heading) if chance(0.5) else cross(heading, across(heading)),
                           math.sin(bend)))
        heading = turned
    return {"polyline": {"points": [vector(p) for p in points]}}, turning, None


def rest_of(chance, length, turning, shape):
    """The rest shape: never so different that the rod would fly apart; None: straight, the default."""
    if turning == 0:
        kind = chance.weighted(straight=6, length=1, as_built=2, arc=2)
        if kind == "straight":
            return None
        if kind == "length":
            return {"straight": {"length": rounded(length * chance.between(0.98, 1.02), 6)}}
        if kind == "as_built":
            return "as_built"
        angle = math.radians(chance.between(5, 120))
        return {"shape": {"arc": {"radius": rounded(length / angle, 8), "angle": rounded(angle, 8)}}}
    if chance(0.6) or turning > math.pi or "polyline" in shape or "obj" in shape:
        return "as_built"
    if chance(0.6):
        return None
    angle = turning * chance.between(0.7, 1.3)
    return {"shape": {"arc": {"radius": rounded(length / angle, 8), "angle": rounded(angle, 8)}}}


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
        kind = chance.weighted(cantilever=6, bridge=5, hanging=2, flying=0 if self.settles else 2, ring=4, star=3, ladder=2,
                               chain=2, hair=2)
        getattr(self, kind)()
        self.kind = kind
        self.bending = 1.79 * self.length**2 * math.sqrt(stuff.mass / stuff.EI)  # s, period of a cantilever
        swing = 2 * math.pi * math.sqrt(self.length / G)
        self.period = min(self.bending, swing) if self.gravity else self.bending
        self.put_time()
        self.put_links()
        self.put_loads()
        self.put_motions()
        self.put_method(method, integrator)

    # -- sizes
    def force(self, low, high):
        return rounded(self.chance.log(low, high) * self.stuff.EI / self.length**2)

    def moment(self, low, high):
        return rounded(self.chance.log(low, high) * self.stuff.EI / self.length)

    def line_load(self, low, high):
        return rounded(self.chance.log(low, high) * self.stuff.EI / self.length**3)

    # -- rods
    def add_rod(self, name, shape, length, turning, ends=None, plain=False, segments=None):
        chance = self.chance
        if "polyline" in shape and name == "rod" and chance(0.3):
            self.files["line.obj"] = "".join("v {} {} {}\n".format(*p) for p in shape["polyline"]["points"])
            shape = {"obj": "line.obj"}
        entry = {"section": "own", "centreline": shape}
        if self.stuff.material:
            entry["material"] = "own"
        entry["segments"] = segments or fine_enough(chance, turning, self.weight)
        rest = None if plain else rest_of(chance, length, turning, shape)
        if rest:
            entry["rest"] = rest
        if not plain and chance(0.15):
            entry["initial_twist"] = rounded(chance.between(-2, 2) * math.pi)
        if not plain and chance(0.1):
            entry["rest_twist"] = rounded(chance.between(-1, 1) * math.pi)
        if chance(0.12) and self.stuff.material:
            entry["taper"] = [[0, 1], [1, rounded(chance.between(0.5, 1))]]
        rod = Rod(name, entry, length, turning, *(ends or (None, None)))
        self.rods.append(rod)
        return rod

    def any_rod(self, name="rod", at=None, length=None):
        shape, turning, ends = curve(self.chance, length or self.length, at or self.origin, self.stuff.radius)
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

    # -- kinds
    def cantilever(self):
        rod = self.any_rod()
        self.clamp(f"{rod.name}.{self.chance.one_of('start', 'end')}")

    def bridge(self):
        rod = self.any_rod()
        self.clamp("rod.start") if self.chance(0.6) else self.pin("rod.start")
        way = self.chance.weighted(clamp=4, pin=3, roller=2)
        if way == "clamp":
            self.clamp("rod.end")
        elif way == "pin":
            self.pin("rod.end")
        else:
            self.pin("rod.end", axes=self.chance.one_of("z", "yz", "xy", "xz"))
        if self.settles and "clamp" not in self.supports[0] and way != "clamp":
            self.supports[0] = {"clamp": "rod.start"}
        if self.chance(0.15):
            self.pin(rod.node(0.5))

    def hanging(self):
        self.any_rod()
        self.clamp("rod.start") if self.settles else self.pin(f"rod.{self.chance.one_of('start', 'end')}")

    def flying(self):
        self.any_rod()

    def ring(self):
        chance = self.chance
        radius = self.length / (2 * math.pi)
        normal = [0, 0, 1] if chance(0.5) else chance.direction()
        shape = {"ring": {"radius": rounded(radius, 8), "centre": vector(self.origin), "normal": vector(normal),
                          "start": vector(across(normal))}}
        entry = self.add_rod("rod", shape, self.length, 2 * math.pi, plain=True).entry
        entry["segments"] = max(24, entry["segments"])
        if chance(0.4):
            entry["rest"] = "as_built"
        if chance(0.3):
            entry["closing_angle"] = rounded(chance.between(-1, 1) * 2 * math.pi)
        if self.settles or chance(0.5):
            self.clamp("rod.node[0]")
        elif chance(0.7):
            self.pin("rod.node[0]")
            self.pin(self.rods[0].node(chance.between(0.3, 0.7)))

    def star(self):
        arms = self.chance.whole(3, 5)
        segments = fine_enough(self.chance, 0, self.weight / 8)
        places = []
        for i in range(arms):
            turn = 2 * math.pi * i / arms
            tip = plus(self.origin, [math.cos(turn), math.sin(turn), self.chance.between(-0.3, 0.3)], self.length / 2)
            rod = self.straight_rod(f"arm{i}", self.origin, tip, segments)
            places.append(f"{rod.name}.start")
            if i == 0:
                self.clamp(f"{rod.name}.end")
            elif self.chance(0.5):
                self.pin(f"{rod.name}.end")
        self.joints.append({"name": "hub", "places": places})

    def ladder(self):
        rungs = self.chance.whole(2, 4)
        along = unit(self.chance.one_of(*DIRECTIONS))
        side = times(self.length / 4, across(along))
        segments = 4 * rungs * self.chance.whole(1, 3)
        rails = []
        for i, offset in enumerate((0, 1)):
            start = plus(self.origin, side, offset)
            rails.append(self.straight_rod(f"rail{i}", start, plus(start, along, self.length), segments))
            self.clamp(f"rail{i}.start")
        for k in range(1, rungs + 1):
            foot = plus(rails[0].start, along, self.length * k / rungs)
            rung = self.straight_rod(f"rung{k}", foot, plus(foot, side), 4 * self.chance.whole(1, 2))
            node = segments * k // rungs
            self.joints.append({"places": [f"rail0.node[{node}]", f"{rung.name}.start"]})
            self.joints.append({"places": [f"rail1.node[{node}]", f"{rung.name}.end"]})

    def chain(self):
        """Rods end to end, at an angle."""
        count, at = self.chance.whole(2, 3), self.origin
        heading = unit(self.chance.one_of(*DIRECTIONS))
        segments = fine_enough(self.chance, 0, self.weight)
        for i in range(count):
            end = plus(at, heading, self.length / count)
            self.straight_rod(f"part{i}", at, end, segments)
            if i > 0:
                self.joints.append({"places": [f"part{i - 1}.end", f"part{i}.start"]})
            heading = unit(plus(heading, self.chance.direction(), self.chance.between(0, 0.7)))
            at = end
        self.clamp("part0.start")
        if self.chance(0.3):
            self.pin(f"part{count - 1}.end")

    def hair(self):
        """Some equal rods side by side."""
        count = self.chance.whole(2, 6)
        first = self.any_rod("rod0")
        entry = first.entry
        for i in range(1, count):
            self.rods.append(Rod(f"rod{i}", moved(entry, [0, 0.2 * i * self.length, 0]), first.length, first.turning,
                                 first.start and plus(first.start, [0, 0.2 * i * self.length, 0]),
                                 first.end and plus(first.end, [0, 0.2 * i * self.length, 0])))
        for i in range(count):
            self.clamp(f"rod{i}.start")

    # -- all else
    def put_time(self):
        chance = self.chance
        nice = self.period / chance.log(5, 500)
        if chance(0.25) and 0.1 < self.period / 1e-3 < 3e4:
            nice = 1e-3
        self.dt = rounded(nice, 1 if chance(0.5) else 3)
        self.steps = chance.whole(40, 120)
        self.until = rounded(self.dt * self.steps, 12)

    def ramp(self):
        chance = self.chance
        first = rounded(chance.between(0.2, 0.7) * self.until)
        way = chance.weighted(none=4, up=3, down=0 if self.settles else 1, knock=0 if self.settles else 1)
        return {
            "none": None,
            "up": [[0, 0], [first, 1]],
            "down": [[0, 1], [first, 1], [rounded(1.2 * first), 0]],
            "knock": [[0, 0], [rounded(0.9 * first), 0], [first, 1], [rounded(1.1 * first), 0]],
        }[way]

    def add_load(self, load):
        ramp = self.ramp()
        if ramp:
            load["ramp"] = ramp
        self.loads.append(load)

    def put_loads(self):
        chance = self.chance
        gentle = self.settles
        first_frequency = 2 * math.pi / self.bending
        for _ in range(chance.whole(0, 3)):
            rod = self.rods[chance.whole(0, len(self.rods) - 1)]
            kind = chance.weighted(force=5, moment=2, follower=1.5, twist=1, line=2, drag=1.5, wind=1.5)
            direction = vector(chance.direction())
            place = rod.place(chance)
            if kind == "force":
                self.add_load({"force": times(self.force(0.05, 3), direction), "at": place})
            elif kind == "moment":
                self.add_load({"moment": times(self.moment(0.02, 0.5 if gentle else 1.5), direction), "at": place})
            elif kind == "follower":
                self.add_load({"force": times(self.force(0.05, 1 if gentle else 5), direction), "at": place, "follower": True})
            elif kind == "twist":
                self.add_load({"moment": times(self.moment(0.02, 0.5 if gentle else 1.5), direction), "at": place,
                               "follower": True})
            elif kind == "line":
                self.add_load({"force_per_length": times(self.line_load(0.05, 5), direction), "rod": rod.name})
            elif kind == "drag":
                normal = rounded(chance.log(0.02, 2) * first_frequency * self.stuff.mass)
                drag = {"normal": normal, "tangential": rounded(normal / 2)}
                if chance(0.4):
                    drag["velocity"] = times(rounded(self.line_load(0.05, 2) / normal), direction)
                self.add_load({"drag": drag})
            else:
                push = self.line_load(0.05, 0.5 if gentle else 2)
                speed = min(20, math.sqrt(push / (0.5 * 1.204 * 2 * self.stuff.radius)))
                self.add_load({"wind": {"velocity": times(rounded(speed), direction)}, "rod": rod.name})
        self.damping = {}
        if chance(0.5):
            self.damping["mass"] = rounded(chance.log(0.02, 1) * first_frequency)
        if chance(0.5):
            self.damping["internal"] = rounded(chance.log(0.001, 0.05) / first_frequency)

    def put_links(self):
        chance = self.chance
        for i in range(chance.whole(1, 2) if chance(0.2) else 0):
            rod = self.rods[chance.whole(0, len(self.rods) - 1)]
            other = self.rods[chance.whole(0, len(self.rods) - 1)]
            a, b = rod.node(chance.between(0.3, 1)), other.node(chance.between(0.3, 1))
            if a == b or (a in self.held and b in self.held) or len({a, b} & self.held) > 0:
                continue
            if rod is other and abs(int(a[a.index("[") + 1 : -1]) - int(b[b.index("[") + 1 : -1])) < 2:
                continue
            if {a, b} & {p for joint in self.joints for p in joint["places"]} or self.same_joint(a, b):
                continue
            if rod.end and not rod.closed and chance(0.4):
                a, b = f"{rod.name}.end", vector(plus(rod.end, chance.direction(), 0.3 * self.length))
                if a in self.held:
                    continue
            kind = chance.one_of("spring", "tether")
            link = {kind: [a, b], "stiffness": rounded(chance.log(1, 300) * self.stuff.EI / self.length**3)}
            if chance(0.4):
                link["damping"] = rounded(chance.log(0.01, 1) * self.stuff.mass * self.length / self.bending)
            if chance(0.4):
                link["ramp"] = [[0, 1], [rounded(self.until / 2), rounded(chance.between(0.8, 1.1))]]
            if chance(0.5):
                link["name"] = f"link{i}"
            self.links.append(link)

    def same_joint(self, a, b):
        """Ends of jointed rods may be one point by other names."""
        return bool(self.joints) and (a.endswith("[0]") or b.endswith("[0]"))

    def put_motions(self):
        """How supports move: no faster than the rod would swing by itself, no step with more than a twelfth of a turn."""
        chance = self.chance
        if not self.supports or not chance(0.35):
            return
        moving = self.supports[chance.whole(0, len(self.supports) - 1)]
        apart = len(self.supports) > 1
        span = chance.between(0.3, 1) * self.until
        part = min(1.0, 2 * span / self.period)
        limit = span / self.dt * math.pi / 6
        motion = {}
        if chance(0.5):
            motion["easing"] = chance.one_of("smooth", "smoother", "linear")
        way = chance.weighted(translate=3, rotate=2, twist=2)
        end = rounded(span)
        if way == "translate" or "pin" in moving:
            far = part * self.length * chance.between(0.02, 0.1 if apart else 0.3)
            direction = self.inward(moving) if apart else chance.direction()
            axes = moving.get("axes", "xyz")
            by = [x if axis in axes else 0 for x, axis in zip(times(far, direction), "xyz")]
            motion["translate"] = [[0, [0, 0, 0]], [end, vector(by)]]
            if chance(0.3):
                motion["translate"].append([rounded(1.5 * span), [0, 0, 0]])
        elif way == "rotate":
            angle = min(limit, part * chance.between(0.1, 0.5 if apart else 1.5))
            motion["rotate"] = {"axis": vector(chance.direction()), "angle": [[0, 0], [end, rounded(angle)]]}
        else:
            angle = min(limit, part * chance.between(0.1, 2) * math.pi)
            motion["twist"] = [[0, 0], [end, rounded(angle)]]
        moving["motion"] = motion

    def inward(self, support):
        """So that a rod between two supports is not torn: from the place towards the other end."""
        place = support.get("clamp") or support["pin"]
        name, end = place.split(".")
        rod = next(r for r in self.rods if r.name == name)
        if rod.start is None or end not in ("start", "end"):
            return times(0.05, self.chance.direction())
        way = unit(plus(rod.end, rod.start, -1))
        return way if end == "start" else times(-1, way)

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
        if self.tolerance and self.method == "newton":
            time["tolerance"] = 1e-3
        probes = [{"name": f"p{i}", "at": rod.place(chance), "fields": ["position", "tension", "moment", "curvature", "twist"]}
                  for i, rod in enumerate(self.rods[:2])]
        output = {"probes": probes, "picture": {"view": chance.one_of("xz", "xy", "yz", "iso"),
                                                "color": chance.one_of("none", "tension", "curvature", "twist", "speed")}}
        if self.formats:
            output |= {"formats": self.formats, "frame_interval": rounded(self.until / 5)}
        out = {"writhe": 1, "title": f"random {self.kind}, seed {self.seed}"}
        out["gravity"] = [0, 0, -self.gravity]
        if self.stuff.material:
            out["materials"] = {"own": self.stuff.material}
        out["sections"] = {"own": self.stuff.section}
        out["rods"] = {rod.name: rod.entry for rod in self.rods}
        for key in ("joints", "supports", "loads", "links", "damping"):
            if getattr(self, key):
                out[key] = getattr(self, key)
        return out | {"time": time, "solver": self.solver, "output": output}


def moved(entry, by):
    """The same rod elsewhere."""
    def shift(shape):
        kind, keys = next(iter(shape.items()))
        keys = dict(keys)
        for key in ("from", "to", "centre"):
            if key in keys:
                keys[key] = vector(plus(keys[key], by))
        if "points" in keys:
            keys["points"] = [vector(plus(p, by)) for p in keys["points"]]
        return {kind: keys}

    return entry | {"centreline": shift(entry["centreline"])}


def tame(seed, method=None, integrator=None):
    """The scene of a seed, the files that it names, and whether it can come to rest."""
    made = Scene(seed, method, integrator)
    return made.scene(), made.files, made.settles
