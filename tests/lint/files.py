#!/usr/bin/python3
"""The files of the repository as the checks see them, what git knows of them, and the frame that all checks share.

files.py --self-test shows that the list is the same with git, without it and in an unpacked archive
"""

import os
import subprocess
import sys
import tempfile

from gitignore import ignored, patterns_of
from trees import NoGit, new_repository, write_tree


def git(root, *arguments):
    """What git says of the repository at root; None when it fails, is not installed, or root is no repository itself."""
    if not os.path.exists(os.path.join(root, ".git")):  # git would find that of a folder above
        return None
    try:
        command = ["git", "-C", root, *arguments]
        return subprocess.run(command, check=True, capture_output=True, encoding="utf-8", errors="surrogateescape").stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def repository_files(root):
    """Paths below root, sorted: what git tracks or would track; without git, or in an unpacked archive, all that no .gitignore names."""
    listed = git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    if listed is None:
        return sorted(walk(root))
    return sorted(path for path in listed.split("\0") if path and os.path.isfile(os.path.join(root, path)))


def walk(root, below="", outer=()):
    """The files of one folder and those inside it. `outer`: the patterns of the folders above."""
    rules = os.path.join(below, ".gitignore")
    own = patterns_of(read_text(root, rules) or "", below) if os.path.isfile(os.path.join(root, rules)) else []
    patterns = [*outer, *own]
    for entry in os.scandir(os.path.join(root, below)):
        path = os.path.join(below, entry.name)
        folder = entry.is_dir(follow_symlinks=False)
        if entry.name == ".git" or ignored(path, folder, patterns):
            continue
        if folder:
            yield from walk(root, path, patterns)
        elif entry.is_file():
            yield path


def read_text(root, path):
    """The text of a file, or None when it is not text."""
    with open(os.path.join(root, path), "rb") as file:
        data = file.read()
    if b"\0" in data:
        return None
    return data.decode("utf-8", errors="replace")


def run(check, self_test):
    """The program of a check: prints the problems of the folder named, or of this one; --self-test: those of the check itself."""
    arguments = sys.argv[1:]
    problems = self_test() if "--self-test" in arguments else check(arguments[0] if arguments else ".")
    for line in problems:
        print(line)
    sys.exit(1 if problems else 0)


def self_test():
    """A tree with all that a .gitignore may say: its files are known, and git, where there is one, agrees."""
    ignore = ("/build*/\n/out/\nnode_modules/\n*.pyc\n__pycache__/\n# docs/\n\nbench.json  \n.cache/\ndocs/*.tmp\n**/deep/*.log\n"
              "all/**\nx/**/y\n!kept.pyc\n[ab]?.txt\n[!a-y]1.dat\n\\#odd\nsolid\n")
    kept = [".ci/run", ".gitignore", "apps/build/a.cpp", "build.md", "docs/a/x.tmp", "docs/out/a.md", "kept.pyc", "a.txt", "c1.txt",
            "src/bench.json.md", "src/kept.pyc", "web/.gitignore", "web/modules/a.ts", "web/left.map", "deep/a.txt", "a1.dat", "all.md",
            "src/x/y", "src/node_modules"]
    left = ["build/a.o", "build-asan/b.md", "out/demo/c.md", "web/node_modules/pkg/README.md", "tests/outputs/node_modules/x.md",
            "src/a.pyc", "tests/lint/__pycache__/files.txt", "bench.json", "docs/bench.json", "src/.cache/a", "docs/x.tmp", "all/of/it.md",
            "src/deep/a.log", "a1.txt", "src/bc.txt", "z1.dat", "#odd", "web/made.map", "x/y", "x/a/b/y", "src/solid/a/b.md"]
    tree = {path: "" for path in kept + left}
    tree.update({".gitignore": ignore, "web/.gitignore": "*.map\n!left.map\n"})
    failures = []

    def compare(title, root):
        found = repository_files(root)
        if found != sorted(kept):
            failures.append(f"{title}: too many: {sorted(set(found) - set(kept))}, missing: {sorted(set(kept) - set(found))}")

    with tempfile.TemporaryDirectory() as root:
        write_tree(root, tree)
        compare("an unpacked archive", root)
        if new_repository(root):
            compare("a repository", root)
            with NoGit():
                compare("a repository, without git", root)
    return failures


if __name__ == "__main__":
    run(lambda root: [], self_test)
