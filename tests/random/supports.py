"""How supports and closing joints move: no faster than the rod would swing by itself, no step with more than a twelfth of a turn."""

import math

from chance import plus, rounded, times, unit, vector


def inward(scene, support):
    """So that a rod between two supports is not torn: from the place towards the other end."""
    place = support.get("clamp") or support["pin"]
    name, end = place.split(".")
    rod = next(r for r in scene.rods if r.name == name)
    if rod.start is None or end not in ("start", "end"):
        return times(0.05, scene.chance.direction())
    way = unit(plus(rod.end, rod.start, -1))
    return way if end == "start" else times(-1, way)


def put_motions(scene):
    chance = scene.chance
    span = chance.between(0.3, 1) * scene.until
    part = min(1.0, 2 * span / scene.period)
    limit = span / scene.dt * math.pi / 6
    close(scene, span, limit)
    if scene.kind == "wound":
        wind(scene, span, part, limit)
        return
    if not scene.supports or not chance(0.35):
        return
    moving = scene.supports[chance.whole(0, len(scene.supports) - 1)]
    apart = len(scene.supports) > 1
    motion = {}
    if chance(0.5):
        motion["easing"] = chance.one_of("smooth", "smoother", "linear")
    way = chance.weighted(translate=3, rotate=2, twist=2)
    end = rounded(span)
    if way == "translate" or "pin" in moving:
        far = part * scene.length * chance.between(0.02, 0.1 if apart else 0.3)
        direction = inward(scene, moving) if apart else chance.direction()
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


def close(scene, span, limit):
    """Some rings are twisted by their closing joint."""
    for rod in scene.rods:
        if rod.closed and scene.chance(0.3):
            angle = min(limit, scene.chance.between(0.1, 1.5) * math.pi)
            rod.entry["closing_motion"] = [[0, 0], [rounded(span), rounded(angle)]]


def wind(scene, span, part, limit):
    """The end of a rod that winds about itself: some degrees a joint, and no more than its surface bears."""
    chance, end, rod = scene.chance, rounded(span), scene.rods[0]
    limit = min(limit, 0.4 * rod.entry["segments"], 0.2 * rod.length / scene.stuff.radius)
    far = part * scene.length * chance.between(0.05, 0.5)
    way = vector(times(far, inward(scene, scene.supports[-1])))
    turns = min(limit, chance.between(1, 8) * 2 * math.pi)
    scene.supports[-1]["motion"] = {"translate": [[0, [0, 0, 0]], [end, way]], "twist": [[0, 0], [end, rounded(turns)]],
                                    "easing": chance.one_of("linear", "smooth")}
