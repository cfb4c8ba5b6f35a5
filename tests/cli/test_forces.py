"""Forces at supports and ends, as `writhe run` and `solve` tell them. Run: /usr/bin/python3 tests/cli/test_forces.py path/to/writhe"""

import csv
import pathlib
import sys
import unittest

import test_cli
from test_cli import SOURCE, CliTest, strict_json

CABLE = SOURCE / "experiments/end-forces/usb.yaml"
LINEAR_DENSITY, GRAVITY = 0.04, 9.81
NODES = [("clamp cable.start", "socket", 0), ("clamp cable.end", "gripper", -1)]


class Forces(CliTest):
    def results(self, command, *options):
        self.writhe(command, CABLE, "--out", "out", "--force", "--quiet", *options)
        summary = strict_json((self.folder / "out/summary.json").read_text())
        with open(self.folder / "out/resultants.csv", newline="") as file:
            resultants = [{name.split(" [")[0]: value for name, value in row.items()} for row in csv.DictReader(file)]
        return summary, resultants

    def assert_near(self, a, b, tolerance):
        for one, other in zip(a, b, strict=True):
            self.assertAlmostEqual(one, other, delta=tolerance)

    def assert_consistent(self, reactions, summary, resultants):
        """The same in reactions, probes and resultants.csv, and together the weight."""
        self.assertEqual([one["support"] for one in reactions], [name for name, _, _ in NODES])
        for one, (_, probe, row) in zip(reactions, NODES):
            values = summary["probes"][probe]
            self.assert_near(one["force"], [values[f"reaction_{axis}"] for axis in "xyz"], 1e-12)
            self.assert_near(one["moment"], [values[f"reaction_moment_{axis}"] for axis in "xyz"], 1e-12)
            for name in ["tension", "shear1", "shear2", "moment1", "moment2", "moment3"]:
                self.assertAlmostEqual(values[name], float(resultants[row][name]), delta=1e-12)
            size = sum(values[name] ** 2 for name in ["tension", "shear1", "shear2"]) ** 0.5
            self.assertAlmostEqual(size, sum(x * x for x in one["force"]) ** 0.5, delta=1e-12)
        weight = LINEAR_DENSITY * summary["rods"][0]["rest_length"] * GRAVITY
        self.assert_near([sum(axis) for axis in zip(*(one["force"] for one in reactions))], [0, 0, weight], 1e-6)

    def test_a_cable_at_rest_tells_what_its_socket_feels(self):
        for method in ["newton", "pd"]:
            with self.subTest(method):
                summary, resultants = self.results("run", "--until", "settled", "--solver", method)
                self.assert_consistent(summary["reactions"], summary, resultants)
                # -0.00448 N is what finer meshes tend to; read half a segment inside it was 0.124 N.
                self.assertAlmostEqual(summary["probes"]["socket"]["tension"], -0.0045, delta=2e-4)
                # The socket's tangent is -y: what it exerts along it is minus the tension of a rod that starts there.
                self.assertAlmostEqual(summary["reactions"][0]["force"][1], summary["probes"]["socket"]["tension"], delta=1e-12)

    def test_solve_tells_the_same(self):
        run, _ = self.results("run", "--until", "settled")
        solve, resultants = self.results("solve")
        self.assert_consistent(solve["statics"]["reactions"], solve, resultants)
        for one, other in zip(run["reactions"], solve["statics"]["reactions"], strict=True):
            self.assert_near(one["force"], other["force"], 1e-6)
            self.assert_near(one["moment"], other["moment"], 1e-6)

    def test_probes_have_a_column_for_each_component(self):
        self.results("run", "--until", "0.01")
        header = (self.folder / "out/probes.csv").read_text().splitlines()[0]
        for name in ["socket.reaction_x [N]", "gripper.reaction_z [N]", "socket.reaction_moment_y [N m]"]:
            self.assertIn(name, header)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_forces.py path/to/writhe [unittest arguments]")
    test_cli.PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
