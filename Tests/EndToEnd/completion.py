#!/usr/bin/env python3
"""Presses Tab in real shells, with names that try to be something else.

A tree of hostile names is served to bash, zsh and fish, each in a terminal of its own (tmux). For every name and every
way of typing its beginning, the test types `lockbook cat BEGINNING<Tab><Enter>` and looks at the words the shell then
passed: they must name that very note, and no command planted in a name may have run.

    completion.py                   the real program: LOCKBOOK=path, else .build/release, else .build/debug
    completion.py --stand-in        a stand-in for the program, which answers from the same tree of names
    completion.py --shell zsh       one shell only (can be repeated)
    completion.py --thorough        the beginnings of every name at three lengths (minutes)

The last line on stdout is `N passed, N failed`.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

REPOSITORY = Path(__file__).resolve().parents[2]
PATIENCE = 60.0  # seconds for one line to be completed and run, far more than it takes
SETTLED_KEY = ("F9", "\\e[20~")  # a key that only tells that it was read: for tmux, and as the shells write it
LATEST_CASES = 3  # how many failures show their screen

# Every name stands in the folder `h` behind two digits, so that its beginning is unique.
NAMES = [
    "plain.md",
    "two words.md",
    "  many   spaces  .md",
    "it's.md",
    "'single'.md",
    'the "best".md',
    "both ' and \".md",
    "$(planted).md",
    "`planted`.md",
    "a;planted;.md",
    "a&&planted.md",
    "a|planted|.md",
    "a & planted &.md",
    "$(planted >&2).md",
    "<(planted).md",
    "${IFS}planted.md",
    "$HOME.md",
    "$PATH and ${PATH}.md",
    "$'\\n'.md",
    "*.md",
    "* *.md",
    "?.md",
    "[a-z].md",
    "{a,b}.md",
    "(x).md",
    "(#e).md",
    "!!.md",
    "!planted.md",
    "a!b c.md",
    "back\\slash.md",
    "end\\",
    "\\n\\t\\x41.md",
    "a:b:c.md",
    "time 12:30.md",
    "a=b.md",
    "--flag=value.md",
    "-r.md",
    "a#b #c.md",
    "~root.md",
    "a~b.md",
    "100%.md",
    "%s %n.md",
    "a^b.md",
    "a@b,c.md",
    "a>b<c.md",
    "日本語の ノート.md",
    "中文(括号).md",
    "한국어 '노트'.md",
    "zé ü ñ.md",
    "🙂 smile.md",
    "x\"$(planted)\".md",
    "x'$(planted)'.md",
    "a\\$(planted).md",
    "dots...",
    "'",
    '"',
    "`",
    "$",
    "end ",
]

# Names at the root, so that their first character is the first of the word.
ROOT_NAMES = [
    "~root",
    "=ls",
    "#hash tag",
    "*star",
    "$HOME x",
    "!bang",
    "%1",
    "^caret",
    "{a,b}",
    "[a]",
    "(x)",
    ";planted",
    "'quote",
    '"double',
    "`planted`",
    "\\back",
    " blank",
    "&planted",
    "|planted",
    "<in",
    ">out",
    "?what",
    "@at",
    ":colon",
    "日本 語",
    "-dash",
]

# More than one answer, folders and words continued after a first Tab: what is typed, Tab after every piece.
OTHER_FILES = [
    "part/my note one.md",
    "part/my note two.md",
    "fork/x y.md",
    "fork/x$z.md",
    "colon:tree/a:one.md",
    "colon:tree/a:two.md",
    "only folder/in side/deep $(planted).md",
    "Case/README",
    "Case/readme",
    # The first byte of a character is the same, or nothing is.
    "half/né.md",
    "half/nê.md",
    "apart/日.md",
    "apart/ä.md",
    "loose/My Meeting Notes $(planted).md",
    "loose/shopping `planted` list.md",
    "loose/shoe size.md",
]


LOCAL_FILES = ["a.md", "b.md", "local file.txt", "outfile.txt"]


class Stand:
    """The tree of names on disk, a PATH with a recording `lockbook` in it, and the shells' clean home."""

    def __init__(self, scratch: Path, program: Path | None):
        self.scratch, self.program = scratch, program
        self.tree, self.bin, self.home, self.here = (
            scratch / name for name in ("tree", "bin", "home", "here")
        )
        for folder in (self.tree, self.bin, self.home, self.here):
            folder.mkdir()
        self.asked, self.ready, self.settled, self.planted, self.output = (
            scratch / name for name in ("asked", "ready", "settled", "planted", "output")
        )
        self.names = [f"h/{number:02d}{name}" for number, name in enumerate(NAMES)]
        for name in self.names + ROOT_NAMES + OTHER_FILES:
            path = self.tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(token(name))
        for name in LOCAL_FILES:
            (self.here / name).write_text("local\n")
        self._write("planted", f'#!/bin/sh\necho "$0 $*" >>{shlex.quote(str(self.planted))}\n')
        self.environment = {
            "PATH": f"{self.bin}:/usr/bin:/bin",
            "HOME": str(self.home),
            "TERM": "screen",
            "LANG": "C.UTF-8",
            "LOCKBOOK_PATH": str(scratch / "device"),
            "API_URL": "http://127.0.0.1:1",  # nobody there: the account is made offline
        }
        if program is None:
            stand_in = scratch / "stand-in"
            stand_in.write_text(STAND_IN.format(tree=str(self.tree)))
            command = f"/usr/bin/python3 -I -S {shlex.quote(str(stand_in))}"
        else:
            command = shlex.quote(str(program))
            self._run("account", "new", "tabby")
            self._run("import", f"{self.tree}/.", "/")
        # Every call but a completion is written down; only `cat` does its work.
        self._write(
            "lockbook",
            f"""#!/bin/bash
if [[ $1 != __complete ]]; then
    printf '%s\\0' "$@" >{shlex.quote(str(self.asked))}
    [[ $1 == cat ]] || exit 0
    exec >{shlex.quote(str(self.output))}
fi
exec {command} "$@"
""",
        )

    def script(self, shell: str) -> Path:
        """The adapter a user gets; from the program itself when it is the real one."""
        name = {"bash": "lockbook.bash", "zsh": "_lockbook", "fish": "lockbook.fish"}[shell]
        folder = self.scratch / "completions"
        folder.mkdir(exist_ok=True)
        text = (REPOSITORY / "completions" / name).read_bytes()
        if self.program is not None:
            printed = self._run("completions", shell)
            if printed != text:
                raise SystemExit(f"`lockbook completions {shell}` differs from completions/{name}")
        (folder / name).write_bytes(text)
        return folder / name

    def _run(self, *arguments: str) -> bytes:
        return subprocess.run(
            [str(self.program), *arguments], env=self.environment, check=True, timeout=120,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        ).stdout

    def _write(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)


def token(name: str) -> str:
    return f"the note that is called {name.encode().hex()}\n"


# What stands in for the program: answers `__complete` from a folder on disk, and `cat` with a note.
STAND_IN = """\
import os, sys
TREE = {tree!r}
COMMANDS = [("account", "make, restore or look at an account"), ("cat", "print notes"),
            ("import", "take files in"), ("status", "what is not synced yet")]


def paths(typed, plain):
    lead, _, start = typed.rpartition("/")
    if "/" in typed:
        lead += "/"
    folder = os.path.join(TREE, lead.lstrip("/"))
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if name.startswith(start):
            slash = "/" if os.path.isdir(os.path.join(folder, name)) else ""
            safe = "/" if name.startswith("-") and not typed and not plain else ""
            yield safe + lead + name + slash, ""


def complete(index, words):
    typed = words[index]
    if index == 1:
        return "space", [(n, d) for n, d in COMMANDS if n.startswith(typed)]
    if words[1] == "import":
        return "files", []
    if typed.startswith("-") and "--" not in words[:index]:
        return "space", [(o, "an option") for o in ("--help", "--version") if o.startswith(typed)]
    return "space", list(paths(typed, "--" in words[:index]))


words = sys.argv[1:]
if words[0] == "__complete":
    index, words = int(words[2]), words[3:]
    assert index == len(words) - 1, (index, words)
    directive, candidates = complete(index, words)
    records = ["directive=" + directive] + [v + ("\\t" + d if d else "") for v, d in candidates]
    sys.stdout.write("".join(record + "\\0" for record in records))
elif words[0] == "cat":
    for name in words[1:]:
        if name != "--":
            sys.stdout.write(open(os.path.join(TREE, name.lstrip("/"))).read())
"""

STYLES = {"bash": ["plain", "'", '"', "$'"], "zsh": ["plain", "'", '"', "$'"], "fish": ["plain", "'", '"']}


def typed(shell: str, style: str, text: str) -> str | None:
    """`text` as somebody types it in that shell: with backslashes, or behind a quote that is still open."""
    if style == "plain":
        return "".join(c if c.isalnum() or c in "/._" or ord(c) > 127 else "\\" + c for c in text)
    if style == "'":
        inner = text.replace("\\", "\\\\").replace("'", "\\'") if shell == "fish" else text.replace("'", "'\\''")
        return "'" + inner
    if style == "$'":
        return "$'" + text.replace("\\", "\\\\").replace("'", "\\'")
    if "!" in text and shell != "fish":
        return None  # history expansion: there is no way to type it inside double quotes
    special = '\\"$' if shell == "fish" else '\\"$`'
    return '"' + "".join("\\" + c if c in special else c for c in text)


class Terminal:
    """One shell in tmux."""

    def __init__(self, shell: str, stand: Stand, locale: str = "C.UTF-8"):
        self.shell, self.stand = shell, stand
        self.socket = f"lockbook-completion-{os.getpid()}-{shell}-{locale}"
        home, ready, settled = stand.home, shlex.quote(str(stand.ready)), shlex.quote(str(stand.settled))
        script = stand.script(shell)
        if shell == "bash":
            start = home / "bashrc"
            start.write_text(
                f"PS1='> '\nPROMPT_COMMAND='echo >{ready}'\nsource {shlex.quote(str(script))}\n"
                f"bind -x '\"{SETTLED_KEY[1]}\": echo >{settled}'\n"
            )
            command = ["bash", "--noprofile", "--rcfile", str(start), "-i"]
        elif shell == "zsh":
            (home / ".zshrc").write_text(
                f"PS1='> '\nfpath=({shlex.quote(str(script.parent))} $fpath)\n"
                f"autoload -U compinit; compinit -u -D\nprecmd() {{ echo >{ready} }}\n"
                f"settled() {{ echo >{settled} }}; zle -N settled; bindkey '{SETTLED_KEY[1]}' settled\n"
            )
            command = ["zsh", "-d", "-i"]
        else:
            start = home / "start.fish"
            start.write_text(
                f"function fish_prompt; echo >{ready}; echo -n '> '; end\nset -g fish_greeting\n"
                f"set -g fish_key_bindings fish_default_key_bindings\nsource {shlex.quote(str(script))}\n"
                f"bind {SETTLED_KEY[1].replace('[', chr(92) + '[')} 'echo >{settled}'\n"
            )
            command = ["fish", "--no-config", "--init-command", f"source {shlex.quote(str(start))}"]
        environment = stand.environment | {"LANG": locale, "LC_ALL": locale}
        stand.ready.unlink(missing_ok=True)
        subprocess.run(
            ["tmux", "-u", "-L", self.socket, "-f", "/dev/null", "new-session", "-d", "-s", "t", "-x", "200",
             "-y", "60", "-c", str(stand.here), "env", "-i", *(f"{k}={v}" for k, v in environment.items()), *command],
            check=True,
        )
        if not self._wait(stand.ready):
            raise SystemExit(f"{shell} did not start:\n{self.screen()}")

    def tmux(self, *arguments: str) -> str:
        return subprocess.run(
            ["tmux", "-u", "-L", self.socket, *arguments], check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def screen(self) -> str:
        lines = self.tmux("capture-pane", "-p", "-t", "t").rstrip().splitlines()
        return "\n".join("    | " + line for line in lines[-12:])

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], check=False)

    def line(self, *pieces: str) -> list[str] | None:
        """Types the pieces, Tab where a piece is "<Tab>", then Enter. The words that `lockbook` was called with."""
        self.press(*pieces, "<Enter>")
        if not self._wait(self.stand.ready):
            return None
        if not self.stand.asked.exists():
            return []
        return self.stand.asked.read_bytes().decode("utf-8", "surrogateescape").split("\0")[:-1]

    def press(self, *pieces: str) -> None:
        for file in (self.stand.asked, self.stand.ready, self.stand.output):
            file.unlink(missing_ok=True)
        keys: list[str] = []
        for piece in pieces:
            if piece in ("<Tab>", "<Enter>"):
                keys += ["send-keys", "-t", "t", piece[1:-1], ";"]
            elif piece:
                # tmux takes a `;` at the end of an argument as its own.
                text = piece[:-1] + "\\;" if piece.endswith(";") else piece
                keys += ["send-keys", "-t", "t", "-l", "--", text, ";"]
        self.tmux(*keys[:-1])

    def cancel(self) -> None:
        """Gives up the line; once more for a shell that closes its list first."""
        # Ctrl-C is a signal that throws away what was typed and not yet read: it may come only when all was read.
        self.settle()
        for file in (self.stand.asked, self.stand.ready):
            file.unlink(missing_ok=True)
        for _ in range(10):
            self.tmux("send-keys", "-t", "t", "C-c")
            self.settle()
            # A prompt may come for another reason: what was typed is gone when nothing stands behind it.
            if self.stand.ready.exists() and self.screen().endswith("| >"):
                return

    def settle(self) -> None:
        """Waits until the shell has done with every key that was pressed: it takes them in their order."""
        self.stand.settled.unlink(missing_ok=True)
        self.tmux("send-keys", "-t", "t", SETTLED_KEY[0])
        self._wait(self.stand.settled)

    @staticmethod
    def _wait(file: Path) -> bool:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if file.exists():
                return True
            time.sleep(0.004)
        return False


class Tally:
    def __init__(self) -> None:
        self.passed = self.failed = 0

    def check(self, good: bool, what: str, terminal: Terminal | None = None, got: object = "") -> None:
        if good:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAIL {what}: {got!r}")
        if terminal is not None and self.failed <= LATEST_CASES:
            print(terminal.screen())


def names_itself(words: list[str] | None, name: str) -> bool:
    """Whether `cat` was called with exactly this note (a slash in front is the same note)."""
    if not words or words[0] != "cat":
        return False
    rest = words[2:] if words[1:2] == ["--"] else words[1:]
    return len(rest) == 1 and rest[0].removeprefix("/") == name


def one_name(terminal: Terminal, tally: Tally, name: str, style: str, length: int, before: str = "") -> None:
    start = typed(terminal.shell, style, name[:length])
    if start is None:
        return
    if terminal.shell == "fish" and set("*?") & set(name[:length]):
        return  # fish 3 takes a `*` in the word for a wildcard even when it is quoted, and offers nothing
    # fish leaves a quote open behind these, as it would behind a folder.
    close = style if terminal.shell == "fish" and style != "plain" and name[-1] in "/=@:.,-" else ""
    words = terminal.line("lockbook cat " + before + start, "<Tab>", close)
    what = f"{terminal.shell}: {before}{start}<Tab> for {name!r}"
    good = names_itself(words, name)
    if good and terminal.stand.output.exists():
        good = terminal.stand.output.read_text() == token(name)
    tally.check(good, what, terminal, words)
    if words is None:
        terminal.cancel()


def every_name(terminal: Terminal, tally: Tally, thorough: bool) -> None:
    random = Random(f"{terminal.shell} 1")
    for name in terminal.stand.names:
        for style in STYLES[terminal.shell]:
            lengths = {len("h/00"), len("h/00") + (len(name) - len("h/00") + 1) // 2, len(name) - 1}
            for length in sorted(lengths) if thorough else random.sample(sorted(lengths), 1):
                one_name(terminal, tally, name, style, length)
    for name in ROOT_NAMES:
        for style in STYLES[terminal.shell]:
            one_name(terminal, tally, name, style, 1, before="-- " if name.startswith("-") else "")
    one_name(terminal, tally, "-dash", "plain", 2, before="-- ")
    words = terminal.line("lockbook cat /-", "<Tab>")
    tally.check(names_itself(words, "-dash"), f"{terminal.shell}: a name with a dash in front", terminal, words)


def several_tabs(terminal: Terminal, tally: Tally) -> None:
    shell = terminal.shell

    def lands(name: str, *pieces: str) -> None:
        words = terminal.line("lockbook cat ", *pieces)
        tally.check(names_itself(words, name), f"{shell}: {' '.join(pieces)}", terminal, words)
        if words is None:
            terminal.cancel()

    lands("part/my note two.md", "part/my", "<Tab>", "tw", "<Tab>")
    lands("part/my note one.md", "part/", "<Tab>", "on", "<Tab>")
    lands("part/my note one.md", "pa", "<Tab>", "m", "<Tab>", "o", "<Tab>")
    lands("fork/x y.md", "fork/", "<Tab>", "\\ y", "<Tab>")
    lands("fork/x$z.md", "fork/x", "<Tab>", "\\$", "<Tab>")
    lands("colon:tree/a:two.md", "colon", "<Tab>", "a", "<Tab>", "t", "<Tab>")
    lands("colon:tree/a:one.md", "colon:tree/a:o", "<Tab>")
    lands("colon:tree/a:one.md", "'colon:tree/a:o", "<Tab>")
    lands("only folder/in side/deep $(planted).md", "only", "<Tab>", "in", "<Tab>", "deep", "<Tab>")
    lands("only folder/in side/deep $(planted).md", "on", "<Tab>", "<Tab>", "<Tab>")
    lands("Case/readme", "Case/read", "<Tab>")
    lands("Case/README", "Case/READ", "<Tab>")
    if shell != "fish":  # there, a closed quote in front is part of a fish token too, but typed differently
        lands("part/my note two.md", "part/\"my note\"\\ t", "<Tab>")
        lands("part/my note two.md", "'part'/my\\ \"note t", "<Tab>")
    for opening in ("", "'", '"'):
        terminal.press("lockbook cat " + opening + "h/", "<Tab>", "<Tab>", "<Tab>")
        terminal.cancel()
        words = terminal.line("lockbook cat h/00", "<Tab>")
        tally.check(names_itself(words, terminal.stand.names[0]), f"{shell}: after a list in {opening}", terminal, words)


def loose_names(terminal: Terminal, tally: Tally) -> None:
    """Letters of a name that are not its beginning, where the shell can put a name into their place."""
    meeting, shopping = OTHER_FILES[-3], OTHER_FILES[-2]
    for start, name in (("mmn", meeting), ("notes", meeting), ("pinglist", shopping)):
        if terminal.shell == "fish":
            start = "".join(c.upper() if c in "mn" and name == meeting else c for c in start[:3])
        for style in ("", "'", '"'):
            words = terminal.line(f"lockbook cat {style}loose/{start}", "<Tab>")
            tally.check(names_itself(words, name), f"{terminal.shell}: {style}loose/{start}<Tab>", terminal, words)
            if words is None:
                terminal.cancel()
    terminal.press("lockbook cat loose/s", "<Tab>")
    terminal.cancel()
    words = terminal.line("lockbook cat loose/sze", "<Tab>")
    tally.check(names_itself(words, OTHER_FILES[-1]), f"{terminal.shell}: one of several", terminal, words)


def half_typed(terminal: Terminal, tally: Tally) -> None:
    """What would run when Enter is pressed does not run for Tab, and the next line completes as ever."""
    half = ["$(planted", "h/$(planted", '"$(planted', '"h/$(planted', "`planted", '"`planted', "${x:-$(planted", "<(planted",
            "'$(planted", "$'$(planted", "(planted", "h/$((planted"]
    # Tab is expand-or-complete in zsh: it runs what its user typed to the end, before any completion is asked.
    whole = [] if terminal.shell == "zsh" else ["$(planted)", '"h/$(planted)', "`planted`", "(planted)"]
    for word in half + whole:
        for command in ("import", "cat"):
            terminal.press(f"lockbook {command} {word}", "<Tab>", "<Tab>")
            terminal.cancel()
        terminal.press("lockbook cat h/00", "<Tab>")
        # What Ctrl-C still throws away is not the Enter that is waited for.
        terminal.settle()
        words = terminal.line()
        good = names_itself(words, terminal.stand.names[0])
        ran = terminal.stand.planted.exists()
        tally.check(good and not ran, f"{terminal.shell}: after {word}<Tab>", terminal, (words, ran))
        terminal.stand.planted.unlink(missing_ok=True)


def around_names(terminal: Terminal, tally: Tally) -> None:
    shell, stand = terminal.shell, terminal.stand
    words = terminal.line("lockbook stat", "<Tab>")
    tally.check(words == ["status"], f"{shell}: a command", terminal, words)
    words = terminal.line("lockbook import local", "<Tab>")
    tally.check(words == ["import", "local file.txt"], f"{shell}: a file on disk", terminal, words)
    for start in ("$PWD/local", "'local", '"local', "$PWD/local\\ f", "./local"):
        words = terminal.line(f"lockbook import {start}", "<Tab>")
        wanted = {"$": f"{stand.here}/local file.txt", ".": "./local file.txt"}.get(start[0], "local file.txt")
        tally.check(words == ["import", wanted], f"{shell}: a file on disk behind {start}", terminal, words)
        if words is None:
            terminal.cancel()
    (stand.home / "far file.txt").touch()
    words = terminal.line("lockbook account import --server-cert=local", "<Tab>")
    wanted = ["account", "import", "--server-cert=local file.txt"]
    tally.check(words == wanted, f"{shell}: a file on disk in one word with its option", terminal, words)
    words = terminal.line("lockbook import ~/far", "<Tab>")
    tally.check(words == ["import", f"{stand.home}/far file.txt"], f"{shell}: a file in the home folder", terminal, words)
    words = terminal.line("lockbook cat h/00plain.md >outf", "<Tab>")
    tally.check(words == ["cat", "h/00plain.md"], f"{shell}: a redirection", terminal, words)
    tally.check(not (stand.here / "outf").exists(), f"{shell}: the redirection names the file that is there", terminal)
    words = terminal.line("true; lockbook cat h/01", "<Tab>")
    tally.check(names_itself(words, stand.names[1]), f"{shell}: a second command on the line", terminal, words)
    words = terminal.line("lockbook cat h/00plain.md h/01", "<Tab>")
    tally.check(words == ["cat", "h/00plain.md", stand.names[1]], f"{shell}: a second name", terminal, words)
    words = terminal.line("lockbook cat h/nothing", "<Tab>")
    tally.check(words == ["cat", "h/nothing"], f"{shell}: nothing fits", terminal, words)


def in_the_c_locale(shell: str, stand: Stand, tally: Tally) -> None:
    terminal = Terminal(shell, stand, locale="C")
    try:
        for number in (1, 7, 45, 48):
            words = terminal.line(f"lockbook cat h/{number:02d}", "<Tab>")
            tally.check(names_itself(words, stand.names[number]), f"{shell}, LANG=C: {number:02d}", terminal, words)
            if words is None:
                terminal.cancel()
        for start in ("half/n", "apart/"):
            words = terminal.line(f"lockbook cat {start}", "<Tab>")
            tally.check(words == ["cat", start], f"{shell}, LANG=C: no half of a character goes in", terminal, words)
            if words is None:
                terminal.cancel()
    finally:
        terminal.close()


def program() -> Path:
    if os.environ.get("LOCKBOOK"):
        return Path(os.environ["LOCKBOOK"]).resolve()
    for configuration in ("release", "debug"):
        path = REPOSITORY / ".build" / configuration / "lockbook"
        if path.exists():
            return path
    raise SystemExit("no lockbook program: build it first (`make build`), or set LOCKBOOK")


def one_shell(shell: str, program: Path | None, thorough: bool) -> Tally:
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="lockbook-completion-") as folder:
        stand = Stand(Path(folder).resolve(), program)
        terminal = Terminal(shell, stand)
        try:
            every_name(terminal, tally, thorough)
            several_tabs(terminal, tally)
            if shell != "bash" and program is not None:
                loose_names(terminal, tally)
            half_typed(terminal, tally)
            around_names(terminal, tally)
        finally:
            terminal.close()
        in_the_c_locale(shell, stand, tally)
        ran = stand.planted.read_text() if stand.planted.exists() else ""
        tally.check(not ran, f"{shell}: no command planted in a name ran", None, ran)
        litter = sorted(path.name for path in stand.here.iterdir())
        tally.check(litter == LOCAL_FILES, f"{shell}: no file appeared or vanished", None, litter)
    print(f"{shell}: {tally.passed} passed, {tally.failed} failed", flush=True)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stand-in", action="store_true")
    parser.add_argument("--thorough", action="store_true", help="every name at three lengths, not one")
    parser.add_argument("--shell", action="append", choices=sorted(STYLES))
    options = parser.parse_args()
    missing = [tool for tool in ["tmux", *(options.shell or STYLES)] if shutil.which(tool) is None]
    if missing:
        raise SystemExit(f"missing: {', '.join(missing)} (make test installs them)")

    tested = None if options.stand_in else program()
    with ThreadPoolExecutor() as pool:
        tallies = list(pool.map(lambda shell: one_shell(shell, tested, options.thorough), options.shell or STYLES))
    passed, failed = sum(t.passed for t in tallies), sum(t.failed for t in tallies)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
