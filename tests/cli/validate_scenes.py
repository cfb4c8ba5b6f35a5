#!/usr/bin/python3
"""Validates every ready scene, every template and every scene of an experiment against docs/scene.schema.json.

Usage: validate_scenes.py [FILE...]     (default: scenes/, templates/, experiments/*/ and tests/cases/obstacles.yaml)

Exit status 0: all are valid, and broken copies of one are rejected. 1: not so; the messages say where. Needs Debian's
python3-yaml and python3-jsonschema.
"""

import copy
import json
import pathlib
import re
import sys

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]


class SceneLoader(yaml.SafeLoader):
    """Reads scalars as Writhe does: YAML 1.2 numbers, where 1e6 is a number and yes is a word; no key twice."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        doubled = sorted({str(key) for key in keys if keys.count(key) > 1})
        if doubled:
            raise yaml.constructor.ConstructorError(None, None, f"given twice: {', '.join(doubled)}", node.start_mark)
        return super().construct_mapping(node, deep)


SceneLoader.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("bool", r"^(true|false)$", "tf"),
    ("int", r"^[-+]?(0|[1-9][0-9]*)$", "-+0123456789"),
    ("float", r"^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$", "-+.0123456789"),
    ("null", r"^(~|null|)$", ["~", "n", ""]),
]:
    SceneLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(first))
SceneLoader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(loader.construct_scalar(node)))
SceneLoader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(loader.construct_scalar(node)))


def problems_of(scene, validator):
    """All violations as `path: message`, the most telling part of an alternative first."""
    found = []
    for error in validator.iter_errors(scene):
        deepest = jsonschema.exceptions.best_match([error])
        path = ".".join(str(part) for part in deepest.absolute_path)
        found.append(f"{path or 'scene'}: {deepest.message}")
    return sorted(found)


def broken_copies(scene):
    """(what is wrong, the scene with that fault) for faults that the schema must notice."""

    def with_fault(change):
        other = copy.deepcopy(scene)
        change(other)
        return other

    rod = next(iter(scene["rods"]))
    section = next(iter(scene["sections"]))
    yield "an unknown key at the top", with_fault(lambda s: s.update(gravitation=[0, 0, -1]))
    yield "another version", with_fault(lambda s: s.update(writhe=2))
    yield "an unknown key in a rod", with_fault(lambda s: s["rods"][rod].update(segmnts=3))
    yield "a missing key", with_fault(lambda s: s["rods"][rod].pop("segments"))
    yield "a fraction for a whole number", with_fault(lambda s: s["rods"][rod].update(segments=10.5))
    yield "a text for a number", with_fault(lambda s: s["sections"].update({section: {"circle": {"radius": "5 mm"}}}))
    yield "two shapes", with_fault(lambda s: s["sections"].update({section: {"circle": {"radius": 1}, "tube": {}}}))
    yield "a short vector", with_fault(lambda s: s.update(gravity=[0, -9.81]))
    yield "not a place", with_fault(lambda s: s.update(supports=[{"clamp": "rope.middle"}]))
    yield "a load of no kind", with_fault(lambda s: s.update(loads=[{"at": f"{rod}.end"}]))
    yield "an angle without unit", with_fault(lambda s: s["rods"][rod].update(initial_twist="90"))
    yield "no iterations", with_fault(lambda s: s.update(solver={"iterations": 0}))
    yield "more iterations than there may be", with_fault(lambda s: s.update(solver={"iterations": 1000001}))
    yield "unknown weights", with_fault(lambda s: s.update(solver={"weights": "exact"}))
    yield "an unknown coupling", with_fault(lambda s: s.update(solver={"coupling": "none"}))
    yield "an unknown metric", with_fault(lambda s: s.update(solver={"metric": "euclid"}))
    yield "an unknown acceleration", with_fault(lambda s: s.update(solver={"acceleration": "separate"}))
    for what, obstacle in [
        ("without a name", {"plane": {}}),
        ("of two shapes", {"name": "it", "plane": {}, "sphere": {"radius": 1}}),
        ("of no shape", {"name": "it"}),
        ("without a size", {"name": "it", "box": {}}),
        ("of radius 0", {"name": "it", "sphere": {"radius": 0}}),
        ("without a file", {"name": "it", "mesh": {"scale": 2}}),
        ("that twists", {"name": "it", "plane": {}, "motion": {"twist": [[0, 0]]}}),
    ]:
        yield f"an obstacle {what}", with_fault(lambda s, obstacle=obstacle: s.update(obstacles=[obstacle]))
    for what, contact in [
        ("between some", {"between": "some"}),
        ("between no pairs", {"between": []}),
        ("between three", {"between": [["a", "b", "c"]]}),
        ("of thickness 0", {"thickness": 0}),
        ("with friction", {"friction": 0.3}),
    ]:
        yield f"contact {what}", with_fault(lambda s, contact=contact: s.update(contact=contact))


def main(arguments):
    schema = json.loads((ROOT / "docs" / "scene.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    files = [pathlib.Path(name) for name in arguments]
    if not files:
        patterns = ["scenes/*.yaml", "templates/*.yaml", "experiments/*/*.yaml", "tests/cases/obstacles.yaml"]
        files = [file for pattern in patterns for file in sorted(ROOT.glob(pattern))]
    failures, valid = [], []
    for file in files:
        try:
            scene = yaml.load(file.read_text(encoding="utf-8"), Loader=SceneLoader)
        except (OSError, UnicodeDecodeError, yaml.YAMLError, ValueError) as error:
            failures.append(f"{file}: {error}")
            continue
        found = problems_of(scene, validator)
        failures += [f"{file}: {problem}" for problem in found]
        if not found:
            valid.append(scene)

    if not files:
        failures.append("no scenes found")
    for fault, scene in broken_copies(valid[0]) if valid else []:
        if not problems_of(scene, validator):
            failures.append(f"self-check: a scene with {fault} was accepted")

    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(valid)} of {len(files)} scenes valid")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
