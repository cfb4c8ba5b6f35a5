"""The report of the experiments. Run: /usr/bin/python3 tests/cli/test_report.py path/to/writhe"""

import json
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from program import run_program  # noqa: E402

PROGRAM = ""  # set from the command line
ROOT = pathlib.Path(__file__).resolve().parents[2]
QUICK = "twist-energy"  # an experiment of a fraction of a second


def program(*arguments, cwd=None):
    return run_program([PROGRAM, *arguments], cwd=cwd)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls._folder.cleanup)
        cls.folder = pathlib.Path(cls._folder.name)
        cls.first = program("report", QUICK, "--out", "report", cwd=cls.folder)
        cls.experiments = json.loads(program("experiment", "list", "--json").stdout)

    def data(self):
        page = (self.folder / "report" / "report.html").read_text()
        found = re.search(r'<script id="writhe-data" type="application/json">(.*?)</script>', page, re.DOTALL)
        return json.loads(found.group(1))

    def test_shows_what_was_run_and_names_what_was_not(self):
        self.assertEqual(self.first.returncode, 0, self.first.stderr)
        entries = {entry["name"]: entry for entry in self.data()["experiments"]}
        self.assertEqual(set(entries), {entry["name"] for entry in self.experiments})
        self.assertEqual(entries[QUICK]["state"], "passed")
        self.assertTrue(entries[QUICK]["measured"])
        self.assertEqual({entry["state"] for name, entry in entries.items() if name != QUICK}, {"not run"})

    def test_says_of_what_machine_and_program_it_is(self):
        data = self.data()
        self.assertGreater(data["machine"]["yardstick_ms"], 0)
        self.assertGreaterEqual(data["machine"]["cores"], 1)
        self.assertRegex(data["program"]["version"], r"^\d+\.\d+\.\d+")
        self.assertTrue(all(library["version"] for library in data["libraries"]))
        self.assertRegex(data["finished"], r"^\d{4}-\d\d-\d\dT")

    def test_goes_on_where_it_was(self):
        stored = self.folder / "report" / "results" / f"{QUICK}.json"
        before = stored.read_bytes()
        again = program("report", QUICK, "--out", "report", cwd=self.folder)
        self.assertEqual(again.returncode, 0)
        self.assertIn("1 of 1 results are there already", again.stderr)
        self.assertEqual(stored.read_bytes(), before)

    def test_results_of_another_program_are_not_mixed_in(self):
        other = self.folder / "other"
        program("report", QUICK, "--out", "other", cwd=self.folder)
        stored = other / "results" / f"{QUICK}.json"
        result = json.loads(stored.read_text())
        result["build"] = "another"
        stored.write_text(json.dumps(result))
        run = program("report", QUICK, "--out", "other", cwd=self.folder)
        self.assertEqual(run.returncode, 2)
        self.assertIn("--force", run.stderr)
        self.assertEqual(program("report", QUICK, "--out", "other", "--force", cwd=self.folder).returncode, 0)

    def test_a_damaged_result_is_computed_again(self):
        program("report", QUICK, "--out", "hurt", cwd=self.folder)
        stored = self.folder / "hurt" / "results" / f"{QUICK}.json"
        whole = stored.read_text()
        for damage in [whole[:100], "", "7", whole.replace('"passed":true', '"passed":false'), whole.replace(QUICK, "vibration")]:
            with self.subTest(damage[:40]):
                stored.write_text(damage)
                run = program("report", QUICK, "--out", "hurt", cwd=self.folder)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn(f"{QUICK}", run.stdout)
                self.assertNotIn("already", run.stderr)
                self.assertTrue(json.loads(stored.read_text())["result"]["passed"])

    def test_files_of_others_stay(self):
        (self.folder / "mine" / "results").mkdir(parents=True)
        for name in ["notes.txt", "results/thesis.txt", "results/other.json"]:
            (self.folder / "mine" / name).write_text("mine")
        self.assertEqual(program("report", QUICK, "--out", "mine", "--force", cwd=self.folder).returncode, 0)
        for name in ["notes.txt", "results/thesis.txt", "results/other.json"]:
            self.assertEqual((self.folder / "mine" / name).read_text(), "mine")

    def test_an_experiment_that_does_not_exist(self):
        run = program("report", "twist-enrgy", "--out", "never", cwd=self.folder)
        self.assertEqual(run.returncode, 2)
        self.assertIn("twist-energy", run.stderr)
        self.assertFalse((self.folder / "never").exists())

    def test_every_figure_and_experiment_is_in_the_docs(self):
        text = (ROOT / "docs" / "validation.md").read_text()
        fresh = (self.folder / "report" / "validation.md").read_text()
        # All but the numbers and states, which need all experiments to be run.
        def skeleton(markdown):
            rows = [line.split(" | ") for line in markdown.splitlines() if line.startswith("| ")]
            return [row[:3] for row in rows if len(row) == 5]
        self.assertEqual(skeleton(text), skeleton(fresh), "run `make validation`")
        self.assertNotIn("not run |", text)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
