#!/usr/bin/env python3
"""Measures whole processes on this machine, beside restic in the same run, and prints a table in Markdown.

    bench.py [--write] [--runs 5] [--small 10000] [--large 100000] [--only-export [--notes FOLDER]]

Every figure is the median of `--runs`. The peer is `restic` against `rclone serve restic` on a loopback port. `--write`
puts the page into docs/BENCHMARKS.md. `--only-export` measures exports that find nothing, or little, to do, of generated notes
or of yours, and with `--write` writes that section alone. Ends with 1 when a bar is missed.
"""

import argparse
import os
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable

sys.dont_write_bytecode = True

import corpus
import stage

ENTRIES = 1000  # in the folder whose names are completed


class Restic:
    """A repository behind a REST server on loopback."""

    def __init__(self, folder: Path):
        self.folder = folder
        (folder / "data").mkdir(parents=True)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with open(folder / "rclone.log", "wb") as log:
            self.server = subprocess.Popen(
                ["rclone", "serve", "restic", "--addr", f"127.0.0.1:{port}", folder / "data"],
                env={**os.environ, "RCLONE_CONFIG": str(folder / "rclone.conf")},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )
        self.environment = {
            **os.environ, "RESTIC_PASSWORD": "only for measuring", "RESTIC_CACHE_DIR": str(folder / "cache"),
            "RESTIC_REPOSITORY": f"rest:http://127.0.0.1:{port}/",
        }
        end = time.monotonic() + stage.START_SECONDS
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.02)
        self.stop()
        raise stage.Failed("rclone does not serve")

    def run(self, *arguments: str | Path) -> float:
        began = time.perf_counter()
        subprocess.run(["restic", "--quiet", *arguments], env=self.environment, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - began

    def forget_cache(self) -> None:
        shutil.rmtree(self.folder / "cache", ignore_errors=True)

    def stop(self) -> None:
        self.server.terminate()
        self.server.wait()

    def __enter__(self) -> "Restic":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Table:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.missed = 0

    def row(self, job: str, ours: list[float], peer: list[float] | None = None, at_most: float | None = None) -> None:
        """A line of times; the bar is a figure in seconds, else the peer's time where there is one."""
        mine = statistics.median(ours)
        bar = at_most if at_most is not None else statistics.median(peer) if peer else None
        if bar is not None and mine > bar:
            self.missed += 1
        cells = [
            job, shown(ours), shown(peer) if peer else "",
            "" if bar is None else f"{'at most ' + duration(at_most) if at_most is not None else 'no more than restic'}: "
            f"{'yes' if mine <= bar else '**no**'}",
        ]
        self.lines.append("| " + " | ".join(cells) + " |")
        print(self.lines[-1], flush=True)


def duration(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 0.2 else f"{seconds:.2f} s"


def shown(runs: list[float]) -> str:
    return f"{duration(statistics.median(runs))} ({duration(min(runs))} to {duration(max(runs))})"


def change(text: bytes, number: int) -> bytes:
    return text + f"one more line, {number:06d}\n".encode()


def first_and_last(table: Table, folder: Path, notes: Path, count: int, runs: int) -> list[str]:
    """Everything in, and everything out on a new device."""
    into, restic_into, out, restic_out, requests = [], [], [], [], []
    memory: dict[str, int] = {}
    for run in range(runs):
        # What is written stays until the end: ext4 passes over inodes that were freed a moment ago, one by one, and a
        # tool that comes after a removal pays for it. Nor does it wait for what another one wrote.
        place = folder / f"first-{run}"
        os.sync()
        with stage.Server(place / "server") as server:
            laptop, phone = stage.Device(place, "laptop"), stage.Device(place, "phone")
            laptop.run("account", "new", "alice", "--server", server.url)
            into.append(laptop.run("import", "--quiet", f"{notes}/.", "/").seconds + laptop.run("sync", "--quiet").seconds)
            words = laptop.run("account", "export", "--phrase").output
            os.sync()
            steps = [
                phone.run("account", "import", "--server", server.url, text=words),
                phone.run("sync", "--quiet"),
                phone.run("export", "--quiet", "/", place / "out"),
            ]
            out.append(sum(step.seconds for step in steps))
            check_same(notes, place / "out")
            for name, peak in (("laptop", laptop.highest_memory), ("phone", phone.highest_memory), ("server", server.peak_memory())):
                memory[name] = max(memory.get(name, 0), peak)
        os.sync()
        with Restic(place / "restic") as restic:
            restic_into.append(restic.run("init") + restic.run("backup", notes))
            restic.forget_cache()
            os.sync()
            restic_out.append(restic.run("restore", "latest", "--target", place / "restored"))
    table.row(f"{count:,} notes: `import` and `sync`; `restic init` and `backup`", into, restic_into)
    table.row(f"{count:,} notes on a new device: phrase, `sync`, `export`; `restic restore`", out, restic_out)
    return [f"{name} {stage.megabytes(peak)}" for name, peak in memory.items()]


def check_same(one: Path, other: Path) -> None:
    found = stage.differences(one, other)
    if found:
        raise stage.Failed(f"the export differs: {found}")


def small_jobs(table: Table, folder: Path, notes: Path, count: int, runs: int, with_completion: bool) -> None:
    """What happens many times a day, in a tree of `count` notes."""
    note = notes / "folder-0000" / "note-000000.md"
    target = f"/{note.relative_to(notes)}"
    text = note.read_bytes()
    with stage.Server(folder / "server") as server, Restic(folder / "restic") as restic:
        laptop = stage.Device(folder, "laptop")
        laptop.run("account", "new", "alice", "--server", server.url)
        laptop.run("import", "--quiet", f"{notes}/.", "/")
        laptop.run("sync", "--quiet")
        laptop.run("sync", "--quiet")
        restic.run("init")
        restic.run("backup", notes)
        ours = [laptop.seconds("sync", "--quiet") for _ in range(runs)]
        theirs = [restic.run("backup", notes) for _ in range(runs)]
        table.row(f"nothing changed, {count:,} notes: `sync`; `restic backup`", ours, theirs, at_most=0.030)
        ours, whole, theirs = [], [], []
        for run in range(runs):
            write = laptop.run("stream", "in", target, text=change(text, run)).seconds
            ours.append(laptop.seconds("sync", "--quiet"))
            whole.append(write + ours[-1])
            note.write_bytes(change(text, run))
            theirs.append(restic.run("backup", notes))
        note.write_bytes(text)
        table.row(f"one edited note of {count:,}: `sync`; `restic backup`", ours, theirs, at_most=0.060)
        table.row(f"the same with the `stream in` before it", whole)
        if with_completion:
            asked = ("__complete", "bash", "2", "lockbook", "cat", "/entries/")
            answer = laptop.run(*asked).output.count(b"\0") - 1
            if answer != ENTRIES:
                raise stage.Failed(f"{answer} completions instead of {ENTRIES}")
            many = max(runs, 21)
            table.row(
                f"Tab in a folder of {ENTRIES:,} among {count:,} notes: `__complete`",
                [laptop.seconds(*asked) for _ in range(many)], at_most=0.010,
            )
            table.row("`lockbook --version`", [laptop.seconds("--version") for _ in range(many)])


def places(folder: Path) -> dict[Path, tuple[int, int]]:
    """What changes when a file is written, by its path."""
    return {path: (path.lstat().st_ino, path.lstat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def exports_again(table: Table, folder: Path, notes: Path, runs: int) -> None:
    """An export of every night: of what was exported before."""
    laptop = stage.Device(folder, "laptop")
    laptop.run("account", "new", "alice")
    laptop.run("import", "--quiet", f"{notes}/.", "/")
    copy = folder / "copy"
    words = ("export", "--quiet", "--mirror", "/", str(copy))
    first = laptop.seconds(*words)
    check_same(notes, copy)
    files = sorted(path for path in copy.rglob("*") if path.is_file())
    count = len(files)
    table.row(f"{count:,} notes exported for the first time", [first])
    table.row(f"nothing changed, {count:,} notes: `export --mirror`", [laptop.seconds(*words) for _ in range(max(runs, 11))], at_most=0.150)
    edited, seconds = files[:: max(1, count // 10)][:10], []
    for run in range(runs):
        for path in edited:
            laptop.run("write", "--append", f"/{path.relative_to(copy)}", text=b"edited %d\n" % run)
        before = places(copy)
        seconds.append(laptop.seconds(*words))
        after = places(copy)
        touched = sorted(path for path in after if after[path] != before.get(path))
        if touched != edited or before.keys() != after.keys():
            raise stage.Failed(f"{len(touched)} files were touched after {len(edited)} edits")
    table.row(f"{len(edited)} of {count:,} notes edited: `export --mirror`, which touches {len(edited)} files", seconds)
    files[1].write_bytes(b"behind its back")
    outcome = laptop.run(*words, may_fail=True)
    if outcome.status != 9 or files[1].name not in outcome.errors:
        raise stage.Failed(f"a file changed behind its back was not noticed: {outcome.status} {outcome.errors}")


EXPORTS = """
## Exports of every night

`make bench ONLY=--only-export WRITE=1`, {notes}: `export --mirror` of what it exported before, medians of 11 runs and of {runs}. A file that
somebody changed in the copy is noticed by the next one (status 9, the file is named). {machine}

| job | time | bar |
|---|---|---|
{times}
"""


def traffic(folder: Path, notes: Path, count: int) -> list[str]:
    """A row of requests and bytes: first sync, nothing changed, one edited note."""
    target = "/folder-0000/note-000000.md"
    with stage.Server(folder / "server") as server, stage.Proxy(server.port) as proxy:
        laptop = stage.Device(folder, "laptop")
        laptop.run("account", "new", "alice", "--server", proxy.url)
        laptop.run("import", "--quiet", f"{notes}/.", "/")

        def counted() -> tuple[int, int, int]:
            proxy.take()
            requests = laptop.sync()["traffic"]["requests"]
            time.sleep(0.05)  # the last bytes pass the proxy
            return (requests, *proxy.take())

        first = counted()
        laptop.sync()
        quiet = counted()
        laptop.run("stream", "in", target, text=b"one line that is always as long\n" * 32)
        edited = counted()
        cells = [f"{count:,}"]
        for requests, sent, received in (first, quiet, edited):
            cells.append(f"{requests} requests, {sent:,} bytes out, {received:,} in")
        return cells


def machine(peers: bool = True) -> str:
    model = next(
        (line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        platform.machine(),
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = [
        subprocess.run([tool, "version"], stdout=subprocess.PIPE, text=True).stdout.splitlines()[0].split(" compiled")[0]
        for tool in ("restic", "rclone") if peers
    ]
    tools = f"; {', '.join(versions)}" if versions else ""
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB; Linux {platform.release().split('-')[0]}{tools}"


PAGE = """\
# Benchmarks

Written by `make bench WRITE=1`; run `make bench` for your machine. Whole processes, from start to exit, on loopback, with
warm file caches, release builds; medians of {runs} runs (shortest to longest). The notes are generated and the same every
time: a median of 1.2 kB each, 100 to a folder. restic talks to `rclone serve restic`. The two do different things: restic
keeps snapshots and removes duplicates but merges nothing; Lockbook merges and keeps one tree. Both encrypt everything
before it leaves. Each commit of Lockbook is on disk (fsync) on both sides before it counts.

Measured on: {machine}

| job | lockbook | restic | bar |
|---|---|---|---|
{times}

Most memory ever resident with {count:,} notes: {memory}.

## Traffic

Counted between client and server, on the wire, with all headers.

| notes | first sync | nothing changed | one edited note |
|---|---|---|---|
{traffic}
"""


# What other measurements wrote begins with this.
SECOND = "\n## Exports of every night"
PURGE = "\n## What a purge leaves"


def only_export(write: bool, notes: Path | None, runs: int) -> int:
    table = Table()
    with stage.scratch("bench") as folder:
        source = notes or folder / "notes"
        if not notes:
            corpus.write_notes(source, 20_330, seed=42)
        exports_again(table, folder, source, runs)
    # There is no peer in it.
    lines = [" | ".join(cell for place, cell in enumerate(line.split(" | ")) if place != 2) for line in table.lines]
    section = EXPORTS.format(
        notes="notes of the tldr pages in seven languages" if notes else "generated notes", runs=runs, machine="Measured on: " + machine(peers=False), times="\n".join(lines)
    )
    print(section)
    if write:
        document = stage.REPOSITORY / "docs" / "BENCHMARKS.md"
        page, heading, rest = document.read_text().partition(PURGE)
        document.write_text(page.partition(SECOND)[0].rstrip() + "\n" + section.rstrip() + "\n" + heading + rest)
    return 1 if table.missed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--small", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=100_000)
    parser.add_argument("--only-export", action="store_true")
    parser.add_argument("--notes", type=Path)
    options = parser.parse_args()
    if options.only_export:
        return only_export(options.write, options.notes, options.runs)
    missing = [tool for tool in ("restic", "rclone") if shutil.which(tool) is None]
    if missing:
        raise SystemExit(f"missing: {', '.join(missing)} (make bench installs them)")

    table, rows = Table(), []
    with stage.scratch("bench") as folder:
        def notes(count: int, name: str = "") -> Path:
            place = folder / f"notes-{count}{name}"
            if not place.exists():
                corpus.write_notes(place, count, seed=42)
            return place

        small, large = notes(options.small), notes(options.large)
        memory = first_and_last(table, folder, small, options.small, options.runs)
        small_jobs(table, folder / "small", small, options.small, options.runs, with_completion=False)
        for entry in range(ENTRIES):
            path = large / "entries" / f"entry {entry:04d} of many.md"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"# Entry {entry}\n")
        small_jobs(table, folder / "large", large, options.large, options.runs, with_completion=True)
        for count in (1000, options.small, options.large):
            place = folder / f"traffic-{count}"
            rows.append("| " + " | ".join(traffic(place, notes(count), count)) + " |")
            print(rows[-1], flush=True)
            shutil.rmtree(place)
        page = PAGE.format(
            runs=options.runs, machine=machine(), times="\n".join(table.lines), count=options.small,
            memory=", ".join(memory), traffic="\n".join(rows),
        )
    print("\n" + page)
    if options.write:
        (stage.REPOSITORY / "docs").mkdir(exist_ok=True)
        document = stage.REPOSITORY / "docs" / "BENCHMARKS.md"
        # What other measurements wrote stands behind ours.
        text = document.read_text() if document.exists() else ""
        kept = min([at for at in map(text.find, (SECOND, PURGE)) if at >= 0], default=len(text))
        document.write_text(page.rstrip() + "\n" + text[kept:])
    return 1 if table.missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except stage.Failed as failure:
        raise SystemExit(f"bench: {failure}")
