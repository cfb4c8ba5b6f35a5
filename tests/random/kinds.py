"""Kinds of scenes: rods, what joins them and what holds them. Each is a function of the scene that is made."""

import math

from chance import across, plus, rounded, times, unit, vector
from shapes import DIRECTIONS, fine_enough, polygon


def cantilever(scene):
    rod = scene.any_rod()
    scene.clamp(f"{rod.name}.{scene.chance.one_of('start', 'end')}")


def bridge(scene):
    rod = scene.any_rod()
    scene.clamp("rod.start") if scene.chance(0.6) else scene.pin("rod.start")
    way = scene.chance.weighted(clamp=4, pin=3, roller=2)
    if way == "clamp":
        scene.clamp("rod.end")
    elif way == "pin":
        scene.pin("rod.end")
    else:
        scene.pin("rod.end", axes=scene.chance.one_of("z", "yz", "xy", "xz"))
    if scene.settles and "clamp" not in scene.supports[0] and way != "clamp":
        scene.supports[0] = {"clamp": "rod.start"}
    if scene.chance(0.15):
        scene.pin(rod.node(0.5))


def hanging(scene):
    scene.any_rod()
    scene.clamp("rod.start") if scene.settles else scene.pin(f"rod.{scene.chance.one_of('start', 'end')}")


def flying(scene):
    scene.any_rod()


def ring(scene):
    """A circle, or a polygon with corners, twisted by up to two turns."""
    chance = scene.chance
    normal = [0, 0, 1] if chance(0.5) else chance.direction()
    if chance(0.25):
        shape = {"polyline": {"points": polygon(chance, scene.length, scene.origin, normal)}}
        entry = scene.add_rod("rod", shape, scene.length, 2 * math.pi, plain=True, closed=True).entry
        entry["rest"] = "as_built"
    else:
        shape = {"ring": {"radius": rounded(scene.length / (2 * math.pi), 8), "centre": vector(scene.origin),
                          "normal": vector(normal), "start": vector(across(normal))}}
        entry = scene.add_rod("rod", shape, scene.length, 2 * math.pi, plain=True).entry
        if chance(0.4):
            entry["rest"] = "as_built"
    entry["segments"] = max(24, entry["segments"])
    if chance(0.4):
        entry["closing_angle"] = rounded(chance.between(-1, 1) * (4 if chance(0.3) else 2) * math.pi)
    if scene.settles or chance(0.5):
        scene.clamp("rod.node[0]")
    elif chance(0.7):
        scene.pin("rod.node[0]")
        scene.pin(scene.rods[0].node(chance.between(0.3, 0.7)))


def star(scene):
    arms = scene.chance.whole(3, 5)
    segments = fine_enough(scene.chance, 0, scene.weight / 8)
    places = []
    for i in range(arms):
        turn = 2 * math.pi * i / arms
        tip = plus(scene.origin, [math.cos(turn), math.sin(turn), scene.chance.between(-0.3, 0.3)], scene.length / 2)
        rod = scene.straight_rod(f"arm{i}", scene.origin, tip, segments)
        places.append(f"{rod.name}.start")
        if i == 0:
            scene.clamp(f"{rod.name}.end")
        elif scene.chance(0.5):
            scene.pin(f"{rod.name}.end")
    scene.joints.append({"name": "hub", "places": places})


def ladder(scene):
    rungs = scene.chance.whole(2, 4)
    along = unit(scene.chance.one_of(*DIRECTIONS))
    side = times(scene.length / 4, across(along))
    segments = 4 * rungs * scene.chance.whole(1, 3)
    rails = []
    for i, offset in enumerate((0, 1)):
        start = plus(scene.origin, side, offset)
        rails.append(scene.straight_rod(f"rail{i}", start, plus(start, along, scene.length), segments))
        scene.clamp(f"rail{i}.start")
    for k in range(1, rungs + 1):
        foot = plus(rails[0].start, along, scene.length * k / rungs)
        rung = scene.straight_rod(f"rung{k}", foot, plus(foot, side), 4 * scene.chance.whole(1, 2))
        node = segments * k // rungs
        scene.joints.append({"places": [f"rail0.node[{node}]", f"{rung.name}.start"]})
        scene.joints.append({"places": [f"rail1.node[{node}]", f"{rung.name}.end"]})


def chain(scene):
    """Rods end to end, at an angle."""
    count, at = scene.chance.whole(2, 3), scene.origin
    heading = unit(scene.chance.one_of(*DIRECTIONS))
    segments = fine_enough(scene.chance, 0, scene.weight)
    for i in range(count):
        end = plus(at, heading, scene.length / count)
        scene.straight_rod(f"part{i}", at, end, segments)
        if i > 0:
            scene.joints.append({"places": [f"part{i - 1}.end", f"part{i}.start"]})
        heading = unit(plus(heading, scene.chance.direction(), scene.chance.between(0, 0.7)))
        at = end
    scene.clamp("part0.start")
    if scene.chance(0.3):
        scene.pin(f"part{count - 1}.end")


def hair(scene):
    """Some equal rods side by side."""
    count = scene.chance.whole(2, 6)
    first = scene.any_rod("rod0")
    scene.rods += [first.moved(f"rod{i}", [0, 0.2 * i * scene.length, 0]) for i in range(1, count)]
    for i in range(count):
        scene.clamp(f"rod{i}.start")


# ---- rods that meet: above each other, no nearer than they touch ---------------------------------------------------------
def storeys(scene, count):
    """Heights (m) above the origin, from a hair's breadth to some thicknesses apart; of some scenes in each other."""
    out = [0.0]
    for _ in range(count - 1):
        out.append(out[-1] + scene.nearer * scene.thickness * scene.chance.log(1.03, 6))
    return [plus(scene.origin, [0, 0, z]) for z in out]


def lying(scene, name, at, plain=False):
    """A straight level rod with its middle near a point, any way round."""
    turn = scene.chance.between(0, 2 * math.pi)
    along = [math.cos(turn), math.sin(turn), 0]
    middle = plus(at, [scene.chance.between(-0.2, 0.2), scene.chance.between(-0.2, 0.2), 0], scene.length)
    start = plus(middle, along, -scene.length / 2)
    if plain:
        return scene.straight_rod(name, start, plus(start, along, scene.length), fine_enough(scene.chance, 0, scene.weight))
    shape = {"line": {"from": vector(start), "to": vector(plus(start, along, scene.length))}}
    return scene.add_rod(name, shape, scene.length, 0, (start, plus(start, along, scene.length)))


def pile(scene):
    """Loose rods or rings."""
    rings = scene.chance(0.5)
    for i, at in enumerate(storeys(scene, scene.chance.whole(2, 5))):
        if not rings:
            lying(scene, f"rod{i}", at, plain=True)
            continue
        radius = scene.length / (2 * math.pi)
        centre = plus(at, [scene.chance.between(-0.5, 0.5), scene.chance.between(-0.5, 0.5), 0], radius)
        shape = {"ring": {"radius": rounded(radius, 8), "centre": vector(centre), "normal": [0, 0, 1], "start": [1, 0, 0]}}
        rod = scene.add_rod(f"rod{i}", shape, scene.length, 2 * math.pi, plain=True)
        rod.entry["segments"] = max(24, rod.entry["segments"])


def drape(scene):
    """A loose rod over whatever lies below."""
    lying(scene, "rod", scene.origin)


def crossing(scene):
    """Rods across each other, held at one end or both."""
    for i, at in enumerate(storeys(scene, scene.chance.whole(2, 4))):
        rod = lying(scene, f"rod{i}", at, plain=True)
        scene.clamp(f"{rod.name}.start")
        if scene.chance(0.6):
            scene.clamp(f"{rod.name}.end") if scene.chance(0.6) else scene.pin(f"{rod.name}.end")


def wound(scene):
    """Two ends that come nearer to each other while one is turned, until the rod winds about itself."""
    rod = lying(scene, "rod", scene.origin, plain=True)
    rod.entry["segments"] = max(rod.entry["segments"], min(160, int(scene.length / (5 * scene.stuff.radius))))
    scene.clamp("rod.start")
    scene.clamp("rod.end")
