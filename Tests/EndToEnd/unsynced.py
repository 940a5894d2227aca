#!/usr/bin/env python3
"""Takes the power away at every call that changes a file, and drops what was not synced until then.

    STEP=1            every such moment, in all scenes; without it every 97th in a few, beginning with one that SEED draws
    SEED=1
    ONLY=name,...     only these scenes (those of `sweep.py`, and more)
    KINDS=dropped     only these kinds of loss: dropped, names, bytes, drawn (see `disk_model.py`)
    CHOSEN=lockbook:dropped:17    only this moment
    PART=1/2, STATE=file, FOR_SECONDS=600, KEEP=1    as for `sweep.py`

Each command runs once, with `record.c` in the client and in the server. From what it wrote down, the folder of one of the two
is made as a power cut leaves it at each call, while the other's is as it is at that time; then `crash_judge.py` looks whether
all promises hold, as after a kill. What the memory file system held is gone. At last bugs are planted: of one kind of file
or folder after the other no sync counts, and that has to be found.

The last line on stdout is `N passed, N failed`; above it stands how many moments there were.
"""

import contextlib
import fnmatch
import os
import random
import shutil
import subprocess
import sys
import time
import zlib
from dataclasses import replace
from pathlib import Path

sys.dont_write_bytecode = True

import disk_model
import stage
from crash_judge import Expected, Judge
from crash_progress import Progress
from crash_scenes import CONFLICT, EXISTS, SCENES, TOKEN, Scene
from crash_world import World, texts

CHOSEN = os.environ.get("CHOSEN")
STEP = int(os.environ.get("STEP") or "97")
SEED = int(os.environ.get("SEED") or "1")
FEW = None if os.environ.get("STEP") else ["write a large one", "export again", "server: first contents"]
ONLY = os.environ["ONLY"].split(",") if os.environ.get("ONLY") else FEW
KINDS = tuple(os.environ.get("KINDS", ",".join(disk_model.KINDS)).split(","))
PART, PARTS = (int(number) for number in (os.environ.get("PART") or "1/1").split("/"))
PROGRAMS = ("lockbook", "lockbook-server")
LARGE = TOKEN + random.Random(8).randbytes(200_000), TOKEN + random.Random(9).randbytes(2_500_000)
# The first start of a server, and what it is given then.
MORE = [
    Scene("server: first start", ["account", "new", "zoe", "--server", "URL"], who="new", is_online=True, before=[("server", ["remove"])],
          again=(0, EXISTS)),
    Scene("server: first contents", ["sync"], who="new", other="joiner", syncs=True,
          before=[("server", ["remove"]), ("new", ["account", "new", "zoe", "--server", "URL"]), ("new", ["write", "/large"], LARGE[0]),
                  ("new", ["write", "/larger"], LARGE[1])]),
]
# Once more while another process has the database open: SQLite makes no new log then, and syncs no folder for it.
HELD = ("write a large one", "import", "sync: pull", "sync: merge", "share accept", "export again")
# What is not synced when a bug is planted, and the scene that shows it.
PLANTED = [
    ("*/blobs/new-*", "write a large one"), ("/server/blobs/uploads/*", "server: first contents"), ("/server", "server: first contents"),
    ("/laptop/blobs", "write a large one"), ("*/account.json.new", "account new"), ("/new", "account new"), ("", "account new"),
    ("/server/blobs/??*/??", "server: first contents"), ("/server/server.sqlite-wal", "server: first contents"), ("(all)", "export"),
]


# Reads from the database, says so, and stays until its input ends.
HOLDER = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("SELECT count(*) FROM file").fetchone()
print(flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def holding(path: Path):
    """Another process has the database open; not this one, which would give up its locks with the next file that it reads."""
    with subprocess.Popen([sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin and holder.stdout
        if holder.stdout.readline() != b"\n":
            raise stage.Failed(f"{path} cannot be held open")
        yield
        holder.stdin.close()


class Recording:
    """One run of a command, with all that it and the server did to files."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.library = folder / "record.so"
        compiler = shutil.which("clang") or shutil.which("cc")
        source = Path(__file__).with_name("record.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self.library, source], check=True)

    def settings(self, program: str) -> dict[str, str]:
        log = self.folder / f"{program}.calls"
        log.unlink(missing_ok=True)
        return {"LD_PRELOAD": str(self.library), "RECORD_PROGRAM": program, "RECORD": str(log)}

    def run(self, world: World, scene: Scene, is_held: bool) -> stage.Outcome:
        device = world.device(scene.who)
        with holding(device.path / "lockbook.db") if is_held else contextlib.nullcontext():
            return self.listen(world, scene, device)

    def listen(self, world: World, scene: Scene, device: stage.Device) -> stage.Outcome:
        self.disk = disk_model.Disk(world.now)
        served = self.settings("lockbook-server")
        settings = self.settings("lockbook")
        needs_server = scene.syncs or scene.is_online or scene.program == "lockbook-server"
        if needs_server:
            world.start(("env", *[f"{name}={value}" for name, value in served.items()]))
        words = world.words(scene.words)
        device.added = settings
        outcome = device.run(*words, text=world.text(scene.text), may_fail=True)
        self.done = time.monotonic_ns()
        device.added = {}
        world.stop()
        found = [call for program in PROGRAMS for call in disk_model.calls(self.folder / f"{program}.calls", program)]
        self.calls = sorted(found, key=lambda call: call.time)
        return outcome


class Unsynced:
    def __init__(self, folder: Path, tally: stage.Tally):
        self.tally = tally
        self.world = World(folder)
        self.judge = Judge(self.world, is_a_copy=True)
        self.recording = Recording(folder)
        self.progress = Progress(os.environ.get("STATE"), float(os.environ.get("FOR_SECONDS") or 0))
        self.tried = self.moments = self.calls = 0
        # Of which files no sync counts.
        self.without: str | None = None

    def play(self, scene: Scene, is_held: bool) -> None:
        world, recording = self.world, self.recording
        world.begin(scene)
        if is_held:
            scene = replace(scene, name=f"{scene.name}, held")
        laptop = world.device(scene.who)
        if scene.is_online and scene.program == "lockbook":
            # An offer is looked up in the notes, which stay as they are.
            world.words(scene.words)
        old, old_out = world.state(laptop), texts(world.now / "out")
        outcome = recording.run(world, scene, is_held)
        if not self.tally.check(outcome.status in (0, CONFLICT), f"{scene.name}: without a power cut", outcome.errors):
            return
        if scene.syncs or scene.is_online:
            world.start()
        new, new_out = world.state(laptop), texts(world.now / "out")
        expected = Expected(old, new, self.judge.settle(scene) if scene.syncs else new, old_out, new_out)
        world.stop()
        broken, tried, number = [], 0, {program: 0 for program in PROGRAMS}
        for call in recording.calls:
            if self.is_left_out(call):
                continue
            self.calls += 1
            if not recording.disk.run(call):
                continue
            number[call.program] += 1
            for kind in KINDS:
                name = f"{call.program}:{kind}:{number[call.program]}"
                first = (SEED + zlib.crc32(f"{scene.name} {call.program} {kind}".encode())) % STEP
                self.moments += 1
                is_chosen = CHOSEN == name if CHOSEN else number[call.program] % STEP == first
                if not is_chosen or self.without is not None or self.progress.is_over or self.is_known(scene, name):
                    continue
                tried += 1
                problem = self.one(scene, call.program, kind, number[call.program], call.time > recording.done, expected)
                self.note(scene, name, problem)
                if problem:
                    broken.append(f"{name}: {problem}")
        # The last moment of all: whatever was said to be done is durable.
        for program in PROGRAMS:
            for kind in KINDS:
                name = f"{program}:{kind}:end"
                if number[program] == 0 or self.progress.is_over or self.is_known(scene, name) or CHOSEN not in (None, name):
                    continue
                tried += 1
                self.moments += 1
                problem = self.one(scene, program, kind, 0, outcome.status == 0, expected)
                self.note(scene, name, problem)
                if problem:
                    broken.append(f"{name}: {problem}")
        self.tried += tried
        counts = " and ".join(f"{count} of {program}" for program, count in number.items() if count)
        details = "\n      ".join(broken[:5]) + f"\n      ({len(broken)} in all)"
        if self.without is not None:
            what = f"{scene.name}, with `{self.without}` not synced: found in {len(broken)} of {tried} power cuts"
            self.tally.check(bool(broken), what, "no power cut shows it")
            return
        self.tally.check(not broken, f"{scene.name}: {tried} power cuts at {counts}", details)

    def is_known(self, scene: Scene, moment: str) -> bool:
        return self.without is None and self.progress.has(scene.name, moment)

    def note(self, scene: Scene, moment: str, problem: str) -> None:
        if self.without is None:
            self.progress.note(scene.name, moment, problem)

    def is_left_out(self, call: disk_model.Call) -> bool:
        """Whether the planted bug forgets this sync."""
        if self.without is None or call.what not in (disk_model.SYNCED, disk_model.ALL_SYNCED):
            return False
        if call.what == disk_model.ALL_SYNCED:
            return self.without == "(all)"
        node = self.recording.disk.nodes.get(call.file)

        def paths(folder: disk_model.Folder, path: str):
            for name, child in folder.live.items():
                yield f"{path}/{name}", child
                if isinstance(child, disk_model.Folder):
                    yield from paths(child, f"{path}/{name}")

        top = self.recording.disk.top
        return any(child is node and fnmatch.fnmatch(path, self.without) for path, child in [("", top), *paths(top, "")])

    def one(self, scene: Scene, program: str, kind: str, number: int, is_done: bool, expected: Expected) -> str:
        world = self.world
        world.stop()
        shutil.rmtree(world.now, ignore_errors=True)
        for path in world.runtime.iterdir():
            shutil.rmtree(path)
        crashed = {scene.who, "out"} if program == "lockbook" else {"server"}
        self.recording.disk.write(world.now, kind, crashed, zlib.crc32(f"{SEED} {scene.name} {kind} {number}".encode()))
        try:
            if scene.syncs or scene.who == "new" or scene.is_online:
                world.start()
            return self.judge.problem(scene, is_done, expected)
        except (stage.Failed, OSError) as error:
            return f"{error}"


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("unsynced") as folder:
        unsynced = Unsynced(folder, tally)
        try:
            scenes = [(scene, False) for scene in SCENES + MORE] + [(scene, True) for scene in SCENES if scene.name in HELD and not FEW]
            for number, (scene, is_held) in enumerate(scenes):
                if (ONLY is None or scene.name in ONLY) and number % PARTS == PART - 1 and not unsynced.progress.is_over:
                    unsynced.play(scene, is_held)
            for unsynced.without, name in (PLANTED[:3] if FEW else PLANTED) if PART == PARTS and not CHOSEN else []:
                for scene in SCENES + MORE:
                    if name == scene.name and (ONLY is None or name in ONLY):
                        unsynced.play(scene, is_held=False)
        finally:
            unsynced.world.stop()
            unsynced.world.proxy.close()
        print(f"{unsynced.tried} power cuts of {unsynced.moments} possible, between {unsynced.calls} calls")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
