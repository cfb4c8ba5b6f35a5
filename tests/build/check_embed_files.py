#!/usr/bin/python3
"""check_embed_files.py CMAKE COMPILER: text that means something to CMake or C++ comes out of the program as it went in."""

import os
import subprocess
import sys
import tempfile

TEXTS = {
    "cmake.yaml": "@ROOT@ ${ROOT} $ENV{HOME} a;b;;c [x] [[y]] ]] [=[z]=] #[[ no ]] \\; \\\\ \\n\n",
    "cpp.json": '{"a": "b\\n\\"", "c": ")\\"", "d": "%s ??= \'"}\n// */ /* \\\nend without newline',
    "delimiter.yaml": 'x )writhe" y )writhe_" z )writhe~"\n',
    "empty.yaml": "",
    "folder/unicode.yaml": "\n\n  Länge: π·d\t# µm\n",
    "long.yaml": "value: [1, 2, 3];\n" * 20000,
}

PROGRAM = """
#include <cstdio>
#include <string_view>
using namespace std::literals;
struct { std::string_view path, text; } const table[] = {
#include "embedded.inc"
};
int main(int, char** arguments) {
  for (const auto& file : table)
    if (file.path == arguments[1]) return std::fwrite(file.text.data(), 1, file.text.size(), stdout) != file.text.size();
  return 2;
}
"""


def main():
    cmake, compiler = sys.argv[1:]
    script = os.path.join("cmake", "embed_files.cmake")
    with tempfile.TemporaryDirectory() as work:
        for path, text in TEXTS.items():
            os.makedirs(os.path.join(work, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(work, path), "w", encoding="utf-8") as file:
                file.write(text)
        with open(os.path.join(work, "list.txt"), "w", encoding="utf-8") as file:
            file.write("".join(path + "\n" for path in TEXTS) + f"made/page.html={work}/cmake.yaml\n")
        with open(os.path.join(work, "program.cpp"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        subprocess.run([cmake, "-D", f"ROOT={work}", "-D", f"LIST={work}/list.txt", "-D", f"OUTPUT={work}/embedded.inc", "-P", script],
                       check=True)
        subprocess.run([compiler, "-std=c++20", "program.cpp", "-o", "program"], check=True, cwd=work)
        for path, text in [*TEXTS.items(), ("made/page.html", TEXTS["cmake.yaml"])]:
            printed = subprocess.run(["./program", path], check=True, cwd=work, capture_output=True).stdout
            if printed != text.encode("utf-8"):
                sys.exit(f"{path}: embedded as {printed[:200]!r}, expected {text[:200]!r}")
    print(f"{len(TEXTS)} files embedded and printed unchanged")


main()
