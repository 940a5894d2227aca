#!/usr/bin/env python3
"""A note that is open in an editor while it is changed on another device and synced here: all of it is in the result.

    KEEP=1            leaves the temporary folder for a look

With vim, nano and a scripted editor, each in a terminal (tmux). One line is typed and saved, which is stored at once; then the
other device's first change is synced here, another line is typed, and the editor is left. A third change comes while nothing was
saved at all. The same note is edited in two terminals. nano is made to end before it has saved. An editor is killed that had set
the terminal otherwise. Nothing waits for a time: each step begins when the screen, or what `cat` shows, is as it has to be.

The last line on stdout is `N passed, N failed`.
"""

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True

import stage

PATIENCE = 60.0
# Lines far apart: what is changed in one is no part of the others.
TEXT = "".join(f"line {number}\n" for number in range(12))


def until(condition: Callable[[], bool], what: Callable[[], str]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise stage.Failed(f"it did not come to this: {what()}")
        time.sleep(0.02)


class Terminal:
    """A command in a terminal of its own; when it has ended, its status is on the screen."""

    count = 0

    def __init__(self, device: stage.Device, *words: str, meanwhile: str = ""):
        """meanwhile: what the shell does in the foreground, while the command is in the background."""
        Terminal.count += 1
        self.socket = f"lockbook-editors-{os.getpid()}-{Terminal.count}"
        command = shlex.join([str(stage.program("lockbook")), *words])
        if meanwhile:
            command = f"set -m; {command} & {meanwhile}; wait $!"
        line = f"{command}; echo \"ended with $?.\"; exec cat"
        subprocess.run(
            ["tmux", "-u", "-L", self.socket, "-f", "/dev/null", "new-session", "-d", "-s", "t", "-x", "100", "-y", "30", "sh", "-c", line],
            check=True, env=device.environment() | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"},
        )

    def screen(self) -> str:
        return subprocess.run(["tmux", "-L", self.socket, "capture-pane", "-p", "-t", "t"], check=True, stdout=subprocess.PIPE, text=True).stdout

    def settings(self) -> list[str]:
        """Of the terminal, as `stty -a` shows them."""
        ask = ["tmux", "-L", self.socket, "display-message", "-p", "-t", "t", "#{pane_tty}"]
        device = subprocess.run(ask, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        return subprocess.run(["stty", "-a", "-F", device], check=True, stdout=subprocess.PIPE, text=True).stdout.split()

    def shows(self, text: str) -> None:
        until(lambda: text in self.screen(), lambda: f"`{text}` on the screen:\n{self.screen()}")

    def type(self, *keys: str) -> None:
        """Names of keys, or text after a `=`."""
        for key in keys:
            literal = ["-l", key[1:]] if key.startswith("=") else [key]
            subprocess.run(["tmux", "-L", self.socket, "send-keys", "-t", "t", *literal], check=True)

    def status(self) -> int:
        self.shows("ended with ")
        return int(re.search(r"ended with (\d+)\.", self.screen())[1])

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], check=False, stderr=subprocess.DEVNULL)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Vim:
    name, command = "vim", "vim"

    def add(self, terminal: Terminal, line: str) -> None:
        terminal.type("Escape", "=G", "=o", f"={line}", "Escape")
        terminal.shows(line)

    def save(self, terminal: Terminal) -> None:
        terminal.type("=:w", "Enter")

    def leave(self, terminal: Terminal) -> None:
        terminal.type("=:wq", "Enter")

    def leave_unsaved(self, terminal: Terminal) -> None:
        terminal.type("=:q!", "Enter")


class Nano:
    name, command = "nano", "nano"

    def add(self, terminal: Terminal, line: str) -> None:
        terminal.type("C-End", f"={line}")
        terminal.shows(line)

    def save(self, terminal: Terminal) -> None:
        terminal.type("C-s")

    def leave(self, terminal: Terminal) -> None:
        terminal.type("C-s", "C-x")

    def leave_unsaved(self, terminal: Terminal) -> None:
        terminal.type("C-x")


class Scripted:
    """A script that does what is written into a file beside."""

    name = "a scripted editor"

    def __init__(self, folder: Path):
        self.orders = folder / "orders"
        script = folder / "editor"
        script.write_text(f"""#!/bin/sh
cat "$1"
while :; do
    if [ -e {self.orders} ]; then
        mv {self.orders} {self.orders}.taken
        read -r what line <{self.orders}.taken
        case $what in
            add) echo "$line" >>"$1.unsaved"; echo "$line" ;;
            save) cat "$1.unsaved" >>"$1"; rm "$1.unsaved" ;;
            leave) [ ! -e "$1.unsaved" ] || cat "$1.unsaved" >>"$1"; exit 0 ;;
            drop) exit 0 ;;
        esac
    fi
    sleep 0.01
done
""")
        script.chmod(0o755)
        self.command = str(script)

    def order(self, text: str) -> None:
        until(lambda: not self.orders.exists(), lambda: "an order that is taken")
        new = self.orders.with_suffix(".new")
        new.write_text(text + "\n")
        new.rename(self.orders)

    def add(self, terminal: Terminal, line: str) -> None:
        self.order(f"add {line}")
        terminal.shows(line)

    def save(self, terminal: Terminal) -> None:
        self.order("save")

    def leave(self, terminal: Terminal) -> None:
        self.order("leave")

    def leave_unsaved(self, terminal: Terminal) -> None:
        self.order("drop")


class Device(stage.Device):
    def environment(self) -> dict[str, str]:
        return super().environment() | {"XDG_RUNTIME_DIR": str(self.path.with_name("runtime"))}


class Story:
    def __init__(self, folder: Path, tally: stage.Tally, url: str):
        self.folder, self.tally = folder, tally
        self.check = tally.check
        (folder / "runtime").mkdir(mode=0o700)
        self.laptop, self.phone = Device(folder, "laptop"), Device(folder, "phone")
        self.laptop.run("account", "new", "alice", "--server", url)
        self.laptop.sync()
        self.phone.join(self.laptop, url)

    def text(self, device: stage.Device, note: str) -> str:
        return device.run("cat", note).output.decode()

    def elsewhere(self, note: str, old: str, new: str) -> None:
        """Changed on the phone, and synced to the laptop."""
        self.phone.sync()
        self.phone.run("write", note, text=self.text(self.phone, note).replace(old, new).encode())
        self.phone.sync()
        self.laptop.sync()
        self.check(new in self.text(self.laptop, note), f"{new.strip()}: it is here")

    def nothing_left(self, what: str) -> None:
        left = [str(path) for path in (self.folder / "runtime").rglob("*")]
        self.check(not left, f"{what}: no text is left outside", str(left))

    def while_open(self, editor) -> None:
        what, note = editor.name, f"/{editor.name}.md"
        self.laptop.run("write", note, text=TEXT.encode())
        self.laptop.sync()
        with Terminal(self.laptop, "edit", note, "--editor", editor.command) as terminal:
            terminal.shows("line 11")
            editor.add(terminal, "typed first")
            editor.save(terminal)
            until(lambda: "typed first" in self.text(self.laptop, note), lambda: f"{what}: a save that is stored")
            self.elsewhere(note, "line 1\n", "line 1, phone\n")
            self.check(self.text(self.laptop, note) == TEXT.replace("line 1\n", "line 1, phone\n") + "typed first\n",
                       f"{what}: both are in the note while it is open", self.text(self.laptop, note))
            editor.add(terminal, "typed second")
            editor.save(terminal)
            until(lambda: "typed second" in self.text(self.laptop, note), lambda: f"{what}: the second save is stored")
            self.check("line 1, phone" in self.text(self.laptop, note), f"{what}: a save takes nothing of the phone's away")
            # The editor has never seen what the phone wrote.
            self.elsewhere(note, "line 5\n", "line 5, phone again\n")
            editor.leave(terminal)
            self.check(terminal.status() == 0, f"{what}: it ends well", terminal.screen())
        wanted = TEXT.replace("line 1\n", "line 1, phone\n").replace("line 5\n", "line 5, phone again\n") + "typed first\ntyped second\n"
        self.check(self.text(self.laptop, note) == wanted, f"{what}: all changes are in it", self.text(self.laptop, note))
        for device in (self.laptop, self.phone):
            device.sync()
        self.check(self.text(self.phone, note) == wanted, f"{what}: on the other device too", self.text(self.phone, note))
        self.nothing_left(what)

    def saved_once(self, editor) -> None:
        """Nothing is saved before the end."""
        what, note = f"{editor.name}, saved once", f"/{editor.name} once.md"
        self.laptop.run("write", note, text=TEXT.encode())
        self.laptop.sync()
        with Terminal(self.laptop, "edit", note, "--editor", editor.command) as terminal:
            terminal.shows("line 11")
            editor.add(terminal, "typed only")
            self.elsewhere(note, "line 1\n", "line 1, phone once\n")
            editor.leave(terminal)
            status, screen = terminal.status(), terminal.screen()
            self.check(status == 0 and "both changes are in it" in screen, f"{what}: it says that both are in it", screen)
        wanted = TEXT.replace("line 1\n", "line 1, phone once\n") + "typed only\n"
        self.check(self.text(self.laptop, note) == wanted, f"{what}: both are in it", self.text(self.laptop, note))
        with Terminal(self.laptop, "edit", note, "--editor", editor.command) as terminal:
            terminal.shows("typed only")
            self.elsewhere(note, "line 8\n", "line 8, phone\n")
            editor.leave_unsaved(terminal)
            status, screen = terminal.status(), terminal.screen()
            self.check(status == 0 and "nothing was changed" in screen, f"{what}: left without a change, nothing is written", screen)
        self.check(self.text(self.laptop, note) == wanted.replace("line 8\n", "line 8, phone\n"), f"{what}: what came stays",
                   self.text(self.laptop, note))
        self.nothing_left(what)

    def two_terminals(self, one, other) -> None:
        what, note = f"{one.name} and {other.name}", "/two terminals.md"
        self.laptop.run("write", note, text=TEXT.encode())
        with Terminal(self.laptop, "edit", note, "--editor", one.command) as first, \
                Terminal(self.laptop, "edit", note, "--editor", other.command) as second:
            first.shows("line 11")
            second.shows("line 11")
            one.add(first, "typed in the first")
            other.add(second, "typed in the second")
            one.leave(first)
            self.check(first.status() == 0, f"{what}: the first ends well", first.screen())
            other.leave(second)
            # Both wrote a last line: which is the first of them nobody can know.
            status, screen = second.status(), second.screen()
            self.check(status == 8 and "both versions" in screen, f"{what}: the second says that both are in it", f"{status} {screen}")
        text = self.text(self.laptop, note)
        self.check("typed in the first\n" in text and "typed in the second\n" in text and "<<<<<<<" in text, f"{what}: both are in it", text)
        self.nothing_left(what)

    def never_saved(self, what: str, end: Callable[[Terminal], None]) -> None:
        """nano has to end, and writes what was typed into a file beside the text: these words stay."""
        note = "/never saved.md"
        self.laptop.run("write", note, text=TEXT.encode())
        with Terminal(self.laptop, "edit", note, "--editor", "nano") as terminal:
            terminal.shows("line 11")
            Nano().add(terminal, "typed and never saved")
            end(terminal)
        until(lambda: not self.at_work(), lambda: f"{what}: nano has ended")
        until(lambda: "the editor left note.md.save in " in self.laptop.run("status").errors, lambda: f"{what}: `status` tells of it")
        outcome = self.laptop.run("edit", "--rescue", may_fail=True)
        self.check(outcome.status == 9 and "the editor left note.md.save in " in outcome.errors, f"{what}: the rescue tells of it",
                   f"{outcome.status} {outcome.errors}")
        left = list((self.folder / "runtime").glob("lockbook-*/note.md.save"))
        self.check(len(left) == 1 and "typed and never saved" in left[0].read_text(), f"{what}: the words are there", str(left))
        self.check(self.text(self.laptop, note) == TEXT, f"{what}: the note is as it was", self.text(self.laptop, note))
        for file in left:
            shutil.rmtree(file.parent)
        self.nothing_left(what)

    def killed(self) -> None:
        """An editor that could not set the terminal back."""
        what, note, before = "a killed editor", "/killed.md", self.folder / "settings"
        self.laptop.run("write", note, text=TEXT.encode())
        editor = self.script("killed", f"stty -a >{before}; stty raw -echo; kill -9 $$")
        with Terminal(self.laptop, "edit", note, "--editor", editor) as terminal:
            status = terminal.status()
            self.check(status == 1, f"{what}: it is told as a failure", f"{status} {terminal.screen()}")
            settings = terminal.settings()
            self.check(settings == before.read_text().split(), f"{what}: the terminal is as it was", " ".join(settings))
        self.nothing_left(what)

    def in_background(self) -> None:
        """An editor with a window of its own, while the shell goes on."""
        what, note = "in the background", "/background.md"
        begun, done = self.folder / "begun", self.folder / "done"
        self.laptop.run("write", note, text=TEXT.encode())
        editor = self.script("window", f"touch {begun}; until [ -e {done} ]; do sleep 0.01; done; echo typed >>\"$1\"")
        meanwhile = f"until [ -e {begun} ]; do sleep 0.01; done; stty -echo; touch {done}"
        with Terminal(self.laptop, "edit", note, "--editor", editor, meanwhile=meanwhile) as terminal:
            self.check(terminal.status() == 0, f"{what}: it ends well", terminal.screen())
            settings = terminal.settings()
            self.check("-echo" in settings, f"{what}: the terminal is left to the others", " ".join(settings))
        self.check(self.text(self.laptop, note) == TEXT + "typed\n", f"{what}: what was typed is stored", self.text(self.laptop, note))
        self.nothing_left(what)

    def script(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    def at_work(self) -> list[int]:
        """The editors that have a text."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (process / "cmdline").read_bytes().split(b"\0")
                if words[0] == b"nano" and any(word.startswith(bytes(self.folder / "runtime")) for word in words):
                    found.append(int(process.name))
        return found

    def terminate(self, terminal: Terminal) -> None:
        for process in self.at_work():
            os.kill(process, signal.SIGTERM)
        status, screen = terminal.status(), terminal.screen()
        self.check(status == 1 and "the editor left note.md.save in " in screen, "nano is told to end: it is said what it left", f"{status} {screen}")


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("editors") as folder, stage.Server(folder / "server") as server:
        story = Story(folder, tally, server.url)
        editors = [Vim(), Nano(), Scripted(folder)]
        for editor in editors:
            for part in (story.while_open, story.saved_once):
                with tally.part(f"{editor.name}: {part.__name__} runs to its end"):
                    part(editor)
        with tally.part("two terminals run to their end"):
            story.two_terminals(editors[0], editors[1])
        for part in (story.killed, story.in_background):
            with tally.part(f"{part.__name__} runs to its end"):
                part()
        for what, end in (("nano is told to end", story.terminate), ("a terminal is closed", Terminal.close)):
            with tally.part(f"{what}: it runs to its end"):
                story.never_saved(what, end)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
