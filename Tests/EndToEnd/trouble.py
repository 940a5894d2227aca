#!/usr/bin/env python3
"""What goes wrong outside of the programs: full disks, rights, clocks, Ctrl-C, other processes, other servers.

    PROGRAMS=folder   where lockbook and lockbook-server are (LOCKBOOK and LOCKBOOK_SERVER go before it)
    KEEP=1            leaves the temporary folder for a look
    NO_MOUNT=1        uses strace also where a disk could be mounted

Each time: one sentence on standard error, the documented exit status, and nothing lost or half done, which is what is looked
at when the trouble is over. A full disk is a small one in memory where this script may mount one (as root, or in a user
namespace); otherwise strace lets the writes of the programs fail as on a full disk. Nothing waits for a time: Ctrl-C comes when what is
on the disk or on the wire shows how far a program is.

The last line on stdout is `N passed, N failed`.
"""

import contextlib
import fcntl
import json
import os
import pty
import shutil
import signal
import socket
import stat
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.dont_write_bytecode = True

import stage

INSIDE = "LOCKBOOK_TROUBLE_MAY_MOUNT"
PATIENCE = 60.0
FAILED, EXISTS, OFFLINE, REFUSED, PARTIAL, INTEGRITY, BUSY, BAD_INPUT, STORE = 1, 4, 6, 7, 9, 10, 12, 65, 74
MEGABYTE = 1 << 20
# Root may do everything; without these it is bound by modes as everybody is.
ORDINARY = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
NO_SPACE = ["-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC"]


def until(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise stage.Failed(f"it did not come to this: {what}")
        time.sleep(0.001)


class Disk:
    """A folder on a disk that can be full."""

    def __init__(self, folder: Path, megabytes: int):
        self.path = folder
        folder.mkdir()
        self.is_mounted = INSIDE in os.environ
        self._strace: subprocess.Popen | None = None
        self._is_full = False
        if self.is_mounted:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "none", folder], check=True)

    @property
    def wrap(self) -> list[str]:
        """What a program has to be started with that meets the full disk."""
        return ["strace", "-f", "-qq", "-o", "/dev/null", *NO_SPACE] if self._is_full and not self.is_mounted else []

    def fill(self, server: stage.Server | None = None) -> None:
        self._is_full = True
        if self.is_mounted:
            with open(self.path / "ballast", "ab", buffering=0) as ballast:
                for size in (MEGABYTE, 4096, 1):
                    with contextlib.suppress(OSError):
                        while True:
                            ballast.write(bytes(size))
        elif server:
            self._strace = subprocess.Popen(["strace", "-f", "-o", "/dev/null", *NO_SPACE, "-p", str(server.process)], stderr=subprocess.PIPE)
            self._strace.stderr.readline()  # "Process N attached"

    def free(self) -> None:
        self._is_full = False
        (self.path / "ballast").unlink(missing_ok=True)
        if self._strace:
            self._strace.send_signal(signal.SIGINT)
            self._strace.wait()
            self._strace = None

    def close(self) -> None:
        self.free()
        if self.is_mounted:
            subprocess.run(["umount", "-l", self.path], check=True)


class Story:
    def __init__(self, folder: Path, tally: stage.Tally):
        self.folder, self.tally = folder, tally
        self.notes = folder / "notes"
        for number in range(24):
            path = self.notes / f"{number % 3}" / f"{number}.bin"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(os.urandom(400_000 + number))

    def check(self, good: bool, what: str, detail: str = "") -> bool:
        return self.tally.check(good, what, detail)

    def refused(self, outcome: stage.Outcome, status: int, sentence: str, what: str) -> None:
        self.tally.refused(outcome, status, sentence, what)

    def sound(self, device: stage.Device, what: str) -> None:
        outcome = device.run("debug", "validate", may_fail=True)
        self.check(outcome.status == 0 and not outcome.output, f"{what}: {device.name} is sound", f"{outcome.output} {outcome.errors}")

    def same_as(self, device: stage.Device, target: str, folder: Path, what: str) -> None:
        """Whether an export of the folder is the same as one on the disk."""
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        device.run("export", "--quiet", target, out)
        found = stage.differences(folder, out)
        self.check(not found, f"{what}: {device.name} has every byte", found)

    @contextlib.contextmanager
    def two(self, name: str) -> Iterator[tuple[stage.Server, stage.Proxy, stage.Device, stage.Device]]:
        """A server behind a proxy, and two devices of one account."""
        with stage.Server(self.folder / f"{name} server") as server, stage.Proxy(server.port) as proxy:
            laptop, phone = (stage.Device(self.folder, f"{name} {device}") for device in ("laptop", "phone"))
            laptop.run("account", "new", "alice", "--server", proxy.url)
            laptop.run("write", "/kept.md", text=b"kept\n")
            laptop.sync()
            phone.join(laptop, proxy.url)
            phone.sync()
            yield server, proxy, laptop, phone

    # Full disks

    def full_disk_of_a_client(self) -> None:
        what = "full disk"
        with self.two("full") as (_, proxy, laptop, _):
            disk = Disk(self.folder / "small", 24)
            try:
                device = stage.Device(disk.path, "device")
                device._scratch = self.folder
                device.join(laptop, proxy.url)
                device.sync()
                device.run("write", "/mine.md", text=b"mine\n")
                laptop.run("import", "--quiet", self.notes, "/theirs")
                laptop.run("sync")
                disk.fill()
                device.wrap = disk.wrap
                for command, text in ((["write", "/mine.md"], b"x" * 300_000), (["write", "--append", "/small.md"], b"y"),
                                      (["new", "/new.md"], b""), (["import", self.notes, "/"], b""), (["sync"], b"")):
                    outcome = device.run(*command, text=text, may_fail=True)
                    shown = f"{what}: {command[0]}"
                    self.check(outcome.status == STORE, f"{shown} ends with 74", f"{outcome.status} {outcome.errors}")
                    lines = outcome.errors.splitlines()
                    self.check(len([line for line in lines if "error: " in line]) == 1 and len(lines) <= 3
                               and "no space left" in outcome.errors.lower(), f"{shown} says so once", outcome.errors)
                    self.check(not outcome.output, f"{shown} says nothing else", outcome.output.decode())
                for command, shown in ((["cat", "/mine.md"], b"mine\n"), (["list"], b"/kept.md\n/mine.md\n")):
                    outcome = device.run(*command, may_fail=True)
                    self.check(outcome.status == 0 and outcome.output == shown, f"{what}: {command[0]} reads on",
                               f"{outcome.status} {outcome.output.decode()} {outcome.errors}")
                if disk.is_mounted:
                    self.refused(device.run("sync", "-n", may_fail=True), STORE, "no space left", f"{what}: a dry run says so")
                    outcome = device.run("cat", "/mine.mb", may_fail=True)
                    self.check("did you mean /mine.md?" in outcome.errors and "another process" not in outcome.errors,
                               f"{what}: what was meant is looked for in the store that is open", outcome.errors)
                    elsewhere = self.folder / "elsewhere"
                    outcome = device.run("export", "/", elsewhere, may_fail=True)
                    self.check(outcome.status == PARTIAL and "cannot remember" in outcome.errors and "left out" not in outcome.errors,
                               f"{what}: export to another disk says what it cannot do", f"{outcome.status} {outcome.errors}")
                    self.check((elsewhere / "mine.md").read_bytes() == b"mine\n", f"{what}: and does it")
                    outcome = device.run("export", "/", elsewhere, may_fail=True)
                    self.check(outcome.status == PARTIAL and (elsewhere / "mine.md").read_bytes() == b"mine\n", f"{what}: and again", outcome.errors)
                disk.free()
                device.wrap = []
                self.check(device.run("cat", "/mine.md").output == b"mine\n", f"{what}: with room again the old text is there")
                self.check(device.run("list").output == b"/kept.md\n/mine.md\n", f"{what}: and nothing that was not whole",
                           device.run("list").output.decode())
                self.sound(device, what)
                device.sync("--full")
                self.sound(device, f"{what}, synced")
                self.same_as(device, "/theirs", self.notes, what)
                disk.fill()
                device.wrap = disk.wrap
                above = disk.path / "exported"
                above.mkdir()
                target = above / "theirs"
                outcome = device.run("export", "/theirs", above, may_fail=True)
                self.check(outcome.status in (STORE, PARTIAL) and "no space left" in outcome.errors.lower() and len(outcome.errors.splitlines()) <= 4,
                           f"{what}: export says so", f"{outcome.status} {outcome.errors}")
                disk.free()
                device.wrap = []
                stray = [path for path in target.rglob("*") if path.is_file()] if target.exists() else []
                self.check(not any(path.name.startswith(".lockbook") for path in stray), f"{what}: export leaves no half file", str(stray))
                outcome = device.run("export", "--quiet", "/theirs", above, may_fail=True)
                found = stage.differences(self.notes, target)
                self.check(outcome.status == 0 and not found, f"{what}: with room again export goes on", outcome.errors + found)
            finally:
                disk.close()

    def full_disk_and_contents_at_the_server(self) -> None:
        what = "full disk, contents at the server"
        with self.two("apart") as (_, proxy, laptop, _):
            disk = Disk(self.folder / "apart", 24)
            try:
                if not disk.is_mounted:
                    return
                device = stage.Device(disk.path, "device")
                device._scratch = self.folder
                device.join(laptop, proxy.url)
                device.sync()
                small, before, large = os.urandom(200_000), os.urandom(1_400_000), os.urandom(1_500_000)
                laptop.run("stream", "in", "/small.bin", text=small)
                laptop.run("stream", "in", "/large.bin", text=before)
                laptop.sync()
                laptop.run("stream", "in", "/large.bin", text=large)
                laptop.sync()
                old = laptop.run("history", "/large.bin").output.decode().splitlines()[-1].split()[0]
                device.wrap = ["env", "LOCKBOOK_LAZY_BYTES=1000"]
                device.sync()
                disk.fill()
                outcome = device.run("cat", "/small.bin", may_fail=True)
                self.check(outcome.status == 0 and outcome.output == small, f"{what}: one is read all the same", outcome.errors)
                outcome = device.run("cat", "/large.bin", may_fail=True)
                self.check(outcome.status == 0 and outcome.output == large, f"{what}: so is a large one", outcome.errors)
                outcome = device.run("cat", "/large.bin", "--version", old, may_fail=True)
                self.check(outcome.status == 0 and outcome.output == before, f"{what}: and a version of it", outcome.errors)
                outcome = device.run("diff", "/large.bin", may_fail=True)
                self.check(outcome.status == 0 and b"differ" in outcome.output, f"{what}: diff compares both", outcome.errors)
                elsewhere = self.folder / "apart copy"
                outcome = device.run("export", "/", elsewhere, may_fail=True)
                self.check(outcome.status == PARTIAL and "cannot remember" in outcome.errors and "left out" not in outcome.errors,
                           f"{what}: export says that it is not remembered", f"{outcome.status} {outcome.errors}")
                self.check((elsewhere / "small.bin").read_bytes() == small and (elsewhere / "large.bin").read_bytes() == large
                           and (elsewhere / "kept.md").read_bytes() == b"kept\n", f"{what}: and writes all")
                disk.free()
                device.run("export", "/", elsewhere)
                self.check((elsewhere / "large.bin").read_bytes() == large, f"{what}: with room again it is all there")
                self.sound(device, what)
            finally:
                disk.close()

    def read_only_folder_and_contents_at_the_server(self) -> None:
        what = "read-only folder, contents at the server"
        with self.two("unwritten") as (_, _, laptop, device):
            noise = os.urandom(30_000).hex().encode()
            note, before, large = b"words, [[kept]]\n" + noise, b"a text\n" + noise, os.urandom(1_500_000)
            laptop.run("write", "/note.md", text=before)
            laptop.run("stream", "in", "/large.bin", text=large)
            laptop.sync()
            laptop.run("write", "/note.md", text=note)
            laptop.sync()
            device.wrap = ["env", "LOCKBOOK_LAZY_BYTES=1000"]
            device.sync()
            modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [*device.path.rglob("*"), device.path]}
            for path in modes:
                path.chmod(0o500 if path.is_dir() else 0o400)
            device.wrap = (ORDINARY if os.geteuid() == 0 else []) + device.wrap

            def shown(shown: bytes, *command: str) -> None:
                outcome = device.run(*command, may_fail=True)
                self.check(outcome.status == 0 and shown in outcome.output, f"{what}: {' '.join(command)[:20]}",
                           f"{outcome.status} {outcome.output[:200]!r} {outcome.errors}")

            shown(b"/kept.md\n/large.bin\n/note.md\n", "list")
            shown(b"2 with contents on the server only", "status")
            shown(note, "cat", "/note.md")
            shown(large, "cat", "/large.bin")
            shown(b"/note.md:words", "search", "--fetch", "words")
            shown(b"/kept.md\n", "links", "/note.md")
            shown(b"-a text\n+words", "diff", "/note.md")
            old = device.run("history", "/note.md", may_fail=True).output.decode().splitlines()[-1].split()[0]
            shown(before, "cat", "/note.md", "--version", old)
            elsewhere = self.folder / "unwritten copy"
            outcome = device.run("export", "/", elsewhere, may_fail=True)
            self.check(outcome.status == PARTIAL and "cannot remember" in outcome.errors and "left out" not in outcome.errors,
                       f"{what}: export says that it is not remembered", f"{outcome.status} {outcome.errors}")
            self.check((elsewhere / "note.md").read_bytes() == note and (elsewhere / "large.bin").read_bytes() == large
                       and (elsewhere / "kept.md").read_bytes() == b"kept\n", f"{what}: and writes all")
            for command in (["write", "/note.md"], ["sync"]):
                outcome = device.run(*command, text=b"lost?", may_fail=True)
                self.check(outcome.status == STORE and outcome.errors.count("error: ") == 1, f"{what}: {command[0]} is refused",
                           f"{outcome.status} {outcome.errors}")
            for path, mode in modes.items():
                path.chmod(mode)
            device.wrap = []
            device.sync("--full")
            self.sound(device, what)

    def full_disk_of_a_server(self) -> None:
        what = "server's full disk"
        disk = Disk(self.folder / "small server", 48)
        try:
            with stage.Server(disk.path / "data") as server:
                laptop, phone = stage.Device(self.folder, "full laptop 2"), stage.Device(self.folder, "full phone 2")
                laptop.run("account", "new", "alice", "--server", server.url)
                laptop.run("write", "/kept.md", text=b"kept\n")
                laptop.sync()
                phone.join(laptop, server.url)
                phone.sync()
                laptop.run("import", "--quiet", self.notes, "/theirs")
                for number in range(20):
                    laptop.run("write", f"/small {number}.md", text=os.urandom(2000))
                disk.fill(server)
                outcome = laptop.run("sync", may_fail=True)
                self.refused(outcome, OFFLINE, "disk is full", f"{what}: sync says so")
                outcome = phone.run("sync", may_fail=True)
                self.check(outcome.status == 0, f"{what}: who only reads is served", outcome.errors)
                self.check(phone.run("list").output == b"/kept.md\n", f"{what}: nothing of the push is in the tree")
                outcome = stage.Device(self.folder, "full new").run("account", "new", "bob", "--server", server.url, may_fail=True)
                self.check("disk is full" in outcome.errors and "24 words" in outcome.errors,
                           f"{what}: account new says so, and makes it here", f"{outcome.status} {outcome.errors}")
                disk.free()
                outcome = laptop.run("sync", may_fail=True)
                self.check(outcome.status == 0, f"{what}: with room again the push goes on", outcome.errors)
                phone.sync("--full")
                self.same_as(phone, "/theirs", self.notes, what)
                self.sound(phone, what)
                if disk.is_mounted:
                    self.content_without_room(disk, laptop, phone)
        finally:
            disk.close()

    def content_without_room(self, disk: Disk, laptop: stage.Device, phone: stage.Device) -> None:
        what = "a content that the server's disk has no room for"
        laptop.run("write", "/large.bin", text=os.urandom(60 * MEGABYTE))
        laptop.run("write", "/c.md", text=b"c\n")
        outcome = laptop.run("sync", may_fail=True)
        self.check(outcome.status == PARTIAL and b"has no room for this content" in outcome.output, f"{what} is not sent",
                   f"{outcome.status} {outcome.output.decode()} {outcome.errors}")
        phone.sync()
        self.check(phone.run("cat", "/c.md").output == b"c\n", f"{what} keeps nothing else from being synced")
        uploads = list((disk.path / "data" / "blobs" / "uploads").iterdir())
        self.check(not uploads, f"{what}: no part of it stays there", str(uploads))
        laptop.run("delete", "--permanent", "--force", "/large.bin")
        outcome = laptop.run("sync", may_fail=True)
        self.check(outcome.status == 0, f"{what}, purged, is in nobody's way", outcome.errors)

    def full_disk_of_a_server_that_starts(self) -> None:
        what = "a server that is started on a full disk"
        disk = Disk(self.folder / "starting disk", 48)
        try:
            if not disk.is_mounted:
                return
            # What the server says goes elsewhere.
            data = self.folder / "starting server"
            (disk.path / "data").mkdir()
            data.symlink_to(disk.path / "data")
            laptop, phone = stage.Device(self.folder, "starting laptop"), stage.Device(self.folder, "starting phone")
            with stage.Server(data) as server:
                laptop.run("account", "new", "alice", "--server", server.url)
                laptop.run("write", "/kept.md", text=b"kept\n")
                laptop.sync()
            disk.fill()
            with stage.Server(data) as server:
                phone.join(laptop, server.url)
                phone.sync()
                self.check(phone.run("cat", "/kept.md").output == b"kept\n", f"{what} gives out what it has")
        finally:
            disk.close()

    # Rights

    def rights(self) -> None:
        with self.two("rights") as (server, proxy, laptop, phone):
            laptop.run("write", "/mine.md", text=b"mine\n")

            def mode(path: Path) -> int:
                return stat.S_IMODE(path.stat().st_mode)

            laptop.path.chmod(0o755)
            for path in laptop.path.iterdir():
                path.chmod(0o644)
            self.check(laptop.run("list").status == 0 and mode(laptop.path) == 0o700, "wide modes: the folder is mended")
            self.check(mode(laptop.path / "account.json") == 0o600, "wide modes: the key file is mended")

            key = laptop.path / "account.json"
            away = self.folder / "key elsewhere"
            key.rename(away)
            key.symlink_to(away)
            outcome = laptop.run("list", may_fail=True)
            self.refused(outcome, STORE, "no file of this user", "a key file that is a link is refused")
            key.unlink()
            away.rename(key)
            if os.geteuid() == 0 and os.environ.get(INSIDE) != "user":
                os.chown(key, 65534, 65534)
                outcome = laptop.run("list", may_fail=True)
                self.refused(outcome, STORE, "no file of this user", "a key file of somebody else is refused")
                os.chown(key, 0, 0)

            ordinary = ORDINARY if os.geteuid() == 0 else []
            laptop.path.chmod(0o500)
            laptop.wrap = ordinary
            for command in (["write", "/mine.md"], ["new", "/x.md"], ["sync"]):
                outcome = laptop.run(*command, text=b"lost?", may_fail=True)
                self.check(outcome.status == STORE and outcome.errors.count("error: ") == 1
                           and ("cannot be written" in outcome.errors or "denied" in outcome.errors.lower()),
                           f"read-only folder: {command[0]} says so", f"{outcome.status} {outcome.errors}")
            outcome = laptop.run("cat", "/mine.md", may_fail=True)
            self.check(outcome.status == 0 and outcome.output == b"mine\n",
                       "read-only folder: cat reads on", f"{outcome.status} {outcome.errors}")
            laptop.wrap = []
            laptop.path.chmod(0o700)
            self.check(laptop.run("cat", "/mine.md").output == b"mine\n", "read-only folder: afterwards all is there")
            self.sound(laptop, "read-only folder")

            folder = self.folder / "closed"
            folder.mkdir(mode=0o500)
            device = stage.Device(folder, "new")
            device._scratch, device.wrap = self.folder, ordinary
            outcome = device.run("account", "new", "bob", "--server", proxy.url, may_fail=True)
            self.refused(outcome, STORE, "ermission denied", "an account where nothing can be made")

            unreadable = self.folder / "unreadable"
            shutil.copytree(self.notes / "0", unreadable)
            (unreadable / "secret.md").write_text("secret")
            (unreadable / "secret.md").chmod(0)
            (unreadable / "closed").mkdir(mode=0)
            laptop.wrap = ordinary
            outcome = laptop.run("import", unreadable, "/", may_fail=True)
            self.refused(outcome, PARTIAL, "2 things left out", "import of what cannot be read")
            self.check("secret.md" in outcome.errors and "closed" in outcome.errors, "import of what cannot be read: each is named", outcome.errors)
            laptop.wrap = []
            (unreadable / "secret.md").unlink()
            laptop.run("delete", "-f", "/unreadable/secret.md", "/unreadable/closed")
            (unreadable / "closed").rmdir()
            self.same_as(laptop, "/unreadable", unreadable, "import of what cannot be read")
            target = self.folder / "read-only target"
            target.mkdir(mode=0o500)
            laptop.wrap = ordinary
            outcome = laptop.run("export", "/unreadable", target, may_fail=True)
            self.check(outcome.status in (STORE, PARTIAL) and "ermission denied" in outcome.errors, "export to where nothing can be written",
                       f"{outcome.status} {outcome.errors}")
            laptop.wrap = []

        for data in (self.folder / "closed" / "server", self.folder / "plain file" / "server"):
            (self.folder / "plain file").touch()
            outcome = subprocess.run([*ordinary, stage.program("lockbook-server"), "serve", "--listen", "127.0.0.1:0", "--data", data],
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.check(outcome.returncode == STORE and outcome.stderr.count("lockbook-server: error: ") == 1 and str(data) in outcome.stderr,
                       f"a server whose data cannot be in {data.parent.name} says so", f"{outcome.returncode} {outcome.stderr}")

    def key_that_stays(self) -> None:
        """What a logout cannot remove is told as that, and all else goes."""
        device = stage.Device(self.folder, "key that stays")
        device.run("account", "new", "alice")
        left = device.path / "account.json.leaving"
        device.wrap = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", str(left), "-e", "inject=unlink,unlinkat:error=EIO"]
        outcome = device.run("account", "logout", "--force", may_fail=True)
        self.refused(outcome, STORE, "removing what it left failed", "logout: a key that stays is told")
        self.check(str(left) in outcome.errors and str(device.path) in outcome.errors, "logout: it is named", outcome.errors)
        names = sorted(path.name for path in device.path.iterdir())
        self.check(names == [left.name], "logout: nothing else is kept", str(names))

    def no_threads(self) -> None:
        """As under a service's or a container's limit."""
        what = "no thread can be made"
        folder, user = self.folder / what, 47_123
        # Root is under no such limit.
        is_root = os.geteuid() == 0 and os.environ.get(INSIDE) != "user"
        other = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if is_root else []
        wrap = ["timeout", "-s", "KILL", f"{PATIENCE}", "env", f"HOME={folder}", *other, "prlimit", "--nproc=1"]
        with stage.Server(folder / "server") as server:
            laptop = stage.Device(folder, "laptop")
            laptop.run("account", "new", "alice", "--server", server.url)
            laptop.run("write", "/a.md", text=b"a #tag\n")
            laptop.run("import", self.notes, "/")
            laptop.sync()
        exported = folder / "exported"
        exported.mkdir()
        if is_root:
            self.folder.chmod(0o711)
            for path in (folder, *folder.rglob("*")):
                os.chown(path, user, user, follow_symlinks=False)
        laptop.wrap = wrap
        for command in (["list"], ["status"], ["cat", "/a.md"], ["jot", "b"], ["search", "a"], ["tags"], ["export", "/", exported],
                        ["import", self.notes, "/again"], ["debug", "validate"]):
            outcome = laptop.run(*command, may_fail=True)
            self.check(outcome.status == 0, f"{what}: {command[0]} does its work", f"{outcome.status} {outcome.errors}")
        for command in (["sync"], ["sync", "--dry-run"]):
            self.refused(laptop.run(*command, may_fail=True), STORE, "may not make as many threads", f"{what}: {command} says so")
        outcome = laptop.run("history", "/a.md", may_fail=True)
        self.check(outcome.status == 0 and "too few threads" in outcome.errors, f"{what}: history shows what is here",
                   f"{outcome.status} {outcome.errors}")
        for command in ("check", "serve"):
            program = [*wrap, stage.program("lockbook-server"), command, "--data", folder / "server"]
            ended = subprocess.run(program, capture_output=True, text=True)
            self.check(ended.returncode == STORE and "may not make as many threads" in ended.stderr,
                       f"{what}: the server's {command} says so", f"{ended.returncode} {ended.stderr}")

    def many_connections(self) -> None:
        """Connections, for which no account is needed, leave a server what it has to open besides."""
        what = "more connections than a server may hold files open"
        count, others = 300, 128 + 8 * os.sysconf("SC_NPROCESSORS_ONLN")
        limit, folder = count + others, self.folder / "connections"
        with stage.Server(folder / "server", wrap=["prlimit", f"--nofile={limit}"]) as server, contextlib.ExitStack() as all_of_them:
            laptop = stage.Device(folder, "laptop")
            laptop.run("account", "new", "alice", "--server", server.url)
            laptop.run("write", "/large.bin", text=os.urandom(300_000))
            for _ in range(limit):
                connection = all_of_them.enter_context(socket.socket())
                connection.setblocking(False)
                connection.connect_ex(("127.0.0.1", server.port))

            def open_files() -> int:
                return len(os.listdir(f"/proc/{server.process}/fd"))

            until(lambda: open_files() > count, "the server has taken as many connections as it may")
            # It takes whatever more it takes meanwhile.
            self.sound(laptop, what)
            self.check(open_files() < limit - 64, f"{what}: it keeps some for itself", f"{open_files()} of {limit}")
            all_of_them.close()
            outcome = laptop.run("sync", may_fail=True)
            self.check(outcome.status == 0, f"{what}: it goes on", f"{outcome.status} {outcome.errors}")
        program = ["timeout", "-s", "KILL", f"{PATIENCE}", "prlimit", "--nofile=64", stage.program("lockbook-server"), "serve", "--data", folder / "few"]
        ended = subprocess.run(program, capture_output=True, text=True)
        self.check(ended.returncode == STORE and "may not hold as many files open" in ended.stderr,
                   "a server that may open next to nothing says so", f"{ended.returncode} {ended.stderr}")

    def unreadable_content_of_a_server(self) -> None:
        """As when the file of a content was put back by another user."""
        what = "a content that the server may not read"
        wrap = ORDINARY if os.geteuid() == 0 else []
        with stage.Server(self.folder / "unreadable content" / "server", wrap=wrap) as server:
            laptop, phone = (stage.Device(self.folder, f"unreadable {name}") for name in ("laptop", "phone"))
            laptop.run("account", "new", "alice", "--server", server.url)
            paths = [f"/{number}.bin" for number in range(3)]
            for path in paths:
                laptop.run("write", path, text=os.urandom(300_000))
            laptop.sync()
            phone.join(laptop, server.url)
            file = next(path for path in sorted((server.data / "blobs").rglob("*")) if path.is_file())
            file.chmod(0)
            outcome = phone.run("sync", may_fail=True)
            self.check(outcome.status == INTEGRITY and "does not have a content" in outcome.errors, f"{what} is told of",
                       f"{outcome.status} {outcome.errors}")
            server.wait_for_log(f"file={file.name} reason=open: Permission denied")
            read = [path for path in paths if phone.run("cat", path, may_fail=True).status == 0]
            self.check(len(read) == 2, f"{what} keeps no other from coming", str(read))
            file.chmod(0o600)
            outcome = phone.run("sync", may_fail=True)
            self.check(outcome.status == 0 and all(phone.run("cat", path).status == 0 for path in paths), f"{what} comes when it may",
                       f"{outcome.status} {outcome.errors}")

    def slow_sender(self) -> None:
        """Who sends a body slowly, for which no account is needed, keeps no server from its end."""
        what = "a server that is told to stop while a body drips in"
        with stage.Server(self.folder / "slow sender" / "server") as server:
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                # The answer to the first says that the second one has begun.
                connection.sendall(b"GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n"
                                   b"POST /v1/stage HTTP/1.1\r\nHost: x\r\nContent-Length: 30000000\r\n\r\nx")
                self.check(connection.recv(1000).startswith(b"HTTP/1.1 200"), f"{what}: it answers before")

                def drip() -> None:
                    with contextlib.suppress(OSError):
                        while True:
                            connection.sendall(bytes(2000))
                            time.sleep(0.5)

                threading.Thread(target=drip, daemon=True).start()
                server.tell_to_stop()
                status = server.status(PATIENCE)
                self.check(status == 0, f"{what} ends", f"{status}")

    # Other processes

    def second_process(self) -> None:
        what = "during a sync"
        with self.two("second") as (_, proxy, laptop, phone):
            laptop.run("write", "/before.md", text=b"before\n")
            held, go_on = threading.Event(), threading.Event()

            def hold(data: bytes, going: str) -> bytes:
                if going == "sent" and b"/v1/push" in data and not held.is_set():
                    held.set()
                    go_on.wait(PATIENCE)
                return data

            proxy.change = hold
            first = laptop.start("sync", "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            try:
                self.check(held.wait(PATIENCE), f"{what}: the push is under way")
                self.check(laptop.run("new", "/new.md", may_fail=True).status == 0, f"{what}: new works")
                self.check(laptop.run("write", "/before.md", text=b"changed\n", may_fail=True).status == 0, f"{what}: the pushed note is changed")
                self.check(laptop.run("stream", "in", "/stream.md", text=b"streamed\n", may_fail=True).status == 0, f"{what}: stream in works")
                self.check(laptop.run("list").output == b"/before.md\n/kept.md\n/new.md\n/stream.md\n", f"{what}: list shows all")
                self.check(b"new /stream.md" in laptop.run("status", "--porcelain").output, f"{what}: status works")
                outcome = laptop.run("account", "logout", "--force", may_fail=True)
                self.refused(outcome, BUSY, "another process is at work", f"{what}: logout is refused")
                second = laptop.start("sync", "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.check(first.poll() is None and second.poll() is None, f"{what}: a second sync waits for the first")
            finally:
                go_on.set()
            ends = [process.communicate(timeout=PATIENCE) for process in (first, second)]
            for process, (output, errors), name in ((first, ends[0], "first"), (second, ends[1], "second")):
                self.check(process.returncode == 0, f"{what}: the {name} sync ends well", errors.decode())
            pushed = [set(json.loads(output)["pushed"]) for output, _ in ends]
            self.check({"/new.md", "/stream.md", "/before.md"} <= pushed[0] | pushed[1], f"{what}: what was written meanwhile is pushed", str(pushed))
            self.check(not laptop.run("status", "--porcelain").output, f"{what}: nothing is left to sync")
            phone.sync()
            for path, text in (("/before.md", b"changed\n"), ("/stream.md", b"streamed\n"), ("/new.md", b"")):
                self.check(phone.run("cat", path).output == text, f"{what}: {path} arrives")
            self.sound(laptop, what)

    # Clocks

    def clocks(self) -> None:
        for name, shift in (("fast", "+7h"), ("slow", "-26h"), ("years ahead", "+4000d")):
            what = f"clock {name}"
            with self.two(name) as (_, proxy, laptop, phone):
                phone.wrap = ["faketime", "-f", shift]
                phone.run("write", "/there.md", text=b"there\n")
                modified = json.loads(phone.run("list", "--json", "/there.md").output)[0]["modified"] / 1000
                self.check(abs(modified - time.time()) > 6 * 3600, f"{what}: it is so for the program", str(modified))
                outcome = phone.run("sync", may_fail=True)
                self.check(outcome.status == 0, f"{what}: sync works", outcome.errors)
                laptop.run("write", "/here.md", text=b"here\n")
                laptop.sync()
                self.check(laptop.run("cat", "/there.md").output == b"there\n", f"{what}: the other device has the note")
                phone.sync()
                traffic = phone.sync()["traffic"]
                self.check(traffic["requests"] == 1, f"{what}: it is asked once, not at every request", str(traffic))
                phone.wrap = []
                outcome = phone.run("sync", may_fail=True)
                self.check(outcome.status == 0 and phone.run("cat", "/here.md").output == b"here\n", f"{what}: and when it is set right", outcome.errors)
                new = stage.Device(self.folder, f"{name} new")
                new.wrap = ["faketime", "-f", shift]
                new.join(laptop, proxy.url)
                new.sync()
                self.check(new.run("cat", "/there.md").output == b"there\n", f"{what}: a new device joins")
                outcome = new.run("account", "logout", may_fail=True)
                stays = "the account stays" in outcome.errors and new.run("cat", "/there.md").output == b"there\n"
                self.check(outcome.status == 15 and stays, f"{what}: nobody is there to ask, and the account stays", outcome.errors)
                new.run("account", "logout", "--force")
                new.run("account", "new", f"bob-{shift.strip('+-')}", "--server", proxy.url)
                outcome = new.run("account", "status", "--json")
                self.check(json.loads(outcome.output)["registered"], f"{what}: account new registers")
                self.sound(phone, what)

    # Ctrl-C

    def interrupted(self, process: subprocess.Popen, what: str, number: signal.Signals = signal.SIGINT) -> None:
        process.send_signal(number)
        try:
            status = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = "nothing, it did not end"
        # What a shell shows as 130 for Ctrl-C: ended by the signal.
        self.check(status in (-number, 128 + number), f"{what} ends at once", str(status))

    def ctrl_c(self) -> None:
        with self.two("ctrl-c") as (_, proxy, laptop, phone):
            blobs = laptop.path / "blobs"

            def parts(folder: Path) -> int:
                return sum(1 for path in folder.rglob("*") if path.is_file()) if folder.exists() else 0

            for number, name in ((signal.SIGTERM, "SIGTERM"), (signal.SIGHUP, "SIGHUP"), (signal.SIGINT, "Ctrl-C")):
                begun = parts(blobs) + 6
                target = "/notes" if number == signal.SIGINT else f"/{name}"
                importing = laptop.start("import", self.notes, target, stderr=subprocess.PIPE)
                until(lambda: parts(blobs) >= begun or importing.poll() is not None, "an import that writes")
                self.check(importing.poll() is None, f"{name}: the import is in the middle")
                self.interrupted(importing, f"{name}: import", number)
                told = importing.stderr.read().decode()
                self.check("lockbook: interrupted: " in told and " of the disk are in and stay; the same command goes on" in told,
                           f"{name}: an import tells what stays", told)
                self.sound(laptop, f"{name}: import")
                if number != signal.SIGINT:
                    laptop.run("delete", "-f", "-r", target)
            for file in json.loads(laptop.run("list", "-r", "--json", "/").output):
                if file["type"] == "document" and file["path"].startswith("/notes/"):
                    source = self.notes / file["path"].removeprefix("/notes/")
                    self.check(laptop.run("cat", file["path"]).output == source.read_bytes(), f"Ctrl-C: import, {file['path']} is whole")
            laptop.run("import", "--quiet", f"{self.notes}/.", "/notes")
            self.same_as(laptop, "/notes", self.notes, "Ctrl-C: import again")

            # While a push sends, and while a pull receives.
            for device, direction, share, name in ((laptop, "sent", 0.4, "push"), (phone, "received", 0.4, "pull")):
                total, passed = sum(path.stat().st_size for path in self.notes.rglob("*.bin")), 0
                enough, go_on = threading.Event(), threading.Event()

                def hold(data: bytes, going: str) -> bytes:
                    nonlocal passed
                    if going == direction:
                        passed += len(data)
                        if passed > share * total and not enough.is_set():
                            enough.set()
                            go_on.wait(PATIENCE)
                    return data

                proxy.change = hold
                syncing = device.start("sync", stderr=subprocess.DEVNULL)
                self.check(enough.wait(PATIENCE) and syncing.poll() is None, f"Ctrl-C: the {name} is in the middle")
                self.interrupted(syncing, f"Ctrl-C: sync, {name}")
                go_on.set()
                proxy.change = None
                self.sound(device, f"Ctrl-C: sync, {name}")
                if device is laptop:
                    phone.sync()
                    self.check(phone.run("list").output == b"/kept.md\n", "Ctrl-C: nothing of half a push is in the tree")
                outcome = device.run("sync", may_fail=True)
                self.check(outcome.status == 0, f"Ctrl-C: sync again after the {name}", outcome.errors)
            self.same_as(phone, "/notes", self.notes, "Ctrl-C: sync")
            for device in (laptop, phone):
                # A sync takes away what is older than an hour; younger, another process may be at it.
                for path in (device.path / "blobs").iterdir():
                    os.utime(path, (time.time() - 7200,) * 2)
                device.run("write", "/kept.md", text=device.name.encode())
                device.sync()
                stray = [path.name for path in (device.path / "blobs").iterdir() if path.name.startswith(("new-", "part-"))]
                self.check(not stray, f"Ctrl-C: nothing half is left on {device.name}", str(stray))

            above = self.folder / "exported"
            above.mkdir()
            target = above / "notes"
            exporting = laptop.start("export", "/notes", above, stderr=subprocess.DEVNULL)
            until(lambda: parts(target) >= 4 or exporting.poll() is not None, "an export that writes")
            self.check(exporting.poll() is None, "Ctrl-C: the export is in the middle")
            self.interrupted(exporting, "Ctrl-C: export")
            for path in target.rglob("*.bin"):
                if any(part.startswith(".lockbook-export.") for part in path.parts):
                    continue
                source = self.notes / path.relative_to(target)
                self.check(path.read_bytes() == source.read_bytes(), f"Ctrl-C: export, {path.name} is whole")
            outcome = laptop.run("export", "--quiet", "/notes", above, may_fail=True)
            found = stage.differences(self.notes, target)
            self.check(outcome.status == 0 and not found, "Ctrl-C: export again ends what was begun", outcome.errors + found)

            self.at_the_prompt(laptop)

    def at_the_prompt(self, device: stage.Device) -> None:
        """Ctrl-C while a key is typed: the terminal must echo again."""
        process, terminal = pty.fork()
        if process == 0:
            os.execve(stage.program("lockbook"), ["lockbook", "account", "export", "--check"], device.environment())
        said = b""
        while b"words: " not in said:
            said += os.read(terminal, 1000)
        until(lambda: not termios.tcgetattr(terminal)[3] & termios.ECHO, "a prompt that hides what is typed")
        os.write(terminal, b"abandon\x03")
        _, status = os.waitpid(process, 0)
        self.check(os.waitstatus_to_exitcode(status) in (-signal.SIGINT, 130), "Ctrl-C: at the prompt", str(os.waitstatus_to_exitcode(status)))
        self.check(bool(termios.tcgetattr(terminal)[3] & termios.ECHO), "Ctrl-C: at the prompt, the terminal echoes again")
        os.close(terminal)

    def import_at_a_terminal(self) -> None:
        """The words in three lines at the hidden prompt."""
        with self.two("typed") as (_, proxy, laptop, _):
            words = laptop.run("account", "export", "--phrase").output.split()
            device = stage.Device(self.folder, "typed new")
            process, terminal = pty.fork()
            if process == 0:
                os.execve(stage.program("lockbook"), ["lockbook", "account", "import", "--server", proxy.url], device.environment())
            said = b""
            for line in (words[:8], words[8:16], words[16:]):
                asked = said.count(b"words: ")
                while said.count(b"words: ") == asked:
                    said += os.read(terminal, 1000)
                until(lambda: not termios.tcgetattr(terminal)[3] & termios.ECHO, "a prompt that hides what is typed")
                os.write(terminal, b" ".join(line) + b"\n")
            with contextlib.suppress(OSError):
                while piece := os.read(terminal, 1000):
                    said += piece
            _, status = os.waitpid(process, 0)
            os.close(terminal)
            self.check(os.waitstatus_to_exitcode(status) == 0, "account import at a terminal", said.decode("utf-8", "replace"))
            self.check(words[3] + b" " + words[4] not in said, "account import at a terminal: the words are not shown")
            self.check(b"the account alice is on this device" in said, "account import at a terminal says what it did", said.decode("utf-8", "replace"))
            device.sync()

    def pasted_phrase(self) -> None:
        """The words at the hidden prompt in one paste, in whatever form: none of them gets to the shell behind it."""
        with self.two("pasted") as (_, _, laptop, _):
            words = laptop.run("account", "export", "--phrase").output.decode().split()
            numbered = [f"{number:2} {word:<11}" for number, word in enumerate(words, 1)]
            rows = ["".join(numbered[start:start + 4]) for start in range(0, 24, 4)]
            right = "this is the key of the account alice"
            for form, lines, sentence in (
                ("as it is shown", rows, right), ("one by one", words, right),
                ("as a list", [f"{number}. {word}" for number, word in enumerate(words, 1)], right),
                ("with empty lines", "\n\n".join(words).split("\n"), right),
                ("with a line too many", [*rows, "the-rest"], right),
                ("mistyped, with a line too many", [*rows[:5], "zoo zoo zoo zoo", "the-rest"], "but not in this order"),
                ("as the key, with a line too many", [laptop.run("account", "export").output.decode().strip(), "the-rest"], right),
            ):
                said = self.paste("\n".join(lines) + "\n", laptop)
                self.check(sentence in said, f"pasted, {form}: it is read", said)
                self.check("behind it: the-end\r\n" in said, f"pasted, {form}: nothing is left for the shell", said)
                # What is said around them has words of the list too: `word`, `this`, `account`.
                shown = set(said.replace("words: ", "\n").splitlines())
                self.check(not shown.intersection(lines) - {""}, f"pasted, {form}: nothing is shown", said)

    def paste(self, text: str, device: stage.Device) -> str:
        """What a terminal shows when this is pasted at the prompt, and `the-end` typed at what runs behind it."""
        process, terminal = pty.fork()
        if process == 0:
            behind = '"$0" account export --check; echo ended; read -r line; echo "behind it: $line"'
            os.execve("/bin/sh", ["sh", "-c", behind, str(stage.program("lockbook"))], device.environment())
        said = b""
        while b"words: " not in said:
            said += os.read(terminal, 1000)
        until(lambda: not termios.tcgetattr(terminal)[3] & termios.ECHO, "a prompt that hides what is typed")
        os.write(terminal, text.encode())
        while b"ended" not in said:
            said += os.read(terminal, 1000)
        os.write(terminal, b"the-end\n")
        with contextlib.suppress(OSError):
            while piece := os.read(terminal, 1000):
                said += piece
        os.waitpid(process, 0)
        os.close(terminal)
        return said.decode("utf-8", "replace")

    # Input

    def end_of_input(self) -> None:
        """Ctrl-D instead of an answer."""
        with self.two("end of input") as (_, _, laptop, _):
            laptop.run("write", "/notes/a.md", text=b"a\n")
            for typed in (b"n\n", b"\x04", b"y\x04\x04"):
                status, said = laptop.ask(typed, "rm", "/notes")
                self.check(status == FAILED, f"a question is answered with {typed!r}: no", f"{status} {said}")
                self.check(said.splitlines()[1:] == ["lockbook: \x1b[1;31merror:\x1b[0m nothing was deleted"], f"a question is answered with {typed!r}: said on a line of its own", said)
                self.check(laptop.run("cat", "/notes/a.md").output == b"a\n", f"a question is answered with {typed!r}: the note is there")
            status, said = laptop.ask(b"y\n", "rm", "/notes")
            self.check(status == 0 and said.endswith("[y/N] y\r\n"), "a question is answered with yes", f"{status} {said}")

    def stopped_question(self) -> None:
        """Who comes back to a command that was stopped sees what it asks."""
        with self.two("stopped") as (_, _, laptop, _):
            laptop.run("write", "/notes/a.md", text=b"a\n")
            process, terminal = pty.fork()
            if process == 0:
                os.execve(stage.program("lockbook"), ["lockbook", "rm", "/notes"], laptop.environment())
            said = b""
            for questions in (1, 2):
                while said.count(b"[y/N] ") < questions:
                    said += os.read(terminal, 1000)
                if questions == 1:
                    state = Path(f"/proc/{process}/stat")
                    until(lambda: state.read_text().rpartition(") ")[2][0] == "S", "a question that is waited for")
                    os.kill(process, signal.SIGSTOP)
                    os.waitpid(process, os.WUNTRACED)
                    os.kill(process, signal.SIGCONT)
            self.check(True, "a question is asked again behind a stop")
            os.write(terminal, b"y\n")
            with contextlib.suppress(OSError):
                while piece := os.read(terminal, 1000):
                    said += piece
            _, status = os.waitpid(process, 0)
            os.close(terminal)
            self.check(os.waitstatus_to_exitcode(status) == 0, "and answered", said.decode("utf-8", "replace"))

    def closed_input(self) -> None:
        with self.two("input") as (_, proxy, laptop, _):
            laptop.wrap = ["sh", "-c", 'exec "$@" <&-', "sh"]
            for command, status in ((["account", "export", "--check"], 74), (["rm", "/none"], 3), (["list"], 0), (["sync"], 0),
                                    (["write", "/emptied.md"], 74), (["edit", "/kept.md", "--editor", "true"], 0), (["account", "export"], 0)):
                outcome = laptop.run(*command, may_fail=True)
                self.check(outcome.status == status, f"stdin closed: {' '.join(command)}", f"{outcome.status} {outcome.errors}")
            new = stage.Device(self.folder, "input new")
            for closing, status, sentence in (("<&-", 74, "it is closed"), ("</dev/null", BAD_INPUT, "this is not the key")):
                new.wrap = ["sh", "-c", f'exec "$@" {closing}', "sh"]
                outcome = new.run("account", "import", "--server", proxy.url, may_fail=True)
                self.refused(outcome, status, sentence, f"stdin {closing}: account import")
                self.check(not new.path.exists(), f"stdin {closing}: nothing was made")

    def same_phrase_twice(self) -> None:
        with self.two("twice") as (_, proxy, laptop, phone):
            phone.run("write", "/mine.md", text=b"mine\n")
            words = laptop.run("account", "export", "--phrase").output
            before = phone.run("status", "--json").output
            for _ in range(2):
                outcome = phone.run("account", "import", "--server", proxy.url, text=words, may_fail=True)
                self.check(outcome.status == 0, "the same phrase again", outcome.errors)
            self.check(phone.run("status", "--json").output == before, "the same phrase again changes nothing")
            self.check(phone.run("cat", "/mine.md").output == b"mine\n", "the same phrase again: the note that was not synced is there")
            other = stage.Device(self.folder, "twice other")
            other.run("account", "new", "bob", "--server", proxy.url)
            outcome = phone.run("account", "import", "--server", proxy.url, text=other.run("account", "export", "--phrase").output, may_fail=True)
            self.refused(outcome, EXISTS, "the account alice is in", "another account's phrase")
            self.check(phone.run("status", "--json").output == before, "another account's phrase changes nothing")

    def silent_server(self) -> None:
        """One that takes every connection and says nothing: a sync tells what it waits for, where it may."""
        with self.two("silence") as (server, proxy, laptop, _):
            laptop.sync()
            with socket.create_server(("127.0.0.1", 0)) as silent:
                proxy.lead_to(silent.getsockname()[1])
                quiet = laptop.start("sync", "-q", stderr=subprocess.PIPE)
                loud = stage.Device(self.folder, "silence other")
                shutil.copytree(laptop.path, loud.path)
                told = loud.start("sync", "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                began = time.monotonic()
                line = told.stderr.readline()
                waited = time.monotonic() - began
            self.check(line.decode() == f"lockbook: waiting for {proxy.url} ...\n", "a silent server: sync says what it waits for", f"{line}")
            self.check(4 < waited < 50, "a silent server: it is said after some seconds", f"{waited}")
            for process, what in ((told, "sync --json"), (quiet, "sync -q")):
                output, errors = process.communicate(timeout=PATIENCE * 2)
                self.check(not output and b"waiting" not in errors, f"a silent server: {what} says no more of it", f"{output} {errors}")
                self.check(process.returncode == OFFLINE, f"a silent server: {what} ends as offline", f"{process.returncode}")
            proxy.lead_to(server.port)
            laptop.sync()

    def silent_server_asked(self) -> None:
        """Every command that asks such a server says what it waits for."""
        with self.two("asked") as (_, proxy, laptop, phone), socket.create_server(("127.0.0.1", 0)) as silent:
            laptop.run("write", "/a.md", text=b"a\n")
            laptop.sync()
            phone.wrap = ["env", "LOCKBOOK_LAZY_BYTES=0"]
            phone.sync()
            proxy.lead_to(silent.getsockname()[1])
            running = [(["search"], phone.start("search", "--fetch", "a", stderr=subprocess.PIPE))]
            for words in (["history", "/a.md"], ["diff", "/a.md"], ["share", "verify", "bob"],
                          ["account", "new", "zora", "--server", proxy.url]):
                # Those of one folder would ask one after the other.
                device = stage.Device(self.folder, f"asked {words[0]}")
                if words[0] != "account":
                    shutil.copytree(laptop.path, device.path)
                running.append((words, device.start(*words, stderr=subprocess.PIPE)))
            for words, process in running:
                line = process.stderr.readline()
                process.kill()
                process.communicate()
                self.check(
                    line.decode() == f"lockbook: waiting for {proxy.url} ...\n",
                    f"a silent server: {words[0]} says what it waits for",
                    f"{line}",
                )

    def another_process(self) -> None:
        """What waits for another process says so, and goes on when that one is done."""
        with self.two("in line") as (_, proxy, laptop, _):
            copy = self.folder / "in line copy"
            laptop.run("export", "/", copy)
            waits = [
                (["sync", "--json"], laptop.path / "sync.lock", fcntl.flock, "another sync of this account"),
                (["export", "/", copy, "--force"], laptop.path / "export.lock", fcntl.lockf, f"another export to {copy}"),
            ]
            held, running = [], []
            try:
                for words, path, take, _ in waits:
                    held.append(os.open(path, os.O_RDWR))
                    take(held[-1], fcntl.LOCK_EX)
                    running.append(laptop.start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
                lines = [process.stderr.readline() for process in running]
            finally:
                for lock in held:
                    os.close(lock)
            for (words, _, _, what), process, line in zip(waits, running, lines):
                # Not every file system tells which process has a lock.
                said = line.decode().replace(f", process {os.getpid()} ...", " ...")
                self.check(said == f"lockbook: waiting for {what} ...\n", f"another process: {words[0]} says what it waits for", f"{line}")
                output, errors = process.communicate(timeout=PATIENCE)
                self.check(process.returncode == 0 and b"waiting" not in errors, f"another process: {words[0]} goes on after it", f"{output} {errors}")

    def another_server(self) -> None:
        with self.two("address") as (server, proxy, laptop, phone):
            laptop.run("write", "/mine.md", text=b"mine\n")
            with stage.Server(self.folder / "foreign server") as foreign:
                other = stage.Device(self.folder, "foreign alice")
                other.run("account", "new", "alice", "--server", foreign.url)
                proxy.lead_to(foreign.port)
                outcome = laptop.run("sync", may_fail=True)
                self.refused(outcome, REFUSED, "has no account with this key", "a server of another account")
                self.check(b"new /mine.md" in laptop.run("status", "--porcelain").output, "a server of another account: the note is there")
                outcome = stage.Device(self.folder, "foreign new").run(
                    "account", "import", "--server", proxy.url, text=laptop.run("account", "export").output, may_fail=True)
                self.refused(outcome, REFUSED, "has no account with this key", "a server of another account: account import")
            for name, answer in {"another program": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                                 "no HTTP at all": b"SSH-2.0-OpenSSH_9.2p1\r\n", "silence": b"",
                                 "a page of an error": b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
                                 "a proxy's limit": b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n",
                                 "a proxy that compresses": b"HTTP/1.1 200 OK\r\nLockbook-Version: 1\r\nContent-Encoding: gzip\r\n"
                                                            b"Content-Length: 2\r\n\r\n\x1f\x8b",
                                 "another address": b"HTTP/1.1 301 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"}.items():
                with Answering(answer) as port:
                    proxy.lead_to(port)
                    outcome = laptop.run("sync", may_fail=True)
                    self.refused(outcome, OFFLINE, proxy.url, f"not a lockbook server but {name}")
                    self.check("Error" not in outcome.errors and "(" not in outcome.errors.split("hint:")[0],
                               f"not a lockbook server but {name}: said in words", outcome.errors)
                    status = answer.split()[1].decode() if answer.startswith(b"HTTP") else ""
                    self.check(status == "200" or f"{status}\n" in outcome.errors,
                               f"not a lockbook server but {name}: with its status", outcome.errors)
            proxy.lead_to(server.port)
            laptop.sync()
            phone.sync()
            self.check(phone.run("cat", "/mine.md").output == b"mine\n", "with the right server again, the note arrives")


class Answering:
    """Something that answers every connection the same way and closes it."""

    def __init__(self, answer: bytes):
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))

    def __enter__(self) -> int:
        threading.Thread(target=self._run, daemon=True).start()
        return self._listener.getsockname()[1]

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(self._answer)

    def __exit__(self, *_: object) -> None:
        self._listener.close()


def may_mount() -> bool:
    """Goes on in a name space of its own, where there can be one."""
    if INSIDE in os.environ:
        return True
    if os.environ.get("NO_MOUNT"):
        return False
    for kind, options in (("root", ["-m"]), ("user", ["-U", "-r", "-m"])):
        probe = subprocess.run(["unshare", *options, "sh", "-c", "mount -t tmpfs none /mnt"], stderr=subprocess.DEVNULL)
        if probe.returncode == 0:
            os.environ[INSIDE] = kind
            os.execvp("unshare", ["unshare", *options, sys.executable, *sys.argv])
    return False


def main() -> int:
    tally = stage.Tally()
    if not may_mount():
        print("no disk can be mounted here: strace lets writes fail instead", flush=True)
    try:
        with stage.scratch("trouble") as folder:
            story = Story(folder, tally)
            tally.play(
                story.full_disk_of_a_client, story.full_disk_and_contents_at_the_server,
                story.read_only_folder_and_contents_at_the_server, story.full_disk_of_a_server, story.full_disk_of_a_server_that_starts, story.rights,
                story.key_that_stays, story.no_threads, story.many_connections, story.unreadable_content_of_a_server, story.slow_sender, story.second_process, story.clocks,
                story.ctrl_c, story.import_at_a_terminal, story.pasted_phrase, story.end_of_input, story.stopped_question,
                story.closed_input, story.same_phrase_twice, story.silent_server, story.silent_server_asked, story.another_process,
                story.another_server,
            )
    except OSError as failure:
        tally.check(False, "the script ran to its end", str(failure))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
