#!/usr/bin/env python3
"""Compares the merge of texts with `git merge-file` and `diff3 -m`, on drawn and on real cases.

    CASES=number           drawn cases (default 1,000); every fifth of them once more without an end of the last lines
    REAL=number            real cases (default 40): of merge commits where there are any, else of copied files
    REPOSITORIES=folders   repositories with a history, separated by colons (default: those of the dependencies)
    COPIES=folder          files that repositories took over from each other (default: the dependencies' checkouts)
    MERGE_TOOL=program     default: the one that was built (release if there is one)
    SEED=number            which cases are drawn (default 1)
    SHOW=number            examples of every oddity that are shown on stderr (default 2)

Held to:
  1  never a conflict where git has none
  2  never a silent result that differs from git's clean one
  3  a conflict of git's that is resolved is one in which no word was changed by both sides: git itself, given one
     word a line, finds no conflict either, or only changes that touch without overlapping
  4  and in drawn cases, where it is known which words were changed, no word was changed by both to different ones (but for
     the two kinds in which so few words repeat so often that nobody could say which of them was changed)
  5  at least 40 % of git's conflicts in drawn cases are resolved

The last line on stdout is `N passed, N failed`.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True

from merge_cases import Case, draw, from_copies, from_merges, unended

TOP = Path(__file__).resolve().parents[2]
SHOW = int(os.environ.get("SHOW") or 2)
TOKEN = re.compile(
    rb"\r\n|[ \t]+|[\xe3-\xe9][\x80-\xbf]{2}"
    rb"|(?:[0-9A-Za-z_\x80-\xe2\xea-\xff]|(?<=[^\W])['./:@-](?=[0-9A-Za-z_\x80-\xe2\xea-\xff])|(?<=\d),(?=\d))+|.|\n",
    re.DOTALL,
)
# A table's row of numbers, of which each is a word.
ROW = re.compile(
    rb"(?:^|(?<=\D,))(?:\d+[.:/-])*\d+(?:,(?!\d{3}(?!\d))(?:\d+[.:/-])*\d+){3,}(?=\r?$|,(?!\d))", re.MULTILINE
)


def tokens(text: bytes) -> list[bytes]:
    found, at = [], 0
    for row in ROW.finditer(text):
        found += TOKEN.findall(text[at : row.start()]) + re.findall(rb",|[^,]+", row[0])
        at = row.end()
    return found + TOKEN.findall(text[at:])


@dataclass
class Answer:
    conflicts: int
    text: bytes


def tool() -> str:
    named = os.environ.get("MERGE_TOOL")
    places = [Path(named)] if named else [TOP / ".build" / kind / "merge-tool" for kind in ("release", "debug")]
    for place in places:
        if place.exists():
            return str(place)
    sys.exit("first: swift build --product merge-tool")


def ours(cases: list[Case]) -> list[Answer]:
    with tempfile.TemporaryFile() as fed:
        for case in cases:
            fed.write(f"- {len(case.base)} {len(case.local)} {len(case.remote)}\n".encode())
            fed.write(case.base + case.local + case.remote)
        fed.seek(0)
        said = subprocess.run([tool()], stdin=fed, stdout=subprocess.PIPE, check=True).stdout
    answers, at = [], 0
    while at < len(said):
        end = said.index(b"\n", at)
        conflicts, _, length = map(int, said[at:end].split())
        answers.append(Answer(conflicts, said[end + 1 : end + 1 + length]))
        at = end + 1 + length
    assert len(answers) == len(cases)
    return answers


def run(command: list[str], texts: tuple[bytes, bytes, bytes]) -> Answer:
    """Gives a program local, base and remote; the status is the number of conflicts (git) or 1 (diff3)."""
    with tempfile.TemporaryDirectory(prefix="merge-") as folder:
        names = [f"{folder}/{name}" for name in ("local", "base", "remote")]
        for name, text in zip(names, texts):
            with open(name, "wb") as file:
                file.write(text)
        done = subprocess.run(command + names, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, close_fds=False)
    return Answer(done.returncode, done.stdout)


GIT = ["git", "merge-file", "-p", "-q"]


def by_words(case: Case) -> str:
    """What git says to its conflicts given one word a line: `apart`, `touching` or `same word`."""
    verdict = "apart"
    # Without its end a last line is no other one (MERGE.md): git is asked about texts that all end.
    texts = tuple(ended(text) for text in (case.local, case.base, case.remote))
    for hunk in hunks(run([*GIT, "--diff3"], texts).text):
        words = tuple(tokens(text) for text in hunk)
        answer = run([*GIT, "--diff3"], tuple(b"".join(word.hex().encode() + b"\n" for word in text) for text in words))
        if answer.conflicts == 0:
            continue
        verdict = "touching"
        if not touch(*words) and not all(touch(*(text.split(b"\n")[:-1] for text in inner)) for inner in hunks(answer.text)):
            return "same word"
    return verdict


def ended(text: bytes) -> bytes:
    if not text or text.endswith(b"\n"):
        return text
    return text + (b"\r\n" if b"\r\n" in text else b"\n")


def hunks(text: bytes) -> list[tuple[bytes, bytes, bytes]]:
    """Local, base and remote of every conflict in what `git merge-file --diff3` wrote."""
    return re.findall(rb"^<{7} [^\n]*\n(.*?)^\|{7} [^\n]*\n(.*?)^={7}\n(.*?)^>{7} ", text, re.DOTALL | re.MULTILINE)


def touch(local: list[bytes], base: list[bytes], remote: list[bytes]) -> bool:
    """Whether the base can be cut into pieces of at least a word so that only one side changed each of them."""
    # How far the three are read, whose piece it is, and whether it has a word of the base yet; deepest first.
    todo = [(0, 0, 0, mine, False) for mine in (True, False)]
    reached = set(todo)
    while todo and len(reached) < 1_000_000:
        l, b, r, mine, some = todo.pop()
        if some and (l, b, r) == (len(local), len(base), len(remote)):
            return True
        following = [(l, b, r, not mine, False)] if some else []
        if mine and l < len(local):
            following.append((l + 1, b, r, mine, some))
        if not mine and r < len(remote):
            following.append((l, b, r + 1, mine, some))
        if b < len(base):
            in_local, in_remote = local[l : l + 1] == base[b : b + 1], remote[r : r + 1] == base[b : b + 1]
            if mine and in_remote:
                following.append((l, b + 1, r + 1, mine, True))
            if not mine and in_local:
                following.append((l + 1, b + 1, r, mine, True))
            if in_local and in_remote:
                following.append((l + 1, b + 1, r + 1, mine, True))
        for state in following:
            if state not in reached:
                reached.add(state)
                todo.append(state)
    return False


class Tally:
    """Counts, and the first examples of what should not be."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter] = defaultdict(Counter)
        self.shown: Counter = Counter()

    def note(self, case: Case, what: str, *texts: Answer) -> None:
        self.counts[case.kind][what] += 1
        if texts and self.shown[what] < SHOW:
            self.shown[what] += 1
            print(f"\n### {what}: {case.name} ({case.kind})", file=sys.stderr)
            for name, text in (("base", case.base), ("local", case.local), ("remote", case.remote)):
                print(f"--- {name}\n{text.decode(errors='replace')}", file=sys.stderr)
            for text in texts:
                print(f"--- gives, with {text.conflicts} conflicts\n{text.text.decode(errors='replace')}", file=sys.stderr)

    def total(self, what: str, drawn: bool | None = None) -> int:
        real = ("copied files", "merge commits")
        return sum(counts[what] for kind, counts in self.counts.items() if drawn is None or drawn != (kind in real))


def judge(tally: Tally, case: Case, mine: Answer, pool: ThreadPoolExecutor) -> None:
    texts = (case.local, case.base, case.remote)
    theirs, diff3 = run(GIT, texts), run(["diff3", "-m"], texts)
    tally.note(case, "cases")
    if theirs.conflicts > 127:
        return tally.note(case, "git: not text")
    if mine.conflicts < 0:
        return tally.note(case, "both copies kept, git " + ("has conflicts" if theirs.conflicts else "is clean"))
    if theirs.conflicts == 0:
        tally.note(case, "git clean")
        if mine.conflicts:
            tally.note(case, "conflict where git has none", mine, theirs)
        elif mine.text != theirs.text:
            tally.note(case, "silently differs from git", mine, theirs)
        if case.committed is not None:
            tally.note(case, "git clean, as committed" if mine.text == case.committed else "git clean, committed otherwise")
    else:
        tally.note(case, "git conflict")
        tally.counts[case.kind]["conflicts of git"] += theirs.conflicts
        tally.counts[case.kind]["conflicts left"] += mine.conflicts
        if mine.conflicts == 0:
            tally.note(case, "resolved")
            verdict = by_words(case)
            tally.note(case, f"resolved, {verdict}", *([mine, theirs] if verdict == "same word" else []))
            if case.clash and case.kind not in ("code", "repeating"):
                tally.note(case, "resolved though one word was changed by both", mine, theirs)
            if case.committed is not None:
                tally.note(case, "resolved as committed" if mine.text == case.committed else "resolved, committed otherwise")
    if diff3.conflicts == 0:
        tally.note(case, "diff3 clean")
        if mine.conflicts:
            tally.note(case, "conflict where diff3 has none" + (", as in git" if theirs.conflicts else ""), mine, diff3)
        elif mine.text != diff3.text:
            same = mine.text == theirs.text
            tally.note(case, "silently differs from diff3" + (", as git does" if same else ""), mine, diff3)


def real_cases(most: int, seed: int) -> list[Case]:
    named = os.environ.get("REPOSITORIES")
    folders = [Path(name) for name in named.split(":")] if named else sorted((TOP / ".build/repositories").glob("*"))
    cases: list[Case] = []
    for folder in folders:
        cases += from_merges(folder, most - len(cases))
    print(f"merge commits: {len(cases)} cases from {len(folders)} repositories")
    copies = Path(os.environ.get("COPIES") or TOP / ".build/checkouts")
    return cases + (from_copies(copies, most - len(cases), seed) if copies.is_dir() else [])


def main() -> int:
    seed = int(os.environ.get("SEED") or 1)
    cases = [draw(seed, index) for index in range(int(os.environ.get("CASES") or 1000))]
    cases += [unended(case) for case in cases[::5]]
    cases += real_cases(int(os.environ.get("REAL") or 40), seed)
    tally = Tally()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(lambda pair: judge(tally, *pair, pool), zip(cases, ours(cases))):
            pass
    for kind, counts in tally.counts.items():
        print(f"\n{kind}")
        for what, count in sorted(counts.items()):
            print(f"  {count:6}  {what}")
    conflicts, resolved = tally.total("git conflict", drawn=True), tally.total("resolved", drawn=True)
    print(f"\ndrawn: {resolved} of {conflicts} cases with conflicts resolved, {100 * resolved / max(conflicts, 1):.1f} %;", end=" ")
    print(f"{tally.total('conflicts of git', True)} conflicts, of which {tally.total('conflicts left', True)} are left")
    print(f"real: {tally.total('resolved', False)} of {tally.total('git conflict', False)} resolved", flush=True)
    held = {
        "no conflict where git has none": tally.total("conflict where git has none") == 0,
        "no silent difference from git": tally.total("silently differs from git") == 0,
        "no conflict resolved in which git sees one word changed by both": tally.total("resolved, same word") == 0,
        "no conflict resolved in which one word was drawn to be changed by both": tally.total("resolved though one word was changed by both") == 0,
        "at least 40 % of git's conflicts resolved": resolved >= 0.4 * conflicts > 0,
    }
    for what, holds in held.items():
        print("ok    " if holds else "FAILED", what)
    print(f"{sum(held.values())} passed, {len(held) - sum(held.values())} failed")
    return 0 if all(held.values()) else 1


sys.exit(main())
