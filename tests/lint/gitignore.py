"""What a .gitignore leaves out, as git reads it (gitignore(5)), for where there is no git. files.py has the test."""

import re


def ignored(path, folder, patterns):
    """The last pattern that fits decides, as with git."""
    verdict = False
    for expression, folders_only, wanted in patterns:
        if (folder or not folders_only) and expression.fullmatch(path):
            verdict = not wanted
    return verdict


def patterns_of(text, below):
    """The lines of the .gitignore of the folder `below` root, as (expression of a path from root, for folders only, takes back in)."""
    patterns = []
    for line in re.sub(r"(?<!\\) +$", "", text, flags=re.MULTILINE).splitlines():
        if not line or line.startswith("#"):
            continue
        wanted = line.startswith("!")
        line = line[1:] if wanted else line
        folders_only = line.endswith("/")
        line = line.rstrip("/")
        # A slash before the end ties the pattern to its folder; else it holds at any depth.
        depth = "" if "/" in line else "(?:.*/)?"
        start = re.escape(below + "/") if below else ""
        patterns.append((re.compile(start + depth + expression_of(line.lstrip("/"))), folders_only, wanted))
    return patterns


def expression_of(pattern):
    """A pattern of .gitignore as a regular expression: * and ? stay within a name, ** crosses folders."""
    tokens = re.compile(r"(?P<any>(?:^|(?<=/))\*\*/)|(?P<all>(?<=/)\*\*$)|(?P<some>\*+)|(?P<one>\?)"
                        r"|\[(?P<not>[!^]?)(?P<set>\]?[^\]/]+)\]|\\(?P<plain>.)|(?P<other>.)")
    result = ""
    for token in tokens.finditer(pattern):
        if token["any"]:
            result += "(?:.*/)?"
        elif token["all"]:
            result += ".+"
        elif token["some"]:
            result += "[^/]*"
        elif token["one"]:
            result += "[^/]"
        elif token["set"]:
            inside = token["set"].replace("\\", r"\\").replace("[", r"\[").replace("]", r"\]")
            result += f"(?!/)[{'^' if token['not'] else ''}{inside}]"
        else:
            result += re.escape(token["plain"] or token["other"])
    return result
