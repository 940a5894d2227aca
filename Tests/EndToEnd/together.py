#!/usr/bin/env python3
"""Eight kinds of processes at once on one data folder, while another device writes too.

    OPERATIONS=12     how often each of them runs; with FOR_SECONDS they go on until that time has passed
    FOR_SECONDS=60
    KEEP=1            leaves the temporary folder for a look

A scripted editor, an import, a sync, an export, a completion, a listing, a pipe into a note, and moves there and back. Each
ends well, or with "busy" (12) after a wait that has a bound; an edit that met another one may end with 8, both versions
being in the note. Afterwards: every word whose command ended well is in the notes of both devices, which are the same and
sound, and the last export is what is in them.

The last line on stdout is `N passed, N failed`.
"""

import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True

import stage

OPERATIONS = int(os.environ.get("OPERATIONS") or 12)
SECONDS = float(os.environ.get("FOR_SECONDS") or 0)
CONFLICT, BUSY = 8, 12
# A sync waits 30 seconds for another one, a change 15 for the database; both on a machine that does other things.
LONGEST = 120.0


class Story:
    def __init__(self, folder: Path, tally: stage.Tally, url: str):
        self.folder, self.tally, self.url = folder, tally, url
        self.device, self.phone = stage.Device(folder, "laptop"), stage.Device(folder, "phone")
        self.disk, self.out = folder / "disk", folder / "out"
        self.disk.mkdir()
        self.statuses: dict[str, Counter] = {}
        self.slowest: dict[str, float] = {}
        self.wrong: list[str] = []
        # What a command that ended well said that it stored.
        self.stored: list[str] = []
        self.end = time.monotonic() + SECONDS

    def begin(self) -> None:
        self.device.run("account", "new", "alice", "--server", self.url)
        for number in range(30):
            self.device.run("write", f"/notes/{number}.md", text=b"note %d\n" % number)
        self.device.run("write", "/journal.md", text=b"journal\n")
        self.device.run("new", "/left/", "/right/")
        self.device.run("write", "/left/wanderer.md", text=b"wanderer\n")
        self.device.sync()
        self.phone.join(self.device, self.url)
        self.phone.sync()

    def again(self, number: int) -> bool:
        return time.monotonic() < self.end if SECONDS else number < OPERATIONS

    def run(self, name: str, device: stage.Device, *words: str, text: bytes | None = None, allowed: tuple[int, ...] = ()) -> bool:
        outcome = device.run(*words, text=text, may_fail=True)
        self.statuses.setdefault(name, Counter())[outcome.status] += 1
        self.slowest[name] = max(self.slowest.get(name, 0), outcome.seconds)
        if outcome.status not in (0, BUSY, *allowed):
            self.wrong.append(f"{name} ended with {outcome.status}: {outcome.errors.strip()}")
        return outcome.status in (0, *allowed)

    # One run of each

    def edit(self, number: int) -> None:
        token = f"edited {number}."
        editor = f"sh -c 'printf \"%s\\n\" \"{token}\" >>\"$1\"' -"
        if self.run("edit", self.device, "edit", "/journal.md", "--editor", editor, allowed=(CONFLICT,)):
            self.stored.append(token)

    def bring_in(self, number: int) -> None:
        token = f"imported {number}."
        (self.disk / f"{number % 7}.md").write_text(token + "\n")
        (self.disk / f"new {number}.md").write_text("new " + token + "\n")
        if self.run("import", self.device, "import", "--quiet", f"{self.disk}/.", "/in"):
            self.stored.append("new " + token)

    def sync(self, number: int) -> None:
        self.run("sync", self.device, "sync", "--quiet")

    def export(self, number: int) -> None:
        self.run("export", self.device, "export", "--quiet", "--mirror", "/", str(self.out))

    def complete(self, number: int) -> None:
        self.run("complete", self.device, "__complete", "bash", "2", "lockbook", "cat", "/notes/")

    def list(self, number: int) -> None:
        self.run("list", self.device, "list", "-rl")

    def write(self, number: int) -> None:
        token = f"piped {number}."
        if self.run("stream in", self.device, "stream", "in", "--append", f"/notes/{number % 30}.md", text=token.encode() + b"\n"):
            self.stored.append(token)

    def move(self, number: int) -> None:
        # Busy: it is where it was, and goes from there.
        for source, target in (("/left", "/right/"), ("/right", "/left/")):
            self.run("move", self.device, "move", f"{source}/wanderer.md", target, allowed=(3,))

    def elsewhere(self, number: int) -> None:
        token = f"elsewhere {number}."
        if self.run("elsewhere", self.phone, "write", "--append", "/journal.md", text=token.encode() + b"\n"):
            self.stored.append(token)
        self.run("elsewhere: sync", self.phone, "sync", "--quiet")

    def loop(self, work: Callable[[int], None]) -> None:
        number = 0
        try:
            while self.again(number):
                work(number)
                number += 1
        except Exception as error:
            self.wrong.append(f"{work.__name__}: {error}")

    def play(self) -> None:
        works = (self.edit, self.bring_in, self.sync, self.export, self.complete, self.list, self.write, self.move, self.elsewhere)
        threads = [threading.Thread(target=self.loop, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for name, counts in self.statuses.items():
            told = ", ".join(f"{count} × {status}" for status, count in sorted(counts.items()))
            print(f"      {name}: {told}; the slowest took {self.slowest[name]:.1f} s")
        self.tally.check(not self.wrong, "each ends well, or says that it is busy", "\n      ".join(self.wrong[:10]))
        slowest = max(self.slowest.values())
        self.tally.check(slowest < LONGEST, f"nothing waits longer than {LONGEST:.0f} s", f"{slowest:.1f} s")

    def look(self) -> None:
        for device in (self.device, self.phone, self.device, self.phone):
            device.sync()
        shown = {}
        for device in (self.device, self.phone):
            sound = device.run("debug", "validate", may_fail=True)
            self.tally.check(sound.status == 0 and not sound.output, f"{device.name} is sound", f"{sound.output} {sound.errors}")
            shown[device.name] = self.folder / f"{device.name} shown"
            device.run("export", "--quiet", "/", shown[device.name])
        found = stage.differences(shown["laptop"], shown["phone"])
        self.tally.check(not found, "both devices have the same", found)
        text = "\n".join(path.read_text() for path in shown["laptop"].rglob("*.md"))
        lines = set(text.splitlines())
        missing = [token for token in self.stored if token not in lines]
        self.tally.check(not missing, f"all {len(self.stored)} words that were stored are there", str(missing[:5]))
        twice = [path.name for path in shown["laptop"].rglob("wanderer*.md")]
        self.tally.check(len(twice) == 1, "what was moved is there once", str(twice))
        self.device.run("export", "--quiet", "--mirror", "/", self.out)
        found = stage.differences(shown["laptop"], self.out)
        self.tally.check(not found, "the export is what is in the notes", found)
        left = [path.name for path in self.device.path.rglob("*") if path.name.startswith(("new-", "rehearsal"))]
        self.tally.check(not left, "nothing half is left in the data folder", str(left))


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("together") as folder, stage.Server(folder / "server") as server:
        story = Story(folder, tally, server.url)
        # The texts being edited stay in this folder.
        os.environ["TMPDIR"] = str(folder)
        story.begin()
        story.end = time.monotonic() + SECONDS
        story.play()
        story.look()
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
