#!/usr/bin/env python3
"""Measures what somebody at a terminal waits for, and prints a table in Markdown.

    bench_terminal.py [--write] [--runs 11] [--notes FOLDER]

Every figure is the median of `--runs` whole processes. The peer of a search is `grep -r` over the same notes as plain files, in
the same run. `--write` puts the section into docs/BENCHMARKS.md. Ends with 1 when a bar is missed.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True

import automatic
import bench
import corpus
import stage

HEADING = "\n## At the terminal\n"
SECTION = HEADING + """
`make bench-terminal WRITE=1`, {notes}; medians of {runs} runs (shortest to longest). {machine}

| job | time | beside it | bar |
|---|---|---|---|
{times}
"""


class Synced(stage.Device):
    """A device whose changes are synced by themselves, or are not."""

    def __init__(self, folder: Path, name: str):
        super().__init__(folder, name)
        self.is_automatic = False
        self._configurations = folder / "configurations"
        (self._configurations / "lockbook").mkdir(parents=True, exist_ok=True)
        (self._configurations / "lockbook" / "config.toml").write_text("auto_sync = true\n")

    def environment(self) -> dict[str, str]:
        place = self._configurations if self.is_automatic else self._configurations / "none"
        return super().environment() | {"XDG_CONFIG_HOME": str(place)}


def seconds(words: list[str], statuses: tuple[int, ...] = (0,)) -> float:
    began = time.perf_counter()
    status = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
    if status not in statuses:
        raise stage.Failed(f"{' '.join(words)} ended with {status}")
    return time.perf_counter() - began


def searches(table: bench.Table, laptop: stage.Device, plain: Path, count: int, runs: int) -> None:
    """Words that nothing holds, and that some hold."""
    for word, what in (("qzxjqzxj", "that none holds"), ("install", "that some hold")):
        ours, theirs = [], []
        for _ in range(runs):
            theirs.append(seconds(["grep", "-r", word, str(plain)], (0, 1)))
            ours.append(laptop.run("search", word, may_fail=True).seconds)
        found = laptop.run("search", "-c", word, may_fail=True).output.count(b"\n")
        expected = subprocess.run(["grep", "-rl", word, str(plain)], stdout=subprocess.PIPE).stdout.count(b"\n")
        if found != expected:
            raise stage.Failed(f"{found} notes hold {word}, and grep finds {expected}")
        bar = 3 * statistics.median(theirs)
        table.row(f"{count:,} notes: `search` of a word {what}; `grep -r`, bar three times as long", ours, theirs, at_most=bar)


def automatic_sync(table: bench.Table, laptop: Synced, phone: stage.Device, runs: int) -> None:
    without, with_it, arrived = [], [], []
    for run in range(runs):
        automatic.until(lambda: not automatic.waits(laptop), "no sync is at work")
        laptop.is_automatic = False
        without.append(laptop.seconds("new", f"/plain-{run}.md"))
        laptop.is_automatic = True
        began = time.perf_counter()
        with_it.append(laptop.seconds("new", f"/automatic-{run}.md"))
        while phone.run("list", f"/automatic-{run}.md", may_fail=True).status != 0:
            phone.run("sync", "--quiet")
        arrived.append(time.perf_counter() - began)
    added = statistics.median(with_it) - statistics.median(without)
    table.row("`new` that starts an automatic sync; without one, bar 5 ms more", with_it, without, at_most=statistics.median(without) + 0.005)
    table.row("from there until another device, which syncs all the time, has it", arrived, at_most=5)
    print(f"an automatic sync adds {added * 1000:.1f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--notes", type=Path)
    options = parser.parse_args()
    table = bench.Table()
    with stage.scratch("bench-terminal") as folder, stage.Server(folder / "server") as server:
        notes = options.notes or folder / "notes"
        if not options.notes:
            corpus.write_notes(notes, 20_330, seed=42)
        laptop, phone = Synced(folder, "laptop"), stage.Device(folder, "phone")
        laptop.run("account", "new", "alice", "--server", server.url)
        laptop.run("import", "--quiet", f"{notes}/.", "/notes")
        plain = folder / "plain"
        laptop.run("export", "--quiet", "/notes", plain)
        count = sum(1 for path in plain.rglob("*") if path.is_file())
        many = max(options.runs, 21)
        table.row("`lockbook --version`", [laptop.seconds("--version") for _ in range(many)], at_most=0.006)
        searches(table, laptop, plain, count, options.runs)

        corpus.write_notes(folder / "ten", 10_000, seed=1)
        laptop.run("import", "--quiet", f"{folder / 'ten'}/.", "/ten")
        listed = len(laptop.run("list", "-r", "/ten").output.splitlines())
        table.row(f"`list -r` of {listed:,} files", [laptop.seconds("list", "-r", "/ten") for _ in range(many)], at_most=0.060)
        corpus.write_notes(folder / "wide", 5_000, seed=2, per_folder=5_000)
        laptop.run("import", "--quiet", f"{folder / 'wide'}/folder-0000/.", "/wide")
        asked = ("__complete", "bash", "2", "lockbook", "cat", "/wide/")
        answers = laptop.run(*asked).output.count(b"\0") - 1
        if answers != 5_000:
            raise stage.Failed(f"{answers} completions instead of 5,000")
        table.row("Tab in a folder of 5,000: `__complete`", [laptop.seconds(*asked) for _ in range(many)], at_most=0.015)

        laptop.run("sync", "--quiet")
        phone.join(laptop, server.url)
        phone.run("sync", "--quiet")
        automatic_sync(table, laptop, phone, options.runs)
    section = SECTION.format(
        notes="notes of the tldr pages in seven languages" if options.notes else "generated notes",
        runs=options.runs, machine="Measured on: " + bench.machine(peers=False), times="\n".join(table.lines),
    )
    print(section)
    if options.write:
        document = stage.REPOSITORY / "docs" / "BENCHMARKS.md"
        text = document.read_text()
        kept = re.sub(re.escape(HEADING) + r".*?(?=\n## |\Z)", "", text, flags=re.DOTALL)
        document.write_text(kept.rstrip() + "\n" + section.rstrip() + "\n")
    return 1 if table.missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except stage.Failed as failure:
        raise SystemExit(f"bench: {failure}")
