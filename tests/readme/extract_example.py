#!/usr/bin/python3
"""extract_example.py README.md OUTPUT: writes the first C++ block of the README to a file."""

import os
import re
import sys


def main():
    readme, output = sys.argv[1:]
    with open(readme, encoding="utf-8") as file:
        block = re.search(r"^```cpp\n(.*?)^```$", file.read(), re.DOTALL | re.MULTILINE)
    if block is None:
        sys.exit(f"{readme}: no C++ example: the test expects one block that starts with ```cpp")
    os.makedirs(os.path.dirname(output), exist_ok=True)
    with open(output, "w", encoding="utf-8") as file:
        file.write(block.group(1))


main()
