"""Rods: their curves, their rest shapes, how finely they are divided."""

import math

from chance import across, cross, plus, rounded, times, unit, vector

DIRECTIONS = ([1, 0, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [0.6, 0, -0.8], [0.8, 0.6, 0])


class Rod:
    """name, the entry of the scene, length (m), how far the curve turns in all (rad), ends of one that has been told them."""

    def __init__(self, name, entry, length, turning, start=None, end=None):
        self.name, self.entry, self.length, self.turning = name, entry, length, turning
        self.start, self.end = start, end
        self.points = None  # of a curve from a file
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

    def fraction(self, place):
        """Of its length, where a place on it is."""
        where = place.partition(".")[2]
        return {"start": 0, "end": 1}.get(where) if where in ("start", "end") else int(where[5:-1]) / self.entry["segments"]

    def moved(self, name, by):
        """The same rod elsewhere."""
        kind, keys = next(iter(self.entry["centreline"].items()))
        keys = dict(keys)
        for key in ("from", "to", "centre"):
            if key in keys:
                keys[key] = vector(plus(keys[key], by))
        if "points" in keys:
            keys["points"] = [vector(plus(p, by)) for p in keys["points"]]
        ends = [end and plus(end, by) for end in (self.start, self.end)]
        return Rod(name, self.entry | {"centreline": {kind: keys}}, self.length, self.turning, *ends)


def fine_enough(chance, turning, weight):
    """Segments: some 15 degrees of a curve each, and a few for the length over which weight bends a slack rod."""
    least = max(8, turning / math.radians(15), 4 * max(weight, 1) ** (1 / 3))
    return min(400, int(least * chance.log(1, 4)) // 4 * 4)


# ---- curves: each of a length, from `at`, along and with a side to it. The shape, how far it turns (rad), its ends if known -----
def line(chance, length, at, along, side):
    end = plus(at, along, length)
    return {"line": {"from": vector(at), "to": vector(end)}}, 0, (at, end)


def arc(chance, length, at, along, side):
    angle = math.radians(chance.between(10, 270))
    start = times(-1, side)
    normal = cross(start, along)  # the tangent, normal x start, is `along`
    radius = length / angle
    shape = {"radius": rounded(radius, 8), "angle": rounded(angle, 8), "centre": vector(plus(at, side, radius)),
             "normal": vector(normal), "start": vector(start)}
    return {"arc": shape}, angle, None


def helix(chance, length, at, along, side):
    turns = rounded(chance.between(0.5, 5))
    rise = length / turns * chance.between(0.2, 0.9)
    radius = math.sqrt((length / turns) ** 2 - rise**2) / (2 * math.pi)
    shape = {"radius": rounded(radius, 8), "pitch": rounded(rise, 8), "turns": chance.one_of(1, -1) * turns,
             "centre": vector(plus(at, side, radius)), "axis": vector(along), "start": vector(times(-1, side))}
    return {"helix": shape}, 2 * math.pi * turns * (1 - (rise * turns / length) ** 2) ** 0.5, None


def parabola(chance, length, at, along, side):
    end = plus(at, along, 0.95 * length)
    sag = 0.95 * length * chance.between(0.02, 0.2)
    up = vector(side) if abs(along[2]) > 0.5 else [0, 0, 1]
    return {"parabola": {"from": vector(at), "to": vector(end), "sag": rounded(sag), "up": up}}, 8 * sag / length, (at, end)


def catenary(chance, length, at, along, side):
    """Some hang by their own weight, some along another direction; the ends of a few lie above each other."""
    part = chance.between(0.4, 0.97)
    end = plus(at, along, part * length)
    steep = abs(along[2]) > 0.9
    keys = {"from": vector(at), "to": vector(end), "length": rounded(length, 8)}
    if not steep and chance(0.2):
        keys["up"] = vector(side)
    return {"catenary": keys}, math.pi if steep else 2 * math.acos(part), (at, end)


def polyline(chance, length, at, along, side):
    """Bends of up to 50 degrees, or of some with sharp corners up to 120."""
    points, heading, turning = [at], along, 0.0
    pieces = chance.whole(2, 5)
    sharpest = math.radians(120 if chance(0.3) else 50)
    for _ in range(pieces):
        points.append(plus(points[-1], heading, length / pieces))
        bend = chance.between(0, sharpest)
        turning += bend
        way = across(heading) if chance(0.5) else cross(heading, across(heading))
        heading = unit(plus(times(math.cos(bend), heading), way, math.sin(bend)))
    return {"polyline": {"points": [vector(p) for p in points]}}, turning, None


def curve(chance, length, at):
    along = unit(chance.one_of(*DIRECTIONS) if chance(0.8) else chance.direction())
    kind = chance.weighted(line=10, arc=3, helix=2, parabola=2, catenary=3, polyline=4)
    return globals()[kind](chance, length, at, along, across(along))


def polygon(chance, length, at, normal):
    """The corners of a closed rod with three to six of them."""
    count = chance.whole(3, 6)
    radius = length / (2 * count * math.sin(math.pi / count))
    one = across(normal)
    other = cross(normal, one)
    turns = [2 * math.pi * k / count for k in range(count)]
    return [vector(plus(plus(at, one, radius * math.cos(t)), other, radius * math.sin(t))) for t in turns]


# ---- where a rod is as it is built -----------------------------------------------------------------------------------------
def along_points(points, count):
    """Evenly along a polyline."""
    lengths = [math.dist(p, q) for p, q in zip(points, points[1:])]
    out, k, before = [], 0, 0.0
    for i in range(count + 1):
        arc = sum(lengths) * i / count
        while k < len(lengths) - 1 and arc > before + lengths[k]:
            before, k = before + lengths[k], k + 1
        out.append(plus(points[k], plus(points[k + 1], points[k], -1), (arc - before) / lengths[k]))
    return out


def round_points(keys, angle, rise, axis, count):
    """Of an arc, ring or helix; rise: m along the axis in all."""
    one, axis = unit(keys["start"]), unit(axis)
    other = cross(axis, one)
    out = []
    for i in range(count + 1):
        turn = angle * i / count
        p = plus(plus(keys["centre"], one, keys["radius"] * math.cos(turn)), other, keys["radius"] * math.sin(turn))
        out.append(plus(p, axis, rise * i / count))
    return out


def count_of(rod, radius):
    return max(20, min(600, math.ceil(rod.length / radius)))


def points_of(rod, radius):
    """Places along the rod, no more than a radius apart if there are not too many; lines between them pass it within `slack_of`."""
    count = count_of(rod, radius)
    kind, keys = next(iter(rod.entry["centreline"].items()))
    if kind == "arc":
        return round_points(keys, keys["angle"], 0, keys["normal"], count)
    if kind == "ring":
        return round_points(keys, 2 * math.pi, 0, keys["normal"], count)
    if kind == "helix":
        return round_points(keys, 2 * math.pi * keys["turns"], keys["pitch"] * abs(keys["turns"]), keys["axis"], count)
    if kind in ("polyline", "obj"):
        points = rod.points if kind == "obj" else keys["points"]
        return along_points(points + points[:1] if rod.closed else points, count)
    return along_points([keys["from"], keys["to"]], count)


def slack_of(rod, radius):
    """m: how far nodes and the curve may be off the lines between `points_of`."""
    kind, keys = next(iter(rod.entry["centreline"].items()))
    if kind in ("arc", "ring", "helix"):
        turns = (rod.turning / count for count in (rod.entry["segments"], count_of(rod, radius)))
        return keys["radius"] * sum(turn**2 / 8 for turn in turns)
    if kind == "parabola":
        return keys["sag"]
    if kind == "catenary":  # it lies in the ellipse around its ends
        return math.sqrt(max(0, keys["length"] ** 2 - math.dist(keys["from"], keys["to"]) ** 2)) / 2
    return 0 if kind == "line" else rod.length / rod.entry["segments"]


# ---- rest --------------------------------------------------------------------------------------------------------------
def curled(chance, length):
    """Constant curvature and twist at rest, of a rod that is built straight or nearly so."""
    bend, way = math.radians(chance.between(5, 120)) / length, chance.between(0, 2 * math.pi)
    out = {"curvature": [rounded(bend * math.cos(way)), rounded(bend * math.sin(way))] if chance(0.5) else [rounded(bend), 0]}
    if chance(0.5):
        out["twist"] = rounded(chance.between(-1, 1) * math.pi / length)
    if chance(0.3):
        out["length"] = rounded(length * chance.between(0.98, 1.02), 6)
    return out


def arched(length, angle):
    return {"shape": {"arc": {"radius": rounded(length / angle, 8), "angle": rounded(angle, 8)}}}


def rest_of(chance, length, turning, shape):
    """The rest shape: never so different that the rod would fly apart; None: straight, the default."""
    if turning == 0:
        kind = chance.weighted(straight=6, length=1, as_built=2, arc=2, curled=3)
        if kind == "length":
            return {"straight": {"length": rounded(length * chance.between(0.98, 1.02), 6)}}
        if kind == "arc":
            return arched(length, math.radians(chance.between(5, 120)))
        return {"straight": None, "as_built": "as_built", "curled": curled(chance, length)}[kind]
    if chance(0.6) or turning > 3 or "polyline" in shape or "obj" in shape:
        return "as_built"
    if chance(0.6):
        return None
    return arched(length, turning * chance.between(0.7, 1.3))
