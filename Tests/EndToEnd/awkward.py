#!/usr/bin/env python3
"""What nobody means to do: editors that misbehave, places that cannot be written, a damaged version, a database that is not the one it was.

    KEEP=1            leaves the temporary folder for a look
    NO_MOUNT=1        leaves out the full memory and the other file system, for which a small disk is mounted

Each time a sentence and a documented status, and afterwards everything is there.

The last line on stdout is `N passed, N failed`.
"""

import os
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import stage
import trouble

FAILED, NOT_FOUND, EXISTS, PARTIAL, DAMAGED, BAD_INPUT, STORE = 1, 3, 4, 9, 11, 65, 74


class Device(stage.Device):
    """Texts that are edited stand in a folder of its own."""

    runtime: Path

    def environment(self) -> dict[str, str]:
        return super().environment() | {"XDG_RUNTIME_DIR": str(self.runtime)}


class Story:
    def __init__(self, folder: Path, tally: stage.Tally):
        self.folder, self.tally = folder, tally
        self.check = tally.check
        self.runtime = folder / "runtime"
        self.runtime.mkdir(mode=0o700)
        self.device = self.fresh("alice")
        self.device.run("write", "/note.md", text=b"one\ntwo\n")

    def fresh(self, name: str) -> Device:
        device = Device(self.folder, name)
        device.runtime = self.runtime
        device.run("account", "new", name)
        return device

    def script(self, name: str, lines: str) -> str:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{lines}\n")
        path.chmod(0o755)
        return str(path)

    def edit(self, editor: str, device: Device | None = None) -> stage.Outcome:
        return (device or self.device).run("edit", "/note.md", "--editor", editor, may_fail=True)

    def text(self, device: Device | None = None) -> bytes:
        return (device or self.device).run("cat", "/note.md").output

    def nothing_left(self, what: str) -> None:
        left = [str(path) for path in self.runtime.rglob("*")]
        self.check(not left, f"{what}: no text is left outside", str(left))

    # Editors

    def editors(self) -> None:
        before = self.text()
        outcome = self.edit("/nowhere/editor")
        self.check(outcome.status == FAILED and "editor failed" in outcome.errors and self.text() == before, "no such editor", outcome.errors)
        self.nothing_left("no such editor")

        outcome = self.edit(self.script("killed", 'echo "written, then killed" >>"$1"; kill -9 $$'))
        self.tally.refused(outcome, FAILED, "status 137", "an editor that is killed")
        self.check(self.text() == before, "an editor that is killed: nothing is stored unasked")
        kept = re.search(r"your text is in (\S+)", outcome.errors)
        self.check(bool(kept) and b"written, then killed" in Path(kept[1]).read_bytes(), "an editor that is killed: the text is where it says",
                   outcome.errors)
        self.device.run("edit", "--rescue")
        self.check(b"written, then killed" in self.text(), "an editor that is killed: the rescue stores it")
        self.nothing_left("an editor that is killed")

        outcome = self.edit(self.script("renaming", 'echo "saved beside" >"$1.tmp"; mv "$1.tmp" "$1"'))
        self.check(outcome.status == 0 and self.text() == b"saved beside\n", "an editor that saves by renaming", outcome.errors)
        self.nothing_left("an editor that saves by renaming")

        outcome = self.edit(self.script("emptying", ': >"$1"'))
        self.check(outcome.status == 0 and self.text() == b"", "an editor that leaves an empty file: the note is empty", outcome.errors)
        history = self.device.run("history", "/note.md").output
        self.check(len(history.splitlines()) >= 3, "an editor that leaves an empty file: what was there is in the history", history.decode())
        self.device.run("undo")
        self.check(self.text() == b"saved beside\n", "an editor that leaves an empty file: undo brings the text back")

        outcome = self.edit(self.script("removing", 'rm "$1"'))
        self.check(outcome.status in (FAILED, STORE) and "error: " in outcome.errors and self.text() == b"saved beside\n",
                   "an editor that removes the file: the note stays", f"{outcome.status} {outcome.errors}")
        self.device.run("edit", "--rescue", may_fail=True)
        self.nothing_left("an editor that removes the file")

    def leaving(self) -> None:
        """The text of an editing that was cut off goes with the account, and not without a word."""
        other = self.fresh("leaving")
        other.run("write", "/note.md", text=b"secret\n")
        self.edit(self.script("leaving editor", 'echo "more of it" >>"$1"; exit 1'), other)
        other.run("account", "logout", "--force")
        self.nothing_left("a logout")

    def forking(self) -> None:
        """It returns at once, and writes later."""
        what = "an editor that goes on in the background"
        go, done = self.folder / "go", self.folder / "done"
        os.mkfifo(go)
        later = self.script("later", f'read -r _ <{go}; echo "written later" >>"$1"; touch {done}')
        outcome = self.edit(self.script("forking", f'{later} "$1" >/dev/null 2>&1 </dev/null &'))
        self.tally.refused(outcome, FAILED, "goes on in the background", what)
        self.check("--wait" in outcome.errors, f"{what}: what to do is said", outcome.errors)
        go.write_text("\n")
        trouble.until(done.exists, "an editor that has saved")
        outcome = self.device.run("edit", "--rescue", may_fail=True)
        self.check(outcome.status == 0 and b"written later\n" in self.text(), f"{what}: the rescue stores what it wrote", outcome.errors)
        self.nothing_left(what)

    def full_memory(self) -> None:
        what = "full memory"
        disk = trouble.Disk(self.folder / "small", 4)
        try:
            if not disk.is_mounted:
                return
            before = self.text()
            self.device.runtime = disk.path / "run"
            self.device.runtime.mkdir(mode=0o700)
            disk.fill()
            outcome = self.edit("true")
            self.tally.refused(outcome, STORE, "no private place", what)
            self.check("no space left" in outcome.errors and self.text() == before, f"{what}: the note is as it was", outcome.errors)
            disk.free()
            outcome = self.edit(self.script("filling", f'head -c 8000000 /dev/zero >>"$1"'))
            self.check(outcome.status == FAILED and "editor failed" in outcome.errors and self.text() == before,
                       f"{what}: an editor that cannot save", f"{outcome.status} {outcome.errors}")
            self.device.run("edit", "--rescue", may_fail=True)
        finally:
            self.device.runtime = self.runtime
            disk.close()

    # Places

    def destinations(self) -> None:
        def export(where: Path, *options: str) -> stage.Outcome:
            return self.device.run("export", "--quiet", *options, "/", where, may_fail=True)

        file = self.folder / "a file"
        file.write_text("mine")
        outcome = export(file)
        self.check(outcome.status in (EXISTS, STORE, BAD_INPUT) and "error: " in outcome.errors and file.read_text() == "mine",
                   "DEST is a file", f"{outcome.status} {outcome.errors}")
        link = self.folder / "a link"
        (self.folder / "behind the link").mkdir()
        link.symlink_to(self.folder / "behind the link")
        outcome = export(link, "--mirror")
        self.check(outcome.status in (0, STORE, BAD_INPUT), "DEST is a link", f"{outcome.status} {outcome.errors}")
        nowhere = self.folder / "no" / "such" / "folder"
        outcome = export(nowhere)
        self.check(outcome.status in (0, STORE, NOT_FOUND) and "Traceback" not in outcome.errors, "DEST is nowhere", f"{outcome.status} {outcome.errors}")
        disk = trouble.Disk(self.folder / "elsewhere", 8)
        try:
            if disk.is_mounted:
                for _ in range(2):
                    outcome = export(disk.path / "copy", "--mirror")
                    self.check(outcome.status == 0, "DEST is on another file system", f"{outcome.status} {outcome.errors}")
        finally:
            disk.close()
        if os.geteuid() == 0 and os.environ.get(trouble.INSIDE) != "user":
            theirs = self.folder / "theirs"
            theirs.mkdir(mode=0o755)
            (theirs / "note.md").write_text("theirs")
            os.chown(theirs, 65534, 65534)
            self.device.wrap = trouble.ORDINARY
            outcome = export(theirs)
            self.device.wrap = []
            self.check(outcome.status in (STORE, PARTIAL) and "error: " in outcome.errors and (theirs / "note.md").read_text() == "theirs",
                       "DEST is somebody else's", f"{outcome.status} {outcome.errors}")

    def restoring(self) -> None:
        device = self.fresh("restoring")
        device.run("write", "/folder/a.md", text=b"old\n")
        device.run("delete", "/folder/a.md")
        device.run("write", "/folder/a.md", text=b"new\n")
        outcome = device.run("restore", "/folder/a.md", may_fail=True)
        paths = device.run("list", "-r").output.decode().split()
        self.check(outcome.status == 0 and "/folder/a-1.md" in paths and device.run("cat", "/folder/a-1.md").output == b"old\n"
                   and device.run("cat", "/folder/a.md").output == b"new\n", "restored onto a taken name", f"{outcome.errors} {paths}")
        device.run("delete", "/folder/a-1.md")
        device.run("delete", "--recursive", "/folder")
        outcome = device.run("restore", "/folder/a-1.md", may_fail=True)
        paths = device.run("list", "-r").output.decode().split()
        found = [path for path in paths if path.endswith("a-1.md")]
        self.check(outcome.status == 0 and len(found) == 1 and device.run("cat", found[0]).output == b"old\n", "restored into a deleted folder",
                   f"{outcome.status} {outcome.errors} {paths}")
        outcome = device.run("debug", "validate", may_fail=True)
        self.check(outcome.status == 0, "restored: all is sound", outcome.errors)

    # What is on the disk

    def damaged_version(self) -> None:
        device = self.fresh("versions")
        first, second = os.urandom(200_000), os.urandom(200_000)
        device.run("write", "/big", text=first)
        blob = next((device.path / "blobs").iterdir())
        device.run("write", "/big", text=second)
        versions = re.findall(r"\b[0-9a-f]{8,}\b", device.run("history", "/big").output.decode())
        blob.write_bytes(blob.read_bytes()[:1000])
        old = versions[-1]
        for words in (["stream", "out", "/big", "--version", old], ["restore", "--version", old, "/big"]):
            outcome = device.run(*words, may_fail=True)
            self.check(outcome.status == DAMAGED and "damaged" in outcome.errors, f"a version whose blob is damaged: {words[0]}",
                       f"{outcome.status} {outcome.errors}")
            self.check(device.run("cat", "/big").output == second, f"a version whose blob is damaged: {words[0]} leaves the note as it is")

    def databases(self) -> None:
        device = self.fresh("database")
        for number in range(50):
            device.run("write", f"/{number}.md", text=b"note %d\n" % number * 100)
        database = device.path / "lockbook.db"
        whole = database.read_bytes()
        other = self.fresh("somebody")
        other.run("write", "/theirs.md", text=b"theirs\n")
        cases = {
            "cut to a half": whole[: len(whole) // 2 // 4096 * 4096], "cut in a page": whole[: len(whole) // 2 + 100], "empty": b"",
            "no database": b"not a database" * 1000, "without its first page": bytes(4096) + whole[4096:],
            "another account's": (other.path / "lockbook.db").read_bytes(),
        }
        for name, data in cases.items():
            what = f"a database that is {name}" if name != "no database" else "a database that is none"
            for beside in ("-wal", "-shm"):
                database.with_name(database.name + beside).unlink(missing_ok=True)
            database.write_bytes(data)
            for words, text in ((["list", "-r"], None), (["cat", "/49.md"], None), (["write", "/new.md"], b"new\n"), (["sync"], None)):
                outcome = device.run(*words, text=text, may_fail=True)
                errors = [line for line in outcome.errors.splitlines() if "error: " in line]
                if name == "empty":
                    # As after an import that was not synced.
                    good = outcome.status in (STORE, 14, 6)
                else:
                    # A server that is not there is noticed before a page that cannot be read.
                    status = STORE if name == "another account's" else DAMAGED
                    good = outcome.status == status or (outcome.status == 6 and words == ["sync"] and name != "another account's")
                self.check(good and len(errors) == 1 and not outcome.output, f"{what}: {words[0]}",
                           f"{outcome.status} {outcome.errors} {outcome.output[:200]!r}")
            now = database.read_bytes()
            self.check(name == "empty" or now[:4096] == data[:4096], f"{what}: it is left as it is")
            database.write_bytes(whole)
            for beside in ("-wal", "-shm"):
                database.with_name(database.name + beside).unlink(missing_ok=True)
            outcome = device.run("cat", "/49.md", may_fail=True)
            self.check(outcome.output == b"note 49\n" * 100, f"{what}: with the right one all is there", outcome.errors)


def main() -> int:
    tally = stage.Tally()
    if not trouble.may_mount():
        print("no disk can be mounted here: the full memory is left out", flush=True)
    with stage.scratch("awkward") as folder:
        story = Story(folder, tally)
        tally.play(story.editors, story.leaving, story.forking, story.full_memory, story.destinations, story.restoring, story.damaged_version, story.databases)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
