#!/usr/bin/env python3
"""Records the main screens from the real program, as text, and puts them into the README.

    screens.py [--write]          without --write they are printed
    LOCKBOOK, LOCKBOOK_SERVER     the programs (else those of .build/release, else of .build/debug)

A real server, two devices and a pseudo-terminal of 80 columns. What belongs to the machine is called otherwise: the
temporary folder, the server's port, and the name of the machine, which is that of the device.
"""

import json
import re
import socket
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import stage
from shell import CTRL_D, ENTER, ESCAPES, TAB, Terminal

BEGIN, END = "<!-- made by `make screens` -->\n", "<!-- until here -->\n"
README = stage.REPOSITORY / "README.md"
NOTES = {
    "/ideas/boat.md": "# Boat\n\nAsk at the harbour about the mast. [[sails]] #boat\n",
    "/ideas/sails.md": "Two sails, one of them red. #boat #summer\n",
    "/recipes/bread.md": "flour, water, salt\n",
    "/日記/十一月.md": "雨の日。\n",
    "/log.md": "- the harbour opens at nine\n",
}


def clean(text: str, names: dict[str, str]) -> list[str]:
    text = ESCAPES.sub("", text)
    for name, other in names.items():
        text = text.replace(name, other)
    return [line.rstrip() for line in text.splitlines()]


class Recorder:
    def __init__(self, folder: Path, names: dict[str, str]):
        self.folder, self.names = folder, names
        self.lines: list[str] = []

    def run(self, device: stage.Device, *words: str) -> None:
        terminal = Terminal(
            str(stage.program("lockbook")), *words, environment=device.environment(), here=self.folder, columns=80
        )
        terminal.ended()
        shown = " ".join(f"'{word}'" if " " in word else word for word in words)
        self.lines += [f"{device.name}$ lockbook {shown}", *clean(terminal.raw, self.names), ""]

    def shell(self, device: stage.Device, keys: list[tuple[str, str]]) -> None:
        """Presses keys, each when the text before it is on the screen."""
        terminal = Terminal(
            str(stage.program("lockbook")), "shell", environment=device.environment(), here=self.folder, columns=80
        )
        for awaited, pressed in keys:
            terminal.wait(awaited)
            terminal.press(pressed)
        terminal.ended()
        self.lines += [f"{device.name}$ lockbook shell", *clean(terminal.raw, self.names), ""]


def record(folder: Path, server: stage.Server) -> list[str]:
    laptop, phone = stage.Device(folder, "laptop"), stage.Device(folder, "phone")
    laptop.run("account", "new", "alice", "--server", server.url)
    for path, text in NOTES.items():
        laptop.run("write", path, text=text.encode())
    laptop.sync()
    phone.join(laptop, server.url)
    phone.sync()
    phone.run("write", "/log.md", text=b"- the harbour opens at ten\n")
    phone.sync()
    laptop.run("write", "/log.md", text=b"- the harbour opens at eight\n")
    laptop.run("move", "/ideas/sails.md", "/recipes/")

    names = {str(folder): "~", server.url: "http://127.0.0.1:7654"}
    for device in (laptop, phone):
        short = json.loads(device.run("account", "status", "--json").output)["device"][:8]
        names[f"{socket.gethostname()} ({short})"] = f"{device.name} ({short})"
    recorder = Recorder(folder, names)
    recorder.run(laptop, "tree")
    recorder.run(laptop, "search", "-n", "harbour")
    recorder.run(laptop, "status")
    recorder.run(laptop, "sync")
    recorder.run(laptop, "cat", "/log.md")
    recorder.run(laptop, "tags")
    recorder.shell(laptop, [
        ("> ", f"cd ide{TAB}{ENTER}"), ("/ideas> ", f"links b{TAB}{ENTER}"), ("sails.md", ""), ("> ", f"cat 'boa{TAB}{ENTER}"),
        ("#boat", ""), ("> ", CTRL_D),
    ])
    return recorder.lines[:-1]


def main() -> int:
    with stage.scratch("screens") as folder, stage.Server(folder / "server") as server:
        lines = record(folder, server)
    if "--write" not in sys.argv[1:]:
        print("\n".join(lines))
        return 0
    block = BEGIN + "\n" + "".join(f"    {line}".rstrip() + "\n" for line in lines) + "\n" + END
    text = README.read_text()
    README.write_text(re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: block, text, flags=re.DOTALL))
    return 0


if __name__ == "__main__":
    sys.exit(main())
