"""The text files of the repository, as the checks see them."""

import os
import subprocess
import sys


def repository_files(root):
    """Paths below root, sorted: what git tracks or would track; in an unpacked archive, all but builds and outputs."""
    try:
        command = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
        if os.path.exists(os.path.join(root, ".git")):
            return sorted(path for path in listed if path and os.path.isfile(os.path.join(root, path)))
    except (OSError, subprocess.CalledProcessError):
        pass
    found = []
    for folder, folders, names in os.walk(root):
        top = folder == root
        folders[:] = [f for f in folders if f not in (".git", "__pycache__") and not (top and (f.startswith("build") or f == "out"))]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(found)


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
