"""What rods touch: obstacles near them, some of which move, and which rods touch which. Nothing begins in
anything else, but for some scenes in which that is as much as the program bears (`nearer` in scenes.py)."""

import itertools
import math

from chance import Chance, across, cross, plus, rounded, times, vector
from distance import Obstacle
from shapes import points_of, slack_of

OWN = 1 << 32  # chance of its own: scenes without contact are the same as without this


def chance_of(seed, method):
    """The chance by which a scene has contact, or None: it has not. Only newton takes contact."""
    chance = Chance(seed + OWN)
    return chance if method in (None, "newton") and chance(0.35) else None


def box_mesh(a, b, c):
    """The corners and triangles of a brick along three vectors, half edges; outwards."""
    corners = [plus(plus(times(x, a), b, y), c, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return corners, [t for p, q, r, s in quads for t in ((p, q, r), (p, r, s))]


def octahedron(a, b, c):
    corners = [a, b, c, times(-1, a), times(-1, b), times(-1, c)]
    faces = [((i if x else i + 3), (j if y else j + 3), (k if z else k + 3)) for i, j, k in ((0, 1, 2),)
             for x in (1, 0) for y in (1, 0) for z in (1, 0)]
    return corners, [f if sum(n < 3 for n in f) % 2 else (f[0], f[2], f[1]) for f in faces]


def sheet(a, b, c):
    """Open, across c, of four by four squares."""
    count = 4
    corners = [plus(times(-1 + 2 * i / count, a), b, -1 + 2 * j / count) for i in range(count + 1) for j in range(count + 1)]
    at = lambda i, j: i * (count + 1) + j  # noqa: E731
    squares = [(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)) for i in range(count) for j in range(count)]
    return corners, [t for p, q, r, s in squares for t in ((p, q, r), (p, r, s))]


def obj(corners, triangles):
    points = "".join("v {} {} {}\n".format(*vector(p)) for p in corners)
    return points + "".join("f {} {} {}\n".format(*(k + 1 for k in t)) for t in triangles)


class Placer:
    def __init__(self, scene, chance):
        self.scene, self.chance = scene, chance
        self.radius = scene.stuff.radius
        self.points, self.held, self.nexts = [], [], []
        for rod in scene.rods:
            points = points_of(rod, self.radius)
            self.points += points
            self.nexts += points[1:] + points[-1:]
            parts = [rod.fraction(place) for place in scene.held if place.startswith(f"{rod.name}.")]
            self.held += [points[round(part * (len(points) - 1))] for part in parts]
        self.loose = self.radius * (1 if scene.held else scene.nearer) + max(slack_of(rod, self.radius) for rod in scene.rods)
        # How far a support may carry what it holds, and a clamp what is next to it.
        self.carried = max([math.dist(key[1], [0, 0, 0]) for support in scene.supports
                            for key in support.get("motion", {}).get("translate", [])], default=0) + 3 * self.radius

    def shape(self, size, away, at):
        """An obstacle with its middle at a place, no larger than so much around it; `away`: where rods are."""
        chance, scene = self.chance, self.scene
        side = across(away)
        turn = chance.between(0, 2 * math.pi)
        side = plus(times(math.cos(turn), side), cross(away, side), math.sin(turn))
        other = cross(away, side)
        kind = chance.weighted(plane=3, sphere=3, box=2, capsule=3, mesh=3)
        if kind == "plane":
            return {"plane": {"point": vector(at), "normal": vector(away)}}, 0
        if kind == "sphere":
            return {"sphere": {"centre": vector(at), "radius": rounded(size)}}, size
        if kind == "capsule":
            thick, half = size * chance.log(0.05, 0.5), times(size, side)
            ends = {"from": vector(plus(at, half, -1)), "to": vector(plus(at, half)), "radius": rounded(thick)}
            return {"capsule": ends}, thick
        flat = size * chance.log(0.1, 1)
        wide = size * chance.log(0.3, 1)
        if kind == "box":
            edges = {"centre": vector(at), "x": vector(side), "y": vector(other)}
            return {"box": edges | {"size": [rounded(2 * size), rounded(2 * wide), rounded(2 * flat)]}}, flat
        make = chance.one_of(box_mesh, octahedron, sheet)
        name = f"mesh{len(scene.files)}.obj"
        scene.files[name] = obj(*make(side, times(wide / size, other), times(flat / size, away)))
        return {"mesh": {"file": name, "scale": rounded(size), "translate": vector(at)}}, flat

    def clear(self, obstacle):
        """Whether an obstacle is off the rods as they are built, looked at closely where it is near."""
        least = self.loose * 1.001
        for p, q in zip(self.points, self.nexts):
            far = obstacle.distance(p, 0)
            if far <= least:
                return False
            if far < least + math.dist(p, q):
                between = (plus(p, plus(q, p, -1), k / 16) for k in range(1, 16))
                if any(obstacle.distance(place, 0) <= least for place in between):
                    return False
        return True

    def put_floor(self):
        """Level, below all rods; it stays."""
        at = [0, 0, min(p[2] for p in self.points) - self.loose - self.radius * self.chance.log(0.01, 30)]
        self.scene.obstacles.append({"name": "floor", "plane": {"point": vector(at)}})

    def put(self, name):
        chance, scene = self.chance, self.scene
        away = [0, 0, 1] if scene.gravity and chance(0.6) else chance.direction()
        target = self.points[chance.whole(0, len(self.points) - 1)]
        size = scene.length * chance.log(0.05, 0.5)
        gap = min(self.radius * chance.log(0.01, 100), 0.3 * scene.length)
        shape, depth = self.shape(size, away, [0, 0, 0])
        kind = next(iter(shape))
        for _ in range(12):
            at = plus(target, away, -(depth + self.loose + gap))
            entry = {"name": name, kind: moved(kind, shape[kind], at)}
            if self.clear(Obstacle(entry, scene.files)):
                if chance(0.4):
                    self.move(entry, kind, away, gap)
                scene.obstacles.append(entry)
                return
            gap = 1.7 * gap + 0.3 * self.radius

    def move(self, entry, kind, away, gap):
        """Towards the rods and some into them, or a turn about the middle; never over what is held."""
        chance, scene = self.chance, self.scene
        span = rounded(chance.between(0.3, 1) * scene.until)
        part = min(1.0, 2 * span / scene.period)
        motion = {"easing": chance.one_of("linear", "smooth", "smoother")}
        if kind in ("plane", "sphere") or chance(0.7):
            far = gap + part * min(self.radius * chance.log(1, 50), 0.2 * scene.length)
            motion["translate"] = [[0, [0, 0, 0]], [span, vector(times(far, away))]]
            if chance(0.3):
                motion["translate"].append([rounded(1.5 * span), [0, 0, 0]])
        if kind not in ("plane", "sphere") and ("translate" not in motion or chance(0.3)):
            angle = min(span / scene.dt * math.pi / 6, part * chance.between(0.1, 1))
            motion["rotate"] = {"axis": vector(chance.direction()), "angle": [[0, 0], [span, rounded(angle)]]}
        seen = [1.5 * span * k / 60 for k in range(61)]
        moving, least = Obstacle(entry | {"motion": motion}, scene.files), self.loose + self.carried
        if all(moving.distance(p, t) > least for t in seen for p in self.held):
            entry["motion"] = motion


def moved(kind, keys, by):
    return {key: vector(plus(value, by)) if key in ("point", "centre", "from", "to", "translate") else value
            for key, value in keys.items()}


def apart(rod, others, least, radius):
    """Whether a rod as it is built is farther than that from others and, along it beyond the tightest hairpin, from itself."""
    mine, slack = points_of(rod, radius), slack_of(rod, radius)
    if slack > radius:  # not known well enough
        return False
    for other in others:
        theirs, far = points_of(other, radius), least + slack + slack_of(other, radius)
        if any(math.dist(p, q) < far for p in mine for q in theirs):
            return False
    step = rod.length / max(1, len(mine) - 1)
    skip = int(4 * max(radius, least) / step) + 1
    round_it = len(mine) if rod.closed else 10**9
    return not any(math.dist(mine[i], mine[k]) < least + 2 * slack for i in range(len(mine)) for k in range(i + skip, len(mine))
                   if round_it - (k - i) > skip)


def put_contact(scene, chance):
    """Which rods touch: none that would begin in each other, or near a joint perhaps do."""
    radius, contact = scene.stuff.radius, {}
    free = all(apart(rod, scene.rods[:i], 1.02 * scene.nearer * scene.thickness, radius) for i, rod in enumerate(scene.rods))
    if chance(0.6) and (free or scene.joints and not scene.given_thickness):
        contact["self"] = True
    if len(scene.rods) > 1 and free and not scene.joints and chance(0.8):
        pairs = [list(pair) for pair in itertools.combinations((rod.name for rod in scene.rods), 2)]
        contact["between"] = "all" if chance(0.7) else pairs[: chance.whole(1, len(pairs))]
    if contact and scene.given_thickness:
        contact["thickness"] = scene.thickness
    if contact and chance(0.1):
        contact["stiffness"] = rounded(scene.stuff.EI / radius**4 * chance.log(1e-4, 10))
    scene.contact = contact


def throw(scene, chance):
    """What falls on nothing is thrown."""
    if scene.held or scene.gravity and chance(0.7):
        return
    for rod in scene.rods:
        speed = rounded(scene.length / scene.period * chance.log(0.05, 1))
        rod.entry["velocity"] = vector(times(speed, [0, 0, -1] if chance(0.6) else chance.direction()))


def put_all(scene, chance):
    put_contact(scene, chance)
    throw(scene, chance)
    placer = Placer(scene, chance)
    if scene.gravity and not scene.held:
        placer.put_floor()
    for i in range(chance.whole(0 if scene.contact.get("between") else 1, 3)):
        placer.put(f"obstacle{i}")
    if "obj" not in scene.formats:
        scene.formats = [*scene.formats, "obj"]  # for touching.py
