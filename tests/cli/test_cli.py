"""The program as its users meet it. Run: /usr/bin/python3 tests/cli/test_cli.py path/to/writhe"""

import csv
import json
import math
import pathlib
import re
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from program import finish, run_program, start_program, wait_for  # noqa: E402

PROGRAM = ""  # set from the command line
SOURCE = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = ["new", "run", "solve", "check", "info", "solvers", "materials", "experiment"]

SCENE = """\
writhe: 1
title: A test rod
materials:
  rubber: {young: 1.0e6, poisson: 0.5, density: 1300}
sections:
  round: {circle: {radius: 0.005}}
rods:
  rope:
    section: round
    material: rubber
    centreline: {line: {from: [0, 0, 0], to: [0.5, 0, 0]}}
    segments: 20
supports:
  - clamp: rope.start
time: {dt: 0.001, until: 0.02}
output:
  probes:
    - {name: tip, at: rope.end, fields: [position, tension]}
"""


def numbers_in(value):
    if isinstance(value, dict):
        for item in value.values():
            yield from numbers_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from numbers_in(item)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def strict_json(text):
    """Refuses the NaN and Infinity that Python would accept."""

    def refuse(name):
        raise ValueError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


class CliTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def writhe(self, *arguments, status=0):
        run = run_program([PROGRAM, *arguments], cwd=self.folder)
        self.assertEqual(run.returncode, status, f"{arguments}\nstdout: {run.stdout}\nstderr: {run.stderr}")
        return run

    def scene(self, text=SCENE, name="rope.yaml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def assert_results(self, folder):
        """Files exist and every number in them is finite; returns the summary and the rows of the probes."""
        summary = strict_json((folder / "summary.json").read_text())
        for number in numbers_in(summary):
            self.assertTrue(math.isfinite(number))
        lines = [line for line in (folder / "probes.csv").read_text().splitlines() if not line.startswith("#")]
        rows = list(csv.reader(lines))
        self.assertGreater(len(rows), 1)
        for row in rows[1:]:
            self.assertEqual(len(row), len(rows[0]))
            self.assertTrue(all(math.isfinite(float(cell)) for cell in row))
        self.assertIn("<svg", (folder / "picture.svg").read_text())
        return summary, rows


class Help(CliTest):
    def test_help_names_every_command_and_shows_examples(self):
        text = self.writhe("--help").stdout
        for command in COMMANDS:
            self.assertIn(command, text)
        self.assertIn("Examples:", text)
        self.assertIn("Exit status", text)

    def test_every_command_has_help(self):
        for command in COMMANDS:
            with self.subTest(command):
                self.assertIn("Example", self.writhe(command, "--help").stdout)
        self.assertIn("--slow", self.writhe("experiment", "run", "--help").stdout)
        for option in ["--solver", "--until", "--dt", "--set", "--threads", "--out", "--resume", "--force", "--json", "--quiet"]:
            self.assertIn(option, self.writhe("run", "--help").stdout)

    def test_examples_name_scenes_and_values_that_exist(self):
        examples = []
        for command in [[], *([c] for c in COMMANDS)]:
            examples += re.findall(r"^  writhe (?:run|solve|check|info) (scenes/.*)", self.writhe(*command, "--help").stdout, re.M)
        self.assertGreaterEqual(len(examples), 4)
        for example in examples:
            with self.subTest(example):
                scene, overrides = example.split()[0], re.findall(r"--set (\S+)", example)
                self.writhe("check", SOURCE / scene, *(word for o in overrides for word in ("--set", o)))

    def test_version(self):
        self.assertRegex(self.writhe("--version").stdout, r"^writhe \d+\.\d+\.\d+")

    def test_a_slip_in_the_command_is_named(self):
        run = self.writhe("rn", "scene.yaml", status=2)
        self.assertEqual(run.stderr, "rn: no such command; did you mean 'run'?\n")
        self.assertIn("Examples:", self.writhe(status=2).stderr)

    def test_bad_usage_has_status_2_and_says_so_on_stderr(self):
        scene = self.scene()
        for arguments in [
            ["simulate"],
            ["run"],
            ["run", scene, "--no-such-option"],
            ["run", scene, "--threads", "-1"],
            ["run", scene, "--threads", "many"],
            ["run", scene, "--threads", "100000"],
            ["experiment"],
            ["experiment", "run"],
        ]:
            with self.subTest(arguments):
                run = self.writhe(*arguments, status=2)
                self.assertEqual(run.stdout, "")
                self.assertNotEqual(run.stderr, "")
                self.assertLess(len(run.stderr), 500)


class BadScenes(CliTest):
    def test_missing_file(self):
        run = self.writhe("run", "nowhere.yaml", status=2)
        self.assertIn("nowhere.yaml", run.stderr)

    def test_every_problem_is_listed_with_its_place(self):
        text = SCENE.replace("radius: 0.005", "radius: -1").replace("segments: 20", "segmets: 20")
        scene = self.scene(text)
        for command in ["check", "run", "info"]:
            with self.subTest(command):
                run = self.writhe(command, scene, status=2)
                self.assertEqual(run.stdout, "")
                self.assertIn(f"{scene}:12:", run.stderr)
                self.assertIn("segmets", run.stderr)
                self.assertIn("did you mean 'segments'?", run.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_a_misspelt_key_does_not_hide_a_wrong_value(self):
        scene = self.scene(SCENE.replace("radius: 0.005", "radius: -1") + "foo: 1\n")
        stderr = self.writhe("check", scene, status=2).stderr
        self.assertIn("sections.round.circle.radius: -1: ", stderr)
        self.assertIn("foo: unknown key", stderr)
        self.assertIn("2 problems", stderr)

    def test_more_steps_than_can_be_counted(self):
        for option, value in [("--until", "1e300"), ("--dt", "1e-300")]:
            with self.subTest(option):
                self.assertIn("too many steps", self.writhe("run", self.scene(), option, value, status=2).stderr)

    def test_a_physical_impossibility_points_at_its_line(self):
        scene = self.scene(SCENE.replace("radius: 0.005", "radius: -1"))
        run = self.writhe("check", scene, status=2)
        first = run.stderr.splitlines()[0]
        self.assertTrue(first.startswith(f"{scene}:6:"), first)
        self.assertIn("sections.round.circle.radius: -1: ", first)

    def test_check_json(self):
        good = strict_json(self.writhe("check", self.scene(), "--json").stdout)
        self.assertEqual(good, {"ok": True, "problems": [], "warnings": []})
        scene = self.scene(SCENE.replace("rope.start", "rpoe.start"))
        bad = strict_json(self.writhe("check", scene, "--json", status=2).stdout)
        self.assertFalse(bad["ok"])
        self.assertEqual(len(bad["problems"]), 1)
        problem = bad["problems"][0]
        self.assertEqual(problem["file"], str(scene))
        self.assertEqual(problem["line"], 14)
        self.assertIn("rope", problem["message"])

    def test_a_method_that_does_not_exist(self):
        run = self.writhe("run", self.scene(), "--solver", "newtn", status=2)
        self.assertIn("newtn", run.stderr)
        self.assertIn("newton", run.stderr)

    def test_bad_overrides(self):
        scene = self.scene()
        for override in ["rods.rope.segmets=5", "rods.rope.segments=many", "rods.rope.segments=-5", "nonsense", "=1"]:
            with self.subTest(override):
                self.assertNotEqual(self.writhe("check", scene, "--set", override, status=2).stderr, "")
        for option, value in [("--dt", "0"), ("--dt", "soon"), ("--until", "nan"), ("--until", "settld")]:
            with self.subTest(option + value):
                self.assertNotEqual(self.writhe("run", scene, option, value, status=2).stderr, "")

    def test_files_that_are_no_scenes(self):
        for content in [b"", b"\x00\xff\xfe", b"[1, 2", b"- a\n- b\n", b"writhe: 99\n", b"{" * 5000]:
            with self.subTest(content[:10]):
                path = self.folder / "odd.yaml"
                path.write_bytes(content)
                self.assertNotEqual(self.writhe("check", path, status=2).stderr, "")


class Run(CliTest):
    def test_writes_finite_results_to_the_default_folder(self):
        run = self.writhe("run", self.scene())
        self.assertEqual(run.stderr, "")  # no progress bar: not a terminal
        summary, rows = self.assert_results(self.folder / "out" / "rope")
        self.assertEqual(summary["outcome"], "finished")
        self.assertEqual(summary["steps"], 20)
        self.assertIn("<svg", (self.folder / "out/rope/strip.svg").read_text())
        self.assertAlmostEqual(summary["time"]["end"], 0.02, places=12)
        self.assertEqual(len(rows), 1 + 21)  # heading, start and every step
        self.assertLess(summary["probes"]["tip"]["z"], 0)

    def test_json_is_the_summary_and_nothing_else(self):
        run = self.writhe("run", self.scene(), "--json")
        self.assertEqual(strict_json(run.stdout), strict_json((self.folder / "out/rope/summary.json").read_text()))

    def test_quiet_says_nothing(self):
        run = self.writhe("run", self.scene(), "--quiet")
        self.assertEqual(run.stdout + run.stderr, "")

    def test_an_existing_folder_is_refused_without_force(self):
        scene = self.scene()
        self.writhe("run", scene)
        mine = self.folder / "out/rope/mine.txt"
        mine.write_text("keep me")
        before = (self.folder / "out/rope/summary.json").read_text()
        run = self.writhe("run", scene, "--until", "0.005", status=2)
        self.assertIn("--force", run.stderr)
        self.assertEqual((self.folder / "out/rope/summary.json").read_text(), before)
        self.writhe("run", scene, "--until", "0.005", "--force")
        summary, _ = self.assert_results(self.folder / "out/rope")
        self.assertEqual(summary["steps"], 5)
        self.assertEqual(mine.read_text(), "keep me")

    def test_an_empty_folder_is_used_and_a_file_is_refused(self):
        scene = self.scene()
        (self.folder / "empty").mkdir()
        self.writhe("run", scene, "--out", "empty")
        self.assert_results(self.folder / "empty")
        (self.folder / "file").write_text("")
        self.assertIn("--out", self.writhe("run", scene, "--out", "file", status=2).stderr)

    def test_overrides_change_the_run(self):
        run = self.writhe("run", self.scene(), "--dt", "0.002", "--until", "0.01", "--set", "rods.rope.segments=7", "--json")
        summary = strict_json(run.stdout)
        self.assertEqual(summary["steps"], 5)
        self.assertEqual(summary["rods"][0]["segments"], 7)

    def test_threads_do_not_change_the_result(self):
        scene = self.scene()
        for threads in [1, 2]:
            self.writhe("run", scene, "--threads", threads, "--out", f"t{threads}")
        self.assertEqual((self.folder / "t1/probes.csv").read_bytes(), (self.folder / "t2/probes.csv").read_bytes())

    def test_timings_say_where_the_time_went(self):
        stages = ["loads", "coupling", "solve", "update", "checks", "outputs"]
        run = self.writhe("run", self.scene(), "--timings")
        shown = {row[0]: row[1:] for row in (line.split() for line in run.stdout.splitlines()) if len(row) == 4 and row[2] == "%"}
        self.assertEqual(list(shown), [*stages, "besides"])
        self.assertAlmostEqual(sum(float(row[0]) for row in shown.values()), 100, delta=0.05 * len(shown) + 1e-9)
        summary, _ = self.assert_results(self.folder / "out/rope")
        self.assertEqual(list(summary["stages"]), stages)
        self.assertGreater(summary["stages"]["solve"], 0)
        self.assertLessEqual(sum(summary["stages"].values()), summary["wall_seconds"])
        self.writhe("run", self.scene(), "--force")
        self.assertNotIn("stages", strict_json((self.folder / "out/rope/summary.json").read_text()))

    def test_until_settled_comes_to_rest(self):
        summary = strict_json(self.writhe("run", self.scene(), "--until", "settled", "--json").stdout)
        self.assertEqual(summary["outcome"], "finished")
        self.assertLess(summary["energies"]["end"]["kinetic"], 1e-15)
        # The load number is 256: the rod hangs almost straight down from its clamp.
        self.assertLess(summary["probes"]["tip"]["z"], -0.47)
        self.assertLess(summary["error_at_rest_m"], 1e-5 * 0.5)
        self.assertEqual(summary["unstable_motions"], 0)
        self.assertNotIn("largest_drift_m", summary)

    def test_pd_says_in_metres_what_its_steps_leave_over(self):
        # Against newton, whose steps are the same and end where those of pd would.
        exact = strict_json(self.writhe("run", self.scene(), "--until", "0.2", "--json", "--out", "exact").stdout)
        for iterations, warns in [(1, True), (1000, False)]:
            wishes = ["--solver", "pd", "--until", "0.2", "--set", f"solver.pd.iterations={iterations}"]
            run = self.writhe("run", self.scene(), *wishes, "--out", f"pd{iterations}")
            summary = strict_json((self.folder / f"pd{iterations}/summary.json").read_text())
            tips = [s["probes"]["tip"] for s in (exact, summary)]
            off = math.dist(*[[tip[axis] for axis in "xyz"] for tip in tips])
            self.assertGreater(summary["largest_drift_m"], off / 10)
            self.assertGreaterEqual(summary["largest_drift_m"], summary["largest_left_over_m"])
            self.assertEqual(off > 1e-3 * 0.5, warns)
            self.assertEqual("the motion may be off" in run.stderr, warns)
            self.assertEqual("the largest may be off by" in run.stdout, warns)
            self.assertEqual(summary["unconverged_steps"] > 0, warns)

    def test_a_signal_leaves_complete_results(self):
        for name in [signal.SIGINT, signal.SIGTERM]:
            with self.subTest(name):
                out = self.folder / f"stopped{int(name)}"
                wishes = ["--until", "1e6", "--set", "output.interval=0.01", "--out", out]
                process = start_program([PROGRAM, "run", self.scene(), *wishes])
                probes = out / "probes.csv"
                wait_for(process, lambda: probes.exists() and probes.stat().st_size > 0)
                process.send_signal(name)
                _, stderr = finish(process)
                self.assertEqual(process.returncode, 1, stderr)
                self.assertIn("interrupted at t = ", stderr)
                summary, rows = self.assert_results(out)
                self.assertEqual(summary["outcome"], "interrupted")
                self.assertLess(summary["time"]["end"], 1e6)
                self.assertLessEqual(float(rows[-1][0]), summary["time"]["end"])

    def test_a_failed_step_says_where_and_what_to_try(self):
        # No iterative method can meet this tolerance in one iteration.
        scene = self.scene(SCENE + "solver: {tolerance: 1.0e-14, newton: {max_iterations: 1}}\n")
        run = self.writhe("run", scene, "--dt", "0.05", "--until", "1", status=1)
        self.assertRegex(run.stderr, r"failed: step of 0\.05 s at t = 0 s: rope\.node\[\d+\]: ")
        self.assertIn("take a larger solver.newton.max_iterations, or a smaller time.dt", run.stderr)
        summary, _ = self.assert_results(self.folder / "out/rope")
        self.assertEqual(summary["outcome"], "failed")
        self.assertNotEqual(summary["cause"], "")

    def test_every_shipped_scene_runs(self):
        scenes = sorted((SOURCE / "scenes").glob("*.yaml"))
        self.assertTrue(scenes)
        for scene in scenes:
            with self.subTest(scene.name):
                dt = strict_json(self.writhe("info", scene, "--json").stdout)["dt_s"]
                self.writhe("run", scene, "--until", repr(5 * dt), "--set", "output.interval=0")
                summary, _ = self.assert_results(self.folder / "out" / scene.stem)
                self.assertEqual(summary["steps"], 5)


class Info(CliTest):
    def test_text_and_json_agree(self):
        scene = self.scene()
        facts = strict_json(self.writhe("info", scene, "--json").stdout)
        rod = facts["rods"][0]
        self.assertEqual((rod["name"], rod["segments"], rod["nodes"]), ("rope", 20, 21))
        self.assertEqual((rod["start"], rod["end"]), ("clamped", "free"))
        self.assertAlmostEqual(rod["EI1"], 1e6 * math.pi * 0.005**4 / 4, delta=1e-12)
        self.assertEqual(facts["unknowns"], 3 * 20 + 3 * 20)
        text = self.writhe("info", scene).stdout
        for word in ["rope", "EI1", "LOAD NUMBER", "clamp rope.start", f"{rod['load_number']:.4g}"]:
            self.assertIn(word, text)

    def ends(self, scene):
        """Of each rod: start and end by the JSON, and the column ENDS of the text."""
        rods = strict_json(self.writhe("info", scene, "--json").stdout)["rods"]
        table = self.writhe("info", scene).stdout.split("ENDS\n")[1].splitlines()
        return {rod["name"]: (rod["start"], rod["end"], row.split()[-1]) for rod, row in zip(rods, table)}

    def test_ends_that_are_joined_are_not_called_free(self):
        net = SOURCE / "scenes/net.yaml"
        outer = ("pinned+joined", "pinned+joined", "pinned+joined-pinned+joined")
        inner = ("joined", "joined", "joined-joined")
        expected = {f"{side}{k}": outer if k in (0, 4) else inner for side in "ab" for k in range(5)}
        self.assertEqual(self.ends(net), expected)
        rods = {rod["name"]: rod for rod in strict_json(self.writhe("info", net, "--json").stdout)["rods"]}
        self.assertEqual((rods["a3"]["start_joined_to"], rods["a3"]["end_joined_to"]), (["b0"], ["b4"]))

    def test_a_ring_has_no_ends(self):
        self.assertEqual(self.ends(SOURCE / "scenes/ring.yaml"), {"ring": ("closed", "closed", "closed")})

    def test_a_section_without_a_radius_has_no_slenderness(self):
        stiffness = "EA: 1, GA: 1, EI1: 1, EI2: 1, GJ: 1, linear_density: 1, inertia: [1, 1, 2], radius: 0"
        scene = self.scene(SCENE.replace("circle: {radius: 0.005}", f"stiffness: {{{stiffness}}}"))
        self.assertIsNone(strict_json(self.writhe("info", scene, "--json").stdout)["rods"][0]["slenderness"])
        self.assertNotIn("inf", self.writhe("info", scene).stdout.split("LENGTH/RADIUS")[1].splitlines()[1])

    def test_overrides_apply(self):
        facts = strict_json(self.writhe("info", self.scene(), "--json", "--set", "rods.rope.segments=33").stdout)
        self.assertEqual(facts["segments"], 33)


class Solvers(CliTest):
    def test_table_and_json_name_the_same_methods(self):
        methods = strict_json(self.writhe("solvers", "--json").stdout)
        newton = next(m for m in methods if m["name"] == "newton")
        self.assertIn("chains", newton["features"])
        lines = [line.split() for line in self.writhe("solvers").stdout.splitlines()]
        head = lines[0]
        features = head[1:head.index("WHAT")]
        for method, row in zip(methods, lines[1:]):
            self.assertEqual(row[0], method["name"])
            self.assertEqual([f for f, has in zip(features, row[1:]) if has == "yes"], method["features"])
        self.assertIn("links", features)
        self.assertNotIn("midpoint", next(m for m in methods if m["name"] == "pd")["features"])

    def test_what_a_method_has_not_got_is_refused_by_name(self):
        run = self.writhe("run", self.scene(), "--solver", "pd", "--set", "solver.integrator=midpoint", status=2)
        self.assertIn("solver.integrator: midpoint: pd does not support midpoint, and the integrator is midpoint; "
                      "choose newton in solver.method", run.stderr)
        for scene, what in [("ring", "rings, and 'ring' is a ring"), ("net", "nets, and 'a0' is part of a net"),
                            ("bridge", "links, and there is the tether left.node[2] pipe@0.05")]:
            run = self.writhe("run", SOURCE / f"scenes/{scene}.yaml", "--solver", "pd", "--set", "solver.pd.weights=published", status=2)
            self.assertIn(f"solver.pd.weights: published: does not support {what}; leave it out", run.stderr)

    def test_variants_are_shown_with_what_selects_them_and_what_they_do_not_keep(self):
        methods = strict_json(self.writhe("solvers", "--json").stdout)
        text = self.writhe("solvers").stdout
        variants = {v["name"]: v for m in methods if m["name"] == "pd" for v in m["variants"]}
        published = variants["published"]
        self.assertEqual(published["features"], ["chains"])
        self.assertIn("for chains only", text)
        for variant in variants.values():
            setting = f"{variant['field']}={variant['value']}"
            self.assertIn(f"with {setting}: {variant['title']}", text)
            self.writhe("check", self.scene(), "--set", "solver.method=pd", "--set", setting)
            for exemption in variant["exemptions"]:
                self.assertIn(f"does not keep `{exemption['property']}`: {exemption['reason']}", text)


class Experiments(CliTest):
    def test_list(self):
        listed = strict_json(self.writhe("experiment", "list", "--json").stdout)
        names = [e["name"] for e in listed]
        self.assertIn("cantilever-gravity", names)
        text = self.writhe("experiment", "list").stdout
        for name in names:
            self.assertIn(name, text)

    def test_an_unknown_name_gets_a_hint_and_nothing_runs(self):
        run = self.writhe("experiment", "run", "steel-fall", "cantilever-gravty", "--json", status=2)
        self.assertEqual(run.stdout, "")
        self.assertIn("cantilever-gravty", run.stderr)
        self.assertIn("did you mean 'cantilever-gravity'?", run.stderr)

    def test_json_has_the_documented_fields(self):
        run = self.writhe("experiment", "run", "steel-fall", "--json", "--out", "results")
        (result,) = strict_json(run.stdout)
        self.assertEqual(
            list(result), ["name", "title", "source", "passed", "seconds", "measured", "expected", "notes"]
        )
        self.assertTrue(result["passed"])
        for key, expectation in result["expected"].items():
            self.assertIn(key, result["measured"])
            self.assertTrue(expectation["source"])
            self.assertTrue({"value", "min", "max"} & set(expectation))
        self.assertTrue(all(isinstance(value, (int, float)) for value in result["measured"].values()))
        self.assertEqual(strict_json((self.folder / "results/steel-fall.json").read_text()), result)

    def test_every_quick_experiment_passes(self):
        results = strict_json(self.writhe("experiment", "run", "all", "--json").stdout)
        quick = [e["name"] for e in strict_json(self.writhe("experiment", "list", "--json").stdout) if not e["slow"]]
        self.assertEqual([r["name"] for r in results], quick)
        self.assertTrue(all(r["passed"] for r in results))

    def test_table(self):
        text = self.writhe("experiment", "run", "steel-fall").stdout
        for word in ["steps_failed", "MEASURED", "EXPECTED", "passed"]:
            self.assertIn(word, text)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_cli.py path/to/writhe [unittest arguments]")
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
