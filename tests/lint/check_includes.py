#!/usr/bin/python3
"""Checks that includes point downwards: a room of the house may use the floors below it and nothing else.

check_includes.py [ROOT]      checks src/, include/, apps/ and experiments/; tests and benchmarks may include all
check_includes.py --self-test shows on small trees that violations are found
"""

import os
import re
import tempfile

from files import read_text, repository_files, run
from trees import write_tree

# Rooms of one floor stand side by side and do not include each other.
FLOORS = [
    ["base"],
    ["math"],
    ["elastic", "linalg"],
    ["model"],
    ["terms"],
    ["contact"],
    ["bodies", "loads", "measure"],
    ["assembly"],
    ["solvers"],
    ["simulation"],
    ["statics"],
    ["scene", "output"],
    ["study"],
    ["apps"],
]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

# The room that a public header belongs to; writhe.h gathers all of them and so belongs to the highest.
PUBLIC_HEADERS = {
    "error.h": "base",
    "vec.h": "math",
    "scene.h": "model",
    "model.h": "model",
    "state.h": "model",
    "step_report.h": "model",
    "reaction.h": "model",
    "simulation.h": "simulation",
    "statics.h": "statics",
    "load.h": "scene",
    "writhe.h": "study",
}

GENERATED = {"embedded_files.inc", "version_info.inc"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<(writhe/[^>\n]+)>)', re.MULTILINE)
SOURCE = re.compile(r"^(src|include|apps|experiments)/.*\.(h|hpp|cpp|cu|cuh|inc)$")


class Place:
    """Where a source file stands: its room, and its solver for a file in the folder of one."""

    def __init__(self, path):
        parts = path.split("/")
        self.path = path
        self.room = None
        self.solver = None
        if parts[0] == "experiments":
            self.room = "study"
        elif parts[0] == "apps":
            self.room = "apps"
        elif parts[0] == "include":
            self.room = PUBLIC_HEADERS.get("/".join(parts[2:]))
        elif parts[0] == "src" and len(parts) > 2 and parts[1] in FLOOR_OF:
            self.room = parts[1]
            if self.room == "solvers" and len(parts) > 3:
                self.solver = parts[2]


def resolve(includer, name, sources):
    """The path of an included file: beside the one that includes it, below src/ or below include/. None when not found."""
    beside = os.path.normpath(os.path.join(os.path.dirname(includer), name))
    for path in (beside, "src/" + name, "include/" + name):
        if path in sources:
            return path
    return None


def complaint(user, used):
    """What is wrong with `user` including `used`; None when nothing is."""
    below = FLOOR_OF[used.room] < FLOOR_OF[user.room]
    if not below and used.room != user.room:
        return f"{user.room} must not use {used.room}: move what both need to a floor below {user.room}"
    if used.solver and used.solver != user.solver and user.room == "solvers":
        if user.solver:
            return f"solver {user.solver} must not use solver {used.solver}: move what both need to src/solvers/ or below"
        if not user.path.endswith(".cpp"):
            return f"a header shared by the solvers must not use solver {used.solver}"
    return None


def check(root):
    """All problems of the tree, as lines."""
    sources = {path for path in repository_files(root) if SOURCE.match(path)}
    problems = []
    for path in sorted(sources):
        user = Place(path)
        if user.room is None:
            problems.append(f"{path}: stands in no known room; give it one in tests/lint/check_includes.py")
            continue
        text = read_text(root, path) or ""
        for match in INCLUDE.finditer(text):
            name = match.group(1) or match.group(2)
            if name in GENERATED:
                continue
            where = f"{path}:{text.count(chr(10), 0, match.start()) + 1}"
            target = resolve(path, name, sources)
            if target is None:
                problems.append(f'{where}: "{name}" is not a file of this project (use <> for others)')
                continue
            used = Place(target)
            if used.room is None:
                continue  # reported where it stands
            what = complaint(user, used)
            if what:
                problems.append(f"{where}: includes {target}: {what}")
    return problems


def self_test():
    """Every rule is broken once, in a tree of its own, and kept once."""
    kept = {
        "include/writhe/error.h": "#include <string>\n",
        "include/writhe/vec.h": "",
        "include/writhe/model.h": '#include "writhe/error.h"\n#include "writhe/vec.h"\n',
        "src/base/embedded.cpp": '#include "embedded_files.inc"\n#include "writhe/error.h"\n',
        "src/elastic/joint.h": '#include "writhe/vec.h"\n',
        "src/linalg/banded.h": "",
        "src/solvers/solver.h": '#include "elastic/joint.h"\n',
        "src/solvers/table.cpp": '#include "solvers/newton/newton.h"\n#include "solver.h"\n',
        "src/solvers/newton/newton.h": '#include "solvers/solver.h"\n#include "phases.h"\n',
        "src/solvers/newton/phases.h": "",
        "src/solvers/pd/pd.h": '#include "solvers/solver.h"\n',
        "src/study/compare.h": "#include <writhe/model.h>\n",
        "experiments/ring/ring.cpp": '#include "study/compare.h"\n',
        "apps/cli/main.cpp": '#include "experiments.h"\n',
        "apps/cli/experiments.h": '#include "study/compare.h"\n',
        "tests/unit/all.cpp": '#include "apps/nothing.h"\n',
    }
    broken = {
        "up": ("src/math/rotation.h", '#include "elastic/joint.h"\n'),
        "up, angle brackets": ("src/elastic/joint.h", "#include <writhe/model.h>\n"),
        "up, from a public header": ("include/writhe/error.h", '#include "writhe/model.h"\n'),
        "sideways": ("src/linalg/banded.h", '  #  include "elastic/joint.h"\n'),
        "solver to solver": ("src/solvers/pd/pd.h", '\n#include "solvers/newton/newton.h"\n'),
        "shared header to solver": ("src/solvers/solver.h", '#include "solvers/newton/newton.h"\n'),
        "up, by a relative path": ("src/base/log.h", '#include "../model/../solvers/solver.h"\n'),
        "not there": ("src/base/log.h", '#include "base/missing.h"\n'),
        "public header without a floor": ("include/writhe/other.h", ""),
        "folder without a floor": ("src/attic/old.h", ""),
        "experiment from below": ("src/output/svg.cpp", '#include "study/compare.h"\n'),
    }

    def problems_of(tree):
        with tempfile.TemporaryDirectory() as root:
            write_tree(root, tree)
            return check(root)

    failures = [f"found in a tree that keeps the rules: {line}" for line in problems_of(kept)]
    for name, (path, text) in broken.items():
        lines = problems_of({**kept, path: text})
        if len(lines) != 1 or not lines[0].startswith(path):
            failures.append(f"{name}: expected one problem in {path}, got {lines}")
    return failures


run(check, self_test)
