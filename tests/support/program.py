"""The program under test, as the tests in Python start it. Nothing here measures: the one limit is against hangs (limits.json)."""

import json
import pathlib
import subprocess
import time

HANG_S = json.loads((pathlib.Path(__file__).parent / "limits.json").read_text(encoding="utf-8"))["hang_s"]


def run_program(command, **options):
    """The finished process of a command, with what it said as text."""
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=HANG_S, **options)


def start_program(command, **options):
    """A process that is left to run; `finish` it."""
    return subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def finish(process):
    """What it said on stdout and stderr, once it has ended."""
    return process.communicate(timeout=HANG_S)


def wait_for(process, condition):
    """Comes back when the condition holds; fails when the process ends before."""
    end = time.monotonic() + HANG_S
    while True:
        ended = process.poll() is not None
        if condition():
            return
        if ended:
            raise AssertionError(f"ended too early, with status {process.returncode}: {''.join(process.communicate())}")
        if time.monotonic() > end:
            process.kill()
            raise AssertionError(f"not after {HANG_S} s: {''.join(process.communicate())}")
        time.sleep(0.001)


def wait_for_handler(process, signal):
    """Comes back when the process catches the signal (proc(5)): sent before, it would end it at once."""

    def caught():
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("SigCgt:")[2].split()[0], 16) >> (signal - 1) & 1

    wait_for(process, caught)
