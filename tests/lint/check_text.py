#!/usr/bin/python3
"""Checks the text of the repository: no path of one developer's machine anywhere; names source files that have grown long.

check_text.py [ROOT]      long files are a warning, machine paths an error
check_text.py --self-test shows on a small tree that both are found
"""

import re
import sys
import tempfile

from files import read_text, repository_files
from trees import write_tree

LINES_MAX = 600
SOURCE = re.compile(r"\.(h|hpp|cpp|cu|cuh|py|ts|js|cmake)$")
# Homes and work folders, as an absolute path: not the end of an address, a relative path or a variable.
MACHINE_PATH = re.compile(r"(?<![\w.}~*/-])/(?:work|root|home/\w+|Users/\w+)/")


def check(root):
    """Errors and warnings, as lines."""
    errors, warnings = [], []
    for path in repository_files(root):
        text = read_text(root, path)
        if text is None:
            continue
        lines = text.split("\n")
        errors += [f"{path}:{number}: a path of one machine: {line.strip()[:100]}"
                   for number, line in enumerate(lines, start=1) if MACHINE_PATH.search(line)]
        if SOURCE.search(path) and len(lines) - 1 > LINES_MAX:
            warnings.append(f"{path}: {len(lines) - 1} lines, more than {LINES_MAX}: would a newcomer find their way in it?")
    return errors, warnings


def self_test():
    secret = "/" + "root" + "/"  # in pieces, so that this file passes its own check
    tree = {
        "docs/a.md": f"see {secret}notes\nand https://example.org{secret}page and build{secret}x\n",
        "docs/b.md": f"`{'/' + 'home'}/someone/x`\n",
        "src/long.cpp": "\n" * (LINES_MAX + 1),
        "src/short.cpp": "\n" * LINES_MAX,
        "docs/long.md": "\n" * (LINES_MAX + 1),
    }
    with tempfile.TemporaryDirectory() as root:
        write_tree(root, tree)
        errors, warnings = check(root)
    found = [line.split(": ")[0] for line in errors], [line.split(": ")[0] for line in warnings]
    expected = ["docs/a.md:1", "docs/b.md:1"], ["src/long.cpp"]
    return [] if found == expected else [f"expected {expected}, found {found}"]


def main():
    arguments = sys.argv[1:]
    if "--self-test" in arguments:
        errors, warnings = self_test(), []
    else:
        errors, warnings = check(arguments[0] if arguments else ".")
    for line in warnings:
        print("warning:", line)
    for line in errors:
        print(line)
    sys.exit(1 if errors else 0)


main()
