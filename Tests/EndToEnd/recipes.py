#!/usr/bin/env python3
"""Every recipe of docs/RECIPES.md is run as it stands there, and has to do what its heading says; so is every line of the
README's first five minutes, in their order, and the letter box at the end of docs/OPERATING.md.

    LOCKBOOK, LOCKBOOK_SERVER     what is tested (else those of .build/release, else of .build/debug)

Programs that need a person or another machine (fzf, dmenu, xclip, rsync) are stand-ins that do what was asked of them.

The last line on stdout is `N passed, N failed`.
"""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True

import stage

STAND_INS = {
    # Chooses the line that names the note, and shows what the preview shows.
    "fzf": 'grep -m 1 boat >"$HOME/chosen"; preview=${2//\\{\\}/$(cat "$HOME/chosen")}; sh -c "$preview" >"$HOME/preview"; cat "$HOME/chosen"',
    "dmenu": "head -n 1",
    "xclip": 'cat >"$HOME/clipboard"',
    "rsync": 'cp -r "$4" "$HOME/www"',
    "editor": 'echo edited >>"$1"',
}
# A real one is at work already; this says what would stand in the newcomer's terminal.
SERVER = 'test "$*" = serve; echo "listening on a port"; echo "a request was answered" >&2; touch "$HOME/served"'
NOTES = {
    "/plans/boat.md": "Old Harbour, [[mast]] and [[nowhere]]\n- [ ] paint\n- [x] wash\n",
    "/plans/mast.md": "#done at Old Harbour, in Old Harbour\n",
    "/site/index.html": "<p>hello</p>\n",
    "/templates/meeting.md": "# {{title}}\n",
}


class Kitchen:
    def __init__(self, folder: Path, server: stage.Server):
        self.home = folder / "home"
        tools = folder / "bin"
        for made in (self.home, tools, self.home / "photos", self.home / "repository"):
            made.mkdir()
        (self.home / "photos" / "one.jpg").write_bytes(os.urandom(5000))
        (tools / "lockbook").symlink_to(stage.program("lockbook"))
        for name, text in [*STAND_INS.items(), ("lockbook-server", SERVER)]:
            (tools / name).write_text(f"#!/bin/bash\nset -euo pipefail\n{text}\n")
            (tools / name).chmod(stat.S_IRWXU)
        self.environment = {
            "PATH": f"{tools}:/usr/bin:/bin", "HOME": str(self.home), "LANG": "C.UTF-8", "API_URL": server.url,
            "LOCKBOOK_EDITOR": "editor", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
        }

    def stock(self) -> None:
        self.lockbook("account", "new", "cook")
        for path, text in NOTES.items():
            self.lockbook("write", path, text=text)

    def lockbook(self, *words: str, text: str = "") -> str:
        return subprocess.run(
            ["lockbook", *words], input=text, env=self.environment, cwd=self.home, check=True, capture_output=True, text=True
        ).stdout

    def cook(self, recipe: str) -> tuple[str, str]:
        """What it printed, and what went wrong."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", recipe], env=self.environment, cwd=self.home, capture_output=True, text=True
        )
        return done.stdout, f"status {done.returncode}: {done.stderr}" if done.returncode else ""


def work_of_today(kitchen: Kitchen) -> bool:
    return "a first commit" in kitchen.lockbook("cat", "/work/log.md")


def prompt(kitchen: Kitchen) -> bool:
    shown, _ = kitchen.cook(f"{RECIPES['What is not synced, in the prompt of your shell']}\necho \"${{PS1@P}}\"")
    return re.fullmatch(r"\d+ ~[#$] \n", shown) is not None


def commands(kitchen: Kitchen) -> set[str]:
    """What completion offers behind the program's name."""
    records = kitchen.lockbook("__complete", "bash", "1", "lockbook", "").split("\0")[1:]
    return {record.split("\t")[0] for record in records if record}


MEETING = "A note for each meeting"

# What is true afterwards, given what was printed.
CHECKS: dict[str, Callable[[Kitchen, str], bool]] = {
    "Choose a note with fzf, with a look at it": lambda kitchen, said: (
        "edited" in kitchen.lockbook("cat", "/plans/boat.md") and "Old Harbour" in (kitchen.home / "preview").read_text()
    ),
    "Copy a recent note to the clipboard, from dmenu or rofi": lambda kitchen, said: (
        "edited" in (kitchen.home / "clipboard").read_text()
    ),
    "Keep a folder of photos as one file": lambda kitchen, said: (
        not stage.differences(kitchen.home / "photos", kitchen.home / "elsewhere" / "photos")
    ),
    "The ten largest documents": lambda kitchen, said: (
        said.splitlines()[0].endswith("\t/photos.tar") and "/plans\n" not in said
    ),
    "A decrypted copy every night, with cron": lambda kitchen, said: (
        said == "" and (kitchen.home / "backup/notes/plans/mast.md").read_text() == NOTES["/plans/mast.md"]
        and kitchen.lockbook("status", "--porcelain") == ""
    ),
    "Publish a folder": lambda kitchen, said: (kitchen.home / "www" / "index.html").read_text() == NOTES["/site/index.html"],
    "Write down what was done today": lambda kitchen, said: work_of_today(kitchen),
    "Every task that is open": lambda kitchen, said: said == "/plans/boat.md:- [ ] paint\n",
    "Replace a name in every note": lambda kitchen, said: (
        kitchen.lockbook("cat", "/plans/mast.md") == "#done at New Harbour, in New Harbour\n"
        and kitchen.lockbook("cat", "/plans/boat.md").startswith("New Harbour,")
        and kitchen.lockbook("cat", "/site/harbour.bin") == "Old Harbour\0"
    ),
    "Links that lead nowhere": lambda kitchen, said: said == "/plans/boat.md:1: nowhere\n",
    "Put away what is done": lambda kitchen, said: kitchen.lockbook("list", "/archive") == "/archive/mast.md\n",
    "What is not synced, in the prompt of your shell": lambda kitchen, said: prompt(kitchen),
    MEETING: lambda kitchen, said: (
        re.fullmatch(r"# \d{4}-\d\d-\d\d\nedited\n", kitchen.lockbook("cat", *kitchen.lockbook("list", "/meetings").split()))
        is not None
    ),
    "Many commands with one start": lambda kitchen, said: said == "/plans/spring/boat.md\n",
}

PAGE = (stage.REPOSITORY / "docs/RECIPES.md").read_text()
RECIPES = {
    part.split("\n")[0]: part.split("```sh\n")[1].split("```")[0] for part in PAGE.split("\n## ")[1:]
}


def first_minutes(tally: stage.Tally, kitchen: Kitchen) -> None:
    """The first five minutes of somebody who types what the README says."""
    (kitchen.home / "notes").mkdir()
    (kitchen.home / "notes" / "log.md").write_text("the harbour opens at eight #boat\n")
    (kitchen.home / "notes" / "ideas").mkdir()
    (kitchen.home / "notes" / "ideas" / "boat.md").write_text("# Boat\n")
    section = (stage.REPOSITORY / "README.md").read_text().split("\n## The first five minutes\n")[1].split("\n## ")[0]
    lines = [line[4:] for line in section.splitlines() if line.startswith("    ")]
    tally.check(len(lines) > 10, "the README's first five minutes have lines", str(lines))
    for line in lines:
        # What was started in the background has ended before it is looked for.
        said, failure = kitchen.cook(f"{{\n{line}\nwait\n}} 2>&1")
        tally.check(not failure, f"README: {line.split('  ')[0]}", f"{failure}\n{said}")
        if line.startswith("lockbook-server"):
            tally.check(not said, "README: the server says nothing in the terminal", said)
    tally.check((kitchen.home / "served").exists(), "README: the server is started")
    tally.check(kitchen.lockbook("cat", "/plans/boat.md") == "# Boat\nedited\n", "README: the note is where it was moved to")
    tally.check(kitchen.lockbook("status", "--porcelain") == "", "README: all is synced")


def letter_box(tally: stage.Tally, kitchen: Kitchen) -> None:
    """Two nights of it: what is written into a note that was a letter stays, and no letter does, decrypted."""
    recipe = (stage.REPOSITORY / "docs/OPERATING.md").read_text().rstrip("\n").split("\n\n")[-1]
    inbox = kitchen.home / "inbox"
    taken = inbox / ".taken"
    # Beside a letter what is none, and what an earlier night may have left.
    for folder in (inbox / "folder.md", taken / "left.md"):
        folder.mkdir(parents=True)
        (folder / "page.md").write_text("a page\n")
    for letter in (inbox / "letter.md", inbox / ".todo.md", taken / ".left.md"):
        letter.write_text("a letter\n")
    said, failure = kitchen.cook(recipe)
    tally.check(not failure and not said, "letter box: a night", f"{failure}\n{said}")
    notes = ["/inbox/.left.md", "/inbox/letter.md"]
    imported = kitchen.lockbook("list", "-r", "--documents", "/inbox").splitlines()
    tally.check(sorted(imported) == [notes[0], "/inbox/left.md/page.md", notes[1]], "letter box: letters are notes", str(imported))
    left = sorted(str(path.relative_to(inbox)) for path in inbox.rglob("*"))
    tally.check(left == [".taken", ".todo.md", "folder.md", "folder.md/page.md"], "letter box: no letter is left", str(left))
    for note in notes:
        kitchen.lockbook("write", "--append", note, text="a line of mine\n")
    said, failure = kitchen.cook(recipe)
    tally.check(not failure and not said, "letter box: a night without letters", f"{failure}\n{said}")
    texts = kitchen.lockbook("cat", *notes)
    tally.check(texts == "a letter\na line of mine\n" * 2, "letter box: what was written into the notes stays", texts)


def main() -> int:
    tally = stage.Tally()
    headings = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    tally.check(headings == list(RECIPES) == list(CHECKS), "every recipe is run", f"{set(headings) ^ set(CHECKS)}")
    with stage.scratch("recipes") as folder, stage.Server(folder / "server") as server:
        newcomer = folder / "newcomer"
        newcomer.mkdir()
        first_minutes(tally, Kitchen(newcomer, server))
        kitchen = Kitchen(folder, server)
        kitchen.stock()
        work = "Write down what was done today"
        said, failure = kitchen.cook(f"git init -q . && git() {{ :; }}\n{RECIPES[work]}")
        tally.check(not failure and not said, f"{work}: on a day without commits", f"{failure}\n{said}")
        kitchen.lockbook("stream", "in", "/site/harbour.bin", text="Old Harbour\0")
        kitchen.cook("git init -q . && git commit -q --allow-empty -m 'a first commit'")
        for heading, recipe in RECIPES.items():
            said, failure = kitchen.cook(recipe)
            good = not failure and CHECKS[heading](kitchen, said)
            tally.check(good, heading, f"{failure}\n{said}")
        known = commands(kitchen)
        for heading, recipe in RECIPES.items():
            used = set(re.findall(r"\blockbook ([a-z-]+)", recipe))
            tally.check(used <= known, f"{heading}: the commands are there", f"{used - known}")
        away = "Put away what is done"
        for path in ("/a/twin.md", "/b/twin.md", "/b/other.md"):
            kitchen.lockbook("write", path, text="#done\n")
        kitchen.cook(RECIPES[away])
        put = {"/archive/twin.md", "/archive/other.md"} <= set(kitchen.lockbook("list", "/archive").split())
        tally.check(put, f"{away}: two of one name keep no other note back")
        said, failure = kitchen.cook(RECIPES[MEETING])
        note = kitchen.lockbook("cat", *kitchen.lockbook("list", "/meetings").split())
        tally.check(not failure and note.endswith("\nedited\nedited\n"), f"{MEETING}: a second time", f"{failure}\n{note}")
        letter_box(tally, kitchen)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
