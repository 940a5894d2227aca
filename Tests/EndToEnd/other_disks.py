#!/usr/bin/env python3
"""File systems that are not Linux's own: `other_disk.c`, loaded into the program, makes a folder look like one.

    KEEP=1            leaves the temporary folder for a look

The last line on stdout is `N passed, N failed`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import stage

PARTIAL, STORE = 9, 74


class Story:
    def __init__(self, folder: Path, tally: stage.Tally):
        self.folder, self.check = folder, tally.check
        self.library = folder / "other_disk.so"
        compiler = shutil.which("clang") or shutil.which("cc")
        source = Path(__file__).with_name("other_disk.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self.library, source], check=True)

    def device(self, name: str, notes: dict[str, bytes]) -> tuple[stage.Device, Path]:
        device = stage.Device(self.folder, name)
        device.run("account", "new", name)
        for path, text in notes.items():
            device.run("write", path, text=text)
        return device, (self.folder / f"{name} copy").resolve()

    def mirror(self, device: stage.Device, copy: Path, kinds: str = "", *options: str | Path, disk: Path | None = None) -> stage.Outcome:
        """Exports to a copy that is on such a disk, or where another folder is that."""
        return self.run(device, disk or copy, kinds, "export", *(options or ("--mirror", "/", copy)))

    def run(self, device: stage.Device, disk: Path, kinds: str, *words: str | Path, stdout=None) -> stage.Outcome:
        device.wrap = ["env", f"LD_PRELOAD={self.library}", f"OTHER_DISK={disk}", f"OTHER_DISK_IS={kinds}"]
        outcome = device.run(*words, stdout=stdout, may_fail=True)
        device.wrap = []
        return outcome

    def folding(self) -> None:
        device, copy = self.device("folding", {"/note.md": b"one", "/other.md": b"other", "/projects/x.md": b"x", "/projects/sub/y.md": b"y"})
        self.mirror(device, copy, "folding")
        steps = [
            ("a note", [("rename", "/note.md", "Note.md")], None, "4 unchanged"),
            ("a note that was edited, too", [("rename", "/other.md", "Other.md")], "/Other.md", "1 changed"),
            ("folders", [("rename", "/projects/sub", "Sub"), ("rename", "/projects", "Projects")], None, "4 unchanged"),
            ("a folder with an edited note", [("rename", "/Projects", "PROJECTS")], "/PROJECTS/x.md", "1 changed"),
        ]
        for what, commands, edited, says in steps:
            for command in commands:
                device.run(*command)
            if edited:
                device.run("write", edited, text=b"edited")
            outcome = self.mirror(device, copy, "folding")
            self.check(outcome.status == 0 and says in outcome.errors and "removed" not in outcome.errors, f"folding, {what}: {says}", outcome.errors)
            fresh = self.folder / "fresh"
            shutil.rmtree(fresh, ignore_errors=True)
            device.run("export", "--quiet", "/", fresh)
            found = stage.differences(fresh, copy)
            self.check(not found, f"folding, {what}: the copy is the lockbook", found)
        device.run("delete", "-f", "/Note.md")
        device.run("delete", "-f", "/PROJECTS")
        outcome = self.mirror(device, copy, "folding")
        left = sorted(str(path.relative_to(copy)) for path in copy.rglob("*"))
        self.check(left == ["Other.md"], "folding: what is deleted goes", f"{left} {outcome.errors}")

    def linked(self) -> None:
        """A file with two links is no name of two spellings."""
        device, copy = self.device("linked", {"/note.md": b"one"})
        self.mirror(device, copy)
        (copy / "Note.md").hardlink_to(copy / "note.md")
        device.run("rename", "/note.md", "Note.md")
        outcome = self.mirror(device, copy)
        left = sorted(path.name for path in copy.iterdir())
        self.check(outcome.status == 0 and left == ["Note.md"], "linked: the old name goes", f"{left} {outcome.errors}")

    def colonless(self) -> None:
        """A name that the disk does not have keeps out what bears it, and nothing else."""
        notes = {"/a.md": b"one", "/f/b.md": b"two", "/f/e: e.md": b"five", "/2026: plans/c.md": b"three", "/2026: plans/sub/d.md": b"four"}
        device, copy = self.device("colonless", notes)
        for night in ("first", "second"):
            outcome = self.mirror(device, copy, "colonless")
            named = outcome.errors.count("Invalid argument") == 2 and "the 3 files in it are left out" in outcome.errors
            self.check(outcome.status == PARTIAL and named, f"colonless, {night} night: what bears such a name is named", outcome.errors)
            left = sorted(str(path.relative_to(copy)) for path in copy.rglob("*"))
            self.check(left == ["a.md", "f", "f/b.md"], f"colonless, {night} night: all else is there", f"{left}")

    def closing(self) -> None:
        device, copy = self.device("closing", {"/a.md": b"one", "/f/b.md": b"two", "/gone.md": b"gone"})
        self.mirror(device, copy)
        device.run("write", "/a.md", text=b"edited")
        device.run("write", "/g/new.md", text=b"new")
        device.run("rename", "/gone.md", "moved.md")
        outcome = self.mirror(device, copy, "closing")
        self.check(outcome.status == PARTIAL and outcome.errors.count("Input/output error") == 3, "closing: each file is named", outcome.errors)
        self.check((copy / "a.md").read_bytes() == b"one" and (copy / "gone.md").exists(), "closing: what was there stays")
        archive = copy.with_name("archives") / "closing.tar"
        archive.parent.mkdir()
        outcome = self.mirror(device, archive.parent, "closing", "--format", "tar", "/", archive)
        self.check(outcome.status == STORE and not archive.exists(), "closing: no archive is made", outcome.errors)
        outcome = self.mirror(device, copy)
        self.check(outcome.status == 0 and (copy / "g/new.md").read_bytes() == b"new", "closing: the next night writes them", outcome.errors)
        with (archive.parent / "a.md").open("wb") as file:
            outcome = self.run(device, archive.parent, "closing", "cat", "/a.md", stdout=file)
        self.check(outcome.status == STORE and "input/output error" in outcome.errors, "closing: so it is with standard output", outcome.errors)

    def fuse(self) -> None:
        device, copy = self.device("fuse", {"/a.md": b"one", "/b.md": b"two"})
        self.mirror(device, copy)
        device.run("write", "/a.md", text=b"edited")
        device.run("write", "/f/new.md", text=b"new")
        outcome = self.mirror(device, copy, "fuse")
        self.check(outcome.status == PARTIAL and outcome.errors.count("Input/output error") == 2, "fuse: each file is made durable", outcome.errors)
        self.check((copy / "a.md").read_bytes() == b"one" and not (copy / "f/new.md").exists(), "fuse: no file has its name before")
        outcome = self.mirror(device, copy, "fuse-names")
        self.check(outcome.status == STORE and "Input/output error" in outcome.errors, "fuse: names are made durable", outcome.errors)
        outcome = self.mirror(device, copy)
        self.check(outcome.status == 0 and (copy / "f/new.md").read_bytes() == b"new", "fuse: the next night writes what is left", outcome.errors)
        device.run("write", "/b.md", text=os.urandom(900_000))
        outcome = self.mirror(device, copy, "fuse")
        self.check(outcome.status == PARTIAL and (copy / "b.md").read_bytes() == b"two", "fuse: a large file is made durable", outcome.errors)

    def mounted(self) -> None:
        """No `syncfs` of the copy reaches what is mounted in it."""
        device, copy = self.device("mounted", {"/a.md": b"one", "/f/b.md": b"two", "/f/gone.md": b"gone"})
        self.mirror(device, copy)
        device.run("write", "/a.md", text=b"edited")
        device.run("write", "/f/b.md", text=b"edited")
        outcome = self.mirror(device, copy, "mounted fuse", disk=copy / "f")
        self.check(outcome.status == PARTIAL and outcome.errors.count("Input/output error") == 1, "mounted: a file there is made durable", outcome.errors)
        self.check((copy / "f/b.md").read_bytes() == b"two" and (copy / "a.md").read_bytes() == b"edited", "mounted: it has its name after that")
        outcome = self.mirror(device, copy, "mounted fuse-names", disk=copy / "f")
        self.check(outcome.status == STORE and "Input/output error" in outcome.errors, "mounted: a name there is made durable", outcome.errors)
        self.mirror(device, copy)
        device.run("delete", "-f", "/f/gone.md")
        outcome = self.mirror(device, copy, "mounted fuse-names", disk=copy / "f")
        self.check(outcome.status == STORE and "Input/output error" in outcome.errors, "mounted: so is that one is gone", outcome.errors)
        outcome = self.mirror(device, copy)
        self.check(outcome.status == 0 and sorted(path.name for path in (copy / "f").iterdir()) == ["b.md"], "mounted: the next night goes on", outcome.errors)

    def folders(self) -> None:
        """Where no folder can be made durable, what is done is done."""
        device, copy = self.device("vboxsf", {"/a.md": b"one", "/f/b.md": b"two"})
        self.mirror(device, copy)
        archive = copy / "notes.tar"
        outcome = self.mirror(device, copy, "vboxsf", "--format", "tar", "/", archive)
        self.check(outcome.status == 0 and archive.exists(), "vboxsf: an archive is made", outcome.errors)
        device.run("write", "/f/b.md", text=b"edited")
        outcome = self.mirror(device, copy, "mounted vboxsf", disk=copy / "f")
        self.check(outcome.status == 0 and (copy / "f/b.md").read_bytes() == b"edited", "vboxsf: so is an export", outcome.errors)

    def modeless(self) -> None:
        for kind in ("refusing", "passing"):
            device, copy = self.device(kind, {"/a.md": b"one", "/f/b.md": b"two", "/f/c.md": b"three"})
            outcome = self.mirror(device, copy, kind)
            self.check(outcome.status == 0 and "3 new" in outcome.errors, f"{kind}: all is written", outcome.errors)
            self.check(outcome.errors.count("others may read it") == 1, f"{kind}: it is said once that others may read it", outcome.errors)
            outcome = self.mirror(device, copy, kind, "--quiet", "--mirror", "/", copy)
            self.check(outcome.status == 0 and not outcome.errors, f"{kind}: nothing is said where nothing is written", outcome.errors)
            archive = copy / "notes.tar"
            outcome = self.mirror(device, copy, kind, "--format", "tar", "/", archive)
            self.check(outcome.status == 0 and archive.exists() and "others may read it" in outcome.errors, f"{kind}: an archive", outcome.errors)

    def timeless(self) -> None:
        """A file has the time of its writing then, and no later export takes it for one that somebody changed."""
        device, copy = self.device("timeless", {"/a.md": b"one", "/f/b.md": b"two", "/f/c.md": b"three"})
        outcome = self.mirror(device, copy, "timeless")
        self.check(outcome.status == 0 and "3 new" in outcome.errors, "timeless: all is written", outcome.errors)
        self.check(outcome.errors.count("the time at which it was written") == 1, "timeless: it is said once", outcome.errors)
        before = [path.stat() for path in sorted(copy.rglob("*.md"))]
        for options in ([], ["--force"]):
            outcome = self.mirror(device, copy, "timeless", "--quiet", "--mirror", *options, "/", copy)
            self.check(outcome.status == 0 and not outcome.errors, f"timeless {options}: nothing is said where nothing is written", outcome.errors)
        after = [path.stat() for path in sorted(copy.rglob("*.md"))]
        same = [(one.st_ino, one.st_mtime_ns) == (other.st_ino, other.st_mtime_ns) for one, other in zip(before, after)]
        self.check(same == [True] * 3, "timeless: nothing is written again", f"{before} {after}")
        # A server of files may set the time once more when one is closed.
        os.utime(copy / "f/b.md")
        outcome = self.mirror(device, copy, "timeless")
        self.check(outcome.status == 0 and "3 unchanged" in outcome.errors, "timeless: a later time changes nothing", outcome.errors)
        facts = (copy / "a.md").stat()
        (copy / "a.md").write_bytes(b"own")
        os.utime(copy / "a.md", ns=(facts.st_atime_ns, facts.st_mtime_ns))
        device.run("write", "/a.md", text=b"edited")
        device.run("write", "/f/b.md", text=b"edited")
        outcome = self.mirror(device, copy, "timeless")
        self.check(outcome.status == PARTIAL and "changed on disk" in outcome.errors, "timeless: what somebody changed is named", outcome.errors)
        self.check((copy / "a.md").read_bytes() == b"own" and (copy / "f/b.md").read_bytes() == b"edited", "timeless: that alone stays")

    def timeless_device(self) -> None:
        """A sync that was done is one where its time cannot be set, and its time is known."""
        with stage.Server(self.folder / "server") as server:
            device = stage.Device(self.folder, "synced")
            device.run("account", "new", "synced", "--server", server.url)
            device.sync()
            lock = device.path / "sync.lock"
            os.utime(lock, (0, 0))
            device.run("write", "/a.md", text=b"one")
            outcome = self.run(device, device.path, "timeless", "sync")
            self.check(outcome.status == 0, "timeless: a sync that was done is one", outcome.errors)
            self.check(lock.stat().st_mtime > 0, "timeless: the time of a sync is known")

    def lockless(self) -> None:
        device, _ = self.device("lockless", {"/a.md": b"one"})
        outcome = self.run(device, device.path, "lockless", "list")
        self.check(outcome.status == STORE and "gives no locks" in outcome.errors, "lockless: it is called so", outcome.errors)
        self.check("another process" not in outcome.errors, "lockless: nobody is waited for", outcome.errors)

    def shut(self) -> None:
        device, copy = self.device("shut", {"/shut/a.md": b"one", "/b.md": b"two"})
        self.mirror(device, copy)
        device.run("delete", "-f", "/shut")
        outcome = self.mirror(device, copy, "shut")
        self.check(outcome.status == PARTIAL and "Permission denied" in outcome.errors, "shut: a folder that may not be read is called so", outcome.errors)


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("other-disks") as folder:
        story = Story(folder, tally)
        tally.play(story.folding, story.linked, story.colonless, story.closing, story.fuse, story.mounted, story.folders, story.modeless)
        tally.play(story.timeless, story.timeless_device, story.lockless, story.shut)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
