#!/usr/bin/env python3
"""Every exit status is provoked once, and the table of the man page is exactly these.

    LOCKBOOK, LOCKBOOK_SERVER     what is tested (else those of .build/release, else of .build/debug)

The last line on stdout is `N passed, N failed`.
"""

import fcntl
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True

import stage

LARGE = 300_000


class Stand:
    def __init__(self, folder: Path, server: stage.Server):
        self.folder, self.server = folder, server
        self.device = stage.Device(folder, "device")
        self.device.run("account", "new", "alice", "--server", server.url)
        self.device.run("write", "/a.md", text=b"a\n")
        self.device.run("write", "/large", text=os.urandom(LARGE))
        self.device.sync()

    def run(self, *words: str, text: bytes = b"", device: stage.Device | None = None) -> stage.Outcome:
        return (device or self.device).run(*words, text=text, may_fail=True)

    def fresh(self, name: str) -> stage.Device:
        return stage.Device(self.folder, name)

    def copy(self, name: str) -> stage.Device:
        shutil.copytree(self.device.path, self.folder / name)
        return self.fresh(name)


def taken(stand: Stand) -> stage.Outcome:
    return stand.run("account", "new", "alice", "--server", stand.server.url, device=stand.fresh("other"))


def conflict(stand: Stand) -> stage.Outcome:
    editor = stand.folder / "editor"
    program = stage.program("lockbook")
    editor.write_text(f"#!/bin/sh\necho elsewhere | '{program}' write /a.md\necho here >\"$1\"\n")
    editor.chmod(0o755)
    return stand.run("edit", "/a.md", "--editor", str(editor))


def partial(stand: Stand) -> stage.Outcome:
    source = stand.folder / "source"
    source.mkdir()
    (source / "good").write_text("good")
    os.mkfifo(source / "pipe")
    return stand.run("import", str(source), "/")


def rolled_back(stand: Stand) -> stage.Outcome:
    """The server is put back from a copy that was made before this device saw more."""
    with stage.Server(stand.folder / "old") as server, stage.Proxy(server.port) as proxy:
        device = stand.fresh("rolled")
        device.run("account", "new", "bob", "--server", proxy.url)
        device.sync()
        server.stop()
        shutil.copytree(stand.folder / "old", stand.folder / "copy")
        with stage.Server(stand.folder / "old") as again:
            proxy.lead_to(again.port)
            device.run("new", "/seen.md")
            device.sync()
        with stage.Server(stand.folder / "copy") as restored:
            proxy.lead_to(restored.port)
            return stand.run("sync", device=device)


def other_keys(stand: Stand) -> stage.Outcome:
    """A server gives another account's keys under the name of one that this device has met."""
    with stage.Server(stand.folder / "shares") as server, stage.Proxy(server.port) as proxy:
        alice, bob = stand.fresh("sharing"), stand.fresh("shared with")
        alice.run("account", "new", "alice", "--server", proxy.url)
        bob.run("account", "new", "bob", "--server", proxy.url)
        alice.run("new", "/one.md", "/two.md")
        alice.sync()
        alice.run("share", "new", "/one.md", "bob")
        alice.sync()
        server.stop()
        with stage.Server(stand.folder / "elsewhere") as elsewhere:
            stand.fresh("impostor").run("account", "new", "bob", "--server", elsewhere.url)
        columns = "account, request_key, signing_key, certificate"
        with sqlite3.connect(stand.folder / "elsewhere" / "server.sqlite") as there:
            row = there.execute(f"SELECT {columns} FROM account WHERE username = 'bob'").fetchone()
        with sqlite3.connect(stand.folder / "shares" / "server.sqlite") as here:
            here.execute(f"UPDATE account SET ({columns}) = (?, ?, ?, ?) WHERE username = 'bob'", row)
        with stage.Server(stand.folder / "shares") as again:
            proxy.lead_to(again.port)
            return stand.run("share", "new", "/two.md", "bob", device=alice)


def damaged(stand: Stand) -> stage.Outcome:
    device = stand.copy("damaged")
    blob = max((path for path in (device.path / "blobs").rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
    data = bytearray(blob.read_bytes())
    data[len(data) // 2] ^= 1
    blob.write_bytes(data)
    # With the server at hand it would be fetched again.
    account = device.path / "account.json"
    key = json.loads(account.read_text())
    key["server"] = "http://127.0.0.1:1"
    account.write_text(json.dumps(key))
    return stand.run("cat", "/large", device=device)


def busy(stand: Stand) -> stage.Outcome:
    with open(stand.device.path / "sync.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return stand.run("account", "logout", "--force")


def newer(stand: Stand) -> stage.Outcome:
    device = stand.copy("newer")
    with sqlite3.connect(device.path / "lockbook.db") as database:
        database.execute("PRAGMA user_version = 999")
    return stand.run("list", device=device)


def not_here(stand: Stand) -> stage.Outcome:
    device = stand.fresh("joined")
    device.join(stand.device, stand.server.url)
    return stand.run("list", device=device)


def guarded(stand: Stand) -> stage.Outcome:
    stand.run("new", "/unsynced")
    return stand.run("account", "logout")


def closed_output(stand: Stand) -> stage.Outcome:
    stand.device.wrap = ["sh", "-c", 'exec "$@" >&-', "sh"]
    try:
        return stand.run("list", "/")
    finally:
        stand.device.wrap = []


def interrupted(stand: Stand) -> stage.Outcome:
    process = stand.device.start("write", "/never", stdin=subprocess.PIPE)
    process.send_signal(signal.SIGINT)
    process.wait()
    return stage.Outcome(128 - process.returncode, b"", "", 0, 0)


WAYS: dict[int, tuple[str, Callable[[Stand], stage.Outcome]]] = {
    0: ("all is well", lambda stand: stand.run("list")),
    1: ("nothing is found", lambda stand: stand.run("search", "nowhere to be found")),
    3: ("there is no such file", lambda stand: stand.run("cat", "/nothing")),
    4: ("there is an account already", lambda stand: stand.run("account", "new", "alice")),
    5: ("there is no account", lambda stand: stand.run("list", device=stand.fresh("empty"))),
    6: ("there is no server", lambda stand: stand.run(
        "account", "import", "--server", "http://127.0.0.1:1", text=stand.run("account", "export").output,
        device=stand.fresh("offline"))),
    7: ("the name is taken", taken),
    8: ("an edit overlaps another one", conflict),
    9: ("one of two files cannot be imported", partial),
    10: ("the server forgot what it had shown", rolled_back),
    11: ("a content was changed on the disk, and no server is there", damaged),
    12: ("a sync is at work", busy),
    13: ("the data are of a newer version", newer),
    14: ("nothing was synced yet", not_here),
    15: ("changes would be lost", guarded),
    20: ("a name that was met has other keys", other_keys),
    64: ("there is no such command", lambda stand: stand.run("frobnicate")),
    65: ("a name cannot be", lambda stand: stand.run("new", "/..")),
    74: ("standard output is closed", closed_output),
    130: ("Ctrl-C", interrupted),
}


def main() -> int:
    tally = stage.Tally()
    source = (stage.REPOSITORY / "Sources/lockbook/Status.swift").read_text()
    known = {int(number) for number in re.findall(r"case \w+ = (\d+)", source)}
    tally.check(known == set(WAYS), "every status of the program has a way to it", str(known ^ set(WAYS)))
    page = (stage.REPOSITORY / "man/lockbook.1").read_text().split(".Sh EXIT STATUS")[1].split(".Sh")[0]
    listed = {int(number) for number in re.findall(r"^\.It (\d+)$", page, re.MULTILINE)}
    tally.check(known == listed, "the man page lists the same", str(known ^ listed))
    with stage.scratch("statuses") as folder, stage.Server(folder / "server") as server:
        stand = Stand(folder, server)
        for status, (what, way) in WAYS.items():
            outcome = way(stand)
            tally.check(outcome.status == status, f"{status}: {what}", f"{outcome.status}\n{outcome.errors}")
            if status not in (0, 1, 130):
                said = [line for line in outcome.errors.splitlines() if line.startswith("lockbook: error: ")]
                tally.check(len(said) == 1, f"{status} is told in one sentence", outcome.errors)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
