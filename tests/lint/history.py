"""What a change is compared with."""

from files import git


def base_commit(root):
    """Where the branch left origin/main, or the last commit's parent when it has not; None without git, or without such a commit."""
    head, fork = line(root, "rev-parse", "HEAD"), line(root, "merge-base", "HEAD", "origin/main")
    if fork and fork != head:
        return fork
    return line(root, "rev-parse", "--verify", "--quiet", "HEAD~1")


def line(root, *arguments):
    """The one line that git answers, None when it fails."""
    answer = git(root, *arguments)
    return answer.strip() if answer else None


def changed_files(root, base):
    """Paths that differ from the commit, those that git does not know yet included."""
    changed = git(root, "diff", "--name-only", "-z", base) or ""
    untracked = git(root, "ls-files", "--others", "--exclude-standard", "-z") or ""
    return set(changed.split("\0") + untracked.split("\0"))
