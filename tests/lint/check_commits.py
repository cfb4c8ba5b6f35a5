#!/usr/bin/python3
"""Checks the first lines of all commits since the one that brought this check: short enough for `git log --oneline` in a terminal.

check_commits.py [ROOT]      merges are left as they are: git writes their lines
check_commits.py --self-test shows on a small repository that each fault is found
"""

import subprocess
import tempfile

from files import git, run
from trees import NoGit, new_repository, write_tree

LENGTH_MAX = 72
SELF = "tests/lint/check_commits.py"


def check(root):
    """All problems, as lines. Not only what is new on a branch: where the branch is all there is, as in a clone of it, nothing would be."""
    brought = (git(root, "log", "--diff-filter=A", "--format=%H", "--", SELF) or "").split()
    if not brought:
        print("check_commits: left out: no git here, or no commit that has this check")
        return []
    parents = (git(root, "rev-parse", f"{brought[-1]}^@") or "").split()
    log = git(root, "log", "--no-merges", "--format=%h %s", "HEAD", "--not", *parents) or ""
    commits = [commit.partition(" ") for commit in log.splitlines()]
    return [f"{name}: {len(subject)} characters, {LENGTH_MAX} at most: {subject}"
            for name, _, subject in commits if len(subject) > LENGTH_MAX]


def self_test():
    """A history before and after the check, with lines that are too long."""
    full, long = "é" * LENGTH_MAX, "x" * (LENGTH_MAX + 1)
    failures = []

    def expect(title, root, *subjects):
        found = [problem.rpartition(" ")[2] for problem in check(root)]
        if found != list(subjects):
            failures.append(f"{title}: expected {list(subjects)}, found {found}")

    with tempfile.TemporaryDirectory() as root:
        expect("an unpacked archive", root)
        if not new_repository(root):
            return failures

        def commit(subject, path="file.txt"):
            write_tree(root, {path: subject})
            subprocess.run(["git", "-C", root, "add", "."], check=True)
            subprocess.run(["git", "-C", root, "commit", "--quiet", "-m", subject, "-m", long + long], check=True)

        expect("without a commit", root)
        commit(long + "first")
        commit(long + "old")
        expect("before the check", root)
        commit(long + "brought", SELF)
        expect("with the check", root, long + "brought")
        for subject in [full, long + "a", "short", long + "b"]:
            commit(subject, SELF)
        expect("since the check", root, long + "b", long + "a", long + "brought")
        with NoGit():
            expect("without git", root)
    with tempfile.TemporaryDirectory() as root:
        new_repository(root)
        write_tree(root, {SELF: ""})
        subprocess.run(["git", "-C", root, "add", "."], check=True)
        subprocess.run(["git", "-C", root, "commit", "--quiet", "-m", long], check=True)
        expect("a history that begins with the check", root, long)
    return failures


run(check, self_test)
