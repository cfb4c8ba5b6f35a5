"""One scene by several methods. Run: /usr/bin/python3 tests/cli/test_compare.py path/to/writhe"""

import json
import os
import pathlib
import re
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from program import finish, run_program, start_program, wait_for_handler  # noqa: E402

PROGRAM = ""  # set from the command line

SCENE = """\
writhe: 1
title: a cord </script> & co
materials: {rubber: {young: 1.0e6, poisson: 0.5, density: 1300}}
sections: {round: {circle: {radius: 0.005}}}
rods:
  cord: {section: round, material: rubber, centreline: {line: {from: [0, 0, 0], to: [0.2, 0, 0]}}, segments: 40}
supports: [{clamp: cord.start}]
damping: {mass: 1}
time: {dt: 0.004, until: 0.2}
output: {probes: [{name: tip, at: "cord.node[7]"}]}
"""


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "cord.yaml").write_text(SCENE)

    def compare(self, *arguments, status=0):
        # As long as the reference needs, however busy the machine is.
        patience = [] if "--budget" in arguments else ["--budget", 1e9]
        run = run_program([PROGRAM, "compare", "cord.yaml", *arguments, *patience], cwd=self.folder)
        self.assertEqual(run.returncode, status, f"{arguments}\nstdout: {run.stdout}\nstderr: {run.stderr}")
        return run

    def test_every_method_against_a_reference_that_is_finer(self):
        run = self.compare()
        out = self.folder / "out" / "cord-compare"
        data = json.loads((out / "compare.json").read_text())
        methods = {method["name"]: method for method in data["methods"]}
        self.assertLessEqual({"newton", "pd"}, set(methods))
        reference = data["reference"]
        self.assertTrue(reference["sufficient"], reference["note"])
        shown = [entry["error"] for method in methods.values() for entry in method["runs"]]
        self.assertLessEqual(reference["error"], 0.1 * min(shown) * (1 + 1e-9))
        self.assertGreater(reference["segments"], data["segments"])
        for name, method in methods.items():
            self.assertEqual(method["state"], "done")
            self.assertIn(name, run.stdout)
            by_step = {entry["dt"]: entry["error"] for entry in method["runs"] if entry["series"] != "mesh"}
            self.assertEqual(sorted(by_step), [0.001, 0.002, 0.004, 0.008])
            self.assertLess(by_step[0.001], 0.5 * by_step[0.004], "shorter steps err less")
            self.assertAlmostEqual(method["order_time"], 1, delta=0.25)
        self.assertIn(f"{reference['error']:.1e}", run.stdout)

    def test_the_page_holds_the_data_whatever_the_title_is(self):
        self.compare("--refinements", 0, "--out", "here")
        page = (self.folder / "here" / "compare.html").read_text()
        found = re.search(r'<script id="writhe-data" type="application/json">(.*?)</script>', page, re.DOTALL)
        data = json.loads(found.group(1))
        self.assertEqual(data["scene"]["title"], "a cord </script> & co")
        self.assertEqual(len(data["shapes"]["reference"]), len(data["shapes"]["times"]))
        self.assertEqual(set(data["shapes"]["methods"]), {method["name"] for method in data["methods"]})
        numbers = json.loads((self.folder / "here" / "compare.json").read_text())
        self.assertNotIn("shapes", numbers)
        self.assertEqual(numbers["methods"][0]["runs"], data["methods"][0]["runs"])

    def test_settings_of_a_method(self):
        run = self.compare("--solvers", "newton, newton:integrator=midpoint,pd:iterations=2:metric=constant", "--json",
                           "--refinements", 0)
        methods = json.loads(run.stdout)["methods"]
        self.assertEqual([method["name"] for method in methods],
                         ["newton", "newton:integrator=midpoint", "pd:iterations=2:metric=constant"])
        self.assertEqual(methods[2]["settings"], ["iterations=2", "metric=constant"])
        self.assertLess(methods[1]["error"], 0.5 * methods[0]["error"], "second order in time errs less than first")

    def test_where_it_comes_to_rest(self):
        data = json.loads(self.compare("--until", "settled", "--json", "--set", "rods.cord.segments=20").stdout)
        self.assertIsNone(data["until"])
        for method in data["methods"]:
            self.assertIsNone(method["order_time"])
            self.assertAlmostEqual(method["order_mesh"], 2, delta=0.5)

    def test_a_method_that_fails_is_said_so_and_the_others_are_there(self):
        run = self.compare("--solvers", "newton:max_iterations=1,pd", "--refinements", 0, status=1)
        self.assertRegex(run.stdout, r"newton:max_iterations=1 +failed\n")
        self.assertRegex(run.stdout, r"newton:max_iterations=1: failed: .*iterations")
        self.assertRegex(run.stdout, r"pd +\d")

    def test_bad_wishes_are_refused_before_anything_is_computed(self):
        for arguments, says in [(("--solvers", "newtn"), "--solvers newtn: "), (("--solvers", ""), "empty"), (("--solvers", "newton,,pd"), "empty"),
                                (("--solvers", "newton,newton"), "twice"), (("--solvers", "pd:iterations"), "KEY=VALUE"),
                                (("--solvers", "pd:iteration=3"), "--solvers pd:iteration=3: "),
                                (("--solvers", "newton:method=pd"), "two methods"), (("--budget", "nan"), "budget"), (("--solvers", "pd:iterations=0"), "iterations"),
                                (("--until", "rest"), "settled"), (("--until", "-1"), "until"), (("--budget", "0"), "budget"),
                                (("--solvers", "pd:integrator=midpoint"), "integrator")]:
            with self.subTest(arguments):
                self.assertIn(says, self.compare(*arguments, status=2).stderr)
                self.assertFalse((self.folder / "out").exists())

    def test_the_integrator_of_the_scene_where_a_method_has_it(self):
        data = json.loads(self.compare("--set", "solver.integrator=midpoint", "--refinements", 0, "--json").stdout)
        self.assertEqual([method["name"] for method in data["methods"]][:2], ["newton", "pd:integrator=euler"])
        self.assertLess(data["methods"][0]["error"], 0.5 * data["methods"][1]["error"])

    def test_a_path_that_is_not_text(self):
        name = os.fsdecode(b"b\xffd.yaml")
        (self.folder / "cord.yaml").rename(self.folder / name)
        run = run_program([PROGRAM, "compare", name, "--refinements", 0, "--out", "here"], cwd=self.folder, errors="replace")
        self.assertEqual(run.returncode, 0, run.stderr)
        json.loads((self.folder / "here" / "compare.json").read_text())

    def test_earlier_results_stay(self):
        self.compare("--refinements", 0)
        self.assertIn("--force", self.compare("--refinements", 0, status=2).stderr)
        self.compare("--refinements", 0, "--force")

    def test_ctrl_c_is_heard(self):
        process = start_program([PROGRAM, "compare", "cord.yaml", "--until", 100000, "--quiet"], cwd=self.folder)
        wait_for_handler(process, signal.SIGINT)
        process.send_signal(signal.SIGINT)
        _, said = finish(process)
        self.assertEqual(process.returncode, 1)
        self.assertIn("stopped", said)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
