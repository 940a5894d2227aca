#!/usr/bin/env python3
"""Changes the code of merges and of the validator in one place at a time, and looks whether a test fails.

    ALL=1            every mutant, instead of a sample
    SAMPLE=number    so many mutants (default 1,000)
    SEED=number      which ones are in the sample (default 1)
    ONLY=text,text   only files whose names hold one of these
    JOBS=number      processes at a time (default: as many as there are cores)
    SURVIVORS=file   writes each survivor there at once, one a line
    AGAIN=file       only what such a file of an earlier run lists

All mutants are compiled at once, each behind a switch, out of a copy; the sources stay as they are. A mutant is killed
when a test fails, the program traps, or tests take five times their time on the processor. Survivors that docs/MUTANTS.md names, with the
reason, are not shown. `make mutants` builds the tests first. The last line on stdout is `N passed, N failed`, where what
has to pass is that at least 90 % of the mutants are killed, and that every survivor is in docs/MUTANTS.md.
"""

import os
import random
import re
import sys
import time
from collections import Counter

sys.dont_write_bytecode = True

from building import TOP, WORK, build, find, make_viable
from judging import Judge

LISTED = TOP / "docs/MUTANTS.md"


def log(text):
    print(text, file=sys.stderr, flush=True)


def words(source, point, mutant):
    """A mutant in a line, without its number and line, which change with every edit of the file."""
    text = re.sub(r"\s+", " ", source.read_bytes()[point.start : point.end].decode())
    text = text if len(text) <= 70 else text[:67] + "..."
    return f"`{source.name}` `{text}` {mutant}"


def line_of(mutant):
    """A mutant with the line it is on."""
    source, point, _ = mutant
    line = source.read_bytes()[: point.start].count(b"\n") + 1
    return f"{source.name}:{line}: {words(*mutant)}"


def chosen(found):
    """The mutants to be tried, by number: each with its file, its point, and what it is."""
    all = {
        number: (source, point, mutant)
        for source, points in found.items()
        if any(text in source.name for text in os.environ.get("ONLY", "").split(","))
        for point in points
        if point.form < len(point.forms)
        for number, mutant in zip(point.numbers, point.mutants)
    }
    if os.environ.get("AGAIN"):
        # Without the place at its start, which changes with every edit of the file.
        again = {line.strip().split(" ", 1)[1] for line in open(os.environ["AGAIN"]) if line.strip()}
        return {number: mutant for number, mutant in all.items() if words(*mutant) in again}
    count = int(os.environ.get("SAMPLE") or 1000)
    if os.environ.get("ALL") or count >= len(all):
        return all
    numbers = random.Random(int(os.environ.get("SEED") or 1)).sample(sorted(all), count)
    return {number: all[number] for number in sorted(numbers)}


def main():
    before = time.monotonic()
    sources, found = find()
    total = sum(len(point.mutants) for points in found.values() for point in points)
    unviable = make_viable(sources, found, log)
    log(f"{total} mutants, {unviable} of them no Swift; compiling the others, {time.monotonic() - before:.0f} s")
    judge = Judge(build(), int(os.environ.get("JOBS") or os.cpu_count() or 1), log)
    tests = judge.tests()
    judge.measure(tests, WORK)
    mutants = chosen(found)
    log(f"{len(tests)} tests pass; trying {len(mutants)} mutants, {time.monotonic() - before:.0f} s")
    order = sorted(mutants)
    random.Random(1).shuffle(order)
    told = open(os.environ.get("SURVIVORS") or os.devnull, "w", buffering=1)
    verdicts = judge.judge(order, lambda number: told.write(f"{line_of(mutants[number])}\n"))
    told.close()

    files, listed, open_ = {}, LISTED.read_text() if LISTED.exists() else "", []
    survivors = []
    for number, (source, point, mutant) in sorted(mutants.items()):
        files.setdefault(source.name, Counter())[verdicts[number] or "survived"] += 1
        if verdicts[number] is None:
            survivors.append(words(source, point, mutant))
            if survivors[-1] not in listed:
                isReached = number in judge.reached
                open_.append(line_of(mutants[number]) + ("" if isReached else " (no test comes here)"))
    print(f"{'file':32} {'mutants':>8} {'failed':>8} {'crashed':>8} {'endless':>8} {'survived':>8}")
    for name, counts in sorted(files.items()) + [("all", sum(files.values(), Counter()))]:
        row = [counts.total(), *(counts[k] for k in ("failed", "crashed", "endless", "survived"))]
        print(f"{name:32} " + " ".join(f"{n:8,}" for n in row))
    rate = 1 - len(survivors) / max(1, len(mutants))
    print(f"{total:,} mutants, {unviable:,} no Swift, {len(mutants):,} tried, {rate:.1%} killed, "
          f"{len(survivors) - len(open_):,} survivors known, {time.monotonic() - before:.0f} s")  # fmt: skip
    for line in open_:
        print(f"survives: {line}")
    failed = (rate < 0.9) + bool(open_) + bool(judge.unsound)
    print(f"{3 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
