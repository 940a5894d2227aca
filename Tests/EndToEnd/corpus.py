"""Notes that nobody wrote: the same ones for the same seed."""

from pathlib import Path
from random import Random

LETTERS = "etaoinshrdlucmfwypvbgkjqxz"
# Parts of names that a careless program stumbles over.
ODDITIES = ["", "", "", " two words", " it's", " (draft)", " [1]", " 100%", " a+b", " #tag", " é", " 日本語", " 한글", " & co"]


def write_notes(root: Path, count: int, seed: int, per_folder: int = 100, odd_names: bool = False) -> int:
    """Writes `count` notes in folders of `per_folder`, most of about a kilobyte, and returns their bytes."""
    random = Random(seed)
    words = ["".join(random.choice(LETTERS) for _ in range(random.randint(2, 10))) for _ in range(5000)]
    written = 0
    for number in range(count):
        folder, oddity = f"folder-{number // per_folder:04d}", ""
        if odd_names:
            inside = f"{number // per_folder % 7} inner{Random(number // per_folder).choice(ODDITIES)}"
            folder, oddity = f"{folder[:-1]}/{inside}/{folder}", random.choice(ODDITIES)
        path = root / folder / f"note-{number:06d}{oddity}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = note(random, words, f"Note {number}")
        path.write_bytes(text)
        written += len(text)
    return written


def note(random: Random, words: list[str], title: str) -> bytes:
    """Lengths are log-normal, median 1.2 kB, at most 64 KiB."""
    length = int(min(65536, max(80, random.lognormvariate(7.1, 0.8))))
    lines, size, line = [f"# {title}", ""], len(title) + 4, ""
    while size + len(line) < length:
        line += random.choice(words)
        if random.random() < 0.08:
            lines.append(line)
            size += len(line) + 1
            line = ""
        else:
            line += " "
    lines.append(line.rstrip())
    return ("\n".join(lines) + "\n").encode()
