"""Runs that stop and go on. Run: /usr/bin/python3 tests/cli/test_resume.py path/to/writhe"""

import csv
import json
import pathlib
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from program import finish, run_program, start_program, wait_for  # noqa: E402

PROGRAM = ""  # set from the command line

SCENE = """\
writhe: 1
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
time: {dt: 0.001, until: 0.2}
output:
  interval: 0.003
  formats: [vtk, usd, obj]
  frame_interval: 0.02
  probes:
    - {name: tip, at: rope.end, fields: [position, tension]}
"""
TIMED = {"checkpoint.writhe", "summary.json", "run.json"}  # hold how long the run took, and how it was called


class Resume(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)
        self.write_scene(SCENE)

    def write_scene(self, text):
        (self.folder / "rope.yaml").write_text(text)

    def writhe(self, *arguments, status=0):
        run = run_program([PROGRAM, "run", "rope.yaml", *arguments], cwd=self.folder)
        self.assertEqual(run.returncode, status, f"{arguments}\nstdout: {run.stdout}\nstderr: {run.stderr}")
        return run

    def summary(self, out):
        return json.loads((self.folder / out / "summary.json").read_text())

    def files(self, out):
        folder = self.folder / out
        return {
            str(file.relative_to(folder)): file.read_bytes()
            for file in folder.rglob("*")
            if file.is_file() and file.name not in TIMED
        }

    def assert_same(self, out, whole):
        ours, theirs = self.files(out), self.files(whole)
        self.assertEqual(sorted(ours), sorted(theirs))
        for name, content in ours.items():
            self.assertEqual(content, theirs[name], name)
        for key in ["outcome", "steps", "time", "state_hash", "iterations", "energies", "probes"]:
            self.assertEqual(self.summary(out)[key], self.summary(whole)[key], key)

    def test_a_longer_run_goes_on_where_a_shorter_ended(self):
        self.writhe("--out", "whole")
        self.writhe("--out", "parts", "--until", "0.0505")  # between two steps of the longer run's grid, off every interval
        self.writhe("--out", "parts", "--until", "0.05", "--force")
        run = self.writhe("--out", "parts", "--resume")
        self.assertEqual(run.stderr, "writhe: goes on at t = 0.05 s from parts/checkpoint.writhe\n")
        self.assert_same("parts", "whole")
        self.assertEqual(self.summary("parts")["resumes"], 1)

    def test_resume_without_a_checkpoint_starts(self):
        self.writhe("--out", "whole")
        self.writhe("--out", "first", "--resume")
        self.assert_same("first", "whole")

    def test_results_without_a_checkpoint_are_not_replaced(self):
        self.writhe("--out", "out")
        (self.folder / "out/checkpoint.writhe").unlink()
        before = self.files("out")
        run = self.writhe("--out", "out", "--until", "0.01", "--resume", status=2)
        self.assertIn("has no checkpoint.writhe to go on from, and is not empty", run.stderr)
        self.assertEqual(self.files("out"), before)

    def test_a_format_that_comes_back_takes_no_frames_away(self):
        self.writhe("--out", "out", "--until", "0.1")
        run = self.writhe("--out", "out", "--until", "0.15", "--resume", "--set", "output.formats=[obj]")
        self.assertIn("vtk is in the folder and not in this run; its files end here", run.stderr)
        before = self.files("out")
        run = self.writhe("--out", "out", "--resume", status=1)
        self.assertIn("vtk: this folder has frames of an earlier part of the run, and would get a gap", run.stderr)
        self.assertEqual(self.files("out"), before)
        self.writhe("--out", "new", "--until", "0.1", "--set", "output.formats=[]")
        self.writhe("--out", "new", "--resume")  # a format may join
        self.assertTrue((self.folder / "new/vtk/rods_000000.vtp").exists())

    def test_resume_of_a_folder_goes_on_there(self):
        self.writhe("--out", "whole")
        self.writhe("--out", "first", "--until", "0.1")
        self.writhe("--resume", "first")
        self.assert_same("first", "whole")

    def test_an_end_that_has_passed_is_told(self):
        self.writhe("--out", "out")
        before = self.files("out")
        run = self.writhe("--out", "out", "--resume", "--until", "0.1", status=2)
        self.assertEqual(
            run.stderr, "--resume: out/checkpoint.writhe: is at t = 0.2 s, past the end of the run at 0.1 s; give a later --until\n"
        )
        self.assertEqual(self.files("out"), before)

    def test_one_run_at_a_time_writes_into_a_folder(self):
        process = start_program([PROGRAM, "run", "rope.yaml", "--out", "out", "--until", "1e6"], cwd=self.folder)
        try:
            wait_for(process, (self.folder / "out/probes.csv").exists)
            for option in ["--resume", "--force"]:
                run = self.writhe("--out", "out", option, status=2)
                self.assertIn("another run is writing here", run.stderr)
        finally:
            process.send_signal(signal.SIGINT)
            finish(process)
        self.assertEqual(self.summary("out")["outcome"], "interrupted")

    def test_resume_names_a_file_or_its_folder(self):
        self.writhe("--out", "whole")
        self.writhe("--out", "first", "--until", "0.1")
        for origin, out in [("first/checkpoint.writhe", "second"), ("first", "third")]:
            self.writhe("--out", out, "--resume", origin)
            self.assertEqual(self.summary(out)["state_hash"], self.summary("whole")["state_hash"])
            with open(self.folder / out / "probes.csv") as file:
                rows = list(csv.reader(file))
            self.assertEqual(float(rows[1][0]), 0.1, "a new folder begins at the checkpoint")
        self.assertEqual(self.summary("first")["time"]["end"], 0.1, "the old folder is left alone")

    def test_an_occupied_folder_of_another_run_is_refused(self):
        self.writhe("--out", "first", "--until", "0.1")
        self.writhe("--out", "second", "--until", "0.1")
        before = self.files("second")
        run = self.writhe("--out", "second", "--resume", "first/checkpoint.writhe", status=2)
        self.assertIn("exists and is not empty", run.stderr)
        self.assertEqual(self.files("second"), before)

    def test_a_finished_run_has_nothing_left_to_do(self):
        self.writhe("--out", "whole")
        self.writhe("--out", "again")
        self.writhe("--out", "again", "--resume")
        self.assert_same("again", "whole")

    def stopped_by(self, name, out, *options):
        """The status of a run that gets a signal on its way. Where we came too late, once more."""
        for _ in range(20):
            process = start_program([PROGRAM, "run", "rope.yaml", "--out", out, "--force", *options], cwd=self.folder)
            checkpoint = self.folder / out / "checkpoint.writhe"
            wait_for(process, checkpoint.exists)
            process.send_signal(name)
            finish(process)
            if process.returncode != 0:
                break
            checkpoint.unlink()
        return process.returncode

    def test_signals_and_settling(self):
        """Stopped by a signal in the middle, resumed: the same rest, the same files."""
        options = ["--until", "settled", "--set", "rods.rope.segments=3000"]
        self.writhe("--out", "whole", *options)
        for name in [signal.SIGINT, signal.SIGTERM]:
            out = f"stopped{int(name)}"
            self.assertEqual(self.stopped_by(name, out, *options), 1)
            self.assertEqual(self.summary(out)["outcome"], "interrupted")
            self.writhe("--out", out, "--resume", *options)
            self.assert_same(out, "whole")

    def test_after_a_failed_step_a_shorter_one_goes_on(self):
        fussy = ["--set", "solver.newton.max_iterations=4", "--until", "1", "--dt", "0.02"]
        run = self.writhe("--out", "out", *fussy, status=1)
        self.assertRegex(run.stderr, r"failed: step of 0\.02 s at t = 0\.\d+ s: rope\.node\[\d+\]: .*; take a .*smaller time.dt")
        self.assertIn("checkpoint.writhe holds that state, --resume goes on from it", run.stderr)
        failed_at = self.summary("out")["time"]["end"]
        run = self.writhe("--out", "out", *fussy[:-1], "0.002", "--resume", "--set", "solver.newton.max_iterations=100")
        self.assertIn(f"goes on at t = {failed_at:.6g} s", run.stderr)
        self.assertEqual(self.summary("out")["outcome"], "finished")

        self.writhe("--out", "adaptive", *fussy, "--set", "time.adaptive=true")
        self.assertEqual(self.summary("adaptive")["time"]["end"], 1)

    def test_other_probes_need_another_folder(self):
        self.writhe("--out", "out", "--until", "0.1")
        before = self.files("out")
        self.write_scene(SCENE.replace("[position, tension]", "[moment]"))
        run = self.writhe("--out", "out", "--resume", status=1)
        self.assertIn("has other columns than this run would write; resume into another folder with --out", run.stderr)
        self.assertEqual(self.files("out"), before)
        self.writhe("--out", "other", "--resume", "out")

    def test_force_takes_no_file_that_is_not_ours(self):
        self.writhe("--out", "out")
        names = ["obj/mine.obj", "obj/rods_.txt", "notes.txt", "vtk/rods_000001.png"]
        mine = [self.folder / "out" / name for name in names]
        for file in mine:
            file.write_text("keep me")
        self.writhe("--out", "out", "--force", "--set", "output.formats=[]", "--until", "0.01")
        for file in mine:
            self.assertEqual(file.read_text(), "keep me")
        left = sorted(name for name in self.files("out"))
        self.assertEqual(left, sorted([*names, "picture.svg", "probes.csv", "resultants.csv", "strip.svg"]))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_resume.py path/to/writhe [unittest arguments]")
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
