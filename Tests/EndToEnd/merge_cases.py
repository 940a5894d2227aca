"""Cases for the comparison of text merges: drawn ones, and real ones from repositories and from copied files."""

import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

SYLLABLES = "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro".split()
LARGEST = 400_000  # bytes of a real text; larger ones only take time


@dataclass
class Case:
    name: str
    kind: str
    base: bytes
    local: bytes
    remote: bytes
    committed: bytes | None = None  # what people made of it
    clash: bool = False  # drawn so that both sides change one word to different ones


def unended(case: Case) -> Case:
    """The same without an end of the last lines."""
    base, local, remote = (text.removesuffix(b"\n") for text in (case.base, case.local, case.remote))
    return replace(case, name=f"{case.name}, unended", base=base, local=local, remote=remote)


@dataclass
class Side:
    """One side's lines; a word is a pair of its number in the base (or None) and its text."""

    lines: list[list[tuple[int | None, str]]]
    changed: dict[int, str | None] = field(default_factory=dict)  # word of the base: what became of it

    def text(self, style: "Style", ends: bool = True) -> bytes:
        lines = [style.start + style.gap.join(word for _, word in line) for line in self.lines]
        return ("\n".join(lines) + ("\n" if ends and lines else "")).encode()


@dataclass
class Style:
    """How the texts of one kind look: words a line, different words, lines of the base."""

    gap: str
    start: str
    words: tuple[int, int]
    vocabulary: int
    lines: tuple[int, int]
    edits: tuple[int, int]
    far: float  # share of the edits that fall anywhere instead of near one place of the text


STYLES = {
    "prose": Style(" ", "", (6, 18), 3000, (3, 30), (1, 4), 0.3),
    "paragraphs": Style(" ", "", (30, 80), 3000, (1, 8), (1, 4), 0.3),
    "lists": Style(" ", "- ", (1, 5), 600, (3, 25), (1, 5), 0.3),
    "tables": Style(", ", "", (3, 8), 800, (4, 25), (1, 5), 0.3),
    "code": Style(" ", "    ", (1, 6), 60, (10, 60), (1, 8), 0.5),
    "repeating": Style(" ", "", (0, 2), 3, (4, 40), (1, 10), 0.8),
}


def word(number: int) -> str:
    out = SYLLABLES[number % len(SYLLABLES)]
    while number := number // len(SYLLABLES):
        out += SYLLABLES[number % len(SYLLABLES)]
    return out


def draw(seed: int, index: int) -> Case:
    """A base and two edits of it, both mostly near one place, as when two people work on one passage."""
    random = Random(f"{seed}/{index}")
    kind = list(STYLES)[index % len(STYLES)]
    style = STYLES[kind]

    def new_word() -> str:
        return word(random.randrange(style.vocabulary))

    def new_line() -> list[tuple[int | None, str]]:
        return [(None, new_word()) for _ in range(random.randint(*style.words))]

    number = 0
    lines = []
    for _ in range(random.randint(*style.lines)):
        line = new_line()
        lines.append([(number + offset, text) for offset, (_, text) in enumerate(line)])
        number += len(line)
    place = random.randrange(len(lines))
    sides = [Side([list(line) for line in lines]) for _ in range(2)]

    def edit(side: Side) -> None:
        near = place + random.choice((-2, -1, -1, 0, 0, 0, 1, 1, 2))
        at = random.randrange(len(side.lines) + 1) if random.random() < style.far else near
        at = max(0, min(at, len(side.lines)))
        what = random.choices(("word", "gone", "more", "insert", "delete", "rewrite", "tail"), (40, 8, 14, 14, 8, 8, 8))[0]
        if what == "insert" or at == len(side.lines):
            side.lines[at:at] = [new_line() for _ in range(random.choice((1, 1, 2)))]
            return
        line = side.lines[at]
        if what == "delete":
            del side.lines[at]
            forget(side, line)
        elif what == "rewrite":
            forget(side, line)
            side.lines[at] = new_line()
        elif what == "tail":
            line += [(None, new_word()) for _ in range(random.randint(1, 4))]
        elif what == "more" or not line:
            line.insert(random.randint(0, len(line)), (None, new_word()))
        else:
            which = random.randrange(len(line))
            known, before = line[which]
            after = new_word() if what == "word" else None
            if after == before:
                return
            if known is not None:
                side.changed[known] = after
            line[which : which + 1] = [(known, after)] if after else []

    def forget(side: Side, line: list[tuple[int | None, str]]) -> None:
        side.changed.update((known, None) for known, _ in line if known is not None)

    for side in sides:
        for _ in range(random.randint(*style.edits)):
            edit(side)
    if random.random() < 0.1:  # one change that both sides made
        at = random.randrange(len(lines) + 1)
        line = new_line()
        for side in sides:
            side.lines.insert(min(at, len(side.lines)), list(line))
    local, remote = sides
    both = local.changed.keys() & remote.changed.keys()
    return Case(
        f"seed {seed} case {index}",
        kind,
        Side(lines).text(style),
        local.text(style, random.random() > 0.05),
        remote.text(style, random.random() > 0.05),
        clash=any(local.changed[known] and remote.changed[known] != local.changed[known] for known in both),
    )


def git(repository: Path, *arguments: str) -> bytes:
    command = ["git", "-c", "safe.directory=*", "-C", str(repository), *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


def from_merges(repository: Path, most: int) -> Iterator[Case]:
    """Files that both sides of a merge commit changed, newest merges first, with what was committed."""
    found = 0
    for merge in git(repository, "log", "--all", "--min-parents=2", "--max-parents=2", "--format=%H %P").decode().split("\n"):
        if found >= most or not merge:
            return
        commit, mine, theirs = merge.split()
        bases = git(repository, "merge-base", "--all", mine, theirs).decode().split()
        if len(bases) != 1:
            continue
        changed = [
            {
                tuple(line.split("\t", 1)): None
                for line in git(repository, "diff", "--name-status", "--no-renames", bases[0], side).decode().splitlines()
            }
            for side in (mine, theirs)
        ]
        for state, path in (entry for entry in changed[0] if entry in changed[1]):
            if state != "M" or found >= most:
                continue
            texts = [contents(repository, version, path) for version in (bases[0], mine, theirs, commit)]
            if any(text is None or b"\0" in text or len(text) > LARGEST for text in texts[:3]) or texts[1] == texts[2]:
                continue
            found += 1
            yield Case(f"{repository.name} {commit[:12]} {path}", "merge commits", *texts)


def contents(repository: Path, commit: str, path: str) -> bytes | None:
    try:
        return git(repository, "show", f"{commit}:{path}")
    except subprocess.CalledProcessError:
        return None


def from_copies(folder: Path, most: int, seed: int) -> list[Case]:
    """Three versions of a file that repositories took over from each other and changed; the one in the middle is the base.

    People made these changes, but nobody merged them.
    """
    named: dict[str, dict[bytes, Path]] = defaultdict(dict)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts and path.stat().st_size <= LARGEST:
            data = path.read_bytes()
            if data.count(b"\n") >= 8 and b"\0" not in data:
                named[path.name].setdefault(data, path)
    random = Random(seed)
    groups = []
    for name, versions in sorted(named.items()):
        texts = sorted(versions)
        random.shuffle(texts)
        lines = [Counter(text.split(b"\n")) for text in texts]
        close = defaultdict(int)
        for one in range(len(texts)):
            for other in range(one + 1, len(texts)):
                common = (lines[one] & lines[other]).total()
                if common * 10 >= 6 * max(lines[one].total(), lines[other].total()):
                    close[one, other] = close[other, one] = common
        cases = []
        for middle in range(len(texts)):
            near = sorted((other for other in range(len(texts)) if close[middle, other]), key=lambda other: -close[middle, other])
            for mine, theirs in zip(near[::2], near[1::2]):
                if close[middle, mine] + close[middle, theirs] >= 2 * close[mine, theirs]:
                    cases.append(Case(f"{name} {middle}/{mine}/{theirs}", "copied files", texts[middle], texts[mine], texts[theirs]))
        groups.append(cases)
    turns = max(map(len, groups), default=0)
    return [group[turn] for turn in range(turns) for group in groups if turn < len(group)][:most]
