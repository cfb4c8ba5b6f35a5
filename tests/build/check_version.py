#!/usr/bin/python3
"""check_version.py CMAKE: what the program says of its commit, in a repository, without git and in an unpacked archive."""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lint"))
from trees import NoGit, new_repository, write_tree  # noqa: E402


def main():
    cmake = sys.argv[1]

    def commit_of(root):
        output = os.path.join(root, "version_info.inc")
        subprocess.run([cmake, "-D", f"ROOT={root}", "-D", f"OUTPUT={output}", "-D", "VERSION=1.2.3", "-D", "BUILD=Release, native", "-P",
                        os.path.join("cmake", "write_version.cmake")], check=True)
        with open(output, encoding="utf-8") as file:
            texts = dict(re.findall(r'constexpr char (\w+)\[\] = "(.*)";', file.read()))
        os.remove(output)
        commit = texts.pop("commit_text")
        if texts != {"version_text": "1.2.3", "build_text": "Release, native"}:
            sys.exit(f"version_info.inc holds {texts}")
        return commit

    def expect(title, expression, root):
        commit = commit_of(root)
        if not re.fullmatch(expression, commit):
            sys.exit(f"{title}: the commit is '{commit}', expected {expression}")

    with tempfile.TemporaryDirectory() as root:
        write_tree(root, {"archive/file.txt": "", "file.txt": ""})
        expect("an unpacked archive", "", root)
        if new_repository(root):
            expect("a repository without a commit", "", root)
            for words in (["add", "."], ["commit", "--quiet", "-m", "a"]):
                subprocess.run(["git", "-C", root, *words], check=True)
            expect("a commit", "[0-9a-f]{10}", root)
            write_tree(root, {"file.txt": "changed"})
            expect("a changed commit", r"[0-9a-f]{10}\+changes", root)
            expect("an archive unpacked in a repository", "", os.path.join(root, "archive"))
            with NoGit():
                expect("a repository, without git", "", root)


main()
