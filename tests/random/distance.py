"""Obstacles as a scene states them: how far a point is from their surfaces at a time (m; negative inside)."""

import math

from chance import cross, plus, times, unit


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def turned(v, axis, angle):
    """v, turned about a unit vector (Rodrigues)."""
    c, s = math.cos(angle), math.sin(angle)
    return plus(plus(times(c, v), cross(axis, v), s), axis, dot(axis, v) * (1 - c))


# ---- motion ------------------------------------------------------------------------------------------------------------
EASING = {
    "linear": lambda s: s,
    "smooth": lambda s: s * s * (3 - 2 * s),
    "smoother": lambda s: s**3 * (10 + s * (6 * s - 15)),
}


def between_keys(keys, time, easing):
    """A vector or a number at a time (s)."""
    if time <= keys[0][0]:
        return keys[0][1]
    for (t0, a), (t1, b) in zip(keys, keys[1:]):
        if time < t1:
            s = EASING[easing]((time - t0) / (t1 - t0))
            return plus(a, plus(b, a, -1), s) if isinstance(a, list) else a + s * (b - a)
    return keys[-1][1]


# ---- surfaces, where they stand in the scene -----------------------------------------------------------------------------
def from_segment(p, a, b):
    way = plus(b, a, -1)
    part = dot(plus(p, a, -1), way) / max(dot(way, way), 1e-300)
    return math.dist(p, plus(a, way, min(1, max(0, part))))


def from_triangle(p, corners):
    a, b, c = corners
    normal = cross(plus(b, a, -1), plus(c, a, -1))
    if all(dot(cross(plus(y, x, -1), plus(p, x, -1)), normal) >= 0 for x, y in ((a, b), (b, c), (c, a))):
        return abs(dot(plus(p, a, -1), unit(normal)))
    return min(from_segment(p, x, y) for x, y in ((a, b), (b, c), (c, a)))


def plane(keys):
    point, normal = keys.get("point", [0, 0, 0]), unit(keys.get("normal", [0, 0, 1]))
    return point, lambda p: dot(plus(p, point, -1), normal)


def sphere(keys):
    centre = keys.get("centre", [0, 0, 0])
    return centre, lambda p: math.dist(p, centre) - keys["radius"]


def capsule(keys):
    a, b = keys["from"], keys["to"]
    return times(0.5, plus(a, b)), lambda p: from_segment(p, a, b) - keys["radius"]


def box(keys):
    centre, x = keys.get("centre", [0, 0, 0]), unit(keys.get("x", [1, 0, 0]))
    y = keys.get("y", [0, 1, 0])
    y = unit(plus(y, x, -dot(x, y)))
    edges = (x, y, cross(x, y))

    def distance(p):
        beyond = [abs(dot(plus(p, centre, -1), edge)) - size / 2 for edge, size in zip(edges, keys["size"])]
        return math.hypot(*(max(b, 0) for b in beyond)) + min(max(beyond), 0)

    return centre, distance


def mesh(keys, text):
    """An OBJ text. Inside a closed one distances are negative if it is convex and its triangles look outwards, as in obstacles.py."""
    rows = [line.split() for line in text.splitlines()]
    offset = keys.get("translate", [0, 0, 0])
    points = [plus(offset, list(map(float, r[1:])), keys.get("scale", 1)) for r in rows if r and r[0] == "v"]
    numbers = [[int(word) - 1 for word in r[1:]] for r in rows if r and r[0] == "f"]
    triangles = [[points[k] for k in three] for three in numbers]
    edges = {(t[i], t[i - 1]) for t in numbers for i in range(3)}
    closed = all((b, a) in edges for a, b in edges)
    low, high = [min(axis) for axis in zip(*points)], [max(axis) for axis in zip(*points)]

    def distance(p):
        far = min(from_triangle(p, t) for t in triangles)
        inside = closed and all(dot(plus(p, a, -1), cross(plus(b, a, -1), plus(c, a, -1))) < 0 for a, b, c in triangles)
        return -far if inside else far

    return times(0.5, plus(low, high)), distance


SHAPES = {"plane": plane, "sphere": sphere, "capsule": capsule, "box": box}


class Obstacle:
    def __init__(self, entry, files):
        self.name, self.motion = entry["name"], entry.get("motion", {})
        if "mesh" in entry:
            self.centre, self._distance = mesh(entry["mesh"], files[entry["mesh"]["file"]])
        else:
            kind = next(kind for kind in SHAPES if kind in entry)
            self.centre, self._distance = SHAPES[kind](entry[kind])

    def distance(self, p, time):
        """m, from a point of space to the surface, at a time (s)."""
        easing = self.motion.get("easing", "linear")
        if "translate" in self.motion:
            p = plus(p, between_keys(self.motion["translate"], time, easing), -1)
        if "rotate" in self.motion:
            keys = self.motion["rotate"]
            about = keys.get("about", self.centre)
            angle = between_keys(keys["angle"], time, easing)
            p = plus(about, turned(plus(p, about, -1), unit(keys["axis"]), -angle))
        return self._distance(p)
