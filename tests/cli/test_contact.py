"""What users are told of obstacles and contact. Run: /usr/bin/python3 tests/cli/test_contact.py path/to/writhe"""

import pathlib
import sys
import unittest

import test_cli
from test_cli import SOURCE, CliTest, strict_json

# Two cords of 10 mm across each other, 16 mm apart, in free fall.
SCENE = """\
writhe: 1
materials:
  rubber: {young: 1e6, poisson: 0.5, density: 1300}
sections:
  cord: {circle: {radius: 0.01}}
rods:
  low: {section: cord, material: rubber, centreline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}, segments: 8}
  high: {section: cord, material: rubber, centreline: {line: {from: [0.25, -0.5, 0.016], to: [0.25, 0.5, 0.016]}}, segments: 8}
supports:
  - {clamp: low.start}
  - {clamp: high.start}
time: {dt: 1e-3, until: 3e-3}
"""
SHEET = "v 0 0 -5\nv 1 0 -5\nv 1 1 -5\nv 0 1 -5\nf 1 2 3\nf 1 3 4\nf 1 1 2\n"


class Contact(CliTest):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "crossed.yaml"
        self.file.write_text(SCENE)

    def test_rods_that_pass_through_each_other_are_told(self):
        told = ("writhe: warning: rods are in each other at one place: low@0.25 and high@0.5 by 0.004 m; contact is off between "
                "them, contact.between: all would keep them apart\n")
        for command in ["run", "solve"]:
            with self.subTest(command):
                run = self.writhe(command, self.file, "--set", "gravity=[0, 0, 0]", "--out", "out", "--force", "--quiet")
                self.assertEqual(run.stderr, told)
                overlaps = strict_json((self.folder / "out/summary.json").read_text())["overlaps"]
                self.assertEqual(overlaps["places"], 1)
                self.assertEqual(overlaps["between"], ["low@0.25", "high@0.5"])
                self.assertAlmostEqual(overlaps["depth"], 0.004, delta=1e-9)
                self.assertAlmostEqual(overlaps["distance"], 0.016, delta=1e-9)

    def test_rods_that_are_apart_are_not(self):
        run = self.writhe("run", self.file, "--set", "rods.high.centreline.line={from: [0.25, -0.5, 0.1], to: [0.25, 0.5, 0.1]}",
                          "--out", "out", "--quiet")
        self.assertEqual(run.stderr, "")
        self.assertNotIn("overlaps", strict_json((self.folder / "out/summary.json").read_text()))

    def test_a_shallow_start_is_a_warning(self):
        run = self.writhe("check", self.file, "--set", "contact.between=all")
        self.assertIn("warning: ", run.stderr)
        self.assertIn("crossed.yaml:7:54: rods.low.centreline: low@0.25 and high@0.5: rods begin in each other at one place, "
                      "by up to 0.004 m, here;", run.stderr)
        answer = strict_json(self.writhe("check", self.file, "--set", "contact.between=all", "--json").stdout)
        self.assertTrue(answer["ok"])
        self.assertEqual(answer["problems"], [])
        self.assertEqual([one["value"] for one in answer["warnings"]], ["low@0.25 and high@0.5"])
        self.assertEqual(strict_json(self.writhe("check", self.file, "--json").stdout)["warnings"], [])

    def test_a_mesh_with_holes_is_loaded_and_counted(self):
        (self.folder / "sheet.obj").write_text(SHEET)
        self.file.write_text(SCENE + "obstacles: [{name: sheet, mesh: {file: sheet.obj}}]\n")
        answer = strict_json(self.writhe("check", self.file, "--json").stdout)
        self.assertEqual(len(answer["warnings"]), 2)
        self.assertTrue(answer["warnings"][0]["message"].startswith("4 of its edges have no second triangle"))
        self.assertTrue(answer["warnings"][1]["message"].startswith("1 of its triangles have two corners in one place"))
        self.assertEqual(answer["warnings"][0]["field"], "obstacles[0].mesh.file")
        self.assertIn("crossed.yaml: ok: 2 rods, 16 segments, 1 obstacle, method newton", self.writhe("check", self.file).stdout)

    def test_every_obstacle_is_taken(self):
        run = self.writhe("check", SOURCE / "tests/cases/obstacles.yaml")
        self.assertEqual(run.stderr, "")
        self.assertIn("6 obstacles", run.stdout)

    def test_info_lists_obstacles_and_contact(self):
        self.file.write_text(SCENE + "obstacles:\n  - {name: floor, plane: {point: [0, 0, -1]}}\n"
                             "  - {name: ball, sphere: {radius: 0.5, centre: [0, 0, 3]}, motion: {translate: [[0, [0, 0, 0]], [2, [1, 0, 0]]]}}\n"
                             "contact: {between: [[low, high]], thickness: 0.012}\n")
        text = self.writhe("info", self.file).stdout
        self.assertIn("floor: plane through (0, 0, -1) m, normal (0, 0, 1)\n", text)
        self.assertIn("ball: sphere of radius 0.5 m at (0, 0, 3) m, moves until 2 s: carried by up to 1 m\n", text)
        self.assertIn("Contact: low touches high, axes 0.012 m apart\n", text)
        facts = strict_json(self.writhe("info", self.file, "--json").stdout)
        self.assertEqual(len(facts["obstacles"]), 2)
        self.assertEqual(facts["contact"], "low touches high, axes 0.012 m apart")

    def test_results_do_not_take_the_place_of_a_mesh(self):
        (self.folder / "out").mkdir()
        (self.folder / "out/summary.json").write_text(SHEET)
        self.file.write_text(SCENE + "obstacles: [{name: sheet, mesh: {file: out/summary.json}}]\n")
        self.writhe("run", self.file, "--out", "out", "--force", status=2)
        self.assertEqual((self.folder / "out/summary.json").read_text(), SHEET)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_contact.py path/to/writhe [unittest arguments]")
    test_cli.PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
