#!/usr/bin/env python3
"""`account export --qr` is read by another program, and is the key of the account.

    LOCKBOOK=program    what is tested (else that of .build/release, else of .build/debug)

The last line on stdout is `N passed, N failed`.
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

sys.dont_write_bytecode = True

import stage

SCALE = 6
# Whether the upper and the lower half are drawn.
HALVES = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}


def read(lines: list[str], drawn_is_light: bool, image: Path) -> str:
    """What zbar sees in the picture that these lines draw."""
    rows = []
    for line in lines:
        for half in (0, 1):
            row = b"".join((b"\xff" if HALVES[sign][half] == drawn_is_light else b"\0") * SCALE for sign in line)
            rows += [row] * SCALE
    image.write_bytes(b"P5 %d %d 255\n" % (len(rows[0]), len(rows)) + b"".join(rows))
    return subprocess.run(["zbarimg", "--quiet", "--raw", image], capture_output=True, text=True).stdout.strip()


def on_a_terminal(device: stage.Device, columns: int) -> tuple[str, int]:
    process, master = pty.fork()
    if process == 0:
        os.execve(stage.program("lockbook"), ["lockbook", "account", "export", "--qr"], device.environment() | {"TERM": "xterm"})
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 60, columns, 0, 0))
    os.write(master, b"y\n")
    text = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        text += piece
    _, status = os.waitpid(process, 0)
    os.close(master)
    return text.decode(), os.waitstatus_to_exitcode(status)


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("qr") as folder:
        device = stage.Device(folder, "device")
        device.run("account", "new", "alice")
        lines = device.run("account", "export", "--qr").output.decode().splitlines()
        seen = read(lines, True, folder / "plain.pgm")
        outcome = device.run("account", "export", "--check", text=seen.encode(), may_fail=True)
        tally.check(outcome.status == 0 and seen != "", "what a camera reads is the key", f"{seen!r} {outcome.errors}")
        tally.check(all(len(line) == len(lines[0]) <= 60 for line in lines), "it fits a terminal", str(len(lines[0])))

        text, status = on_a_terminal(device, 100)
        coloured = re.findall(r"\x1b\[38;5;16;48;5;231m([^\x1b]*)\x1b\[0m", text)
        tally.check(status == 0 and len(coloured) == len(lines), "on a terminal it is black on white", text[-300:])
        seen_there = read(coloured, False, folder / "coloured.pgm") if coloured else ""
        tally.check(seen_there == seen, "and the same", seen_there)
        text, status = on_a_terminal(device, 20)
        tally.check(status == 1 and "the terminal has 20 columns" in text, "a narrow terminal is told so", text[-300:])
        outcome = device.run("account", "export", "--qr", "--phrase", may_fail=True)
        tally.check(outcome.status == 64, "one form at a time")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
