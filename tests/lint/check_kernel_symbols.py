#!/usr/bin/python3
"""check_kernel_symbols.py NM OBJECT...: the kernels of a portable build share no code with the rest of the program.

A function that is inline in a header becomes a weak symbol in every object that did not inline it, and the linker keeps one
copy for all. Were it the copy of a kernel compiled for AVX-512, the whole program would need AVX-512. Symbols that carry the
name of the instruction set, as a namespace of ours or of Highway's, differ between the objects and are safe.
"""

import re
import subprocess
import sys

OWN = re.compile("4avx2|6avx512|N_AVX[23]")  # as they stand in a mangled name


def main():
    nm, *objects = sys.argv[1:]
    shared = []
    for path in objects:
        listing = subprocess.run([nm, "--defined-only", path], check=True, capture_output=True, text=True).stdout
        for line in listing.splitlines():
            kind, symbol = line.split()[-2:]
            if kind in "WVu" and not OWN.search(symbol) and not symbol.startswith("DW.ref."):
                shared.append(f"{path}: {subprocess.run(['c++filt', symbol], capture_output=True, text=True).stdout.strip()}")
    for line in shared:
        print(line)
    if shared:
        sys.exit("these functions could end up in code for every machine: mark them always_inline, or give the kernel its own")
    print(f"{len(objects)} vector kernels share no code with the rest")


main()
