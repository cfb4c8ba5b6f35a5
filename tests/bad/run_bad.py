"""Scenes that users get wrong: each is refused with status 2, a message known to the letter, and nothing left behind.

Run: /usr/bin/python3 tests/bad/run_bad.py path/to/writhe

NAME.yaml beside this file is a bad scene, NAME.txt all that `writhe run NAME.yaml` says of it on stderr. `writhe solve` says the
same; `writhe check` too, and counts the problems. What is no file of a few lines (200 MB, deep nesting, options, folders) is made
here; its message is in a NAME.txt too.
"""

import pathlib
import resource
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from program import run_program  # noqa: E402

PROGRAM = ""  # set from the command line
HERE = pathlib.Path(__file__).resolve().parent
FILES = sorted(file.stem for file in HERE.glob("*.yaml"))

GOOD = """\
writhe: 1
materials:
  rubber: {young: 1e6, poisson: 0.5, density: 1300}
sections:
  cord: {circle: {radius: 0.005}}
rods:
  rope:
    section: cord
    material: rubber
    centreline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}
    segments: 20
supports:
  - {clamp: rope.start}
time: {dt: 1e-3, until: 0.005}
"""

METHOD_ONLY = {"unknown-method", "contact-on-pd"}  # `solve` has none to choose
# Of the good scene, as an option of every command ...
OVERRIDES = {
    "set-without-value": "rods.rope.segments",
    "set-unknown-key": "rods.rope.segmnets=30",
    "set-unknown-rod": "rods.rpoe.segments=30",
    "set-wrong-type": "rods.rope.segments=many",
    "set-impossible-value": "sections.cord.circle.radius=-1",
    "set-past-the-list": "supports[1].axes=xy",
    "set-through-a-number": "time.dt.step=1",
    "set-not-yaml": "gravity=[0, 0",
    "set-deep": "gravity=" + "[" * 1000,
}
# ... and as an option of `run`.
RUN_OPTIONS = {
    "option-until-negative": ["--until", "-1"],
    "option-until-word": ["--until", "settld"],
    "option-dt-zero": ["--dt", "0"],
    "option-dt-with-unit": ["--dt", "1ms"],
    "option-solver-unknown": ["--solver", "newtom"],
    "option-threads-negative": ["--threads", "-2"],
}
# ... and of `solve`.
SOLVE_OPTIONS = {
    "solve-modes-none": ["--modes", "0"],
    "solve-modes-word": ["--modes", "all"],
    "solve-until-negative": ["--until", "-1"],
    "solve-until-settled": ["--until", "settled"],
    "solve-unknown-option": ["--arclenght"],
}


def laughs(first, levels):
    """A list `a0`, and lists that each stand for ten of the one before."""
    lines = [f"a0: &a0 {first}"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, levels)]
    return "\n".join(["writhe: 1", *lines, ""])


def points_of_aliases():
    """A polyline of a million points in a few lines."""
    hundred = "[" + ", ".join(["*p"] * 1000) + "]"
    return GOOD.replace("writhe: 1\n", "writhe: 1\ntitle: &p [0, 0, 0]\n").replace(
        "{line: {from: [0, 0, 0], to: [1, 0, 0]}}", f"{{polyline: {{points: &l {hundred}}}}}\n    rest: *l" + "\n    d1: *l" * 700
    )


# Contents that no one would write down: bytes of the file `scene.yaml`.
CONTENTS = {
    "binary": bytes(range(256)) * 16,
    "elf": b"\x7fELF\x02\x01\x01" + bytes(57),
    "nul-bytes": GOOD.encode().replace(b"rope", b"ro\0pe", 1),
    "utf-16": GOOD.encode("utf-16"),
    "latin-1": GOOD.replace("writhe: 1\n", "writhe: 1\ntitle: Stäbe\n").encode("latin-1"),
    "escape-sequence": GOOD.replace("writhe: 1\n", 'writhe: 1\ntitle: "\\e[31mred"\n').encode(),
    "deep-flow-lists": b"title: " + b"[" * 100_000,
    "deep-flow-maps": b"title: " + b"{a: " * 100_000,
    "deep-block-lists": b"- " * 100_000,
    "deep-block-maps": b"".join(b" " * i + b"a:\n" for i in range(5_000)),
    "billion-laughs": laughs("[lol, lol, lol, lol, lol]", 10).encode(),
    "alias-points": points_of_aliases().encode(),
    "many-problems": GOOD.replace("segments: 20", "segments: 20\n    taper: [" + "x, " * 500 + "]").encode(),
    "long-line": b"#" * 1_000_000 + b"\n" + b"a" * 1_000_000,
}
# 200 MB, in pieces of 1 MB.
LARGE = {
    "large-binary": bytes((i * 73 + (i >> 8) * 31) % 256 for i in range(1_000_000)),
    "large-text": (GOOD * (1_000_000 // len(GOOD) + 1)).encode()[:1_000_000],
}


class Bad(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def run_writhe(self, *arguments):
        return run_program([PROGRAM, *arguments], cwd=self.folder, errors="replace")

    def assert_refused(self, name, *arguments):
        """Status 2, nothing on stdout, nothing new in the folder; returns stderr."""
        before = sorted(self.folder.rglob("*"))
        run = self.run_writhe(*arguments)
        self.assertEqual(run.returncode, 2, f"{name}: {run.stdout}{run.stderr}")
        self.assertEqual(run.stdout, "")
        self.assertEqual(sorted(self.folder.rglob("*")), before, f"{name} left something behind")
        return run.stderr

    def expected(self, name):
        return (HERE / f"{name}.txt").read_text(encoding="utf-8")

    def assert_bad_scene(self, name, scene, *options):
        expected = self.expected(name)
        count = expected.count("\n")
        for command in ["run"] if name in METHOD_ONLY else ["run", "solve"]:
            self.assertEqual(self.assert_refused(name, command, scene, "--out", "results", *options), expected)
        total = f"{scene}: {count} problem{'' if count == 1 else 's'}\n"
        self.assertEqual(self.assert_refused(name, "check", scene, *options), expected + total)

    def test_the_good_scene_is_good(self):
        for name, content in [
            ("plain", GOOD.encode()),
            ("crlf", GOOD.replace("\n", "\r\n").encode()),
            ("bom", b"\xef\xbb\xbf" + GOOD.encode()),
        ]:
            with self.subTest(name):
                (self.folder / "scene.yaml").write_bytes(content)
                self.assertEqual(self.run_writhe("check", "scene.yaml").returncode, 0)
                run = self.run_writhe("run", "scene.yaml", "--out", name)
                self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_every_file_has_its_message_and_every_message_its_case(self):
        made = [OVERRIDES, RUN_OPTIONS, SOLVE_OPTIONS, CONTENTS, LARGE]
        names = FILES + [name for cases in made for name in cases] + self.places() + list(self.checkpoints())
        self.assertEqual(sorted(names), sorted(file.stem for file in HERE.glob("*.txt")))
        self.assertGreaterEqual(len(names), 45)

    def test_files(self):
        for file in [*HERE.glob("*.yaml"), *HERE.glob("*.obj"), *HERE.parent.glob("cases/*.obj")]:
            shutil.copy(file, self.folder)
        for name in FILES:
            with self.subTest(name):
                self.assert_bad_scene(name, f"{name}.yaml")

    def test_overrides(self):
        (self.folder / "scene.yaml").write_text(GOOD)
        for name, override in OVERRIDES.items():
            with self.subTest(name):
                self.assert_bad_scene(name, "scene.yaml", "--set", override)

    def test_options_of_run_and_solve(self):
        (self.folder / "scene.yaml").write_text(GOOD)
        for command, cases in [("run", RUN_OPTIONS), ("solve", SOLVE_OPTIONS)]:
            for name, options in cases.items():
                with self.subTest(name):
                    stderr = self.assert_refused(name, command, "scene.yaml", "--out", "results", *options)
                    self.assertEqual(stderr, self.expected(name))

    def test_contents(self):
        for name, content in CONTENTS.items():
            with self.subTest(name):
                (self.folder / "scene.yaml").write_bytes(content)
                self.assert_bad_scene(name, "scene.yaml")

    def test_large_files_are_refused_at_once(self):
        for name, piece in LARGE.items():
            with self.subTest(name):
                with open(self.folder / "scene.yaml", "wb") as file:
                    for _ in range(200):
                        file.write(piece)
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                self.assert_bad_scene(name, "scene.yaml")
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                # The one bound on time, of processor time: that such files are refused without being read is what is promised.
                self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1)
                (self.folder / "scene.yaml").unlink()

    @staticmethod
    def places():
        return [
            "out-below-a-file", "out-is-a-file", "out-in-proc", "out-exists", "solve-out-exists", "scene-is-a-folder",
            "scene-does-not-exist",
        ]

    def test_places(self):
        (self.folder / "scene.yaml").write_text(GOOD)
        (self.folder / "results").mkdir()
        (self.folder / "results" / "notes.txt").write_text("keep me")
        for name, arguments in {
            "out-below-a-file": ["scene.yaml", "--out", "scene.yaml/results"],  # root may write wherever chmod forbids it
            "out-is-a-file": ["scene.yaml", "--out", "scene.yaml"],
            "out-in-proc": ["scene.yaml", "--out", "/proc/results"],
            "out-exists": ["scene.yaml", "--out", "results"],
            "scene-is-a-folder": ["results", "--out", "other"],
            "scene-does-not-exist": ["secne.yaml", "--out", "other"],
        }.items():
            with self.subTest(name):
                self.assertEqual(self.assert_refused(name, "run", *arguments), self.expected(name))
        refusal = self.assert_refused("solve-out-exists", "solve", "scene.yaml", "--out", "results")
        self.assertEqual(refusal, self.expected("solve-out-exists"))
        self.assertEqual((self.folder / "results" / "notes.txt").read_text(), "keep me")
        for name, scene in [("scene-is-a-folder", "results"), ("scene-does-not-exist", "secne.yaml")]:
            self.assertEqual(self.assert_refused(name, "check", scene), self.expected(name) + f"{scene}: 1 problem\n")

    @staticmethod
    def checkpoints():
        """What is done to a good checkpoint, and the scene it is given to."""
        return {
            "resume-missing": (None, GOOD),
            "resume-empty": (lambda good: b"", GOOD),
            "resume-no-checkpoint": (lambda good: GOOD.encode(), GOOD),
            "resume-truncated": (lambda good: good[: len(good) * 2 // 3], GOOD),
            "resume-bit-flipped": (lambda good: good[:500] + bytes([good[500] ^ 4]) + good[501:], GOOD),
            "resume-other-segments": (lambda good: good, GOOD.replace("segments: 20", "segments: 30")),
            "resume-other-material": (lambda good: good, GOOD.replace("young: 1e6", "young: 2e6")),
            "resume-other-support": (lambda good: good, GOOD.replace("clamp: rope.start", "pin: rope.start")),
        }

    def test_checkpoints(self):
        (self.folder / "scene.yaml").write_text(GOOD)
        self.assertEqual(self.run_writhe("run", "scene.yaml", "--out", "results").returncode, 0)
        good = (self.folder / "results" / "checkpoint.writhe").read_bytes()
        for name, (change, scene) in self.checkpoints().items():
            with self.subTest(name):
                (self.folder / "scene.yaml").write_text(scene)
                file = self.folder / "results" / "checkpoint.writhe"
                file.unlink(missing_ok=True)
                if change:
                    file.write_bytes(change(good))
                before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
                for out in ["results", "other"]:
                    arguments = ["run", "scene.yaml", "--out", out, "--resume", "results/checkpoint.writhe"]
                    self.assertEqual(self.assert_refused(name, *arguments), self.expected(name))
                for path, content in before.items():
                    self.assertEqual(path.read_bytes(), content, f"{path} was changed")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: run_bad.py path/to/writhe [unittest arguments]")
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
