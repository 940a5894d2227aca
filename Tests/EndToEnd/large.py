#!/usr/bin/env python3
"""Sends one large file of random bytes through, and watches what it costs.

    large.py [--size-mb 500] [--limit-mb 64]

`stream in` on the laptop, sync, sync and `stream out` on the phone: the same SHA-256, and no process, client or server,
ever above the limit of resident memory. A second such file: its push is killed when half of it is on the server, and
resumed; in all no more than 1.1 times its size may have been sent. Renaming the file later costs less than 20 kB each way
on both devices. Bytes are counted between client and server, as they are on the wire. A third one, written into a share that
ends before it is synced, is its member's own afterwards.

The last line on stdout is `N passed, N failed`.
"""

import argparse
import json
import os
import sys
import time
from hashlib import sha256
from pathlib import Path

sys.dont_write_bytecode = True

import stage
from stage import megabytes

RENAME_LIMIT = 20_000
PATIENCE = 600.0


def write_random(path: Path, size: int) -> str:
    """Random bytes, a block at a time; returns their SHA-256."""
    total = sha256()
    with open(path, "wb") as file:
        while size > 0:
            block = os.urandom(min(size, 1 << 20))
            file.write(block)
            total.update(block)
            size -= len(block)
    return total.hexdigest()


def stream_in(device: stage.Device, path: Path, target: str) -> stage.Outcome:
    with open(path, "rb") as file:
        return device.run("stream", "in", target, stdin=file)


def stream_out(device: stage.Device, target: str, path: Path) -> stage.Outcome:
    with open(path, "wb") as file:
        return device.run("stream", "out", target, stdout=file)


def push_interrupted(device: stage.Device, proxy: stage.Proxy, size: int, tally: stage.Tally) -> None:
    proxy.take()
    process = device.start("sync", "--quiet")
    end = time.monotonic() + PATIENCE
    while process.poll() is None and proxy.sent < size / 2 and time.monotonic() < end:
        time.sleep(0.002)
    was_running = process.poll() is None
    stage.kill(process)
    time.sleep(0.2)  # what is under way in the proxy arrives
    first, _ = proxy.take()
    tally.check(was_running and first < 0.75 * size, f"a push is killed after {megabytes(first)}", f"{first} of {size}")
    device.sync()
    second, _ = proxy.take()
    sent = first + second
    tally.check(
        sent <= 1.1 * size,
        f"resumed, it sent {megabytes(first)} + {megabytes(second)} = {sent / size:.3f} times the size",
    )


def end_share(laptop: stage.Device, desk: stage.Device, url: str, source: Path) -> None:
    """The desk's account writes a file into what the laptop's shares, which takes that back before it is synced."""
    desk.run("account", "new", "bob", "--server", url)
    laptop.run("new", "/team/")
    laptop.run("share", "new", "/team", "bob", "--mode", "write")
    laptop.run("sync", "--quiet")
    desk.run("sync", "--quiet")
    desk.run("share", "accept", json.loads(desk.run("share", "pending", "--json").output)[0]["id"])
    desk.run("sync", "--quiet")
    stream_in(desk, source, "/team/third.bin")
    laptop.run("share", "revoke", "/team", "bob")
    laptop.run("sync", "--quiet")
    desk.run("sync", "--quiet")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size-mb", type=float, default=500)
    parser.add_argument("--limit-mb", type=float, default=64)
    options = parser.parse_args()
    size, limit = int(options.size_mb * 1e6), int(options.limit_mb * 1e6)
    tally = stage.Tally()
    with stage.scratch("large") as folder, stage.Server(folder / "server") as server, stage.Proxy(server.port) as proxy:
        laptop, phone = stage.Device(folder, "laptop"), stage.Device(folder, "phone")
        laptop.run("account", "new", "alice", "--server", proxy.url)
        phone.join(laptop, proxy.url)

        source, out = folder / "source", folder / "out"
        expected = write_random(source, size)
        taken = stream_in(laptop, source, "/large.bin")
        laptop_sync = laptop.run("sync", "--quiet")
        sent, _ = proxy.take()
        phone.run("sync", "--quiet")
        given = stream_out(phone, "/large.bin", out)
        _, received = proxy.take()
        tally.check(stage.digest(out) == expected, f"{megabytes(size)} arrive as they were")
        print(
            f"      stream in {taken.seconds:.2f} s, sync {laptop_sync.seconds:.2f} s ({megabytes(sent)} sent), "
            f"stream out with its download {given.seconds:.2f} s ({megabytes(received)} received)"
        )
        out.unlink()
        again = stream_out(phone, "/large.bin", out)
        tally.check(stage.digest(out) == expected, f"once more, from this device, in {again.seconds:.2f} s")
        out.unlink()

        proxy.take()
        laptop.run("rename", "/large.bin", "renamed, large.bin")
        for device in (laptop, phone):
            device.run("sync", "--quiet")
            sent, received = proxy.take()
            tally.check(
                max(sent, received) < RENAME_LIMIT,
                f"the rename costs the {device.name} {sent} bytes out and {received} in",
            )
        listed = phone.run("list", "/").output.decode().splitlines()
        tally.check(listed == ["/renamed, large.bin"], "the phone knows the new name", repr(listed))

        expected = write_random(source, size)
        stream_in(laptop, source, "/second.bin")
        push_interrupted(laptop, proxy, size, tally)
        phone.run("sync", "--quiet")
        stream_out(phone, "/second.bin", out)
        tally.check(stage.digest(out) == expected, "what was pushed in two parts arrives as it was")

        desk = stage.Device(folder, "desk")
        end_share(laptop, desk, proxy.url, source)
        stream_out(desk, "/third.bin", out)
        tally.check(stage.digest(out) == expected, "what a share ended under is its member's own, as it was")

        for device in (laptop, phone, desk):
            peak = device.highest_memory
            tally.check(peak <= limit, f"the {device.name} never used more than {megabytes(peak)} of memory")
        peak = server.peak_memory()
        tally.check(peak <= limit, f"the server never used more than {megabytes(peak)} of memory")
    return tally.end()


if __name__ == "__main__":
    sys.exit(stage.told(main))
