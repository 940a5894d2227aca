#!/usr/bin/env python3
"""Many notes made, deleted and purged: the store is as small as before, and a new device fetches none of them.

    COUNT=10000       how many notes, in half as many folders (300)
    KEEP=1            leaves the temporary folder for a look

The last line on stdout is `N passed, N failed`.
"""

import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import stage

COUNT = int(os.environ.get("COUNT", "300"))
KEPT = 100


def make(folder: Path, count: int) -> None:
    for number in range(count):
        path = folder / f"{number % 50}" / f"{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(os.urandom(600).hex().encode())


def store_size(device: stage.Device) -> int:
    """What the device keeps, database and large contents."""
    return sum(path.stat().st_size for path in device.path.rglob("*") if path.is_file() and not path.name.endswith("-shm"))


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("purge") as folder:
        make(folder / "kept", KEPT)
        with stage.Server(folder / "server") as server, stage.Proxy(server.port) as proxy:
            laptop, phone = stage.Device(folder, "laptop"), stage.Device(folder, "phone")
            laptop.run("account", "new", "alice", "--server", proxy.url)
            laptop.run("import", "--quiet", folder / "kept", "/")
            laptop.sync()
            before = store_size(laptop)
            laptop.run("new", "/gone/")
            # Not imported: what an import remembers of the disk is not the notes'.
            for number in range(max(1, COUNT // KEPT)):
                laptop.run("copy", "/kept", f"/gone/{number}")
            laptop.sync()
            full = store_size(laptop)
            laptop.run("delete", "--recursive", "/gone")
            laptop.sync()
            emptied = laptop.run("trash", "empty", "--force")
            purging = laptop.run("sync", "--json")
            after = store_size(laptop)
            print(f"{COUNT} notes: the store was {before} bytes, {full} with them, {after} after they were purged")
            print(f"trash empty: {emptied.seconds:.2f} s, the sync that purges: {purging.seconds:.2f} s")
            tally.check(full > 2 * before, "they took space", f"{before}, {full}")
            tally.check(after <= before * 1.1, "the store is within a tenth of before", f"{before}, {after}")
            proxy.take()
            phone.join(laptop, proxy.url)
            report = phone.sync()
            sent, received = proxy.take()
            fresh = store_size(phone)
            print(f"a new device: {received} bytes received, {fresh} on its disk, {len(report['pulled'])} files pulled")
            folders = len({number % 50 for number in range(KEPT)})
            tally.check(len(report["pulled"]) == KEPT + folders + 1, "a new device pulls what is kept", str(len(report["pulled"])))
            tally.check(fresh <= before * 1.1, "and holds nothing else", f"{before}, {fresh}")
            # What it gets of each kept note is the note and some 700 bytes; headers and the checkpoint are little.
            tally.check(received < KEPT * 2_500 + 60_000, "and receives nothing else", str(received))
            phone.run("debug", "validate")
            laptop.run("debug", "validate")
            out = folder / "out"
            phone.run("export", "--quiet", "/kept", out)
            tally.check(not stage.differences(folder / "kept", out), "all that was kept is there")
            words = laptop.run("account", "export", "--phrase").output
        read = subprocess.run(
            [sys.executable, Path(__file__).with_name("reader.py"), folder / "server", "--to", folder / "read"],
            input=words, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        tally.check(read.returncode == 0, "the second reader of the server's folder agrees", read.stderr.decode()[-300:])
        found = sum(path.is_file() for path in (folder / "read").rglob("*"))
        tally.check(found == KEPT, "and finds the kept notes", str(found))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
