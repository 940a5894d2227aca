#!/usr/bin/env python3
"""Merges texts made to be slow or large, and prints what they took; nothing may be lost and memory is limited.

    SIZE_MB=number       size of each of the three texts (default 1); all are merged at half of it and at all of it
    MERGE_TOOL=program   default: the one that was built, optimised

The last line on stdout is `N passed, N failed`. Times are printed, not tested.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

TOOL = os.environ.get("MERGE_TOOL") or str(Path(__file__).resolve().parents[2] / ".build/release/merge-tool")
MEMORY = 3 << 30
Texts = tuple[bytes, bytes, bytes]


def letters(random: Random, alphabet: bytes, count: int, between: bytes = b"\n") -> bytes:
    return between.join(bytes([letter]) for letter in random.choices(alphabet, k=count)) + b"\n"


def edited(random: Random, size: int) -> Texts:
    lines = [b"line %d has some words in it %d" % (number, random.randrange(1000)) for number in range(size // 36)]
    sides = [list(lines), list(lines)]
    for number in range(10_000):
        at, side = random.randrange(len(lines)), sides[number % 2]
        side[at] = side[at].replace((b"words", b"some")[number % 2], b"edit%d" % number)
    return tuple(b"\n".join(text) + b"\n" for text in (lines, *sides))


def one_line(random: Random, size: int) -> Texts:
    words = [b"%x" % random.getrandbits(40) for _ in range(size // 11)]
    sides = [list(words), list(words)]
    for number in range(1_000):
        sides[number % 2][random.randrange(len(words))] = b"edit%d" % number
    return tuple(b" ".join(text) for text in (words, *sides))


def regions(random: Random, size: int) -> Texts:
    texts: list[list[bytes]] = [[], [], []]
    for number in range(size // 8_000):
        for text in texts:
            text += [b"separator %d\n" % number, letters(random, b"abcd", 4_000, b" ")]
    return tuple(map(b"".join, texts))


def shuffled(random: Random, size: int) -> Texts:
    lines = [b"%d" % (number % (size // 40)) for number in range(size // 7)]
    return tuple(b"\n".join(text) + b"\n" for text in (lines, random.sample(lines, len(lines)), random.sample(lines, len(lines))))


def svg(random: Random, size: int) -> Texts:
    base = b"<svg>" + b"\n".join(b'<a id="a%d" x="1"/>' % number for number in range(size // 19)) + b"</svg>"
    return base, base.replace(b'id="a5"', b'id="a5" y="local"'), base.replace(b'id="a900"', b'id="a900" y="remote"')


def nested(size: int) -> Texts:
    """Conflicts in one another around a marker of none, with which nothing may stand in a version of one."""
    def side(writer: bytes, number: int, depth: int) -> bytes:
        if not depth:
            return b"core\n=======\n"
        opening, middle, closing = (sign * (8 + depth) for sign in (b"<", b"=", b">"))
        return b"%b a on b\nline %d of %d\n%b%b\n%b %d of %d\n%b c on d\n" % (
            opening, depth, number, side(writer, number, depth - 1), middle, writer, depth, number, closing)

    blocks = range(max(1, size // 3_000))
    base = b"".join(b"line %d of %d\n" % (depth, number) for number in blocks for depth in range(30, 0, -1))
    return base, *(b"".join(side(writer, number, 30) for number in blocks) for writer in (b"mine", b"theirs"))


def blank(size: int) -> Texts:
    """A line with empty ones below it comes a second time: that may have begun at any of these."""
    record = b"a\n" + b"\n" * (size // 2)
    return record + b"end\n", record * 2 + b"end\n", record + b"remote\n"


def records(size: int, kind: str) -> Texts:
    """Records of which one side changes each in its last line, and the other one rewrites each."""
    def record(number: int, name: str, state: str) -> str:
        return {
            "yaml": f"- id: {name}{number}\n  name: {name} {number}\n  done: {state}\n",
            "points": f"- {name} {number}\n  place {name}\n  done {state}\n",
            "sections": f"## {name} {number}\n\n{name} says\n{state} it is\n\n",
            "rows": f"| {name} {number} | {name} | {state} |\n",
            "toml": f"[[list]]\nid = \"{name}{number}\"\nname = \"{name}\"\ndone = \"{state}\"\n",
            "json": f'  {{\n    "id": "{name}{number}",\n    "done": "{state}"\n  }},\n',
            "json lines": f'{{"id": "{name}{number}", "done": "{state}"}}\n',
            "xml": f'  <a id="{name}{number}">\n    <b>{state}</b>\n  </a>\n',
            "bibtex": f"@book{{{name}{number},\n  title = {{{name}}},\n  done = {{{state}}}\n}}\n",
            "tasks": f"(A) {name} {number} @{name} state:{state}\n",
            "cards": f"BEGIN:VEVENT\nUID:{name}{number}\nSUMMARY:{name}\nSTATUS:{state}\nEND:VEVENT\n",
            "ledger": f"2026-01-02 {name} {number}\n    Assets:{name}  1\n    Expenses:{state}\n\n",
        }[kind]

    count = size // len(record(1000, "anna", "no"))
    around = {"json": ("[\n", "  0\n]\n"), "xml": ("<all>\n", "</all>\n"), "rows": ("| name | by | state |\n|-|-|-|\n", ""),
              "cards": ("BEGIN:VCALENDAR\n", "END:VCALENDAR\n")}.get(kind, ("", ""))
    return tuple((around[0] + "".join(record(number, name, state) for number in range(count)) + around[1]).encode()
                 for name, state in (("anna", "no"), ("bob", "no"), ("anna", "yes")))


def shapes(size: int) -> Iterator[tuple[str, Texts]]:
    random = Random(size)
    yield "10,000 scattered edits", edited(random, size)
    yield "lines of one of ten letters", tuple(letters(random, b"abcdefghij", size // 2) for _ in range(3))
    yield "lines of one of two letters", tuple(letters(random, b"ab", size // 2) for _ in range(3))
    yield "lines in another order", shuffled(random, size)
    yield "empty lines", (b"\n" * size, b"\n" * (size - 9) + b"local\n", b"remote\n" + b"\n" * (size - 9))
    yield "empty lines that slide", blank(size)
    yield "blocks that slide", tuple((b"a\n" * length + b"b\n") * (size // (2 * length + 2)) for length in (50, 49, 51))
    yield "every other line new", tuple(b"".join(b"x\n%s%d\n" % (side, number) for number in range(size // 10)) for side in (b"b", b"l", b"r"))
    yield "many lines of letters", regions(random, size)
    yield "words on one line", one_line(random, size)
    yield "one letter on one line", (b"a" * size, b"a" * (size // 2) + b" local " + b"a" * (size // 2), b"a" * size + b" remote")
    yield "letters on one line", (b" " * size, b" a" * (size // 2), b"a " * (size // 2))
    yield "markers only", tuple(b"".join(sign * (7 + number % 500) + b"\n" for number in range(size // 257)) for sign in (b"<", b"=", b">"))
    yield "conflicts in one another", nested(size)
    yield "SVG", svg(random, size)
    for kind in KINDS:
        yield f"rewritten {kind}", records(size, kind)
    yield "brackets", (b"[" * size, b"[" * size + b"\nlocal", b"remote\n" + b"[" * size)


KINDS = {"yaml": "yaml", "points": "md", "sections": "md", "rows": "md", "toml": "toml", "json": "json", "json lines": "jsonl",
         "xml": "xml", "bibtex": "bib", "tasks": "txt", "cards": "ics", "ledger": "ledger"}


def merge(texts: Texts, extension: str) -> tuple[int, bytes, float, int]:
    with tempfile.TemporaryFile() as fed:
        fed.write(b"%b %d %d %d\n" % (extension.encode(), *map(len, texts)) + b"".join(texts))
        fed.seek(0)
        before = time.monotonic()
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        process = subprocess.Popen([TOOL], stdin=fed, stdout=subprocess.PIPE, preexec_fn=limit)
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - before
    if status or b"\n" not in said:
        raise RuntimeError(f"ended with {status}")
    head, _, text = said.partition(b"\n")
    conflicts, _, length = map(int, head.split())
    if len(text) != length:
        raise RuntimeError("cut short")
    return conflicts, text, seconds, used.ru_maxrss


def lost(texts: Texts, merged: bytes) -> set[bytes]:
    """Words that a side added and that are not in the result."""
    base, local, remote = (set(text.split()) for text in texts)
    return ((local | remote) - base) - set(merged.split())


def main() -> int:
    size = int(float(os.environ.get("SIZE_MB") or 1) * 1e6)
    passed = failed = 0
    print(f"{'':30}{'MB':>6}{'conflicts':>11}{'seconds':>9}{'MB memory':>11}")
    for part in (size // 2, size):
        for name, texts in shapes(part):
            try:
                conflicts, text, seconds, memory = merge(texts, KINDS.get(name.removeprefix("rewritten "), "-"))
                missing = set() if conflicts < 0 else lost(texts, text)
            except RuntimeError as problem:
                print(f"FAILED {name}: {problem}")
                failed += 1
                continue
            kept = "both kept" if conflicts < 0 else conflicts
            print(f"{name:30}{part / 1e6:6.1f}{kept:>11}{seconds:9.2f}{memory >> 10:11}", flush=True)
            if missing:
                print(f"FAILED {name}: {len(missing)} words lost, as {sorted(missing)[:3]}")
            failed += bool(missing)
            passed += not missing
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
