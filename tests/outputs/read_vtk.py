"""VTK itself reads the .vtp and .obj files of scene.yaml. Run: /usr/bin/python3 tests/outputs/read_vtk.py FOLDER_OF_THE_RUN"""

import csv
import json
import pathlib
import sys
import unittest
import xml.etree.ElementTree as ElementTree

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOGeometry import vtkOBJReader
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

FOLDER = pathlib.Path()  # set from the command line
KNOWN = json.loads((pathlib.Path(__file__).parent / "known.json").read_text())
COMPONENTS = {
    "arc_length": 1, "radius": 1, "velocity": 3, "frame": 4, "d1": 3, "d2": 3, "d3": 3, "strain": 3, "curvature": 3,
    "tension": 1, "shear": 2, "moment": 3, "contact": 3, "rod": 1,
}


class Frame:
    """One .vtp file: its time, and an array of points and of each value for each rod."""

    def __init__(self, path):
        reader = vtkXMLPolyDataReader()
        errors = []
        reader.AddObserver("ErrorEvent", lambda *_: errors.append(path))
        reader.SetFileName(str(path))
        reader.Update()
        assert not errors, path
        data = reader.GetOutput()
        self.time = data.GetFieldData().GetArray("TimeValue").GetValue(0)
        names = data.GetFieldData().GetAbstractArray("rod_names")
        self.names = [names.GetValue(i) for i in range(names.GetNumberOfValues())]
        arrays = data.GetPointData()
        self.components = {arrays.GetArrayName(i): arrays.GetArray(i) for i in range(arrays.GetNumberOfArrays())}
        values = {name: vtk_to_numpy(array) for name, array in self.components.items()}
        points = vtk_to_numpy(data.GetPoints().GetData())
        self.rods = []
        for i in range(data.GetNumberOfCells()):
            cell = data.GetCell(i)
            ids = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
            self.rods.append({"position": points[ids], **{name: array[ids] for name, array in values.items()}})


def read_surface(path):
    """Points, triangles as rows of points, the obstacle of each, and the names of these."""
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    data = reader.GetOutput()
    names = data.GetFieldData().GetAbstractArray("obstacle_names")
    triangles = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    owner = vtk_to_numpy(data.GetCellData().GetArray("obstacle"))
    return vtk_to_numpy(data.GetPoints().GetData()), triangles, owner, [names.GetValue(i) for i in range(names.GetNumberOfValues())]


def brick_corners(time):
    """Of the brick of known.json, one a row, sorted."""
    known = KNOWN["brick"]
    part = min(time / known["time"], 1)
    c, s = np.cos(part * known["turn"]), np.sin(part * known["turn"])
    local = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * known["size"]
    turned = local @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T
    return turned + np.array(known["centre"]) + part * np.array(known["move"])


def read_collection(part="0"):
    """Times and files of a part of rods.pvd."""
    root = ElementTree.parse(FOLDER / "rods.pvd").getroot()
    assert root.tag == "VTKFile" and root.get("type") == "Collection"
    return [(float(item.get("timestep")), FOLDER / item.get("file")) for item in root.find("Collection") if item.get("part") == part]


def read_probes():
    """Rows of probes.csv: {"seventh.x": value, ...}, without units."""
    with open(FOLDER / "probes.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    names = [name.split(" [")[0] for name in rows[0]]
    return [dict(zip(names, map(float, row))) for row in rows[1:]]


class VtkFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.collection = read_collection()
        cls.frames = [Frame(path) for _, path in cls.collection]

    def near(self, found, expected, tolerance):
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)

    def test_times(self):
        self.near([time for time, _ in self.collection], KNOWN["times"], 1e-12)
        self.assertEqual([frame.time for frame in self.frames], [time for time, _ in self.collection])

    def test_arrays(self):
        for frame in self.frames:
            found = {name: array.GetNumberOfComponents() for name, array in frame.components.items()}
            self.assertEqual(found, COMPONENTS)
            for name, array in frame.components.items():
                self.assertTrue(np.isfinite(vtk_to_numpy(array)).all(), name)
        array = self.frames[0].components["frame"]
        self.assertEqual([array.GetComponentName(i) for i in range(4)], ["w", "x", "y", "z"])

    def test_rods(self):
        for frame in self.frames:
            self.assertEqual(frame.names, ["falling", "2nd-rope"])
            self.assertEqual([len(rod["position"]) for rod in frame.rods], [KNOWN["falling"]["nodes"], KNOWN["rope"]["nodes"]])
            for index, rod in enumerate(frame.rods):
                self.assertTrue((rod["rod"] == index).all())

    def test_obstacles(self):
        obstacles = read_collection("1")
        self.assertEqual([time for time, _ in obstacles], [time for time, _ in self.collection])
        for time, path in obstacles:
            points, triangles, owner, names = read_surface(path)
            self.assertEqual(names, ["far-brick", "ball"])
            expected, own = brick_corners(time), points[np.unique(triangles[owner == 0])]
            self.assertEqual(len(own), 8)
            distances = np.linalg.norm(own[:, None] - expected[None], axis=2).min(axis=1)
            self.near(distances, 0, 1e-12)
            ball = points[np.unique(triangles[owner == 1])]
            self.near(np.linalg.norm(ball - KNOWN["ball"]["centre"], axis=1), KNOWN["ball"]["radius"], 1e-12)
        self.assertTrue(all((rod["contact"] == 0).all() for frame in self.frames for rod in frame.rods))

    def test_a_rod_that_falls(self):
        known = KNOWN["falling"]
        x = np.linspace(0, known["length"], known["nodes"])
        for frame, step in zip(self.frames, KNOWN["steps"]):
            rod = frame.rods[known["rod"]]
            # implicit Euler: v = -g n dt, z = -g dt^2 n (n + 1) / 2
            drop = KNOWN["gravity"] * KNOWN["dt"] ** 2 * step * (step + 1) / 2
            self.near(rod["position"], np.stack([x, 0 * x, 0 * x + known["height"] - drop], axis=1), 1e-9)
            self.near(rod["velocity"], np.tile([0, 0, -KNOWN["gravity"] * step * KNOWN["dt"]], (len(x), 1)), 1e-7)
            self.near(rod["arc_length"], x, 1e-12)
            self.near(rod["radius"], known["radius"], 1e-12)
            self.near(rod["tension"], 0, 1e-6)
            self.near(rod["strain"], 0, 1e-7)
            self.near(rod["curvature"][:, :2], 0, 1e-6)
            self.near(rod["curvature"][:, 2], known["twist"], 0.01 * known["twist"])  # of segments of 9 degrees
            self.near(rod["d3"], np.tile([1, 0, 0], (len(x), 1)), 1e-7)
            # the section turns right-handed about the rod, 9 degrees a segment
            self.near(np.cross(rod["d1"][3], rod["d1"][7])[0], np.sin(np.radians(36)), 1e-6)

    def test_frames_are_rotations(self):
        for frame in self.frames:
            for rod in frame.rods:
                w, x, y, z = rod["frame"].T
                self.near(w * w + x * x + y * y + z * z, 1, 1e-12)
                d1 = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)
                d2 = np.stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)], axis=1)
                self.near(rod["d1"], d1, 1e-12)
                self.near(rod["d2"], d2, 1e-12)
                self.near(rod["d3"], np.cross(rod["d1"], rod["d2"]), 1e-12)

    def test_values_are_those_of_the_probes(self):
        rows = read_probes()
        self.assertEqual([row["time"] for row in rows], [time for time, _ in self.collection])
        columns = {"position": ["x", "y", "z"], "velocity": ["vx", "vy", "vz"], "tension": ["tension"],
                   "shear": ["shear1", "shear2"], "moment": ["moment1", "moment2", "moment3"]}
        for frame, row in zip(self.frames, rows):
            rod = frame.rods[KNOWN["rope"]["rod"]]
            for probe, node in KNOWN["rope"]["probes"].items():
                for array, names in columns.items():
                    expected = np.array([row[f"{probe}.{name}"] for name in names])
                    scale = max(np.abs(rod[array]).max(), 1e-9)
                    self.near(np.atleast_1d(rod[array][node]), expected, 1e-11 * scale)
        self.assertGreater(max(abs(row["first.moment2"]) + abs(row["first.moment1"]) for row in rows), 1e-3)

    def test_taper(self):
        rope = KNOWN["rope"]
        radius = self.frames[0].rods[rope["rod"]]["radius"]
        self.assertTrue((np.diff(radius) < 0).all())
        # the ends have the radius of the middles of their segments
        inside = (rope["radius_start"] - rope["radius_end"]) / (2 * (rope["nodes"] - 1))
        self.near(radius[[0, -1]], [rope["radius_start"] - inside, rope["radius_end"] + inside], 1e-12)


class ObjFiles(unittest.TestCase):
    def test_lines(self):
        files = sorted((FOLDER / "obj").iterdir())
        self.assertEqual([file.name for file in files], [f"rods_{i:06}.obj" for i in range(len(KNOWN["times"]))])
        for file, (_, vtp) in zip(files, read_collection()):
            reader = vtkOBJReader()
            reader.SetFileName(str(file))
            reader.Update()
            data = reader.GetOutput()
            self.assertEqual(data.GetNumberOfLines(), 2)
            points = vtk_to_numpy(data.GetPoints().GetData())
            for i, rod in enumerate(Frame(vtp).rods):
                cell = data.GetCell(i)
                ids = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
                np.testing.assert_allclose(points[ids], rod["position"], rtol=0, atol=1e-6)  # VTK reads floats


if __name__ == "__main__":
    FOLDER = pathlib.Path(sys.argv.pop(1))
    unittest.main()
