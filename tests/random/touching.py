"""Whether rods that touch have kept out of each other and of obstacles, by formulas of its own: in every frame that a run has left.

The surface of contact is the tube around the quadratic B-spline of the nodes (docs/theory/contact.md, "The curve")."""

import collections
import itertools
import math
import re

from chance import plus, times
from distance import Obstacle

ROUNDING = 1e-9  # of the distance at which rods touch, and 1e-12 of how far from the origin they are


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


def tapered(entry, part):
    """The factor of a rod's thickness at a fraction of its length."""
    keys = entry.get("taper", [[0, 1]])
    for (a, x), (b, y) in zip(keys, keys[1:]):
        if part < b:
            return x + (y - x) * max(0, part - a) / (b - a)
    return keys[-1][1]


def curve(nodes, closed, pieces):
    """Points of the B-spline, each with its place along the rod in segments."""
    count = len(nodes)
    out = [] if closed else [(nodes[0], 0.0), (nodes[-1], count - 1.0)]
    for k in range(0 if closed else 1, count if closed else count - 1):
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
        self.pairs = set(itertools.combinations(names, 2)) if between == "all" else set(map(tuple, between)) if between != "none" else set()
        self.given = contact.get("thickness")
        self.joined = bool(scene.get("joints"))

    def thin(self, name, part):
        """The smallest radius (m) that the rod may have there: a taper is taken segment by segment."""
        entry = self.scene["rods"][name]
        step = 1 / entry["segments"]
        return self.radius * min(tapered(entry, min(1, max(0, p))) for p in (part - step, part, part + step))

    def places(self, rods, lengths):
        """Of every rod points, place along it (m) and radius; no farther apart than a quarter of the thickness where that is not too many."""
        out = {}
        for name, nodes in rods.items():
            entry = self.scene["rods"][name]
            closed = "ring" in entry["centreline"] or entry.get("closed", False)
            segments = entry["segments"]
            length = lengths[name] / segments
            pieces = max(2, min(12, math.ceil(length / (self.radius / 2))))
            out[name] = [(p, place * length, self.thin(name, place / segments)) for p, place in curve(nodes, closed, pieces)]
        return out

    def check(self, time, rods, lengths):
        places = self.places(rods, lengths)
        least = min((min(radius for *_, radius in points) for points in places.values()))
        extent = max(abs(x) for points in places.values() for p, *_ in points for x in p)
        slack = ROUNDING * least + 1e-12 * extent
        for obstacle in self.obstacles:
            for name, points in places.items():
                for p, _, radius in points:
                    gap = obstacle.distance(p, time) - radius
                    if gap < -slack:
                        raise InEachOther(f"{name} is in {obstacle.name} by {-gap / radius:.3g} of its radius at t = {time} s")
        if not self.joined and (self.own or self.pairs):
            self.check_rods(time, places, lengths, slack)

    def check_rods(self, time, places, lengths, slack):
        """By a grid of cells as wide as rods touch."""
        wide = self.given or 2 * self.radius
        cells = collections.defaultdict(list)
        for name, points in places.items():
            for point in points:
                cells[tuple(math.floor(x / wide) for x in point[0])].append((name, *point))
        around = list(itertools.product((-1, 0, 1), repeat=3))
        for cell, inside in cells.items():
            near = [other for by in around for other in cells.get(tuple(map(sum, zip(cell, by))), ())]
            for one in inside:
                for other in near:
                    if one[0] <= other[0] and self.touch(one, other, lengths):
                        thick = self.given or one[3] + other[3]
                        gap = math.dist(one[1], other[1]) - thick
                        if gap < -slack:
                            raise InEachOther(f"{one[0]} is in {other[0]} by {-gap / thick:.3g} of their thickness at t = {time} s")

    def touch(self, one, other, lengths):
        if one[0] != other[0]:
            return (one[0], other[0]) in self.pairs or (other[0], one[0]) in self.pairs
        entry = self.scene["rods"][one[0]]
        way = abs(one[2] - other[2])
        if "ring" in entry["centreline"] or entry.get("closed", False):
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
