"""The stage for the scripts in this folder: one server, devices, a proxy that counts, and a tally of checks.

Python's standard library only. The programs are LOCKBOOK and LOCKBOOK_SERVER, else those in the folder PROGRAMS, else those in
.build/release, else those in .build/debug.
"""

import contextlib
import hashlib
import json
import os
import pty
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0

# What was started in the background ignores Ctrl-C, and all that it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def program(name: str) -> Path:
    chosen = os.environ.get(name.upper().replace("-", "_"))
    if chosen:
        return Path(chosen).resolve()
    if folder := os.environ.get("PROGRAMS"):
        return Path(folder, name).resolve()
    for configuration in ("release", "debug"):
        path = REPOSITORY / ".build" / configuration / name
        if path.exists():
            return path
    raise SystemExit(f"there is no {name}: build it first (make release)")


@contextlib.contextmanager
def scratch(name: str):
    """A folder that is removed afterwards, unless KEEP is set."""
    folder = Path(tempfile.mkdtemp(prefix=f"lockbook-{name}-"))
    try:
        yield folder
    finally:
        if os.environ.get("KEEP"):
            print(f"kept: {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)


class Failed(Exception):
    """A program did not do what the script needs to go on."""


def told(main: Callable[[], int]) -> int:
    """Runs a script; what breaks it off is told, and has failed."""
    try:
        return main()
    except Failed as failure:
        print(f"FAIL  {failure}\n0 passed, 1 failed")
        return 1


class Tally:
    """Counts what was checked and says what failed."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def check(self, good: bool, what: str, detail: str = "") -> bool:
        if good:
            self.passed += 1
            print(f"ok    {what}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL  {what}{': ' + detail if detail else ''}", flush=True)
        return good

    def refused(self, outcome: "Outcome", status: int, sentence: str, what: str) -> bool:
        """Checks that a command ended with this status and one error line that holds the sentence."""
        errors = [line for line in outcome.errors.splitlines() if line.startswith("lockbook: error: ")]
        good = outcome.status == status and len(errors) == 1 and sentence in errors[0]
        return self.check(good, what, f"status {outcome.status}, wanted {status} and `{sentence}`\n{outcome.errors}")

    @contextlib.contextmanager
    def part(self, what: str):
        """A part of the script: when it breaks off it has failed, and the script goes on."""
        try:
            yield
        except Failed as failure:
            self.check(False, what, str(failure))

    def play(self, *parts: Callable[[], None]) -> None:
        """Plays the parts that the script's arguments name, or all of them."""
        for part in parts:
            if not sys.argv[1:] or part.__name__ in sys.argv[1:]:
                with self.part(f"{part.__name__} runs to its end"):
                    part()

    def end(self) -> int:
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


class Server:
    """`lockbook-server` on a free loopback port; ends with the `with` block."""

    def __init__(self, folder: Path, *options: str, wrap: list[str] = ()):
        self.data = folder
        # The server makes its own folder.
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._log = folder.with_name(folder.name + ".log")
        self._out = folder.with_name(folder.name + ".out")
        with open(self._out, "wb") as out, open(self._log, "ab") as log:
            self._process = subprocess.Popen(
                [*wrap, program("lockbook-server"), "serve", "--listen", "127.0.0.1:0", "--data", folder, *options],
                stdin=subprocess.DEVNULL, stdout=out, stderr=log,
            )
        self.url = self._wait()

    def _wait(self) -> str:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            for line in self._out.read_text().splitlines():
                if line.startswith("listening on "):
                    return line.removeprefix("listening on ").strip()
            time.sleep(0.01)
        self.stop()
        raise Failed(f"the server did not start:\n{self._log.read_text()[-2000:]}")

    def wait_for_log(self, words: str) -> None:
        """Until the server's own log says these words, which it may say from its start on."""
        end = time.monotonic() + START_SECONDS
        while words not in self._log.read_text():
            if time.monotonic() > end or self._process.poll() is not None:
                raise Failed(f"the server does not log {words!r}:\n{self._log.read_text()[-2000:]}")
            time.sleep(0.01)

    @property
    def process(self) -> int:
        return self._process.pid

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rsplit(":", 1)[1])

    def peak_memory(self) -> int:
        """The most that was ever resident, in bytes."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        raise Failed("the server is gone")

    def size_on_disk(self) -> int:
        return sum(p.stat().st_size for p in self.data.rglob("*") if p.is_file())

    def tell_to_stop(self) -> None:
        self._process.terminate()

    def status(self, patience: float) -> int | None:
        """With which it ended; None for one that goes on."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(patience)
        return None

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(START_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@dataclass
class Outcome:
    status: int
    output: bytes
    errors: str
    seconds: float
    peak_memory: int


class Device:
    """One data directory of one account."""

    def __init__(self, folder: Path, name: str):
        self.name, self.path = name, folder / name
        self._scratch = folder
        # What runs the program: `faketime`, `strace`, a shell that closes a stream.
        self.wrap: list[str] = []
        self.highest_memory = 0

    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("LOCKBOOK", "XDG_"))}
        return kept | {"LOCKBOOK_PATH": str(self.path), "API_URL": "http://127.0.0.1:1"}

    def start(self, *arguments: str | Path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=None):
        return subprocess.Popen(
            [*self.wrap, program("lockbook"), *arguments], env=self.environment(), stdin=stdin, stdout=stdout, stderr=stderr
        )

    def run(self, *arguments: str | Path, text: bytes | None = None, stdin=None, stdout=None, may_fail=False) -> Outcome:
        """Runs `lockbook`; memory is that of this one process (at least that of this script, from which it forks)."""
        with contextlib.ExitStack() as files:
            given = stdin
            if text is not None:
                given = files.enter_context(tempfile.TemporaryFile(dir=self._scratch))
                given.write(text)
                given.seek(0)
            out = stdout or files.enter_context(tempfile.TemporaryFile(dir=self._scratch))
            errors = files.enter_context(tempfile.TemporaryFile(dir=self._scratch))
            began = time.perf_counter()
            process = self.start(*arguments, stdin=given or subprocess.DEVNULL, stdout=out, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - began
            process.returncode = os.waitstatus_to_exitcode(status)
            if stdout is None:
                out.seek(0)
            errors.seek(0)
            outcome = Outcome(
                process.returncode, b"" if stdout else out.read(), errors.read().decode("utf-8", "replace"),
                seconds, usage.ru_maxrss * 1024,
            )
        self.highest_memory = max(self.highest_memory, outcome.peak_memory)
        if outcome.status != 0 and not may_fail:
            shown = " ".join(str(a) for a in arguments)
            raise Failed(f"{self.name}: lockbook {shown} ended with {outcome.status}\n{outcome.errors}")
        return outcome

    def ask(self, answer: bytes, *arguments: str) -> tuple[int, str]:
        """Runs a command at a terminal that asks one question, and types the answer; its status, and what stood there."""
        process, terminal = pty.fork()
        if process == 0:
            os.execve(program("lockbook"), ["lockbook", *arguments], self.environment())
        said, answered = b"", False
        with contextlib.suppress(OSError):
            while piece := os.read(terminal, 4096):
                said += piece
                if b"[y/N] " in said and not answered:
                    os.write(terminal, answer)
                    answered = True
        _, status = os.waitpid(process, 0)
        os.close(terminal)
        return os.waitstatus_to_exitcode(status), said.decode("utf-8", "replace")

    def seconds(self, *arguments: str) -> float:
        """How long a process lives, from its spawning to its end; what it writes goes nowhere."""
        nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
        words, environment = [program("lockbook"), *arguments], self.environment()
        began = time.perf_counter()
        # Not with subprocess, whose own work in this script takes a millisecond or two.
        process = os.posix_spawn(words[0], words, environment, file_actions=nowhere)
        _, status = os.waitpid(process, 0)
        seconds = time.perf_counter() - began
        if status != 0:
            raise Failed(f"{self.name}: lockbook {' '.join(arguments)} ended with {os.waitstatus_to_exitcode(status)}")
        return seconds

    def sync(self, *options: str) -> dict:
        """Syncs and returns the report (`sync --json`)."""
        return json.loads(self.run("sync", "--json", *options).output)

    def join(self, other: "Device", url: str) -> None:
        """Comes to the account of another device, by its 24 words."""
        words = other.run("account", "export", "--phrase").output
        self.run("account", "import", "--server", url, text=words)


class Proxy:
    """Passes bytes on between clients and the server, and counts them.

    `change` is given what is passed on and its direction (`sent` or `received`), and returns what goes on instead.
    """

    change: Callable[[bytes, str], bytes] | None = None

    def __init__(self, port: int):
        self._port = port
        self._lock = threading.Lock()
        self.sent = self.received = self.connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def lead_to(self, port: int) -> None:
        """New connections go there from now on."""
        self._port = port

    def take(self) -> tuple[int, int]:
        """What went to the server and what came back since the last call."""
        with self._lock:
            counts = self.sent, self.received
            self.sent = self.received = 0
        return counts

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self.connections += 1
            try:
                server = socket.create_connection(("127.0.0.1", self._port))
            except OSError:
                client.close()
                continue
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for source, sink, field in ((client, server, "sent"), (server, client, "received")):
                threading.Thread(target=self._pass_on, args=(source, sink, field), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, field: str) -> None:
        buffer = memoryview(bytearray(1 << 16))
        with contextlib.suppress(OSError):
            while count := source.recv_into(buffer):
                with self._lock:
                    setattr(self, field, getattr(self, field) + count)
                sink.sendall(self.change(bytes(buffer[:count]), field) if self.change else buffer[:count])
        for end, how in ((sink, socket.SHUT_WR), (source, socket.SHUT_RD)):
            with contextlib.suppress(OSError):
                end.shutdown(how)

    def close(self) -> None:
        self._listener.close()

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def kill(process: subprocess.Popen) -> None:
    """As a power cut would."""
    process.send_signal(signal.SIGKILL)
    process.wait()


def digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def differences(one: Path, other: Path) -> str:
    """What `diff -r` says, nothing when the folders are the same."""
    found = subprocess.run(
        ["diff", "-r", "-q", "--no-dereference", one, other], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return found.stdout[:2000] if found.returncode else ""


def megabytes(count: float) -> str:
    return f"{count / 1e6:.1f} MB"
