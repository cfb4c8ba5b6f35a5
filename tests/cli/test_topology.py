"""Twist, writhe, link, knots, and `writhe run --watch-topology`. Run: /usr/bin/python3 tests/cli/test_topology.py path/to/writhe"""

import csv
import math
import pathlib
import sys
import unittest

import test_cli
from test_cli import SOURCE, CliTest, strict_json

HEAD = """\
writhe: 1
gravity: [0, 0, 0]
materials:
  rubber: {young: 1.0e7, poisson: 0.5, density: 1300}
sections:
  round: {circle: {radius: 0.001}}
"""
# One bar lies along x, the other is 0.05 m above it along y and is given 2 m/s downwards in the first 2 ms.
THROWN = HEAD + """\
rods:
  low:
    section: round
    material: rubber
    centreline: {line: {from: [-0.09, 0, 0], to: [0.11, 0, 0]}}
    segments: 20
  high:
    section: round
    material: rubber
    centreline: {line: {from: [0, -0.08, 0.05], to: [0, 0.12, 0.05]}}
    segments: 16
loads:
  - {force_per_length: [0, 0, -4.0840704496667e-3], rod: high, ramp: [[0, 1000], [0.002, 1000], [0.0020001, 0]]}
time: {dt: 1.0e-3, until: 0.06}
output:
  interval: 1.0e-3
  formats: [obj]
"""


class Topology(CliTest):
    def run_scene(self, text, *options, status=0, out="out"):
        self.scene(text, "scene.yaml")
        run = self.writhe("run", "scene.yaml", "--out", out, *options, status=status)
        return run, strict_json((self.folder / out / "summary.json").read_text())

    def test_rods_thrown_through_each_other_are_reported(self):
        # Linear density rho pi r^2 = 4.084e-3 kg/m: 1000 m/s^2 for two steps of Euler's, 1 mm and 2 mm; then 2 m/s.
        run, summary = self.run_scene(THROWN, "--watch-topology", status=1)
        self.assertEqual(summary["outcome"], "failed")
        passed = summary["pass_through"]
        self.assertEqual(passed["places"], ["low.node[9]", "high.node[6]"])
        self.assertAlmostEqual(passed["time"], 2e-3 + 0.047 / 2, delta=1e-5)
        self.assertEqual(passed["step"], summary["steps"])
        self.assertAlmostEqual(passed["time"], summary["time"]["end"], delta=1.0e-3)
        for found, expected in zip(passed["position"], [0, 0, 0], strict=True):
            self.assertAlmostEqual(found, expected, delta=1e-12)
        self.assertIn("writhe: failed: low.node[9] went through high.node[6] at t = 0.02", run.stderr)
        self.assertIn(f"in step {passed['step']}, at (", run.stderr)
        self.assertIn("contact.between", run.stderr)
        self.assertEqual(run.stderr.split("failed: ")[1].splitlines()[0], summary["cause"])
        # All outputs are complete up to there, and the run goes on when asked.
        with open(self.folder / "out/probes.csv") as file:
            self.assertAlmostEqual(float(list(csv.reader(file))[-1][0]), summary["time"]["end"])
        self.assertTrue((self.folder / "out/picture.svg").exists())
        self.writhe("run", "scene.yaml", "--out", "out", "--resume")
        whole = self.run_scene(THROWN, out="whole")[1]
        resumed = strict_json((self.folder / "out/summary.json").read_text())
        self.assertEqual(resumed["state_hash"], whole["state_hash"])
        self.assertEqual(resumed["rods"], whole["rods"])
        self.assertNotIn("pass_through", resumed)

    def test_a_watch_that_goes_on_counts_all_steps(self):
        self.run_scene(THROWN, "--until", "0.02", "--watch-topology")
        run = self.writhe("run", "scene.yaml", "--out", "out", "--resume", "--watch-topology", status=1)
        self.assertIn("went through", run.stderr)
        parts = strict_json((self.folder / "out/summary.json").read_text())
        whole = self.run_scene(THROWN, "--watch-topology", status=1, out="whole")[1]
        self.assertEqual(parts["pass_through"], whole["pass_through"])

    def test_it_is_reported_by_every_method_and_integrator(self):
        for options in [["--solver", "pd"], ["--set", "solver.integrator=midpoint"], ["--set", "time.tolerance=1e-4"]]:
            with self.subTest(options):
                run, _ = self.run_scene(THROWN, "--watch-topology", "--force", *options, status=1)
                self.assertIn("went through", run.stderr)

    def test_what_misses_is_not_reported(self):
        # At x = 0.112 beside the end of the other at 0.11, aslant, so that the boxes around both meet.
        aside = THROWN.replace("[0, -0.08, 0.05], to: [0, 0.12, 0.05]", "[0.048, -0.08, 0.05], to: [0.208, 0.12, 0.05]")
        self.assertNotEqual(aside, THROWN)
        run, summary = self.run_scene(aside, "--watch-topology")
        self.assertNotIn("pass_through", summary)
        self.assertEqual(run.stderr.count("went through"), 0)
        self.run_scene(THROWN, "--watch-topology", "--until", "0.02", "--force")  # not there yet
        self.run_scene(THROWN, "--force")  # nobody watches

    def test_the_shipped_ring_passes_through_nothing(self):
        self.writhe("run", SOURCE / "scenes/ring.yaml", "--out", "ring", "--until", "0.3", "--watch-topology", "--quiet")

    def test_probes_tell_link_twist_and_writhe(self):
        twisted = HEAD + """\
rods:
  rope:
    section: round
    material: rubber
    centreline: {line: {from: [0, 0, 0], to: [0.3, 0, 0]}}
    segments: 30
    initial_twist: 1.5 turns
supports:
  - {clamp: rope.start}
  - clamp: rope.end
    motion: {twist: [[0, 0], [0.1, 2 turns]], translate: [[0, [0, 0, 0]], [0.1, [-0.1, 0.03, 0]]]}
time: {dt: 1.0e-3, until: 0.1}
output:
  probes:
    - {name: whole, at: rope.start, fields: [link, writhe, total_twist]}
    - {name: other, at: rope@0.5, fields: [total_twist, position]}
"""
        _, summary = self.run_scene(twisted)
        with open(self.folder / "out/probes.csv") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            driven = min(float(row["time [s]"]) / 0.1, 1)
            self.assertAlmostEqual(float(row["whole.link [turns]"]), 1.5 + 2 * driven, delta=1e-9)
            self.assertAlmostEqual(
                float(row["whole.link [turns]"]),
                float(row["whole.writhe [turns]"]) + float(row["whole.total_twist [turns]"]),
                delta=1e-12,
            )
            self.assertEqual(row["whole.total_twist [turns]"], row["other.total_twist [turns]"])
        self.assertGreater(abs(float(rows[-1]["whole.writhe [turns]"])), 0.01)
        rope = summary["rods"][0]
        self.assertAlmostEqual(rope["link"], 3.5, delta=1e-9)
        self.assertAlmostEqual(rope["at_start"]["link"], 1.5, delta=1e-9)
        self.assertEqual(rope["link"], summary["probes"]["whole"]["link"])
        self.assertEqual([rope["knot"], rope["at_start"]["knot"]], ["unknot", "unknot"])

    def test_summaries_name_knots_and_linked_rings(self):
        points = []
        for i in range(60):
            t = 2 * math.pi * i / 60
            r = 2 + 0.7 * math.cos(3 * t)
            points.append([0.05 * r * math.cos(2 * t), 0.05 * r * math.sin(2 * t), 0.035 * math.sin(3 * t)])
        rod = "section: round, material: rubber, segments: 60"
        rings = HEAD + f"""\
rods:
  trefoil: {{{rod}, closed: true, centreline: {{polyline: {{points: {points}}}}}}}
  one: {{{rod}, centreline: {{ring: {{centre: [1, 0, 0], normal: [0, 0, 1], radius: 0.1}}}}}}
  two: {{{rod}, centreline: {{ring: {{centre: [1.1, 0, 0], normal: [0, 1, 0], radius: 0.1}}}}}}
  far: {{{rod}, centreline: {{ring: {{centre: [1.5, 0, 0], normal: [0, 1, 0], radius: 0.1}}}}}}
time: {{dt: 1.0e-3, until: 2.0e-3}}
"""
        _, summary = self.run_scene(rings)
        self.assertEqual([rod["knot"] for rod in summary["rods"]], ["3_1 trefoil", "unknot", "unknot", "unknot"])
        # The first turns from x to y; the second, from z to x, goes up through the middle of it: right-handed.
        self.assertEqual(summary["linked_rings"], [{"rings": ["one", "two"], "link": 1}])
        self.assertEqual(summary["linked_rings"], summary["linked_rings_at_start"])
        self.assertNotIn("windings_left_out", summary)

    def test_large_scenes_are_left_out_and_counted(self):
        long = THROWN.replace("segments: 20", "segments: 1200")
        _, summary = self.run_scene(long, "--until", "2e-3")
        self.assertEqual(summary["windings_left_out"], {"rods_left_out": 1})
        self.assertNotIn("link", summary["rods"][0])
        self.assertIn("link", summary["rods"][1])

    def test_solve_tells_them_too(self):
        rods = THROWN.split("loads:")[0].replace("segments: 20", "segments: 20\n    initial_twist: 0.75 turns")
        self.scene(rods + "supports: [{clamp: low.start}, {clamp: low.end}, {clamp: high.start}]\n")
        self.writhe("solve", "rope.yaml", "--out", "out", "--quiet")
        low, high = strict_json((self.folder / "out/summary.json").read_text())["rods"]
        self.assertAlmostEqual(low["link"], 0.75, delta=1e-9)
        self.assertAlmostEqual(high["link"], 0, delta=1e-9)
        self.assertEqual(low["knot"], "unknot")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_topology.py path/to/writhe [unittest arguments]")
    test_cli.PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
