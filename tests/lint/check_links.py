#!/usr/bin/python3
"""Checks the documents: what their links and pictures name is there, headings included, and the gallery shows every scene.

check_links.py [ROOT]      checks every .md file; addresses on the network are not followed
check_links.py --self-test shows on a small tree that each fault is found
"""

import os
import re
import tempfile

from files import read_text, repository_files, run
from trees import write_tree

GALLERY = "docs/gallery.md"
PICTURES = "docs/images/"
FENCE = re.compile(r"^(```+|~~~+).*?^\1[^\S\n]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
# [words](target), ![words](target "title"), [words]: target, <img src="target">
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)\n]*\)|^\[[^\]\n]+\]:\s*(\S+)|<(?:img|a)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"",
                  re.MULTILINE)
ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:|^//")


def blank(match):
    """As many lines, nothing in them: what follows keeps its line number."""
    return "\n" * match.group(0).count("\n")


def anchors(text):
    """The names that GitHub gives to the headings of a document."""
    names, seen = set(), {}
    for match in re.finditer(r"^#{1,6}\s+(.*?)\s*#*\s*$", FENCE.sub(blank, text), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match.group(1)).replace("`", "").lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        seen[name] = seen.get(name, -1) + 1
        names.add(f"{name}-{seen[name]}" if seen[name] else name)
    return names


def links(text):
    """(line, target) of every link and picture outside of code."""
    text = CODE.sub("", FENCE.sub(blank, text))
    return [(text.count("\n", 0, match.start()) + 1, next(filter(None, match.groups()))) for match in LINK.finditer(text)]


def check(root):
    """All problems, as lines."""
    files = repository_files(root)
    folders = {path[:match.start()] for path in files for match in re.finditer("/", path)}
    texts = {path: read_text(root, path) or "" for path in files if path.endswith(".md")}
    problems, used = [], set()
    for path, text in texts.items():
        for line, target in links(text):
            if ELSEWHERE.match(target):
                continue
            name, _, anchor = target.partition("#")
            there = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            used.add(there)
            if there not in files and there not in folders:
                problems.append(f"{path}:{line}: {target}: there is no {there}")
            elif anchor and there in texts and anchor not in anchors(texts[there]):
                problems.append(f"{path}:{line}: {target}: no heading of {there} is called so")
    problems += [f"{path}: no document shows it: name it in one, or remove it"
                 for path in files if path.startswith(PICTURES) and path not in used]
    if GALLERY in texts:
        problems += [f"{path}: {GALLERY} does not show it: add it there and in scripts/gallery"
                     for path in files if re.fullmatch(r"scenes/[^/]+\.yaml", path) and path not in texts[GALLERY]]
    return problems


def self_test():
    good = {
        "README.md": "# A `b`: c-d, e\n[top](#a-b-c-d-e) [docs](docs/a.md#two-1 \"t\") [folder](docs)\n"
                     "[net](https://example.org/x)\n"
                     "```sh\n[no](link)\n```\n`[no](link)` <img width=\"9\" src=\"docs/images/used.webp\" alt=\"x\">\n",
        "docs/a.md": "## Two\n# Two\n[up](../README.md)\n",
        "docs/images/used.webp": "",
        "docs/gallery.md": "`writhe run scenes/one.yaml`\n",
        "scenes/one.yaml": "",
    }
    broken = {
        "no such file": ("README.md", "\n[x](docs/b.md)\n", "README.md:2"),
        "no such picture": ("docs/b.md", "![x](images/none.webp)\n", "docs/b.md:1"),
        "no such heading": ("docs/b.md", "[x](a.md#three)\n", "docs/b.md:1"),
        "no such heading here": ("docs/b.md", "# Four\n[x](#five)\n", "docs/b.md:2"),
        "a heading in code": ("docs/b.md", "```\n# Six\n```\n[x](#six)\n", "docs/b.md:4"),
        "a picture in HTML": ("docs/b.md", "\n<img src=\"images/none.webp\">\n", "docs/b.md:2"),
        "a picture nobody shows": ("docs/images/left.webp", "", "docs/images/left.webp"),
        "a scene that is not shown": ("scenes/two.yaml", "", "scenes/two.yaml"),
    }

    def problems_of(tree):
        with tempfile.TemporaryDirectory() as root:
            write_tree(root, tree)
            return check(root)

    failures = [f"found in a tree without faults: {line}" for line in problems_of(good)]
    for name, (path, text, where) in broken.items():
        lines = problems_of({**good, path: text + good.get(path, "")})
        if len(lines) != 1 or not lines[0].startswith(where + ": "):
            failures.append(f"{name}: expected one problem at {where}, got {lines}")
    return failures


run(check, self_test)
