#!/usr/bin/env python3
"""`lockbook shell` on a real pseudo-terminal: keys go in, what is on the screen comes out.

    shell.py [STORY...]    those alone

    LOCKBOOK=program    what is tested (else that of .build/release, else of .build/debug)

Every name of the completion tests, and some that turn text around, is completed with Tab, plain and behind an open quote,
and has to lead to that note. Ctrl-C, a stop, a lost terminal and keys pasted at the prompt must leave the shell, the notes and
the history as they should be. Nothing waits for a time: what is waited for is text on the screen.

The last line on stdout is `N passed, N failed`.
"""

import codecs
import contextlib
import fcntl
import hashlib
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import unicodedata
from pathlib import Path

sys.dont_write_bytecode = True

import stage
from completion import NAMES, OTHER_FILES, ROOT_NAMES

PATIENCE = 60.0
HIDDEN = ["gpj.\u202eexe.md", "a\u200bb.md", "tag\U000e0041.md", "\u2066inside\u2069 it.md"]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x1b\][^\x07]*\x07|[\x07\r]")
QUOTES = ["", "'", '"']
TAB, ENTER, CTRL_C, CTRL_D, CTRL_U, UP = "\t", "\r", "\x03", "\x04", "\x15", "\x1b[A"


def token(path: str) -> str:
    return "T" + hashlib.sha256(path.encode()).hexdigest()[:20]


class Terminal:
    """A program on a pseudo-terminal of its own, and everything that it wrote."""

    def __init__(self, *words: str, environment: dict[str, str], here: Path, columns: int = 200, term: str = "xterm"):
        self.process, self._master = pty.fork()
        if self.process == 0:
            with contextlib.suppress(OSError):
                os.chdir(here)
                os.execve(words[0], words, environment | {"TERM": term})
            os._exit(127)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.raw = ""
        self.left = 0
        self._rest = ""

    def _read(self, until: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return False
        try:
            piece = os.read(self._master, 65536)
        except OSError:
            return False
        text = self._decoder.decode(piece)
        self.raw += text
        self._rest += text
        return bool(piece)

    def wait(self, text: str) -> str:
        """Reads until the text comes behind what was waited for before; what came up to its end."""
        end = time.monotonic() + PATIENCE
        while True:
            shown = ESCAPES.sub("", self._rest)
            at = shown.find(text)
            if at >= 0:
                self._rest = shown[at + len(text) :]
                return shown[: at + len(text)]
            if not self._read(end):
                raise stage.Failed(f"there was no {text!r}, but {shown[-1500:]!r}")

    def press(self, keys: str) -> None:
        data = keys.encode()
        while data:
            data = data[os.write(self._master, data) :]

    def flags(self) -> int:
        return termios.tcgetattr(self._master)[3]

    def ended(self) -> int:
        """Reads to the end; the status as a shell shows it."""
        end = time.monotonic() + PATIENCE
        while self._read(end):
            pass
        if time.monotonic() >= end:
            raise stage.Failed(f"it did not end: {self.raw[-500:]!r}")
        _, status = os.waitpid(self.process, 0)
        self.left = self.flags()
        os.close(self._master)
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code

    def hang_up(self) -> int:
        os.close(self._master)
        _, status = os.waitpid(self.process, 0)
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code


class Stand:
    def __init__(self, folder: Path):
        self.folder = folder
        self.here = folder / "here"
        self.here.mkdir()
        self.planted = folder / "planted"
        tools = folder / "bin"
        tools.mkdir()
        (tools / "planted").write_text(f"#!/bin/sh\necho ran >>'{self.planted}'\n")
        (tools / "planted").chmod(0o755)
        self.program = stage.program("lockbook")
        self.environment = {
            "PATH": f"{tools}:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8",
            "LOCKBOOK_PATH": str(folder / "device"), "API_URL": "http://127.0.0.1:1",
        }
        self.run("account", "new", "tabby")
        tree = folder / "tree"
        self.names = [f"h/{number:02d}{name}" for number, name in enumerate(NAMES + HIDDEN)]
        for name in self.names + ROOT_NAMES + OTHER_FILES:
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(token(name) + "\n")
        self.run("import", f"{tree}/.", "/")
        (self.here / "a file.txt").write_text("from the disk\n")

    def run(self, *words: str, text: bytes = b"", environment: dict[str, str] | None = None) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.program, *words], env=self.environment | (environment or {}), input=text, capture_output=True, cwd=self.here
        )

    @contextlib.contextmanager
    def shell(self, columns: int = 200, term: str = "xterm", environment: dict[str, str] | None = None):
        terminal = Terminal(
            str(self.program), "shell", environment=self.environment | (environment or {}), here=self.here,
            columns=columns, term=term,
        )
        try:
            yield terminal
        finally:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(terminal.process, signal.SIGKILL)


def typed(text: str, quote: str) -> str:
    """The beginning of a name as somebody types it in the shell."""
    if quote == "'":
        return "'" + text.replace("'", "'\\''")
    if quote == '"':
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"')
    return re.sub(r"([ '\"\\])", r"\\\1", text)


def finds(terminal: Terminal, tally: stage.Tally, keys: str, name: str, what: str) -> None:
    """Checks that `cat` and some keys show a note; the line is given up where they do not."""
    terminal.press("cat " + keys + ENTER)
    with tally.part(f"Tab finds {what}"):
        try:
            terminal.wait(token(name))
            terminal.wait("> ")
            tally.check(True, f"Tab finds {what}")
        except stage.Failed:
            terminal.press(CTRL_C)
            terminal.wait("> ")
            raise


def completes(stand: Stand, tally: stage.Tally) -> None:
    with stand.shell() as terminal:
        terminal.wait("> ")
        for number, name in enumerate(stand.names):
            for quote in QUOTES:
                start = name[:4] if number % 2 else name[: len("h/00") + max(0, (len(name) - 5) // 2)]
                if any(ord(letter) in (0x202E, 0x200B, 0xE0041, 0x2066) for letter in start):
                    start = name[:4]
                finds(terminal, tally, typed(start, quote) + TAB, name, f"{name!r} behind {quote or 'nothing'}")
        for name in ROOT_NAMES:
            if not name.startswith("-"):
                finds(terminal, tally, typed(name[0], "") + TAB, name, f"{name!r} at the root")
        for what, keys, name in (
            ("the rest after a common beginning", f"cat part/my{TAB}tw{TAB}", "part/my note two.md"),
            ("folders one after the other", f"cat on{TAB}{TAB}{TAB}", "only folder/in side/deep $(planted).md"),
            ("an option in front", f"cat -- part/my{TAB}on{TAB}", "part/my note one.md"),
            ("the program's own name in front", f"lockbook cat part/my{TAB}on{TAB}", "part/my note one.md"),
        ):
            terminal.press(keys + ENTER)
            terminal.wait(token(name))
            terminal.wait("> ")
            tally.check(True, f"Tab finds {what}")
        terminal.press(f"cat part/my{TAB}{TAB}{TAB}")
        shown = terminal.wait("my note two.md")
        tally.check("my note one.md" in shown, "a second Tab lists what fits", shown)
        terminal.press(CTRL_U + f"stat{TAB}{ENTER}")
        terminal.wait("to sync:")
        terminal.wait("> ")
        tally.check(True, "Tab finds a command")
        terminal.press(f"import a\\ f{TAB}/part{ENTER}")
        terminal.wait("1 new")
        terminal.press(f"cat '/part/a f{TAB}{ENTER}")
        terminal.wait("from the disk")
        tally.check(True, "Tab finds a file of the disk, and the note it became")
        terminal.press("exit" + ENTER)
        tally.check(terminal.ended() == 0, "exit leaves")
        tally.check("\u202e" not in terminal.raw, "what turns text around is never on the screen as it is")
    tally.check(not stand.planted.exists(), "no command planted in a name ran")


def moves(stand: Stand, tally: stage.Tally) -> None:
    with stand.shell() as terminal:
        shown = terminal.wait("> ")
        tally.check(shown.startswith("tabby:/ (") and "to sync" in shown, "the prompt names account, folder and state", shown)
        terminal.press("cd par" + TAB + ENTER)
        terminal.wait("tabby:/part")
        terminal.press("pwd" + ENTER)
        terminal.wait("\n/part\n")
        terminal.press(f"cat my\\ note\\ t{TAB}{ENTER}")
        terminal.wait(token("part/my note two.md"))
        terminal.press("list" + ENTER)
        shown = terminal.wait("my note two.md")
        tally.check("fork" not in shown, "list is about the folder", shown)
        terminal.press(f"cat ../fork/x\\ {TAB}{ENTER}")
        terminal.wait(token("fork/x y.md"))
        terminal.press("new sub/ ./one.md" + ENTER + "search " + token("part/my note one.md") + ENTER)
        shown = terminal.wait("my note one.md:" + token("part/my note one.md"))
        terminal.press("cd .." + ENTER)
        terminal.wait("tabby:/ ")
        terminal.press("cd -" + ENTER)
        terminal.wait("\n/part\n")
        terminal.press("cd nowhere" + ENTER)
        terminal.wait("no file at /part/nowhere")
        terminal.press("cd" + ENTER)
        terminal.wait("tabby:/ ")
        for _ in range(22):
            terminal.press("cd Part" + ENTER)
            terminal.wait("did you mean /part?")
        tally.check(True, "what was meant is told each time")
        terminal.press("cat 'open" + ENTER)
        terminal.wait("a quote is open")
        terminal.press("shell" + ENTER)
        terminal.wait("this is the shell")
        terminal.wait("> ")
        terminal.press(CTRL_D)
        tally.check(terminal.ended() == 0, "Ctrl-D leaves")
    listed = stand.run("list", "-r", "/part").stdout.decode()
    tally.check("/part/sub\n" in listed and "/part/one.md\n" in listed, "paths begin in the folder of the shell", listed)


def survives(stand: Stand, tally: stage.Tally) -> None:
    with stand.shell() as terminal:
        terminal.wait("> ")
        terminal.press(CTRL_C)
        terminal.wait("^C")
        terminal.wait("> ")
        tally.check(re.search(r"> [^\r\n]*\^C\r\n", terminal.raw) is not None, "Ctrl-C stands behind the prompt", repr(terminal.raw[-300:]))
        terminal.press("cat /half" + CTRL_C)
        terminal.wait("^C")
        terminal.wait("> ")
        terminal.press("write /written" + ENTER)
        terminal.wait("Ctrl-D on an empty line")
        terminal.press("text\n" + CTRL_C)
        terminal.wait("> ")
        terminal.press("pwd" + ENTER)
        terminal.wait("\n/\n")
        tally.check(True, "Ctrl-C ends the command and not the shell")
        tally.check(stand.run("cat", "/written").returncode == 3, "what Ctrl-C gave up is not there")
        # A search through the history, a number for the next key: modes that readline is in when Ctrl-C comes.
        terminal.press("\x12pw" + CTRL_C)
        terminal.wait("^C")
        terminal.press("\x1b5" + CTRL_C)
        terminal.wait("^C")
        terminal.press("\x1c")
        terminal.press("pwd" + ENTER)
        terminal.wait("\n/\n")
        tally.check(True, "Ctrl-C within a search, and Ctrl-\\, do not end it")
        os.kill(terminal.process, signal.SIGTSTP)
        _, status = os.waitpid(terminal.process, os.WUNTRACED)
        tally.check(os.WIFSTOPPED(status), "a stop stops it")
        tally.check(bool(terminal.flags() & termios.ICANON), "and gives the terminal back")
        os.kill(terminal.process, signal.SIGCONT)
        terminal.press("pwd" + ENTER)
        terminal.wait("\n/\n")
        tally.check(True, "and it goes on")
        os.kill(terminal.process, signal.SIGTERM)
        tally.check(terminal.ended() == 128 + signal.SIGTERM, "SIGTERM ends it")
    with stand.shell() as terminal:
        terminal.wait("> ")
        tally.check(terminal.hang_up() in (0, 128 + signal.SIGHUP), "a lost terminal ends it")
    with stand.shell(term="dumb") as terminal:
        terminal.wait("> ")
        terminal.press("pwd" + ENTER)
        terminal.wait("/\n")
        terminal.wait("> ")
        terminal.press(CTRL_D)
        terminal.ended()
        tally.check("\x1b" not in terminal.raw, "a dumb terminal gets no escapes", terminal.raw[-200:])
    with stand.shell(columns=20) as terminal:
        terminal.wait("> ")
        terminal.press(f"cat part/my{TAB}on{TAB}{ENTER}")
        terminal.wait(token("part/my note one.md"))
        terminal.press(f"cat {TAB}{TAB}{TAB}")
        terminal.wait("part/")
        terminal.press(CTRL_C)
        terminal.wait("^C")
        terminal.wait("> ")
        terminal.press(CTRL_D)
        tally.check(terminal.ended() == 0, "20 columns are enough")


def edits_letters(stand: Stand, tally: stage.Tally) -> None:
    """What is typed is UTF-8, also where the machine is told of another encoding."""
    for name in ("LANG", "LC_CTYPE", "LC_ALL"):
        with stand.shell(environment={name: "C"}) as terminal:
            terminal.wait("> ")
            # The second line: readline looks for the locale again.
            for note in ("/first.md", "/second.md"):
                terminal.press(f"jot --to {note} caf\u00e9\x7fxy" + ENTER)
                terminal.wait("> ")
            terminal.press(CTRL_D)
            tally.check(terminal.ended() == 0, f"the shell ends, with {name}=C")
        for note in ("/first.md", "/second.md"):
            text = stand.run("cat", note).stdout
            stand.run("delete", note)
            tally.check(text.endswith(b"cafxy\n"), f"Backspace takes a whole letter, with {name}=C", repr(text))


def keeps_secrets(stand: Stand, tally: stage.Tally) -> None:
    phrase = stand.run("account", "export", "--phrase").stdout.decode().strip()
    key = stand.run("account", "export").stdout.decode().strip()
    history = stand.folder / "device" / "shell-history"
    history.unlink(missing_ok=True)
    with stand.shell() as terminal:
        terminal.wait("> ")
        terminal.press("pwd remembered" + ENTER)
        for line in (
            phrase, key, "jot " + phrase, "jot " + key, " pwd blank", "account export --phrase now", "nonsense",
        ):
            terminal.wait("> ")
            terminal.press(line + ENTER)
        terminal.wait("> ")
        terminal.press("account export --check" + ENTER)
        terminal.wait("24 words: ")
        terminal.press(phrase + ENTER)
        terminal.wait("this is the key of the account tabby")
        terminal.wait("> ")
        terminal.press(CTRL_D)
        terminal.ended()
    tally.check(history.stat().st_mode & 0o777 == 0o600, "the history is for its owner alone")
    stored = history.read_bytes()
    plain = [word for word in [key, "remembered", *phrase.split()] if word.encode() in stored]
    tally.check(not plain, "the history is sealed", str(plain))
    with stand.shell() as terminal:
        terminal.wait("> ")
        terminal.press(UP)
        terminal.wait("pwd remembered")
        before = len(terminal.raw)
        terminal.press(UP + UP + CTRL_U + "pwd" + ENTER)
        terminal.wait("\n/\n")
        terminal.wait("> ")
        shown = terminal.raw[before:]
        secret = [word for word in ("blank", "export", "jot", "nonsense", key, phrase) if word in shown]
        tally.check(not secret, "nothing secret comes back", str(secret))
        terminal.press(CTRL_D)
        terminal.ended()
    terminal = Terminal(str(stand.program), "share", "accept", "-", environment=stand.environment, here=stand.here)
    terminal.wait("code: ")
    terminal.press("lbi1whoseesthis" + ENTER)
    terminal.wait("no invitation: ")
    tally.check(terminal.ended() == 65, "a code that is none is refused")
    tally.check("whoseesthis" not in terminal.raw, "nobody sees a code that is typed", terminal.raw)
    tally.check(terminal.left & termios.ECHO != 0, "and what is typed after it is seen")
    history.unlink()
    history.mkdir()
    with stand.shell() as terminal:
        terminal.wait("lines are not remembered")
        terminal.press("pwd" + ENTER)
        terminal.wait("\n/\n")
        terminal.wait("> ")
        terminal.press(CTRL_D)
        tally.check(terminal.ended() == 0, "a history that cannot be written is told, and nothing more")
    history.rmdir()


def lets_choose(stand: Stand, tally: stage.Tally) -> None:
    """`cat` and `edit` without a target: a document is chosen by some letters."""
    def picker(*words: str, term: str = "xterm", columns: int = 200, **environment: str) -> Terminal:
        return Terminal(
            str(stand.program), *words, environment=stand.environment | environment, here=stand.here,
            columns=columns, term=term,
        )

    terminal = picker("cat")
    terminal.wait(" of ")
    terminal.press("forkxy")
    terminal.wait("> /fork/x y.md")
    terminal.press(ENTER)
    terminal.wait(token("fork/x y.md"))
    tally.check(terminal.ended() == 0, "some letters choose a document")
    terminal = picker("cat")
    terminal.wait(" of ")
    terminal.press("forkxy\x15fork\x1b[F\x1b[H\x1b[B\x1b[Axy" + ENTER)
    terminal.wait(token("fork/x y.md"))
    tally.check(terminal.ended() == 0, "keys that come together are each of them pressed")
    terminal = picker("stream", "out")
    terminal.wait(" of ")
    terminal.press("mynote")
    first = terminal.wait("> /part/my note")
    terminal.press("\x1b[B")
    terminal.wait("> /part/my note")
    terminal.press("\x1b[A")
    terminal.wait("> /part/my note")
    terminal.press("\x15readme")
    terminal.wait("> /Case/README")
    tally.check("\u202e" not in terminal.raw, "names cannot turn the list around")
    terminal.press("\x1b")
    tally.check(terminal.ended() == 1 and "nothing was chosen" in terminal.raw, "Escape gives up", first)
    terminal = picker("edit", "--editor", "cat")
    terminal.wait(" of ")
    terminal.press("nothing has these letters" + ENTER)
    terminal.wait("(0 of ")
    terminal.press(CTRL_C)
    tally.check(terminal.ended() == 1, "Ctrl-C gives up")
    terminal = picker("edit", "--editor", "cat")
    terminal.wait(" of ")
    terminal.press("forkxz" + ENTER)
    terminal.wait(token("fork/x$z.md"))
    tally.check(terminal.ended() == 0, "edit opens what was chosen")
    for number in (signal.SIGTERM, signal.SIGHUP):
        terminal = picker("edit", "--editor", "cat")
        terminal.wait(" of ")
        raw = terminal.flags()
        os.kill(terminal.process, number)
        tally.check(terminal.ended() == 128 + number, f"{number.name} ends it")
        usual = termios.ICANON | termios.ECHO
        tally.check(raw & usual == 0 and terminal.left & usual == usual, "and leaves the terminal as it was")
    terminal = picker("cat")
    terminal.wait(" of ")
    # Nobody here could continue it, so it goes on at once.
    os.kill(terminal.process, signal.SIGTSTP)
    terminal.wait(" of ")
    terminal.press("forkxy")
    terminal.wait("> /fork/x y.md")
    terminal.press(ENTER)
    terminal.wait(token("fork/x y.md"))
    tally.check(terminal.ended() == 0, "behind a stop it goes on")
    terminal = picker("edit", term="dumb")
    tally.check(terminal.ended() == 64, "a dumb terminal is not drawn on")
    tally.check(stand.run("cat").returncode == 64, "nor is a pipe")
    stand.run("write", "/" + "\u65e5" * 40 + ".md", text=b"wide\n")
    terminal = picker("cat", columns=40, LANG="C")
    terminal.wait(" of ")
    terminal.press("\u65e5" * 4)
    terminal.wait("(1 of ")
    terminal.wait("> /\u65e5")
    terminal.press(CTRL_C)
    terminal.ended()
    drawn = [ESCAPES.sub("", line) for line in re.split("[\r\n]+", terminal.raw) if "\u65e5" in line]
    widest = sum(2 if unicodedata.east_asian_width(letter) == "W" else 1 for letter in drawn[-1])
    tally.check(widest <= 40, "wide letters are cut to the terminal, whatever the locale", f"{widest} columns")


def reads_scripts(stand: Stand, tally: stage.Tally) -> None:
    script = b"# a comment\ncd /part\nnew from-script.md\npwd\nlist from-script.md\n"
    outcome = stand.run("shell", text=script)
    said = (outcome.returncode, outcome.stdout.decode(), outcome.stderr.decode())
    tally.check(said == (0, "/part\n/part/from-script.md\n", ""), "commands come from a pipe", str(said))
    outcome = stand.run("shell", text=b"cat /nothing\n")
    tally.check(outcome.returncode == 3, "the status is that of the last command", str(outcome.returncode))
    outcome = stand.run("shell", text=b"write /piped.md\nfrom the same pipe\n")
    tally.check(stand.run("cat", "/piped.md").stdout == b"from the same pipe\n", "a command reads what follows it")
    outcome = stand.run("shell", text=b"exit 7\nnew /never\n")
    tally.check(outcome.returncode == 7, "exit has a status", str(outcome.returncode))
    linked = subprocess.run(["ldd", stand.program], capture_output=True, text=True).stdout
    tally.check("readline" not in linked, "no other command pays for readline", linked)


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("shell") as folder:
        stand = Stand(folder)
        for story in (completes, moves, survives, edits_letters, keeps_secrets, lets_choose, reads_scripts):
            if sys.argv[1:] and story.__name__ not in sys.argv[1:]:
                continue
            with tally.part(story.__name__):
                story(stand, tally)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
