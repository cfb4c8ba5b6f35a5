"""Whether rods that touch have kept out of each other and of obstacles, by formulas of its own: in every frame that a run has left.

The surface of contact is the tube around the quadratic B-spline of the nodes (docs/theory/contact.md, "The curve")."""

import collections
import itertools
import math
import re

from chance import plus, times
from distance import Obstacle

# Contact is summed up over samples an eighth of a radius r apart. Where these touch, what lies between two of them, a sixteenth away from
# either, may be deeper: against an edge across the rod by sqrt(1 + 1/256) - 1 of r; and where the curve bends, by `between_samples`.
BETWEEN_SAMPLES = 0.00196
# What begins in something else comes out of it: ten radii a second, from half the distance within which contact acts (0.015 of the mean
# radius) more (docs/theory/contact.md, "Beginnings").
COMES_OUT, ACTS = 10, 0.015


class InEachOther(Exception):
    """What may never be."""


def frames(folder):
    """Of each OBJ file its time (s) and the nodes of each rod; a ring's first one only once."""
    for path in sorted(folder.glob("obj/rods_*.obj")):
        text = path.read_text(encoding="utf-8")
        rods, name = {}, None
        for row in map(str.split, text.splitlines()):
            if row[:1] == ["o"]:
                name = row[1]
                rods[name] = []
            elif row[:1] == ["v"]:
                rods[name].append([float(x) for x in row[1:4]])
        yield float(re.match(r"# Writhe, t = (\S+) s", text)[1]), rods


def outline(scene):
    """m: the outer radius of the section; of a flat one that of a circle of its area."""
    kind, keys = next((kind, keys) for kind, keys in scene["sections"]["own"].items() if kind != "shear_factor")
    if kind == "rectangle":
        return math.sqrt(keys["width"] * keys["height"] / math.pi)
    if kind == "ellipse":
        return math.sqrt(keys["semi_axis1"] * keys["semi_axis2"])
    return keys["outer_radius" if kind == "tube" else "radius"]


def closed(entry):
    return "ring" in entry["centreline"] or entry.get("closed", False)


def between_samples(nodes, is_ring, apart):
    """m: how far the curve may be off the line between two samples that are so far apart (m)."""
    ends = zip(nodes[-1:] + nodes, nodes, nodes[1:] + nodes[:1]) if is_ring else zip(nodes, nodes[1:], nodes[2:])
    bends = [(math.hypot(*(p - 2 * q + r for p, q, r in zip(a, b, c))), math.dist(a, c) / 2) for a, b, c in ends]
    return max((bend / 8 * min(1, apart / length if length else 1) ** 2 for bend, length in bends), default=0)


def tapered(entry, part):
    """The factor of a rod's thickness at a fraction of its length."""
    keys = entry.get("taper", [[0, 1]])
    for (a, x), (b, y) in zip(keys, keys[1:]):
        if part < b:
            return x + (y - x) * max(0, part - a) / (b - a)
    return keys[-1][1]


def curve(nodes, is_ring, pieces):
    """Points of the B-spline, each with its place along the rod in segments."""
    count = len(nodes)
    out = [] if is_ring else [(nodes[0], 0.0), (nodes[-1], count - 1.0)]
    for k in range(0 if is_ring else 1, count if is_ring else count - 1):
        a, b, c = nodes[k - 1], nodes[k], nodes[(k + 1) % count]
        for i in range(pieces + 1):
            u = i / pieces
            p = plus(plus(times((1 - u) ** 2 / 2, a), b, 1 - (1 - u) ** 2 / 2 - u**2 / 2), c, u**2 / 2)
            out.append((p, k - 0.5 + u))
    return out


class Rods:
    """The rods of a scene, as thick as they touch."""

    def __init__(self, scene, files):
        self.scene = scene
        self.radius = outline(scene)
        self.obstacles = [Obstacle(entry, files) for entry in scene.get("obstacles", [])]
        contact = scene.get("contact", {})
        self.own, between = contact.get("self", False), contact.get("between", "none")
        names = list(scene["rods"])
        pairs = {"all": itertools.combinations(names, 2), "none": ()}
        self.pairs = set(pairs[between] if isinstance(between, str) else map(tuple, between))
        self.given = contact.get("thickness")
        self.joined = bool(scene.get("joints"))
        self.began = None  # of what touched or was nearly there at the start the gap, m

    def thin(self, name, part):
        """The smallest radius (m) that the rod may have there: a taper is taken segment by segment, and jumps where a ring closes."""
        entry = self.scene["rods"][name]
        step = 1 / entry["segments"]
        near = (part - 1.5 * step, part - step, part, part + step, part + 1.5 * step)  # the curve blends three nodes, each of two segments
        return self.radius * min(tapered(entry, p % 1 if closed(entry) else min(1, max(0, p))) for p in near)

    def places(self, rods, lengths):
        """Of every rod points, their places along it (m) and radii; half a radius apart where that is not too many."""
        out = {}
        for name, nodes in rods.items():
            entry = self.scene["rods"][name]
            segments = entry["segments"]
            length = lengths[name] / segments
            pieces = max(2, min(12, math.ceil(length / (self.radius / 2))))
            out[name] = [(p, place * length, self.thin(name, place / segments)) for p, place in curve(nodes, closed(entry), pieces)]
        return out

    def between(self, name, nodes, lengths):
        entry = self.scene["rods"][name]
        span = lengths[name] / entry["segments"]
        return between_samples(nodes, closed(entry), span / math.ceil(8 * span / self.thin(name, 0)))

    def check(self, time, rods, lengths):
        places = self.places(rods, lengths)
        rounding = 1e-12 * max(abs(x) for points in places.values() for p, *_ in points for x in p)
        bends = {name: self.between(name, nodes, lengths) for name, nodes in rods.items()}
        gaps = {}
        for obstacle in self.obstacles:
            for name, points in places.items():
                gaps[name, obstacle.name] = min(obstacle.distance(p, time) - radius for p, _, radius in points)
        if not self.joined and (self.own or self.pairs):
            self.add_gaps_of_rods(gaps, places, lengths)
        if self.began is None:
            self.began = {bodies: gap for bodies, gap in gaps.items() if gap < ACTS * self.radius}
        for bodies, gap in gaps.items():
            out = COMES_OUT * time * min(self.thin(name, 1) for name in bodies if name in places)
            begins = ACTS * self.radius - self.began.get(bodies, math.inf)
            less = max(0, min(begins, self.radius) - out)  # deeper is refused
            between = BETWEEN_SAMPLES * self.radius + sum(bends[name] for name in bodies if name in bends)
            if gap < -less - between - rounding:
                raise InEachOther(f"{bodies[0]} is in {bodies[1]} by {-gap / self.radius:.3g} of a radius at t = {time} s")

    def add_gaps_of_rods(self, gaps, places, lengths):
        """Least ones of two, where they are negative, by a grid of cells as wide as rods touch."""
        wide = self.given or 2 * self.radius
        cells = collections.defaultdict(list)
        for name, points in places.items():
            for point in points:
                cells[tuple(math.floor(x / wide) for x in point[0])].append((name, *point))
        around = list(itertools.product((-1, 0, 1), repeat=3))
        for cell, inside in cells.items():
            near = [other for by in around for other in cells.get(tuple(map(sum, zip(cell, by))), ())]
            for one, other in itertools.product(inside, near):
                if one[0] <= other[0] and self.touch(one, other, lengths):
                    gap = math.dist(one[1], other[1]) - (self.given or one[3] + other[3])
                    bodies = one[0], other[0]
                    gaps[bodies] = min(gap, gaps.get(bodies, 0))

    def touch(self, one, other, lengths):
        if one[0] != other[0]:
            return (one[0], other[0]) in self.pairs or (other[0], one[0]) in self.pairs
        entry = self.scene["rods"][one[0]]
        way = abs(one[2] - other[2])
        if closed(entry):
            way = min(way, lengths[one[0]] - way)
        # Points at the limit itself may count or not; the thickness counts where it is given.
        return self.own and way > 1.01 * math.pi * max(self.radius, (self.given or 0) / 2) + lengths[one[0]] / entry["segments"]


def check(scene, files, folder, summary):
    """Raises InEachOther. Rods are as long as the summary says."""
    if not scene.get("obstacles") and not scene.get("contact"):
        return
    rods = Rods(scene, files)
    lengths = {rod["name"]: rod["rest_length"] for rod in summary["rods"]}
    for time, nodes in frames(folder):
        rods.check(time, nodes, lengths)
