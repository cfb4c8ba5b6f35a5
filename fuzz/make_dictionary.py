#!/usr/bin/python3
"""Prints a libFuzzer dictionary for scene files: the keys and words of docs/scene.schema.json, places, and what YAML is made of."""

import json
import pathlib

SCHEMA = pathlib.Path(__file__).resolve().parents[1] / "docs" / "scene.schema.json"
SYNTAX = [": ", "- ", ", ", "[", "]", "{", "}", "&a ", "*a", "<<: *a", "? ", "|\n", ">\n", "\n  ", "\n    ", "---\n", "!!str ", "# "]
VALUES = ["1e6", "-1", "0", "010", "1e308", "1e-308", ".nan", ".inf", "true", "90 deg", "2 turns", "[0, 0, 1]", "[[0, 0], [1, 1]]"]
PLACES = ["a.start", "a.end", "a@0.5", "a.node[3]", "--set ", "--set rods.a.segments=7\n"]


def words_of(node):
    """Names of properties and words of enumerations, anywhere in the schema."""
    if isinstance(node, list):
        for item in node:
            yield from words_of(item)
    elif isinstance(node, dict):
        yield from (f"{key}: " for key in node.get("properties", {}))
        yield from (word for word in node.get("enum", []) if isinstance(word, str))
        for value in node.values():
            yield from words_of(value)


for entry in sorted(set(words_of(json.loads(SCHEMA.read_text(encoding="utf-8"))))) + SYNTAX + VALUES + PLACES:
    text = "".join(c if 32 <= ord(c) < 127 and c not in '"\\' else f"\\x{ord(c):02x}" for c in entry)
    print(f'"{text}"')
