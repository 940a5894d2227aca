#!/usr/bin/env python3
"""Automatic syncs: a change here is on the server without anybody asking, and what failed or was decided can be seen.

    LOCKBOOK, LOCKBOOK_SERVER     what is tested (else those of .build/release, else of .build/debug)

Nothing waits for a time: what is waited for is what a device shows.

The last line on stdout is `N passed, N failed`.
"""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True

import stage

PATIENCE = 60.0


def until(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise stage.Failed(f"it did not come to this: {what}")
        time.sleep(0.02)


def status(device: stage.Device) -> dict:
    return json.loads(device.run("status", "--json").output)


def is_synced(device: stage.Device) -> bool:
    # A change is pushed before the sync has said its last word.
    return not status(device)["changes"] and not waits(device)


def at_work(device: stage.Device) -> list[Path]:
    """The processes that are at work for this device."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            environment = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[1:2] == [b"__sync"] and f"LOCKBOOK_PATH={device.path}".encode() in environment:
            found.append(entry)
    return found


def waits(device: stage.Device) -> bool:
    return bool(at_work(device))


def folders(processes: list[Path]) -> set[str]:
    found = set()
    for process in processes:
        with contextlib.suppress(OSError):
            found.add(os.readlink(process / "cwd"))
    return found


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("automatic") as folder, stage.Server(folder / "server") as server:
        (folder / "config" / "lockbook").mkdir(parents=True)
        (folder / "config" / "lockbook" / "config.toml").write_text("auto_sync = true\n")
        laptop, phone = stage.Device(folder, "laptop"), stage.Device(folder, "phone")
        laptop.wrap = ["env", f"XDG_CONFIG_HOME={folder / 'config'}"]
        phone.wrap = ["env", f"XDG_CONFIG_HOME={folder / 'nothing'}"]
        with stage.Proxy(server.port) as proxy:
            laptop.run("account", "new", "alice", "--server", proxy.url)
            phone.join(laptop, server.url)

            laptop.run("write", "/a.md", text=b"one\ntwo\nthree\n")
            until(lambda: is_synced(laptop), "a change is synced")
            phone.sync()
            tally.check(phone.run("cat", "/a.md").output == b"one\ntwo\nthree\n", "a change is on another device")

            for number in range(20):
                laptop.run("new", f"/many/{number}.md")
            laptop.run("jot", "a", "line")
            laptop.run("move", "/many", "/moved")
            until(lambda: is_synced(laptop), "many changes are synced")
            phone.sync()
            listed = phone.run("list", "/moved").output.split()
            tally.check(len(listed) == 20, "every one of many changes is on another device", str(len(listed)))
            phone.run("write", "/unasked.md", text=b"x")
            tally.check(not waits(phone) and status(phone)["changes"] != [], "nothing is synced that is not configured")
            phone.run("delete", "/unasked.md")

            laptop.run("delete", "/moved/0.md")
            until(lambda: is_synced(laptop), "a deletion is synced")
            laptop.run("trash", "restore", "/moved/0.md")
            until(lambda: is_synced(laptop), "what came out of the trash is synced")
            phone.sync()
            outcome = phone.run("cat", "/moved/0.md", may_fail=True)
            tally.check(outcome.status == 0, "what came out of the trash is on another device", outcome.errors)

            # It keeps nothing that the command was started with, and finds what that was told of in its folder.
            wrap, taken = laptop.wrap, 'exec 9>lock; flock -n 9; LOCKBOOK_PATH=${LOCKBOOK_PATH##*/} "$@"; exec 9>&-; flock -n lock true'
            laptop.wrap = ["env", "-C", str(folder), *wrap[1:], "sh", "-c", taken, "sh"]
            outcome = laptop.run("write", "/relative.md", text=b"relative", may_fail=True)
            laptop.wrap = wrap
            tally.check(outcome.status == 0, "a lock that the command had is free", f"{outcome.status} {outcome.errors}")
            places = folders(at_work(laptop))
            tally.check(places <= {"/"}, "it is in nobody's folder", str(places))
            until(lambda: is_synced(laptop), "a change by a relative path is synced")
            phone.sync()
            tally.check(phone.run("cat", "/relative.md").output == b"relative", "and is on another device")

            # The server cannot be reached.
            proxy.lead_to(1)
            outcome = laptop.run("write", "/offline.md", text=b"offline")
            tally.check(outcome.errors == "", "a command says nothing of a sync that fails", outcome.errors)
            until(lambda: (status(laptop).get("background") or {}).get("failure") is not None, "the failure is told")
            shown = laptop.run("status").output.decode()
            tally.check("the automatic sync of" in shown and "failed: " in shown, "status shows it", shown)
            database = b"".join(path.read_bytes() for path in laptop.path.glob("lockbook.db*"))
            tally.check(b"cannot reach" not in database, "it is sealed on the disk")
            proxy.lead_to(server.port)
            laptop.run("jot", "again")
            until(lambda: is_synced(laptop), "the next sync comes through")
            tally.check(status(laptop).get("background") is None, "the failure is gone then", str(status(laptop)))

            # No process can be made.
            wrap, without = laptop.wrap, ["-P", "/proc/self/exe", "-e", "trace=execve", "-e", "inject=execve:error=ENOMEM"]
            laptop.wrap = [*wrap, "strace", "-f", "-qq", "-o", "/dev/null", *without]
            laptop.run("write", "/unstarted.md", text=b"unstarted")
            laptop.wrap = wrap
            failure = str((status(laptop).get("background") or {}).get("failure"))
            tally.check("it could not be started" in failure, "a sync that could not be started is one that failed", failure)
            laptop.run("jot", "and again")
            until(lambda: is_synced(laptop), "the one after that comes through")
            tally.check(status(laptop).get("background") is None, "that failure is gone, too", str(status(laptop)))

            # What a merge decided, with nobody there.
            phone.sync()
            phone.run("write", "/a.md", text=b"one\nphone\nthree\n")
            phone.sync()
            laptop.run("write", "/a.md", text=b"one\nlaptop\nthree\n")
            until(lambda: is_synced(laptop), "a conflict is synced")
            shown = laptop.run("status").output.decode()
            tally.check("both versions are in it" in shown, "status shows what was decided", shown)
            laptop.run("new", "/b.md")
            until(lambda: is_synced(laptop), "one more is synced")
            told = laptop.run("sync").output.decode()
            tally.check("both versions are in it" in told, "the next sync by hand tells it", told)
            tally.check(status(laptop).get("background") is None, "and takes it away")

            # Who may see what is synced as well: who is let out reads on until then.
            bob = stage.Device(folder, "bob")
            bob.run("account", "new", "bob", "--server", server.url)
            laptop.run("share", "new", "/a.md", "bob")
            until(lambda: [share["state"] for share in json.loads(laptop.run("share", "list", "--json").output)] == ["shared"], "a share is synced")
            until(lambda: not waits(laptop), "and that sync has ended")
            bob.sync()
            tally.check(b"a.md" in bob.run("share", "pending").output, "a share is offered")
            laptop.run("share", "revoke", "/a.md", "bob")
            until(lambda: json.loads(laptop.run("share", "list", "--json").output) == [], "a revoke is synced")
            bob.sync()
            tally.check(bob.run("share", "pending").output == b"", "a revoke is done without asking")
            # Any device lets in who uses an invitation that it knows of.
            laptop.run("share", "invite", "/a.md")
            until(lambda: status(laptop).get("shares") is None, "an invitation is synced")
            until(lambda: not waits(laptop), "and that sync has ended")

            # What is decided before a sync stops is decided, and told.
            bob.run("new", *[f"/big/{number}.md" for number in range(30)])
            bob.run("share", "new", "/big", "alice")
            bob.sync()
            laptop.run("sync")
            laptop.run("share", "accept", json.loads(laptop.run("share", "pending", "--json").output)[0]["id"])
            laptop.run("write", "/late.md", text=b"one\ntwo\nthree\n")
            laptop.run("sync")
            until(lambda: not waits(laptop), "and nothing is at work")
            bob.run("delete", *[f"/big/{number}.md" for number in range(30)])
            bob.sync()
            phone.sync()
            phone.run("write", "/late.md", text=b"one\nphone\nthree\n")
            phone.sync()
            laptop.run("write", "/late.md", text=b"one\nlaptop\nthree\n")
            until(lambda: status(laptop).get("stopped") is not None, "it stopped at a share")
            until(lambda: not waits(laptop), "and ended")
            shown = laptop.run("status").output.decode()
            tally.check("/late.md" in shown and "both versions are in it" in shown, "what was decided before is told", shown)
            laptop.run("sync", "--accept-deletions")

            # Where a sync would stop, nothing happens by itself.
            phone.sync()
            phone.run("delete", "-r", "/moved")
            phone.sync()
            before = len(laptop.run("list", "-r").output.splitlines())
            laptop.run("jot", "more")
            until(lambda: status(laptop).get("stopped") is not None, "it stopped")
            until(lambda: not waits(laptop), "and ended")
            after = len(laptop.run("list", "-r").output.splitlines())
            tally.check(before == after, "a mass deletion waits for a person", f"{before} {after}")

        until(lambda: not waits(laptop), "nothing is left at work")
        laptop.run("account", "logout", "--force")
        tally.check(not laptop.path.exists(), "logging out leaves nothing behind", str(os.listdir(folder)))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
