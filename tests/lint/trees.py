"""Small trees of files and repositories, for the self-tests of the checks."""

import os
import subprocess
import tempfile


def write_tree(root, tree):
    """Files of a self-test: path and text."""
    for path, text in tree.items():
        os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)


class NoGit:
    """A stretch of a self-test in which there is no git."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        self._path = os.environ.get("PATH", "")
        os.environ["PATH"] = self._folder.name

    def __exit__(self, *_):
        os.environ["PATH"] = self._path
        self._folder.cleanup()


def new_repository(root):
    """An empty repository that knows nothing of its user's settings; False where there is no git."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:  # of the commit whose hook started us
        del os.environ[name]
    os.environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@localhost",
                      GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@localhost")
    try:
        subprocess.run(["git", "init", "--quiet", "--template=", "--initial-branch=main", root], check=True)
    except OSError:
        print("no git here: what needs it is left out")
        return False
    subprocess.run(["git", "-C", root, "config", "core.excludesFile", os.devnull], check=True)
    return True
