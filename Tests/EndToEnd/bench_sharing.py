#!/usr/bin/env python3
"""Measures how long it takes to share a folder of many notes, to receive it and to take it back, and prints a table in Markdown.

    bench_sharing.py [--write] [--runs 5] [--notes 10000]

Whole processes, release build, one server on loopback; every run begins with new accounts. `--write` puts the table into
docs/BENCHMARKS.md. Ends with 1 when a bar is missed.
"""

import argparse
import json
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import corpus
import stage
from bench import Table, machine

# In docs/BENCHMARKS.md: what is written anew stands between these two.
HEADING = "\n## Sharing\n\n"
NEXT = "\nThe same folder as one hundredth"

SECTION = """\
A folder of {count:,} notes, `make bench-sharing WRITE=1`: release build, medians of {runs} runs (shortest to longest). {machine}

| job | time | bar |
|---|---|---|
{times}
"""


def offered(device: stage.Device) -> str:
    return json.loads(device.run("share", "pending", "--json").output)[0]["id"]


def one_run(folder: Path, notes: Path, times: dict[str, list[float]]) -> None:
    def timed(job: str, *outcomes: stage.Outcome) -> float:
        times.setdefault(job, []).append(sum(outcome.seconds for outcome in outcomes))
        return times[job][-1]

    with stage.Server(folder / "server") as server:
        owner, member = stage.Device(folder, "owner"), stage.Device(folder, "member")
        owner.run("account", "new", "ada", "--server", server.url)
        member.run("account", "new", "bob", "--server", server.url)
        member.run("sync", "--quiet")
        owner.run("import", "--quiet", f"{notes}/.", "/notes")
        os.sync()
        timed("owner", owner.run("sync", "--quiet"))
        os.sync()
        timed("new", owner.run("share", "new", "/notes", "bob", "--mode", "write"))
        os.sync()
        timed("share", owner.run("sync", "--quiet"))
        os.sync()
        first = member.run("sync", "--quiet")
        accepted = member.run("share", "accept", offered(member), "/notes")
        timed("member", first, accepted, member.run("sync", "--quiet"))
        os.sync()
        out = folder / "out"
        member.run("export", "--quiet", "--mirror", "/notes", out)
        if found := stage.differences(notes, out):
            raise stage.Failed(f"the member's export differs: {found}")
        timed("revoke", owner.run("share", "revoke", "/notes", "bob"), owner.run("sync", "--quiet"))
        member.run("sync", "--quiet")
        if b"notes" in member.run("list", "/").output:
            raise stage.Failed("what was taken back is still there")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--notes", type=int, default=10_000)
    chosen = parser.parse_args()
    times: dict[str, list[float]] = {}
    with stage.scratch("bench-sharing") as folder:
        corpus.write_notes(folder / "notes", chosen.notes, seed=42)
        for run in range(chosen.runs):
            one_run(folder / str(run), folder / "notes", times)
    table = Table()
    table.row("`share new`", times["new"])
    table.row("the `sync` that does it", times["share"], at_most=0.5)
    table.row("the owner's first `sync`, with contents", times["owner"])
    table.row(
        "the recipient's: `sync`, `share accept`, `sync`, with contents; bar 1.2 times the owner's",
        times["member"], at_most=1.2 * sorted(times["owner"])[chosen.runs // 2],
    )
    table.row("`share revoke` and its `sync`", times["revoke"], at_most=2.0)
    # There is no peer in it.
    lines = [" | ".join(cell for place, cell in enumerate(line.split(" | ")) if place != 2) for line in table.lines]
    section = SECTION.format(
        count=chosen.notes, runs=chosen.runs, machine="Measured on: " + machine(peers=False), times="\n".join(lines)
    )
    print(section)
    if chosen.write:
        document = stage.REPOSITORY / "docs" / "BENCHMARKS.md"
        before, heading, after = document.read_text().partition(HEADING)
        _, following, rest = after.partition(NEXT)
        if not heading or not following:
            raise SystemExit("bench_sharing: docs/BENCHMARKS.md has no place for it")
        document.write_text(before + heading + section + following + rest)
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
