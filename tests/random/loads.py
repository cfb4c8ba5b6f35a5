"""What acts on a scene: loads with their ramps, damping, springs and tethers. Sized by what bends, see scenes.py."""

import math

from chance import plus, rounded, times, vector


def ramp(scene):
    """Up, up and down again, or a knock, which may lie between two steps; none where the load is there all the time."""
    chance = scene.chance
    first = rounded(chance.between(0.2, 0.7) * scene.until)
    passes = 0 if scene.settles else 1
    way = chance.weighted(none=4, up=3, down=passes, knock=passes, short=0.5 * passes)
    short = chance.between(0.1, 0.9) * scene.dt
    return {
        "none": None,
        "up": [[0, 0], [first, 1]],
        "down": [[0, 1], [first, 1], [rounded(1.2 * first), 0]],
        "knock": [[0, 0], [rounded(0.9 * first), 0], [first, 1], [rounded(1.1 * first), 0]],
        "short": [[0, 0], [first, 0], [rounded(first + short / 2, 10), 1], [rounded(first + short, 10), 0]],
    }[way]


def add_load(scene, load):
    if shape := ramp(scene):
        load["ramp"] = shape
    scene.loads.append(load)


def put_gravity(scene):
    scene.gravity_entry = [0, 0, -scene.gravity]
    if scene.gravity and scene.chance(0.15):
        first = rounded(scene.chance.between(0.05, 0.5) * scene.until)
        scene.gravity_entry = {"vector": [0, 0, -scene.gravity], "ramp": [[0, 0], [first, 1]]}


def put_loads(scene):
    chance = scene.chance
    gentle = scene.settles
    first_frequency = 2 * math.pi / scene.bending
    moment = (0.02, 0.5 if gentle else 1.5)
    for _ in range(chance.whole(0, 3)):
        rod = scene.rods[chance.whole(0, len(scene.rods) - 1)]
        kind = chance.weighted(force=5, moment=2, follower=1.5, twist=1, line=2, drag=1.5, wind=1.5)
        direction = vector(chance.direction())
        place = rod.place(chance)
        if kind == "force":
            add_load(scene, {"force": times(scene.force(0.05, 3), direction), "at": place})
        elif kind == "moment":
            add_load(scene, {"moment": times(scene.moment(*moment), direction), "at": place})
        elif kind == "follower":
            size = scene.force(0.05, 1 if gentle else 5)
            add_load(scene, {"force": times(size, direction), "at": place, "follower": True})
        elif kind == "twist":
            add_load(scene, {"moment": times(scene.moment(*moment), direction), "at": place, "follower": True})
        elif kind == "line":
            add_load(scene, {"force_per_length": times(scene.line_load(0.05, 5), direction), "rod": rod.name})
        elif kind == "drag":
            normal = rounded(chance.log(0.02, 2) * first_frequency * scene.stuff.mass)
            drag = {"normal": normal, "tangential": rounded(normal / 2)}
            if chance(0.4):
                drag["velocity"] = times(rounded(scene.line_load(0.05, 2) / normal), direction)
            add_load(scene, {"drag": drag})
        else:
            push = scene.line_load(0.05, 0.5 if gentle else 2)
            speed = min(20, math.sqrt(push / (0.5 * 1.204 * 2 * scene.stuff.radius)))
            add_load(scene, {"wind": {"velocity": times(rounded(speed), direction)}, "rod": rod.name})
    put_damping(scene, first_frequency)


def put_damping(scene, first_frequency):
    chance = scene.chance
    scene.damping = {}
    if chance(0.5):
        scene.damping["mass"] = rounded(chance.log(0.02, 1) * first_frequency)
    if chance(0.5):
        scene.damping["internal"] = rounded(chance.log(0.001, 0.05) / first_frequency)


# ---- links -------------------------------------------------------------------------------------------------------------
def ends_of_link(scene):
    """Two places, or a place and a point; None: these would not do."""
    chance = scene.chance
    rod = scene.rods[chance.whole(0, len(scene.rods) - 1)]
    other = scene.rods[chance.whole(0, len(scene.rods) - 1)]
    a, b = rod.node(chance.between(0.3, 1)), other.node(chance.between(0.3, 1))
    if a == b or {a, b} & scene.held or {a, b} & {p for joint in scene.joints for p in joint["places"]}:
        return None
    if scene.joints and (a.endswith("[0]") or b.endswith("[0]")):  # one point by other names
        return None
    if rod is other and abs(int(a[a.index("[") + 1 : -1]) - int(b[b.index("[") + 1 : -1])) < 2:
        return None
    if rod.end and not rod.closed and chance(0.4):
        end = f"{rod.name}.end"
        return None if end in scene.held else [end, vector(plus(rod.end, chance.direction(), 0.3 * scene.length))]
    return [a, b]


def put_links(scene):
    chance = scene.chance
    for i in range(chance.whole(1, 3) if chance(0.3) else 0):
        ends = ends_of_link(scene)
        if not ends:
            continue
        stiffness = rounded(chance.log(1, 300) * scene.stuff.EI / scene.length**3)
        link = {chance.one_of("spring", "tether"): ends, "stiffness": stiffness}
        if chance(0.4):
            link["damping"] = rounded(chance.log(0.01, 1) * scene.stuff.mass * scene.length / scene.bending)
        if chance(0.4):
            link["ramp"] = [[0, 1], [rounded(scene.until / 2), rounded(chance.between(0.8, 1.1))]]
        if chance(0.5):
            link["name"] = f"link{i}"
        scene.links.append(link)
