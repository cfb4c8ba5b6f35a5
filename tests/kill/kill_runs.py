"""Runs killed with SIGKILL at random moments, resumed, perhaps killed again: all end with the files of an undisturbed run.

Run: /usr/bin/python3 tests/kill/kill_runs.py path/to/writhe [--runs 200] [--seed 1]

Every third of them runs until it is at rest, the others to a time. Compared to the byte: every file of the run but checkpoint.writhe and summary.json, which hold how long it took; of the summary the
steps and the hash of all bits of the last state.
"""

import argparse
import json
import pathlib
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from program import finish, start_program  # noqa: E402

SCENE = """\
writhe: 1
title: A cord is swung about and wound up
materials:
  rubber: {young: 5e6, poisson: 0.5, density: 1300}
sections:
  tape: {rectangle: {width: 0.01, height: 0.004}}
rods:
  cord:
    section: tape
    material: rubber
    centreline: {line: {from: [0, 0, 0], to: [0, 0, -0.4]}}
    segments: 60
supports:
  - clamp: cord.start
    motion:
      easing: smooth
      rotate: {axis: [0, 1, 0], angle: [[0, 0], [0.4, 90 deg], [0.8, 0]]}
      twist: [[0.8, 0], [1.6, 2 turns]]
time: {dt: 1.3e-4, until: 1.6003}
output:
  interval: 0.007
  formats: [vtk, usd, obj]
  frame_interval: 0.1
  checkpoint: 0.005
  probes: [{name: tip, at: cord.end, fields: [position, frame, moment]}]
  picture: {color: twist}
"""
KINDS = {"timed": [], "settled": ["--until", "settled", "--set", "rods.cord.segments=2000", "--set", "output.formats=[usd]"]}
TIMED = {"checkpoint.writhe", "summary.json"}


def files_of(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file() and file.name not in TIMED}


def facts_of(folder):
    summary = json.loads((folder / "summary.json").read_text())
    return {key: summary[key] for key in ("outcome", "steps", "state_hash", "time")}


class Runner:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.scene = folder / "scene.yaml"
        self.scene.write_text(SCENE)

    def start(self, out, *options):
        return start_program([self.program, "run", self.scene, "--out", out, "--resume", "--quiet", *options])

    def finish(self, out, *options):
        run = self.start(out, *options)
        stdout, stderr = finish(run)
        if run.returncode != 0:
            raise SystemExit(f"kill_runs: status {run.returncode}: {stdout}{stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        runner = Runner(str(pathlib.Path(options.program).resolve()), folder)
        kinds = []
        for kind, settings in KINDS.items():
            begun = time.monotonic()
            runner.finish(folder / kind, *settings)
            kinds.append((settings, time.monotonic() - begun, files_of(folder / kind), facts_of(folder / kind)))

        kills = before_first = 0
        wrong = []
        for number in range(options.runs):
            settings, duration, files, facts = kinds[number % 3 == 2]
            out = folder / f"run{number}"
            for _ in range(chance.choice([1, 1, 2, 3])):
                run = runner.start(out, *settings)
                time.sleep(chance.uniform(0, duration))
                if run.poll() is None:
                    kills += 1
                run.kill()
                run.communicate()
                before_first += not (out / "checkpoint.writhe").exists()
            runner.finish(out, *settings)
            found = files_of(out)
            differ = sorted(key for key in files.keys() | found.keys() if files.get(key) != found.get(key))
            if differ or facts_of(out) != facts:
                wrong.append(f"run {number}: {', '.join(differ)} {facts_of(out)}")
            shutil.rmtree(out)
        durations = ", ".join(f"{duration:.2f} s" for _, duration, _, _ in kinds)
        print(
            f"{options.runs} runs ({durations}), {kills} times killed while running, {before_first} times before the first "
            f"checkpoint: {options.runs - len(wrong)} ended with the files and the bits of the undisturbed run"
        )
        for line in wrong:
            print(line)
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
