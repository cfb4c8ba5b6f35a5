"""Nothing of someone else's is overwritten, waited for or quoted. Run: /usr/bin/python3 tests/cli/test_files.py path/to/writhe"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from program import HANG_S, finish, run_program, start_program, wait_for, wait_for_handler  # noqa: E402

PROGRAM = ""  # set from the command line

HEAD = """\
writhe: 1
sections: {cord: {circle: {radius: 0.005}}}
materials: {rubber: {young: 1e6, poisson: 0.5, density: 1300}}
supports: [{clamp: rope.start}]
"""
LINE = "{line: {from: [0, 0, 0], to: [0.5, 0, 0]}}"


def rod(centreline, segments=20):
    return f"rods:\n  rope: {{section: cord, material: rubber, centreline: {centreline}, segments: {segments}}}\n"


PLAIN = HEAD + rod(LINE) + """\
time: {dt: 1e-3, until: 0.1}
output: {formats: [vtk, usd, obj, html], probes: [{name: tip, at: rope.end}]}
"""
# A load that no step can follow: the run fails on the way, and says so.
FAILING = HEAD + rod(LINE) + """\
loads: [{force: [0, 0, -1e6], at: rope.end, ramp: [[0.05, 0], [0.051, 1]]}]
time: {dt: 1e-3, until: 0.1}
output: {formats: [usd, html], probes: [{name: tip, at: rope.end}]}
"""
# A step that takes hours: a tolerance that is met late, if at all, and iterations without number.
ENDLESS = HEAD + rod(LINE, 20000) + """\
time: {dt: 1, until: 10}
solver: {method: pd, tolerance: 1e-14, pd: {iterations: 1000000}}
"""
# Pictures in which the rods are smaller than anything that can be drawn: one that flies off, two that lie far apart.
SMALL = """\
writhe: 1
gravity: [0, 0, 0]
sections: {fine: {circle: {radius: 6e-5}}}
"""


def bow(name, at, more=""):
    shape = f"{{parabola: {{from: [0, {at}, {at}], to: [0.005, {at}, {at}], sag: 0.0004}}}}"
    return f"  {name}: {{section: fine, material: nylon, segments: 78, centreline: {shape}{more}}}\n"


FLIES = SMALL + "rods:\n" + bow("a", 0) + """\
loads: [{force_per_length: [0, 2e5, -3e5]}]
time: {dt: 1.5e-3, until: 0.075}
output: {picture: {view: yz}}
"""
APART = SMALL + "rods:\n" + bow("a", 0, ", rest: as_built") + bow("b", 1e5, ", rest: as_built") + """\
time: {dt: 1.5e-3, until: 0.0075}
output: {picture: {view: yz}}
"""
SECRET = "root:hunter2:0:0 -- not for the eyes of a log"
TIMED = {"checkpoint.writhe", "summary.json"}  # hold how long the run took
# What the program may write into its folder, but for folders.
RESULTS = ["checkpoint.writhe", "run.json", "summary.json", "probes.csv", "picture.svg", "strip.svg", "frames.bin", "rods.pvd", "rods.usda",
           "replay.html"]


class Files(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)
        self.write("scene.yaml", PLAIN)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def fifo(self, name):
        os.mkfifo(self.folder / name)
        return name

    def writhe(self, *arguments, status=0, **options):
        run = run_program([PROGRAM, *arguments], cwd=self.folder, **options)
        self.assertEqual(run.returncode, status, f"{arguments}\nstdout: {run.stdout}\nstderr: {run.stderr}")
        return run

    def refused(self, *arguments, words, status=2):
        run = self.writhe(*arguments, status=status)
        self.assertIn(words, run.stderr)
        return run.stderr

    def results(self, out):
        folder = self.folder / out
        return {
            str(file.relative_to(folder)): file.read_bytes()
            for file in folder.rglob("*")
            if file.is_file() and file.name not in TIMED
        }


class Links(Files):
    def setUp(self):
        super().setUp()
        self.own = self.write("own.txt", "mine")

    def link(self, name, target="own.txt"):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).symlink_to(self.folder / target)

    def assert_untouched(self):
        self.assertEqual(self.own.read_text(), "mine")

    def test_a_temporary_name_that_is_a_link_is_not_followed(self):
        for ending in [".tmp", ".writhe-tmp"]:
            out = "out" + ending[1:]
            self.link(f"{out}/checkpoint.writhe{ending}")
            self.link(f"page.html{ending}")
            run = run_program([PROGRAM, "run", "scene.yaml", "--out", out, "--html", "page.html", "--force"], cwd=self.folder)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.link(f"rope.svg{ending}")
            self.writhe("render", out, "rope.svg", "--force")
            self.assert_untouched()

    def test_a_file_beside_the_one_that_is_written_stays(self):
        for name in ["page.html.tmp", "rope.svg.tmp"]:
            self.write(name, "mine")
        self.writhe("run", "scene.yaml", "--out", "out", "--html", "page.html")
        self.writhe("render", "out", "rope.svg")
        for name in ["page.html.tmp", "rope.svg.tmp"]:
            self.assertEqual((self.folder / name).read_text(), "mine")

    def test_force_replaces_links_and_not_what_they_lead_to(self):
        for name in RESULTS:
            self.link(f"out/{name}")
        for folder, ending in [("vtk", "vtp"), ("obj", "obj")]:
            self.write(f"elsewhere/rods_000000.{ending}", "mine")
            self.link(f"out/{folder}", "elsewhere")
        self.writhe("run", "scene.yaml", "--out", "out", "--force")
        self.assert_untouched()
        for ending in ["vtp", "obj"]:
            self.assertEqual((self.folder / f"elsewhere/rods_000000.{ending}").read_text(), "mine")
        self.assertEqual(len(list((self.folder / "elsewhere").iterdir())), 2)
        for entry in (self.folder / "out").rglob("*"):
            self.assertFalse(entry.is_symlink(), entry)
        self.assertGreater(len(list((self.folder / "out/vtk").iterdir())), 1)

    def test_a_run_does_not_go_on_through_a_link(self):
        for name in ["probes.csv", "frames.bin", "vtk", "obj"]:
            for kind in ["symbolic", "hard"]:
                out = f"out-{kind}-{name}"
                moved = self.folder / f"moved-{kind}-{name}"
                result = self.folder / out / name
                if kind == "hard" and name in ("vtk", "obj"):
                    continue
                self.writhe("run", "scene.yaml", "--out", out, "--until", "0.05")
                result.rename(moved)
                if kind == "hard":
                    result.hardlink_to(moved)
                else:
                    result.symlink_to(moved)
                before = {str(file): file.read_bytes() for file in [moved, *moved.rglob("*")] if file.is_file()}
                self.refused("run", "scene.yaml", "--out", out, "--resume", words=f"{name}: cannot be", status=1)
                after = {str(file): file.read_bytes() for file in [moved, *moved.rglob("*")] if file.is_file()}
                self.assertEqual(before, after, out)

    def test_a_report_does_not_write_through_a_link(self):
        (self.folder / "elsewhere").mkdir()
        self.link("report/results", "elsewhere")
        self.refused("report", "twist-energy", "--out", "report", words="is a link")
        self.assertEqual(list((self.folder / "elsewhere").iterdir()), [])


class Pipes(Files):
    def test_inputs(self):
        self.fifo("pipe")
        self.write("obj.yaml", HEAD + rod("{obj: pipe}") + "time: {dt: 1e-3, until: 0.01}\n")
        self.write("zero.yaml", HEAD + rod("{obj: /dev/zero}") + "time: {dt: 1e-3, until: 0.01}\n")
        for scene in ["pipe", "/dev/zero", "obj.yaml", "zero.yaml"]:
            for command in ["check", "info", "run", "solve", "compare"]:
                words = "this is a pipe or a device; give a file"
                run = run_program([PROGRAM, command, scene], cwd=self.folder)
                self.assertEqual((run.returncode, words in run.stderr), (2, True), f"{command} {scene}: {run.stderr}")
        self.refused("check", "scene.yaml", "--set", "rods.rope.centreline={obj: pipe}", words="this is a pipe or a device")
        self.refused("run", "scene.yaml", "--resume", "pipe", words="it is a pipe or a device")
        for name in ["run.json", "frames.bin", "checkpoint.writhe"]:
            out = f"out-{name}"
            formats = "[]" if name == "checkpoint.writhe" else "[html]"
            self.writhe("run", "scene.yaml", "--out", out, "--set", f"output.formats={formats}")
            (self.folder / out / name).unlink()
            self.fifo(f"{out}/{name}")
            self.refused("render", out, "rope.svg", words="pipe or a device")

    def test_outputs(self):
        self.fifo("pipe.html")
        for more in [[], ["--force"]]:
            self.refused("run", "scene.yaml", "--html", "pipe.html", *more, words="--html: pipe.html: ")
        self.refused("run", "scene.yaml", "--out", "pipe.html", words="is a file; name a folder")
        self.writhe("run", "scene.yaml", "--out", "out", "--until", "0.05")
        self.refused("render", "out", "pipe.html", "--force", words="it is a pipe or a device")
        self.refused("new", "pipe.html", words="exists already and is not replaced")
        self.assertTrue((self.folder / "pipe.html").is_fifo())
        (self.folder / "out/probes.csv").unlink()
        self.fifo("out/probes.csv")
        self.refused("run", "scene.yaml", "--out", "out", "--resume", words="it is a pipe or a device", status=1)
        self.writhe("run", "scene.yaml", "--out", "out", "--force")
        self.assertTrue((self.folder / "out/probes.csv").is_file())


class Streams(Files):
    def in_shell(self, line, out, scene):
        """The status of a run whose streams a shell has redirected."""
        command = f'exec "$0" run {scene} --out {out} {line}'
        return subprocess.run(["/bin/sh", "-c", command, PROGRAM], cwd=self.folder, timeout=HANG_S, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)

    def test_closed_and_full_streams_change_nothing(self):
        self.write("failing.yaml", FAILING)
        for scene, status in [("scene.yaml", 0), ("failing.yaml", 1)]:
            self.writhe("run", scene, "--out", "usual", "--force", status=status)
            usual = self.results("usual")
            lines = ["2>&-", "2>/dev/full", ">&-", ">&- 2>&-", "<&- >&- 2>&-", "<&- 2>&-", "--json >&-"]
            for number, line in enumerate(lines):
                with self.subTest(f"{scene} {line}"):
                    out = f"{scene}-{number}"
                    self.assertEqual(self.in_shell(line, out, scene).returncode, status)
                    found = self.results(out)
                    self.assertEqual(sorted(found), sorted(usual))
                    for name, content in usual.items():
                        self.assertEqual(found[name], content, name)
                    summary = json.loads((self.folder / out / "summary.json").read_text())
                    self.assertEqual(summary["outcome"], "finished" if status == 0 else "failed")

    def test_bad_scenes_are_told_to_nobody(self):
        for line in ["2>&-", "2>/dev/full"]:
            self.assertEqual(self.in_shell(line, "out", "nowhere.yaml").returncode, 2)

    def test_a_reader_that_went_away_does_not_end_a_run(self):
        self.write("failing.yaml", FAILING)
        read, write = os.pipe()
        os.close(read)
        run = subprocess.run([PROGRAM, "run", "failing.yaml", "--out", "out"], cwd=self.folder, timeout=HANG_S,
                             stdout=write, stderr=write, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(json.loads((self.folder / "out/summary.json").read_text())["outcome"], "failed")
        run = subprocess.run([PROGRAM, "solvers"], timeout=HANG_S, stdout=write, stderr=subprocess.PIPE, check=False)
        os.close(write)
        self.assertEqual((run.returncode, run.stderr), (1, b""))

    def test_results_that_cannot_be_printed_are_a_failure(self):
        with open("/dev/full", "wb") as full:
            run = subprocess.run([PROGRAM, "solvers"], timeout=HANG_S, stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"could not be printed", run.stderr)


class Inputs(Files):
    def test_a_scene_in_the_output_folder_survives(self):
        for name in ["run.json", "summary.json", "compare.json", "rods.usda", "vtk/rods_000003.vtp"]:
            self.write(f"out/{name}", PLAIN)
            for command in ["run", "solve", "compare"]:
                self.refused(command, f"out/{name}", "--out", "out", "--force", words="choose another folder")
            (self.folder / "link.yaml").symlink_to(f"out/{name}")
            self.refused("run", "link.yaml", "--out", "./out/../out", "--force", words="choose another folder")
            (self.folder / "link.yaml").unlink()
            self.assertEqual((self.folder / "out" / name).read_text(), PLAIN)
            (self.folder / "out" / name).unlink()
        scene = self.write("out/rope.yaml", PLAIN)
        self.writhe("run", "out/rope.yaml", "--out", "out", "--force")
        self.assertEqual(scene.read_text(), PLAIN)

    def test_so_does_a_file_that_the_scene_names(self):
        curve = "v 0 0 0\nv 0.2 0 0\nv 0.5 0 0\n"
        for place, refused in [("out/obj/rods_000001.obj", True), ("out/obj/rope.obj", False)]:
            for key in ["centreline", "rest"]:
                path = self.write(place, curve)
                shape = f"rods.rope.{key}={{obj: {place}}}" if key == "centreline" else f"rods.rope.rest={{shape: {{obj: {place}}}}}"
                run = run_program([PROGRAM, "run", "scene.yaml", "--set", shape, "--out", "out", "--force"], cwd=self.folder)
                self.assertEqual(run.returncode, 2 if refused else 0, f"{shape}: {run.stderr}")
                self.assertEqual(path.read_text(), curve)
                path.unlink()

    def test_a_file_that_is_no_curve_is_not_quoted(self):
        for text in [SECRET, f"v 0 0 0\nv {SECRET}", f"v 0 0 0\nl 1 {SECRET}", f"v 0 0 0\nv 1 0 0\nl 1 2 {SECRET}"]:
            self.write("secret", text + "\n")
            self.write("leak.yaml", HEAD + rod("{obj: secret}"))
            for more in [[], ["--json"]]:
                run = self.writhe("check", "leak.yaml", *more, status=2)
                self.assertNotIn("hunter2", run.stdout + run.stderr)


class Asked(Files):
    def test_a_page_is_replaced_only_when_asked(self):
        page = self.write("page.html", "mine")
        self.refused("run", "scene.yaml", "--html", "page.html", words="--html: page.html: exists")
        self.writhe("run", "scene.yaml", "--out", "out", "--until", "0.05")
        self.refused("run", "scene.yaml", "--out", "out", "--html", "page.html", "--resume", words="--html: page.html: exists")
        self.assertEqual(page.read_text(), "mine")
        (self.folder / "lost.html").symlink_to(self.folder / "nowhere")
        self.refused("run", "scene.yaml", "--html", "lost.html", words="exists")
        self.refused("render", "out", "lost.html", words="exists")
        self.refused("run", "scene.yaml", "--html", "scene.yaml", "--force", words="is what this run reads")
        self.writhe("run", "scene.yaml", "--out", "out", "--html", "page.html", "--force")
        self.assertIn("writhe-run", page.read_text())

    def test_a_run_that_goes_on_goes_on_with_its_page(self):
        self.writhe("run", "scene.yaml", "--out", "out", "--html", "page.html", "--until", "0.05")
        before = (self.folder / "page.html").read_bytes()
        self.writhe("run", "scene.yaml", "--out", "out", "--html", "./page.html", "--resume")
        self.assertNotEqual((self.folder / "page.html").read_bytes(), before)

    def test_results_of_experiments(self):
        result = self.write("results/twist-energy.json", "mine")
        self.refused("experiment", "run", "twist-energy", "--out", "results", words="twist-energy.json: exists")
        self.assertEqual(result.read_text(), "mine")
        self.writhe("experiment", "run", "twist-energy", "--out", "results", "--force")
        self.assertEqual(json.loads(result.read_text())["name"], "twist-energy")

    def test_a_report(self):
        for name in ["report.html", "report.json", "validation.md"]:
            own = self.write(f"report/{name}", "{}")
            self.refused("report", "twist-energy", "--out", "report", words=f"{name}: is not of a report")
            self.assertEqual(own.read_text(), "{}")
            own.unlink()
        for _ in range(2):
            self.writhe("report", "twist-energy", "--out", "report", "--quiet")


class Pictures(Files):
    def test_no_picture_holds_what_is_not_a_number(self):
        for name, scene in [("flies", FLIES), ("apart", APART)]:
            self.write(f"{name}.yaml", scene)
            self.writhe("run", f"{name}.yaml", "--out", name)
            for picture in ["picture.svg", "strip.svg"]:
                text = (self.folder / name / picture).read_text()
                self.assertNotIn("nan", text)
                self.assertNotIn("inf", text)
                self.assertIn("<use", text)


class Signals(Files):
    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        return finish(process)[1]

    def test_a_step_that_does_not_end(self):
        self.write("endless.yaml", ENDLESS)
        for command, more in [("run", []), ("run", ["--until", "settled", "--force"]), ("compare", ["--solvers", "pd"])]:
            with self.subTest(f"{command} {more}"):
                process = start_program([PROGRAM, command, "endless.yaml", "--out", command, *more], cwd=self.folder)
                wait_for_handler(process, signal.SIGTERM)
                stderr = self.stop(process)
                self.assertEqual(process.returncode, 1, stderr)
                self.assertIn("stopped" if command == "compare" else "interrupted at t = 0 s", stderr)
                if command == "run":
                    summary = json.loads((self.folder / "run/summary.json").read_text())
                    self.assertEqual((summary["outcome"], summary["cause"]), ("interrupted", "stopped by a signal"))
                    self.assertTrue((self.folder / "run/picture.svg").is_file())
        # What is there can be gone on from, with steps that end.
        self.writhe("run", "endless.yaml", "--out", "run", "--resume", "--set", "solver.pd.iterations=1", "--until", "1")

    def test_the_browser_ends_with_the_program(self):
        self.writhe("run", "scene.yaml", "--out", "out")
        browser = self.write("browser", "#!/bin/sh\nsleep 1000000 & echo $! >started.tmp\nmv started.tmp started\nwait\n")
        browser.chmod(0o755)
        temporary = self.folder / "temporary"
        temporary.mkdir()
        environment = {**os.environ, "CHROMIUM": str(browser), "TMPDIR": str(temporary)}
        process = start_program([PROGRAM, "render", "out", "rope.png"], cwd=self.folder, env=environment)
        started = self.folder / "started"
        wait_for(process, started.exists)
        child = pathlib.Path("/proc") / started.read_text().strip()
        self.assertTrue(child.exists())
        stderr = self.stop(process)
        self.assertEqual((process.returncode, stderr), (1, "writhe: stopped; rope.png was not written\n"))
        wait_for_end = start_program(["sleep", str(HANG_S)])
        wait_for(wait_for_end, lambda: not child.exists() or "\nState:\tZ" in (child / "status").read_text())
        wait_for_end.kill()
        finish(wait_for_end)
        self.assertEqual(list(temporary.iterdir()), [])
        self.assertFalse((self.folder / "rope.png").exists())


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
