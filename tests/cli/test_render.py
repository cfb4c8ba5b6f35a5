"""Pictures, meshes and pages of a run. Run: /usr/bin/python3 tests/cli/test_render.py path/to/writhe"""

import math
import pathlib
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from program import run_program  # noqa: E402

PROGRAM = ""  # set from the command line

SCENE = """\
writhe: 1
title: a cord
materials: {rubber: {young: 1.0e6, poisson: 0.5, density: 1300}}
sections: {round: {circle: {radius: 0.005}}}
rods:
  cord: {section: round, material: rubber, centreline: {line: {from: [0, 0, 0], to: [0.5, 0, 0]}}, segments: 20}
supports: [{clamp: cord.start}]
time: {dt: 0.002, until: 0.2}
output: {frame_interval: 0.02}
"""


class Render(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls._folder.cleanup)
        cls.folder = pathlib.Path(cls._folder.name)
        (cls.folder / "cord.yaml").write_text(SCENE)
        cls.run_program("run", "cord.yaml", "--out", "end", "--quiet")
        cls.run_program("run", "cord.yaml", "--out", "all", "--html", "first.html", "--set", "rods.cord.segments=10", "--quiet")

    @classmethod
    def run_program(cls, *arguments):
        return run_program([PROGRAM, *arguments], cwd=cls.folder)

    def render(self, *arguments, status=0):
        run = self.run_program("render", *arguments)
        self.assertEqual(run.returncode, status, f"{arguments}\nstdout: {run.stdout}\nstderr: {run.stderr}")
        return run

    def volume_of_stl(self, name):
        data = (self.folder / name).read_bytes()
        (count,) = struct.unpack_from("<I", data, 80)
        six = 0.0
        for i in range(count):
            a, b, c = (struct.unpack_from("<3f", data, 84 + 50 * i + 12 * k) for k in (1, 2, 3))
            cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]]
            six += sum(x * y for x, y in zip(a, cross))
        return six / 6

    def test_mesh_of_the_end_has_the_volume_of_the_rod_in_millimetres(self):
        self.render("end", "end.stl", "--scale", 1000)
        expected = math.pi * 5**2 * 500
        self.assertAlmostEqual(self.volume_of_stl("end.stl") / expected, 1, delta=0.01)

    def test_mesh_of_an_equilibrium(self):
        self.run_program("solve", "cord.yaml", "--out", "rest", "--quiet")
        self.render("rest", "rest.stl", "--scale", 1000)
        self.assertAlmostEqual(self.volume_of_stl("rest.stl") / (math.pi * 5**2 * 500), 1, delta=0.01)

    def test_several_files_at_once(self):
        run = self.render("all", "a.svg", "a.obj", "a.ply", "a.html")
        self.assertEqual(run.stdout.count("t = 0.2 s"), 4)
        self.assertIn("<svg", (self.folder / "a.svg").read_text())
        self.assertTrue((self.folder / "a.ply").read_bytes().startswith(b"ply\n"))
        self.assertEqual((self.folder / "a.html").read_bytes(), (self.folder / "first.html").read_bytes())

    def test_a_mesh_is_of_the_scene_as_it_was_overridden(self):
        self.render("all", "ten.obj", "--sides", 4)
        vertices = [line for line in (self.folder / "ten.obj").read_text().splitlines() if line.startswith("v ")]
        self.assertGreaterEqual(len(vertices), 4 * 11 + 2)
        self.render("all", "start.obj", "--sides", 4, "--time", 0)
        start = [line for line in (self.folder / "start.obj").read_text().splitlines() if line.startswith("v ")]
        self.assertEqual(len(start), 4 * 11 + 2)  # straight: one piece a segment

    def test_png_shows_the_rod(self):
        self.render("end", "end.png", "--width", 400, "--color", "tension")
        data = (self.folder / "end.png").read_bytes()
        self.assertTrue(data.startswith(b"\x89PNG"))
        self.assertEqual(struct.unpack(">II", data[16:24]), (400, 250))
        self.assertGreater(len(data), 4000, "blank")

    def test_time_takes_the_nearest_frame(self):
        self.assertIn("t = 0.06 s", self.render("all", "near.svg", "--time", 0.067).stdout)

    def test_shapes_over_time(self):
        self.render("all", "strip.svg", "--shapes", 3, "--view", "xz")
        text = (self.folder / "strip.svg").read_text()
        for time in ["0 s", "0.1 s", "0.2 s"]:
            self.assertIn(time, text)

    def test_what_it_cannot_do_is_told(self):
        cases = [
            (["nowhere", "x.svg"], "RUN: nowhere: is not the folder of a run; `writhe run SCENE` and `writhe solve SCENE` make one"),
            (["end", "x.3mf"], "FILE: x.3mf: has no known ending; choose .svg, .png, .html, .stl, .obj or .ply"),
            (["end", "cord.yaml.svg", "--view", "above"], "output.picture.view: above"),
            (["end", "x.svg", "--time", "0.1"], "--time: end: the run kept its last state only"),
            (["end", "x.html"], "FILE: end: the run kept its last state only"),
        ]
        for arguments, message in cases:
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.render(*arguments, status=2).stderr)
                self.assertFalse((self.folder / arguments[1]).exists())

    def test_nothing_is_replaced_without_force(self):
        (self.folder / "mine.svg").write_text("mine")
        self.assertIn("exists; choose another name, or add --force", self.render("end", "mine.svg", status=2).stderr)
        self.assertEqual((self.folder / "mine.svg").read_text(), "mine")
        self.render("end", "mine.svg", "--force")
        self.assertIn("<svg", (self.folder / "mine.svg").read_text())


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
