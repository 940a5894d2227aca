#!/usr/bin/env python3
"""Sync and `export --mirror` as cron runs them: no terminal, an empty environment, umask 000, and whatever may go wrong at night.

    KEEP=1            leaves the temporary folder for a look
    NO_MOUNT=1        leaves out the full disk, for which a small one is mounted

Each time: the documented exit status, and a copy of which every file is the old one or the new one.

The last line on stdout is `N passed, N failed`.
"""

import fcntl
import os
import shutil
import signal
import stat
import subprocess
import sys
import unicodedata
from pathlib import Path

sys.dont_write_bytecode = True

import stage
import trouble

OFFLINE, PARTIAL, BUSY, STORE = 6, 9, 12, 74


class Cron(stage.Device):
    """A device whose commands run as cron's do."""

    def start(self, *arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=None):
        home = self.path.with_name(f"{self.name} home")
        home.mkdir(exist_ok=True)
        return subprocess.Popen(
            ["env", "-i", "PATH=/usr/bin:/bin", "SHELL=/bin/sh", f"HOME={home}", f"LOCKBOOK_PATH={self.path}", "API_URL=http://127.0.0.1:1",
             *self.wrap, stage.program("lockbook"), *arguments],
            stdin=stdin, stdout=stdout, stderr=stderr, umask=0, start_new_session=True, cwd="/",
        )


def texts(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def places(folder: Path) -> dict[str, tuple[int, int]]:
    """What changes when a file is written, by its path."""
    return {str(path.relative_to(folder)): (path.lstat().st_ino, path.lstat().st_ctime_ns) for path in folder.rglob("*") if path.is_file()}


class Story:
    def __init__(self, folder: Path, tally: stage.Tally):
        self.folder, self.tally = folder, tally
        self.check = tally.check
        self.notes = folder / "notes"
        for number in range(60):
            path = self.notes / f"f{number % 3}" / f"{number}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"note {number}\n" * 20)
        for number in range(24):
            path = self.folder / "large" / f"{number}.bin"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(os.urandom(600_000))

    def device(self, name: str) -> tuple[Cron, Path]:
        """A device with the notes, and a copy of them on the disk."""
        device = Cron(self.folder, name)
        device.run("account", "new", name)
        device.run("import", "--quiet", f"{self.notes}/.", "/")
        copy = self.folder / f"{name} copy"
        copy.mkdir(mode=0o700)
        self.night(device, copy, 0, f"{name}: the first night")
        return device, copy

    def night(self, device: Cron, copy: Path, status: int, what: str, says: str = "") -> None:
        outcome = device.run("export", "--quiet", "--mirror", "/", copy, may_fail=True)
        self.check(outcome.status == status and not outcome.output, f"{what}: status {status}", f"{outcome.status} {outcome.errors}")
        self.check(says in outcome.errors and bool(outcome.errors) == bool(status), f"{what}: says {says or 'nothing'}", outcome.errors)

    def whole(self, device: Cron, copy: Path, what: str) -> None:
        """Whether the copy is what an export to a new place would be."""
        fresh = self.folder / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        device.run("export", "--quiet", "/", fresh, may_fail=True)
        found = stage.differences(fresh, copy)
        self.check(not found, f"{what}: the copy is the lockbook", found)

    def as_cron_is(self) -> None:
        with stage.Server(self.folder / "server") as server:
            device = Cron(self.folder, "alice")
            device.run("account", "new", "alice", "--server", server.url)
            device.run("import", "--quiet", f"{self.notes}/.", "/")
            copy = self.folder / "made at night"
            outcome = device.run("sync", "--quiet")
            self.check(not outcome.output and not outcome.errors, "cron: a sync has nothing to say", outcome.errors)
            self.night(device, copy, 0, "cron: export")
            self.whole(device, copy, "cron")
            wrong = [f"{path} {stat.filemode(path.stat().st_mode)}" for top in (copy, device.path) for path in (top, *top.rglob("*"))
                     if path.stat().st_mode & 0o777 != (0o700 if path.is_dir() else 0o600)]
            self.check(not wrong, "cron: files are 0600, folders 0700, with umask 000", str(wrong[:5]))
            before = places(copy)
            self.night(device, copy, 0, "cron: a night later")
            self.check(places(copy) == before, "cron: what did not change is not written")
            for number in range(10):
                device.run("write", f"/f{number % 3}/{number}.md", text=b"edited\n")
            self.night(device, copy, 0, "cron: after ten edits")
            after = places(copy)
            touched = sorted(path for path in before if after[path] != before[path])
            self.check(touched == sorted(f"f{number % 3}/{number}.md" for number in range(10)), "cron: ten edits touch ten files", str(touched))
            device.run("write", "/f0/0.md", text=b"offline\n")
            server.stop()
            outcome = device.run("sync", "--quiet", may_fail=True)
            self.check(outcome.status == OFFLINE and "cannot reach" in outcome.errors, "offline: sync ends with 6", outcome.errors)
            self.night(device, copy, 0, "offline: export")
            self.check((copy / "f0/0.md").read_bytes() == b"offline\n", "offline: the copy is of what is here")

    def nothing_to_do(self) -> None:
        """Nothing is opened for reading, written or waited for."""
        device, copy = self.device("idle")
        trace = self.folder / "trace"
        device.wrap = ["strace", "-f", "-qq", "-y", "-o", str(trace), "-e", "trace=openat,read,write,fsync,fdatasync,syncfs,rename,renameat,unlinkat"]
        self.night(device, copy, 0, "idle")
        device.wrap = []
        lines = trace.read_text(errors="replace").splitlines()
        self.check(len(lines) > 5, "idle: there is a trace")
        notes = [line for line in lines if ".md" in line or any(call in line for call in ("sync(", "syncfs(", "renameat(", "unlinkat("))]
        self.check(not notes, "idle: no note is opened, nothing is written or synced", "\n".join(notes[:5]))

    def respelled(self) -> None:
        """Each folder is read once, however many names come back with their accents taken apart."""
        device, copy = self.device("respelled")
        folders = self.folder / "accents"
        for number in range(100):
            (folders / f"\u00e9{number}").mkdir(parents=True)
            (folders / f"\u00e9{number}" / "a.md").write_text("a\n")
        device.run("import", "--quiet", f"{folders}/.", "/")
        self.night(device, copy, 0, "respelled: a night before")
        names = sorted(path.name for path in copy.iterdir())
        for name in names:
            (copy / name).rename(copy / unicodedata.normalize("NFD", name))
        trace = self.folder / "reads"
        device.wrap = ["strace", "-f", "-qq", "-y", "-o", str(trace), "-e", "trace=getdents64"]
        self.night(device, copy, 0, "respelled")
        device.wrap = []
        self.check(sorted(path.name for path in copy.iterdir()) == names, "respelled: all have their own names again")
        reads = trace.read_text(errors="replace").count(f"<{copy.resolve()}>")
        self.check(0 < reads < 20, "respelled: the folder is read a few times", str(reads))

    def overlapping(self) -> None:
        device, copy = self.device("twice")
        device.run("delete", "-f", "/f0")
        before = texts(copy)
        locks = os.open(device.path / "export.lock", os.O_RDWR)
        try:
            fcntl.lockf(locks, fcntl.LOCK_EX)
            self.night(device, copy, BUSY, "an overlapping run", "another export")
            self.check(texts(copy) == before, "an overlapping run: nothing is written or removed")
        finally:
            os.close(locks)
        # A run that takes long, held in the middle.
        device.run("import", "--quiet", self.folder / "large", "/")
        running = device.start("export", "--quiet", "--mirror", "/", copy)
        trouble.until(lambda: sum(1 for _ in copy.glob("large/*.bin")) >= 2 or running.poll() is not None, "an export that writes")
        running.send_signal(signal.SIGSTOP)
        if self.check(running.poll() is None, "two runs: the first is in the middle"):
            # Where it was stopped while it notes something, its data directory is what is taken.
            self.night(device, copy, BUSY, "two runs: the second", "another ")
        running.send_signal(signal.SIGCONT)
        self.check(running.wait(60) == 0, "two runs: the first ends well")
        self.whole(device, copy, "two runs")

    def killed(self) -> None:
        device, copy = self.device("killed")
        device.run("import", "--quiet", self.folder / "large", "/")
        running = device.start("export", "--quiet", "--mirror", "/", copy)
        trouble.until(lambda: sum(1 for _ in copy.glob("large/*.bin")) >= 2 or running.poll() is not None, "an export that writes")
        stage.kill(running)
        whole = texts(self.folder / "large")
        half = [path.name for path in copy.glob("large/*.bin") if path.read_bytes() != whole[path.name]]
        self.check(not half, "killed: every file is whole", str(half))
        self.night(device, copy, 0, "killed, a night later")
        self.whole(device, copy, "killed, a night later")

    def full(self) -> None:
        disk = trouble.Disk(self.folder / "small", 6)
        try:
            if not disk.is_mounted:
                return
            device, _ = self.device("full")
            copy = disk.path / "copy"
            self.night(device, copy, 0, "full disk: while there is room")
            old = texts(copy)
            disk.fill()
            device.run("delete", "-f", "/f0/0.md")
            for number in (1, 2, 4, 5):
                device.run("write", f"/f{number % 3}/{number}.md", text=os.urandom(200_000))
            self.night(device, copy, STORE, "full disk", "No space left")
            now = texts(copy)
            new = {f"f{number % 3}/{number}.md" for number in (1, 2, 4, 5)}
            left = old.keys() - {"f0/0.md"}
            self.check(now.keys() == left, "full disk: what is in the trash was removed, nothing half is left", str(now.keys() ^ left))
            self.check(all(now[path] == old[path] for path in left if path not in new), "full disk: the old copy is there")
            self.check(all(now[path] == old[path] or len(now[path]) == 200_000 for path in new), "full disk: each file is the old or the new one")
            disk.free()
            self.night(device, copy, 0, "full disk: with room again")
            self.whole(device, copy, "full disk: with room again")
        finally:
            disk.close()

    def full_of_deleted(self) -> None:
        disk = trouble.Disk(self.folder / "tight", 6)
        try:
            if not disk.is_mounted:
                return
            device, _ = self.device("roomy")
            copy = disk.path / "copy"
            device.run("write", "/f0/large.bin", text=os.urandom(1_000_000))
            self.night(device, copy, 0, "deleted, on a full disk: while there is room")
            disk.fill()
            device.run("delete", "-f", "/f0/large.bin")
            device.run("write", "/f1/1.md", text=os.urandom(200_000))
            self.night(device, copy, 0, "deleted, on a full disk: it makes room")
            self.whole(device, copy, "deleted, on a full disk")
        finally:
            disk.close()

    def damaged(self) -> None:
        device, copy = self.device("damaged")
        device.run("write", "/f1/1.md", text=b"a" + os.urandom(300_000))
        self.night(device, copy, 0, "damaged: before")
        old = (copy / "f1/1.md").read_bytes()
        here = set((device.path / "blobs").iterdir())
        device.run("write", "/f1/1.md", text=b"b" + os.urandom(300_000))
        for path in set((device.path / "blobs").iterdir()) - here:
            path.write_bytes(path.read_bytes()[:1000])
        device.run("write", "/f1/4.md", text=b"well\n")
        device.run("delete", "-f", "/f2/2.md")
        for number in range(2):
            self.night(device, copy, PARTIAL, f"damaged, night {number + 1}", "/f1/1.md: it is damaged")
            self.check((copy / "f1/1.md").read_bytes() == old, "damaged: the old copy stays")
            self.check((copy / "f1/4.md").read_bytes() == b"well\n" and not (copy / "f2/2.md").exists(), "damaged: the rest is brought up to date")

    def archives(self) -> None:
        """To a pipe, where nothing is known of the disk."""
        device, _ = self.device("archives")
        out = self.folder / "unpacked"
        for format, command in (("tar", ["tar", "-x", "-f", "-"]), ("zip", ["sh", "-c", "cat >a.zip; unzip -q a.zip; rm a.zip"])):
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            reader = subprocess.Popen(command, cwd=out, stdin=subprocess.PIPE)
            device.run("export", "--quiet", "--format", format, "/", "-", stdout=reader.stdin)
            reader.stdin.close()
            self.check(reader.wait() == 0 and not stage.differences(self.notes, out), f"{format} to a pipe", stage.differences(self.notes, out))


def main() -> int:
    tally = stage.Tally()
    if not trouble.may_mount():
        print("no disk can be mounted here: the full one is left out", flush=True)
    try:
        with stage.scratch("night") as folder:
            story = Story(folder, tally)
            tally.play(story.as_cron_is, story.nothing_to_do, story.respelled, story.overlapping, story.killed, story.full, story.full_of_deleted, story.damaged, story.archives)
    except OSError as failure:
        tally.check(False, "the script ran to its end", str(failure))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
