"""`writhe new` and `writhe materials`. Run: /usr/bin/python3 tests/cli/test_new.py path/to/writhe"""

import json
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from program import run_program  # noqa: E402

PROGRAM = ""  # set from the command line
SOURCE = pathlib.Path(__file__).resolve().parents[2]
TEMPLATES = ["cantilever", "driven", "hair", "hanging", "spring"]
SWITCHED_OFF = re.compile(r"^(\s*)#(?=[\w-])", re.M)  # a key with a # and no blank before it


class Start(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def writhe(self, *arguments, status=0):
        run = run_program([PROGRAM, *arguments], cwd=self.folder)
        self.assertEqual(run.returncode, status, f"{arguments}\nstdout: {run.stdout}\nstderr: {run.stderr}")
        return run

    def test_the_list_names_every_template_and_what_it_shows(self):
        lines = self.writhe("new", "--list").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["TEMPLATE", *TEMPLATES])
        for line in lines[1:]:
            self.assertGreater(len(line.split(maxsplit=1)[1]), 20)
        self.assertEqual(sorted(f.stem for f in (SOURCE / "templates").glob("*.yaml")), TEMPLATES)

    def test_every_template_checks_and_runs(self):
        for name in TEMPLATES:
            with self.subTest(name):
                self.writhe("new", f"{name}.yaml", "--template", name)
                self.assertIn("ok", self.writhe("check", f"{name}.yaml").stdout)
                self.writhe("run", f"{name}.yaml", "--until", "0.01")
                self.assertTrue((self.folder / "out" / name / "summary.json").exists())

    def test_every_switched_off_key_exists(self):
        for name in TEMPLATES:
            text = self.writhe("new", "-", "--template", name).stdout
            places = list(SWITCHED_OFF.finditer(text))
            self.assertTrue(places, name)
            for place in places:
                changed = text[: place.start()] + place.group(1) + text[place.end() :]
                line = changed[place.start() :].split("\n")[0]
                with self.subTest(f"{name}: {line.strip()}"):
                    scene = self.folder / "changed.yaml"
                    scene.write_text(changed)
                    self.writhe("check", scene)

    def test_the_first_template_shows_every_key_of_a_scene_and_of_a_rod(self):
        schema = json.loads((SOURCE / "docs/scene.schema.json").read_text())
        later = {"closing_angle", "closing_motion"}  # of rings; named in a comment or in docs/scene.md
        text = SWITCHED_OFF.sub(r"\1", self.writhe("new", "-").stdout)
        for key in schema["properties"]:
            self.assertRegex(text, rf"(?m)^{key}:")
        for key in set(schema["$defs"]["rod"]["properties"]) - later:
            self.assertRegex(text, rf"(?m)^    {key}:")

    def test_stdout_and_file_are_the_same(self):
        self.writhe("new", "rope.yaml", "--template", "hanging")
        self.assertEqual((self.folder / "rope.yaml").read_text(), self.writhe("new", "-", "--template", "hanging").stdout)

    def test_a_file_is_never_replaced(self):
        (self.folder / "mine.yaml").write_text("keep me")
        run = self.writhe("new", "mine.yaml", status=2)
        self.assertEqual(run.stderr, "mine.yaml: exists already and is not replaced; choose another name\n")
        self.assertEqual(run.stdout, "")
        self.assertEqual((self.folder / "mine.yaml").read_text(), "keep me")
        (self.folder / "link.yaml").symlink_to("nowhere.yaml")
        self.writhe("new", "link.yaml", status=2)
        self.assertFalse((self.folder / "nowhere.yaml").exists())

    def test_bad_usage(self):
        for arguments, message in [
            (["new"], "FILE: name the file to write, or give --list to see the templates\n"),
            (["new", "a.yaml", "--template", "sprin"],
             "--template: sprin: there is no such template; did you mean 'spring'?\n"),
            (["new", "nowhere/a.yaml"],
             "nowhere/a.yaml: cannot be written (No such file or directory); choose another place\n"),
        ]:
            with self.subTest(arguments):
                self.assertEqual(self.writhe(*arguments, status=2).stderr, message)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_materials(self):
        presets = json.loads(self.writhe("materials", "--json").stdout)
        text = self.writhe("materials").stdout
        documented = (SOURCE / "docs/scene.md").read_text()
        schema = json.loads((SOURCE / "docs/scene.schema.json").read_text())
        self.assertEqual([p["name"] for p in presets], schema["$defs"]["material"]["properties"]["preset"]["enum"])
        for preset in presets:
            self.assertIn(preset["source"], text)
            self.assertTrue(("poisson" in preset) != ("shear" in preset))
            # The table of the documentation has the same numbers.
            row = re.search(rf"(?m)^\| `{preset['name']}` \| [^|]+ \| (\S+) \| (\S+)(?: Pa)? \| (\S+) \|$", documented)
            self.assertIsNotNone(row, preset["name"])
            other = preset.get("poisson", preset.get("shear"))
            self.assertEqual([float(cell) for cell in row.groups()], [preset["young"], other, preset["density"]])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_new.py path/to/writhe [unittest arguments]")
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
