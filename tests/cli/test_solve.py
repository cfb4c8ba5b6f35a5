"""Equilibrium by `writhe solve`. Run: /usr/bin/python3 tests/cli/test_solve.py path/to/writhe"""

import csv
import math
import pathlib
import re
import shlex
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from program import finish, start_program, wait_for  # noqa: E402

import test_cli
from test_cli import SOURCE, CliTest, numbers_in, strict_json

YOUNG, DENSITY, LENGTH, WIDTH, HEIGHT = 1e9, 1200, 0.5, 0.02, 0.004
AREA, EI = WIDTH * HEIGHT, YOUNG * WIDTH * HEIGHT**3 / 12

# A strip along x that bends in the plane of x and z.
STRIP = f"""\
writhe: 1
materials:
  plastic: {{young: {YOUNG}, poisson: 0.3, density: {DENSITY}}}
sections:
  strip: {{rectangle: {{width: {WIDTH}, height: {HEIGHT}}}}}
rods:
  strip:
    section: strip
    material: plastic
    centreline: {{line: {{from: [0, 0, 0], to: [{LENGTH}, 0, 0]}}}}
    d1: [0, 1, 0]
    segments: 40
"""
CLAMPED = STRIP + "supports: [{clamp: strip.start}]\n"
TIP_FORCE = "gravity: [0, 0, 0]\nloads: [{force: [0.5, 0, -2], at: strip.end}]\n"


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def vector(row, name, unit):
    return [float(row[f"{name}{axis} [{unit}]"]) for axis in "xyz"]


class SolveTest(CliTest):
    def solve(self, text, *options, status=0, out="results"):
        """The program's answer; a scene's text or path."""
        scene = text if isinstance(text, pathlib.Path) else self.scene(text)
        return self.writhe("solve", scene, "--out", out, *options, status=status)

    def summary(self, out="results"):
        summary = strict_json((self.folder / out / "summary.json").read_text())
        self.assertTrue(all(math.isfinite(number) for number in numbers_in(summary)))
        return summary

    def table(self, name, out="results"):
        with open(self.folder / out / name, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            self.assertTrue(all(math.isfinite(float(cell)) for key, cell in row.items() if key != "rod"))
        return rows

    def assert_near(self, a, b, delta):
        for left, right in zip(a, b, strict=True):
            self.assertAlmostEqual(left, right, delta=delta)


class Equilibrium(SolveTest):
    def test_a_strip_carries_its_weight(self):
        run = self.solve(CLAMPED)
        self.assertEqual(run.stderr, "")
        summary = self.summary()
        weight = 9.81 * DENSITY * AREA * LENGTH
        self.assertEqual((summary["outcome"], summary["statics"]["status"]), ("finished", "converged"))
        self.assertEqual((summary["statics"]["balance"], summary["statics"]["negative"]), ("stable", 0))
        (reaction,) = summary["statics"]["reactions"]
        self.assertEqual(reaction["support"], "clamp strip.start")
        self.assert_near(reaction["force"], [0, 0, weight], 1e-6 * weight)
        self.assertLessEqual(summary["statics"]["residual"], summary["statics"]["residual_limit"])
        for word in ["equilibrium at full load: stable", "clamp strip.start", f"{weight:.5g}", "results: run.json summary.json"]:
            self.assertIn(word, run.stdout)

    def test_two_pins_share_the_weight(self):
        self.solve(SOURCE / "scenes/hanging.yaml")
        summary = self.summary()
        weight = 9.81 * summary["rods"][0]["mass"]
        left, right = (reaction["force"] for reaction in summary["statics"]["reactions"])
        self.assert_near([a + b for a, b in zip(left, right)], [0, 0, weight], 1e-6 * weight)
        self.assertAlmostEqual(left[2], right[2], delta=1e-6 * weight)
        self.assertLess(left[0], 0)  # the rope pulls its ends together
        self.assertNotIn("moment", summary["statics"]["reactions"][0])

    def test_the_corners_of_a_net_share_what_it_carries(self):
        self.solve(SOURCE / "scenes/net.yaml")
        summary = self.summary()
        self.assertEqual(summary["statics"]["balance"], "stable")
        carried = 9.81 * sum(rod["mass"] for rod in summary["rods"]) + 1  # N: the ball
        forces = [reaction["force"] for reaction in summary["statics"]["reactions"]]
        self.assertEqual(len(forces), 4)
        for force in forces:
            self.assertAlmostEqual(force[2], carried / 4, delta=1e-6 * carried)
            self.assertAlmostEqual(abs(force[0]), abs(force[1]), delta=1e-6 * carried)
        self.assert_near([sum(axis) for axis in zip(*forces)], [0, 0, carried], 1e-6 * carried)

    def test_the_path_balances_its_load_at_every_point(self):
        ramp = TIP_FORCE.replace("strip.end}", "strip.end, ramp: [[0, 0], [1, 1]]}")
        self.solve(CLAMPED + ramp)
        rows = self.table("path.csv")
        self.assertEqual(float(rows[-1]["time [s]"]), 1)
        self.assertGreaterEqual(len(rows), 5)
        for number, row in enumerate(rows, start=1):
            self.assertEqual(int(row["point"]), number)
            factor = float(row["load [1]"]) * float(row["time [s]"])
            force = vector(row, "force strip.end.force_", "N")
            self.assert_near(force, [0.5 * factor, 0, -2 * factor], 1e-12)
            self.assert_near(vector(row, "clamp strip.start.force_", "N"), [-f for f in force], 1e-6)
            tip = [a + b for a, b in zip([LENGTH, 0, 0], vector(row, "force strip.end.d", "m"))]
            root = vector(row, "clamp strip.start.moment_", "N m")
            self.assert_near(root, [-m for m in cross(tip, force)], 1e-6)
        self.assertLess(vector(rows[-1], "force strip.end.d", "m")[2], -0.1)

    def test_the_path_carries_the_weight_of_what_is_held_too(self):
        self.solve(CLAMPED + "loads: [{force: [0, 0, -2], at: strip.end, ramp: [[0, 0], [1, 1]]}]\n")
        weight = 9.81 * DENSITY * AREA * LENGTH
        for row in self.table("path.csv"):
            expected = float(row["load [1]"]) * (weight + 2 * float(row["time [s]"]))
            self.assertAlmostEqual(float(row["clamp strip.start.force_z [N]"]), expected, delta=1e-6)

    def test_resultants_are_those_of_the_load(self):
        self.solve(CLAMPED + "gravity: [0, 0, 0]\nloads: [{moment: [0, 0.2, 0], at: strip.end}]\n")
        rows = self.table("resultants.csv")
        self.assertEqual(len(rows), 41)
        for row in rows:
            size = math.hypot(float(row["moment1 [N m]"]), float(row["moment2 [N m]"]))
            self.assertAlmostEqual(size, 0.2, delta=1e-4)  # to second order in a segment
            curvature = math.hypot(float(row["curvature1 [1/m]"]), float(row["curvature2 [1/m]"]))
            self.assertAlmostEqual(curvature, 0.2 / EI, delta=1e-3 * 0.2 / EI)
            self.assertAlmostEqual(float(row["tension [N]"]), 0, delta=1e-6)

    def test_a_pulled_strip_has_the_tension_of_the_load(self):
        self.solve(CLAMPED + "gravity: [0, 0, 0]\nloads: [{force: [3, 0, 0], at: strip.end}]\n")
        for row in self.table("resultants.csv"):
            self.assertAlmostEqual(float(row["tension [N]"]), 3, delta=1e-6)
            self.assertAlmostEqual(float(row["stretch [1]"]), 3 / (YOUNG * AREA), delta=1e-9)

    def test_modes_are_those_of_a_cantilever(self):
        run = self.solve(CLAMPED + "gravity: [0, 0, 0]\n", "--modes", "2")
        first, _ = self.summary()["statics"]["modes"]
        exact = 1.8751**2 / (2 * math.pi) * math.sqrt(EI / (DENSITY * AREA)) / LENGTH**2
        self.assertAlmostEqual(first["frequency"], exact, delta=0.01 * exact)
        self.assertAlmostEqual(first["period"], 1 / first["frequency"], delta=1e-12)
        self.assertIn(f"{first['frequency']:.5g}", run.stdout)
        rows = [row for row in self.table("modes.csv") if row["mode"] == "1"]
        self.assertEqual([int(row["node"]) for row in rows], list(range(41)))
        self.assert_near(vector(rows[0], "d", "m"), [0, 0, 0], 0)
        across = [abs(float(row["dz [m]"])) for row in rows]
        self.assertEqual(across, sorted(across))  # it swings in the plane of its weak axis, most at the tip
        # A quarter of the mass of a cantilever swings with its tip: the integral of the squared shape.
        self.assertAlmostEqual(across[-1], 2 / math.sqrt(DENSITY * AREA * LENGTH), delta=0.02 * across[-1])

    def test_without_modes_there_is_no_file_of_them(self):
        self.solve(CLAMPED)
        self.assertEqual(self.summary()["statics"]["modes"], [])
        self.assertFalse((self.folder / "results/modes.csv").exists())

    def test_neutral_motions_are_named(self):
        run = self.solve(STRIP + "supports: [{pin: strip.start}, {pin: strip.end}]\ngravity: [0, 0, 0]\n")
        summary = self.summary()
        self.assertEqual(summary["statics"]["balance"], "neutral")
        self.assertTrue(summary["statics"]["neutral"])
        for motion in summary["statics"]["neutral"]:
            self.assertIn(motion, run.stdout)

    def test_shapes_probes_and_pictures_are_those_of_run(self):
        probes = "output: {formats: [vtk, usd, obj], probes: [{name: tip, at: strip.end}], interval: 0}\n"
        ramp = TIP_FORCE.replace("strip.end}", "strip.end, ramp: [[0, 0], [1, 1]]}")
        self.solve(CLAMPED + ramp + probes)
        summary, rows = self.assert_results(self.folder / "results")
        self.assertEqual(float(rows[1][0]), 0)
        self.assertEqual(float(rows[-1][0]), 1)
        self.assertEqual([float(cell) for cell in rows[-1][1:4]], [summary["probes"]["tip"][axis] for axis in "xyz"])
        for name in ["rods.pvd", "rods.usda", "obj/rods_000000.obj", "strip.svg"]:
            self.assertTrue((self.folder / "results" / name).exists(), name)
        self.assertFalse((self.folder / "results/checkpoint.writhe").exists())

    def test_until_ends_the_path(self):
        self.solve(CLAMPED + TIP_FORCE.replace("strip.end}", "strip.end, ramp: [[0, 0], [1, 1]]}"), "--until", "0.25")
        self.assertEqual(self.summary()["statics"]["time"], 0.25)
        force = vector(self.table("path.csv")[-1], "force strip.end.force_", "N")
        self.assert_near(force, [0.125, 0, -0.5], 1e-12)


class Buckling(SolveTest):
    COLUMN = SOURCE / "scenes/column.yaml"
    # Of the scene: 30 mm by 6 mm of 5 MPa, 0.4 m long, pressed by 0.1 m in 1 s.
    EA, EULER = 5e6 * 0.03 * 0.006, 4 * math.pi**2 * 5e6 * 0.03 * 0.006**3 / 12 / 0.4**2

    def test_a_pressed_column_becomes_unstable_at_eulers_load(self):
        run = self.solve(self.COLUMN, "--until", "0.05")
        statics = self.summary()["statics"]
        self.assertEqual(statics["balance"], "unstable")
        self.assertGreater(statics["growth_rate"], 0)
        first = statics["crossings"][0]
        self.assertEqual((first["negative_before"], first["negative_after"]), (0, 1))
        # Straight and pressed by 0.1 t, the load is EA 0.1 t / L; shear and shortening lower the critical one by a few per cent.
        load = self.EA * 0.1 * first["time"] / 0.4
        self.assertAlmostEqual(load, self.EULER, delta=0.05 * self.EULER)
        self.assertRegex(run.stdout, r"becomes unstable at t = [\d.]+ s, 1 negative eigenvalue\n")
        self.assertRegex(run.stdout, r"unstable, \d+ negative eigenvalues?, grows as exp\([\d.]+ t/s\)")

    def test_perturbed_it_bulges_and_is_stable(self):
        run = self.solve(self.COLUMN, "--perturb")
        summary = self.summary()
        self.assertEqual(summary["statics"]["balance"], "stable")
        self.assertGreaterEqual(summary["statics"]["perturbed"], 1)
        self.assertIn("left an unstable equilibrium", run.stdout)
        self.assertGreater(abs(summary["probes"]["middle"]["x"]), 0.05)
        # A bulged strip carries little more than it buckles under.
        last = self.table("path.csv")[-1]
        push = -float(last["clamp strip.end.force_z [N]"])
        self.assertGreater(push, self.EULER)
        self.assertLess(push, 1.5 * self.EULER)
        self.assertAlmostEqual(float(last["clamp strip.end.z [m]"]), 0.3, delta=1e-12)


    def test_outputs_end_where_a_perturbation_led_not_with_what_it_left(self):
        # The path ends just beyond the critical load, so that its last step is the one that is perturbed.
        end = 1.03 * self.EULER * 0.4 / (self.EA * 0.1)
        self.solve(self.COLUMN, "--perturb", "--until", repr(end), "--set", f"output.interval={end / 3!r}")
        summary, rows = self.assert_results(self.folder / "results")
        self.assertEqual(summary["statics"]["perturbed"], 1)
        self.assertGreater(abs(summary["probes"]["middle"]["x"]), 1e-4)
        self.assertEqual(float(rows[-1][1]), summary["probes"]["middle"]["x"])
        self.assertEqual(len({row[0] for row in rows}), len(rows))  # one a time


class From(SolveTest):
    """A strip that is pressed together and knocked aside bulges by a third of its length; straight it would be unstable."""

    def setUp(self):
        super().setUp()
        knocked = "loads: [{force: [0.5, 0, 0], at: strip@0.5, ramp: [[0, 1], [1, 1], [1.2, 0]]}]\n"
        self.column = self.scene((SOURCE / "scenes/column.yaml").read_text(encoding="utf-8") + knocked)
        self.rest = self.writhe("run", self.column, "--until", "settled", "--out", "rest")

    def shape(self, out):
        return [vector(row, "", "m") for row in self.table("resultants.csv", out)]

    def test_what_is_at_rest_stays_where_it_is(self):
        for origin in ["rest", "rest/checkpoint.writhe"]:
            self.solve(self.column, "--from", origin, "--force")
            statics = self.summary()["statics"]
            self.assertEqual((statics["balance"], statics["points"]), ("stable", 1))
            self.assertEqual(self.table("path.csv")[0]["time [s]"], self.table("path.csv")[-1]["time [s]"])
            self.assertGreater(abs(self.shape("results")[20][0]), 0.1 * 0.4)
            for solved, settled in zip(self.shape("results"), self.shape("rest"), strict=True):
                self.assert_near(solved, settled, 1e-4 * 0.4)

    def test_the_path_goes_on_from_there(self):
        """Half pressed, as a run left it, and then on to where the straight path would have led to another equilibrium."""
        self.writhe("run", self.column, "--until", "0.5", "--out", "half")
        self.solve(self.column, "--from", "half")
        path = self.table("path.csv")
        self.assertEqual((float(path[0]["time [s]"]), float(path[-1]["time [s]"])), (0.5, 1.2))
        for solved, settled in zip(self.shape("results"), self.shape("rest"), strict=True):
            self.assert_near(solved, settled, 1e-4 * 0.4)

    def test_a_run_of_another_scene_or_time_is_refused(self):
        softer = self.solve(self.column, "--from", "rest", "--set", "materials.rubber.young=4e6", status=2)
        self.assertIn("rest/checkpoint.writhe: belongs to another scene", softer.stderr)
        earlier = self.solve(self.column, "--from", "rest", "--until", "0.5", status=2)
        self.assertIn("give a later --until", earlier.stderr)
        none = self.solve(self.column, "--from", "nowhere", status=2)
        self.assertIn("--from: nowhere: cannot be read", none.stderr)
        self.assertFalse((self.folder / "results").exists())

    def test_the_run_is_not_replaced(self):
        before = (self.folder / "rest/checkpoint.writhe").read_bytes()
        self.writhe("solve", self.column, "--from", "rest", "--out", "rest", "--force", status=2)
        self.assertEqual((self.folder / "rest/checkpoint.writhe").read_bytes(), before)


class Failures(SolveTest):
    def assert_failed(self, run, status):
        """The reason on stderr and in the summary, and all files there."""
        self.assertEqual(run.returncode, 1)
        summary, _ = self.assert_results(self.folder / "results")
        self.assertEqual((summary["outcome"], summary["statics"]["status"]), ("failed", status))
        self.assertIn("writhe: failed: " + summary["cause"], run.stderr)
        self.assertIn("outputs in results hold", run.stderr)
        for name in ["path.csv", "resultants.csv"]:
            self.assertTrue((self.folder / "results" / name).exists())
        return summary

    def test_a_mechanism(self):
        run = self.solve(STRIP, status=1)
        summary = self.assert_failed(run, "mechanism")
        self.assertRegex(run.stderr, r"failed: strip: .*support")
        self.assertIn("no equilibrium was found", run.stderr)
        self.assertNotIn("balance", summary["statics"])
        self.assertEqual(self.table("path.csv"), [])
        self.assertEqual(run.stdout, "")

    def test_a_limit_point(self):
        run = self.solve(SOURCE / "scenes/arch.yaml", status=1)
        summary = self.assert_failed(run, "limit_point")
        self.assertIn("use --arclength to go on, or reduce the load", run.stderr)
        statics = summary["statics"]
        self.assertTrue(0 < statics["time"] < 1)
        self.assertIn(f"the last equilibrium, at t = {statics['time']:.6g} s", run.stderr)
        # The state is that of the last row, on the stable side.
        last = self.table("path.csv")[-1]
        self.assertEqual(float(last["time [s]"]), statics["time"])
        self.assertEqual(statics["balance"], "stable")
        self.assertLess(summary["probes"]["crown"]["z"], 0.505)

    def test_a_limit_point_while_the_loads_are_put_on(self):
        ramped = (SOURCE / "scenes/arch.yaml").read_text()
        dead = re.sub(r", ramp: \[\[0, 0\], \[1, 1\]\]", "", ramped)
        self.assertNotEqual(dead, ramped)
        run = self.solve(dead, status=1)
        load = self.assert_failed(run, "limit_point")["statics"]["load"]
        self.assertIn(f"the last equilibrium, at load {load:.6g}", run.stderr)
        self.solve(SOURCE / "scenes/arch.yaml", status=1, out="ramped")
        self.assertAlmostEqual(load, self.summary("ramped")["statics"]["time"], delta=1e-4)

    def test_arclength_goes_on_beyond_it(self):
        self.solve(SOURCE / "scenes/arch.yaml", status=1, out="stopped")
        limit = self.summary("stopped")["statics"]["time"]
        self.solve(SOURCE / "scenes/arch.yaml", "--arclength")
        summary = self.summary()
        times = [float(row["time [s]"]) for row in self.table("path.csv")]
        self.assertEqual(times[-1], 1)
        falls = [i for i in range(1, len(times)) if times[i] < times[i - 1]]
        self.assertTrue(falls)
        self.assertAlmostEqual(max(times[: falls[0]]), limit, delta=0.02 * limit)
        self.assertEqual(summary["statics"]["balance"], "stable")
        self.assertLess(summary["probes"]["crown"]["z"], 0.495)  # below the line of its ends: it hangs through

    def test_a_step_that_does_not_converge(self):
        # Its ends pressed together until they meet: four segments cannot bend that far.
        motion = f"motion: {{translate: [[0, [0, 0, 0]], [1, [-{LENGTH}, 0, 0]]]}}"
        supports = f"supports: [{{clamp: strip.start}}, {{clamp: strip.end, {motion}}}]\n"
        run = self.solve(STRIP.replace("segments: 40", "segments: 4") + supports, status=1)
        summary = self.assert_failed(run, "not_converged")
        self.assertTrue(0.5 < summary["statics"]["time"] < 1)
        self.assertIn("more segments", run.stderr)

    def test_a_signal_keeps_the_last_equilibrium(self):
        # Many segments on a path of many points: slow enough to be caught on its way.
        slow = STRIP.replace("segments: 40", "segments: 10000")
        slow += "supports: [{clamp: strip.start}, {clamp: strip.end, motion: {twist: [[0, 0], [1, 20 turns]]}}]\n"
        slow += "time: {dt: 1e-3, until: 1}\n"
        process = start_program([test_cli.PROGRAM, "solve", self.scene(slow), "--out", self.folder / "results"])
        path = self.folder / "results/path.csv"
        wait_for(process, lambda: path.exists() and path.read_text().count("\n") > 1)
        process.send_signal(signal.SIGINT)
        _, stderr = finish(process)
        self.assertEqual(process.returncode, 1, stderr)
        self.assertIn("writhe: interrupted at ", stderr)
        summary, _ = self.assert_results(self.folder / "results")
        self.assertEqual((summary["outcome"], summary["statics"]["status"]), ("interrupted", "interrupted"))
        self.assertEqual(float(self.table("path.csv")[-1]["time [s]"]), summary["statics"]["time"])


class Usage(SolveTest):
    def test_json_is_the_summary_and_nothing_else(self):
        run = self.solve(CLAMPED, "--json")
        self.assertEqual(strict_json(run.stdout), self.summary())
        self.assertEqual(run.stderr, "")

    def test_json_of_a_failure_too(self):
        run = self.solve(STRIP, "--json", status=1)
        self.assertEqual(strict_json(run.stdout), self.summary())

    def test_quiet_says_nothing(self):
        run = self.solve(CLAMPED, "-q")
        self.assertEqual(run.stdout + run.stderr, "")

    def test_set_changes_the_scene(self):
        self.solve(CLAMPED, "--set", "rods.strip.segments=7")
        self.assertEqual(self.summary()["rods"][0]["segments"], 7)

    def test_results_of_run_are_not_replaced_without_force_nor_the_other_way(self):
        scene = self.scene(CLAMPED + "time: {dt: 1e-3, until: 0.002}\n")
        self.writhe("run", scene, "--out", "results")
        run = self.solve(scene, status=2)
        self.assertIn("--force", run.stderr)
        self.assertNotIn("--resume", run.stderr)
        self.solve(scene, "--force", "--modes", "1")
        self.assertFalse((self.folder / "results/checkpoint.writhe").exists())
        self.assertIn("--force", self.writhe("run", scene, "--out", "results", status=2).stderr)
        self.writhe("run", scene, "--out", "results", "--force")
        for name in ["path.csv", "modes.csv"]:
            self.assertFalse((self.folder / "results" / name).exists(), name)

    def test_bad_usage_leaves_nothing(self):
        for options in [["--modes", "0"], ["--modes", "many"], ["--until", "-1"], ["--until", "soon"], ["--arclenght"]]:
            with self.subTest(options):
                run = self.solve(CLAMPED, *options, status=2)
                self.assertEqual(run.stdout, "")
                self.assertIn(options[0], run.stderr)
                self.assertFalse((self.folder / "results").exists())

    def test_the_commands_of_the_readme_work(self):
        text = (SOURCE / "README.md").read_text()
        commands = re.findall(r"^build/writhe (solve scenes/[^#\n]*)", text, re.M)
        self.assertGreaterEqual(len(commands), 4)
        for number, command in enumerate(commands):
            with self.subTest(command):
                words = shlex.split(re.sub(r"--out \S+", "", command))
                self.writhe("solve", SOURCE / words[1], *words[2:], "--out", f"results{number}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_solve.py path/to/writhe [unittest arguments]")
    test_cli.PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
