#!/usr/bin/env python3
"""Kills the programs at every call that changes something, and fails those calls as a full or a broken disk would.

    STEP=1            tries every call; 29, the default, every 29th, beginning with one that SEED draws
    SEED=1
    ONLY=name,...     only these scenes
    KINDS=kill,full   only these kinds; `error` is the third
    CHOSEN=kill:17    only this fault
    KEEP=1            leaves the temporary folder for a look

`fault.c` is loaded into the program and counts: what is written to files and sockets, synced, renamed, made, removed. For
each scene the command runs once without a fault, which tells how many calls there are and what comes of it. Then, from the
same beginning each time, it is killed at call 1, 2, 3…; then from each call on there is no room; then each call fails once.
After each of these: every note is what it was or what it becomes, and so is every file of an export; `debug validate` finds
nothing; nothing readable is in the data folder; what a command says it did is done; and the same command again, without a
fault, ends where it should. Where the server was killed, it starts again, and both devices come to the same notes.

The last line on stdout is `N passed, N failed`; above it stands how many faults there were.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.dont_write_bytecode = True

import stage

# One fault alone, as it is told: `kill:17`.
CHOSEN = os.environ.get("CHOSEN")
STEP = int(os.environ.get("STEP", "29"))
SEED = int(os.environ.get("SEED") or "1")
ONLY = os.environ.get("ONLY", "").split(",") if os.environ.get("ONLY") else None
NOT_FOUND, EXISTS, NO_ACCOUNT, CONFLICT, NOT_HERE = 3, 4, 5, 8, 14
# Stands in every content and in many names; found in a data folder, it was written there readable.
TOKEN = b"Ploughshare"
FAULTS = tuple(os.environ.get("KINDS", "kill,full,error").split(","))


def texts(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@dataclass
class Scene:
    """A command, and what it may leave behind when it is cut off."""

    name: str
    words: list[str]
    text: bytes = b""
    # Done before, on the laptop or the phone: words, or words and a text. Once, and what comes of it is copied.
    before: list[tuple] = field(default_factory=list)
    # Done anew each time: an export knows its files by more than a copy keeps.
    each: list[tuple] = field(default_factory=list)
    # Whether it happens whole or not at all; else each note is old or new by itself.
    is_atomic: bool = True
    # What a second run may end with, when the first had done it all.
    again: tuple[int, ...] = (0,)
    # Whether both devices sync afterwards, and have to come to the same.
    syncs: bool = False
    # Whose calls are counted.
    program: str = "lockbook"
    rescues: bool = False
    # The device that runs it; `new` has nothing yet.
    who: str = "laptop"
    # What brings the device into step afterwards.
    settles: tuple[str, ...] = ("sync",)
    # Whether doing it once more is another thing, as an undo of an undo.
    is_once: bool = False
    # Whether it needs the server.
    is_online: bool = False
    faults: tuple[str, ...] = FAULTS


EDITOR = "sh -c 'printf \"%s\\n\" \"Ploughshare edited\" >\"$1\"' -"
SCENES = [
    Scene("new", ["new", "/made/Ploughshare.md"], again=(0, EXISTS)),
    Scene("write", ["write", "/notes/one.md"], b"Ploughshare new text\n"),
    Scene("write a large one", ["write", "/notes/large"], TOKEN + random.Random(1).randbytes(200_000)),
    Scene("append", ["write", "--append", "/notes/one.md"], b"Ploughshare more\n"),
    Scene("edit", ["edit", "/notes/one.md", "--editor", EDITOR], rescues=True),
    Scene("delete", ["delete", "--recursive", "/notes"], again=(0, NOT_FOUND)),
    Scene("delete for good", ["delete", "--permanent", "--force", "/notes/two.md"], again=(0, NOT_FOUND)),
    Scene("move", ["move", "/notes/one.md", "/other/"], again=(0, NOT_FOUND)),
    Scene("rename", ["rename", "/notes/one.md", "Ploughshare.md"], again=(0, NOT_FOUND)),
    Scene("copy", ["copy", "/notes", "/other/"], is_atomic=False, again=(0, EXISTS)),
    Scene("restore", ["restore", "/gone.md"], before=[("laptop", ["write", "/gone.md"], TOKEN), ("laptop", ["delete", "/gone.md"])],
          again=(0, NOT_FOUND)),
    Scene("restore a folder", ["restore", "/notes"], before=[("laptop", ["delete", "/notes/one.md"]), ("laptop", ["delete", "--recursive", "/notes"])],
          again=(0, NOT_FOUND)),
    Scene("undo", ["undo"], before=[("laptop", ["write", "/notes/one.md"], b"Ploughshare, a mistake\n")], is_once=True),
    Scene("undo of many", ["undo"], before=[("laptop", ["delete", "--recursive", "/notes"])], is_once=True),
    Scene("trash empty", ["trash", "empty", "--force"], before=[("laptop", ["delete", "--recursive", "/notes"]), ("laptop", ["sync"])]),
    Scene("account new", ["account", "new", "zoe", "--server", "URL"], who="new", is_online=True, again=(0, EXISTS)),
    Scene("account import", ["account", "import", "--server", "URL"], b"WORDS", who="new", is_online=True),
    Scene("first sync", ["sync"], who="new", is_atomic=False, syncs=True, is_online=True,
          before=[("new", ["account", "import", "--server", "URL"], b"WORDS")]),
    Scene("share new", ["share", "new", "/notes", "bob"], syncs=True, again=(0, EXISTS)),
    Scene("share new: sync", ["sync"], syncs=True, is_atomic=False, before=[("laptop", ["share", "new", "/notes", "bob"])]),
    Scene("share revoke: sync", ["sync"], syncs=True, is_atomic=False,
          before=[("laptop", ["share", "new", "/notes", "bob"]), ("laptop", ["sync"]), ("bob", ["sync"]), ("laptop", ["share", "revoke", "/notes", "bob"])]),
    Scene("share accept", ["share", "accept", "OFFER"], is_online=True, before=[("bob", ["share", "new", "/bobs", "alice"]), ("bob", ["sync"]), ("laptop", ["sync"])],
          again=(0, EXISTS)),
    Scene("sync: accept a rollback", ["sync", "--accept-rollback", "--force"], syncs=True, is_atomic=False,
          settles=("sync", "--accept-rollback", "--force"),
          before=[("server", ["back up"]), ("laptop", ["write", "/notes/one.md"], b"Ploughshare here\n"), ("laptop", ["new", "/Ploughshare.md"]),
                  ("laptop", ["delete", "--permanent", "--force", "/notes/two.md"]), ("laptop", ["sync"]),
                  ("laptop", ["write", "/large.bin"], TOKEN + random.Random(6).randbytes(300_000)), ("laptop", ["sync"]), ("server", ["put back"])]),
    Scene("import", ["import", "--quiet", "DISK/.", "/in"], is_atomic=False),
    Scene("export", ["export", "--quiet", "/", "OUT"], is_atomic=False),
    Scene("export again", ["export", "--quiet", "--mirror", "/", "OUT"], is_atomic=False,
          each=[("laptop", ["export", "--quiet", "/", "OUT"]), ("laptop", ["write", "/notes/one.md"], b"Ploughshare, later\n"),
                  ("laptop", ["delete", "/notes/two.md"])]),
    Scene("sync: push", ["sync"], syncs=True,
          before=[("laptop", ["write", "/notes/one.md"], b"Ploughshare here\n"), ("laptop", ["new", "/Ploughshare.md"]),
                  ("laptop", ["write", "/large.bin"], TOKEN + random.Random(2).randbytes(2_500_000)),
                  ("laptop", ["delete", "/notes/two.md"]), ("laptop", ["rename", "/notes/three.md", "3.md"])]),
    Scene("sync: pull", ["sync"], syncs=True, is_atomic=False,
          before=[("phone", ["write", "/notes/one.md"], b"Ploughshare there\n"), ("phone", ["new", "/Ploughshare.md"]),
                  ("phone", ["write", "/large.bin"], TOKEN + random.Random(3).randbytes(2_500_000)),
                  ("phone", ["delete", "/notes/two.md"]), ("phone", ["rename", "/notes/three.md", "3.md"]), ("phone", ["sync"])]),
    Scene("sync: merge", ["sync"], syncs=True, is_atomic=False,
          before=[("phone", ["write", "--append", "/notes/one.md"], b"Ploughshare there\n"), ("phone", ["write", "/same.md"], b"Ploughshare P\n"),
                  ("phone", ["sync"]), ("laptop", ["write", "/notes/one.md"], b"Ploughshare here\nPloughshare one\n"),
                  ("laptop", ["write", "/same.md"], b"Ploughshare L\n"), ("laptop", ["move", "/notes/two.md", "/other/"])]),
    Scene("server: push", ["sync"], syncs=True, program="lockbook-server",
          before=[("laptop", ["write", "/notes/one.md"], b"Ploughshare here\n"),
                  ("laptop", ["write", "/large.bin"], TOKEN + random.Random(4).randbytes(2_500_000)), ("laptop", ["delete", "/notes/two.md"])]),
]


class World:
    """Two devices of one account and their server, put back to the same beginning again and again."""

    def __init__(self, folder: Path, library: Path):
        self.folder, self.library = folder, library
        self.beginning, self.now = folder / "beginning", folder / "now"
        self.runtime = folder / "runtime"
        self.runtime.mkdir(mode=0o700)
        self.disk = folder / "disk"
        for number in range(4):
            path = self.disk / f"Ploughshare {number}" / f"{number}.md"
            path.parent.mkdir(parents=True)
            path.write_bytes(TOKEN + b" from the disk %d\n" % number)
        (self.disk / "large").write_bytes(TOKEN + random.Random(5).randbytes(150_000))
        # One port for all servers, so that devices find the next one.
        self.proxy = stage.Proxy(1)
        self.server: stage.Server | None = None
        self.now.mkdir()
        self.start()
        laptop, phone = self.device("laptop"), self.device("phone")
        laptop.run("account", "new", "alice", "--server", self.proxy.url)
        for name in ("one", "two", "three"):
            laptop.run("write", f"/notes/{name}.md", text=b"Ploughshare %s\n" % name.encode())
        laptop.run("new", "/other/")
        laptop.run("sync")
        phone.join(laptop, self.proxy.url)
        phone.run("sync")
        bob = self.device("bob")
        bob.run("account", "new", "bob", "--server", self.proxy.url)
        bob.run("write", "/bobs/note.md", text=b"Ploughshare of bob\n")
        bob.run("sync")
        self.phrase = laptop.run("account", "export", "--phrase").output
        self.stop()
        shutil.move(self.now, self.beginning)

    def start(self, wrap: tuple[str, ...] = ()) -> None:
        self.server = stage.Server(self.now / "server", wrap=list(wrap))
        self.proxy.lead_to(self.server.port)

    def stop(self) -> None:
        if self.server:
            self.server.stop()
            self.server = None

    def device(self, name: str) -> stage.Device:
        return Device(self.now, name, self)

    def begin(self, scene: Scene) -> None:
        self.stop()
        shutil.rmtree(self.now, ignore_errors=True)
        source = self.folder / f"before {scene.name}".replace(":", "")
        self.proxy.lead_to(1)
        if not source.exists():
            shutil.copytree(self.beginning, self.now, symlinks=True)
            self.start()
            self.do(scene.before)
            self.stop()
            shutil.move(self.now, source)
        shutil.copytree(source, self.now, symlinks=True)
        for path in self.runtime.iterdir():
            shutil.rmtree(path)
        self.do(scene.each)

    def do(self, steps: list[tuple]) -> None:
        for who, words, *text in steps:
            if who == "server":
                self.stop()
                source, target = (self.now / name for name in (("server", "backup") if words == ["back up"] else ("backup", "server")))
                shutil.rmtree(target, ignore_errors=True)
                shutil.copytree(source, target)
                self.start()
                continue
            self.device(who).run(*self.words(words), text=self.text(text[0]) if text else b"")

    def words(self, words: list[str]) -> list[str]:
        if "OFFER" in words:
            offers = json.loads(self.device("laptop").run("share", "pending", "--json").output)
            words = [offers[0]["id"] if word == "OFFER" else word for word in words]
        found = []
        for word in words:
            for name, meant in (("OUT", self.now / "out"), ("DISK", self.disk), ("URL", self.proxy.url)):
                word = word.replace(name, str(meant))
            found.append(word)
        return found

    def text(self, text: bytes) -> bytes:
        return self.phrase if text == b"WORDS" else text

    def state(self, device: stage.Device) -> dict[str, bytes]:
        """All notes, as an export shows them."""
        target = self.now / "state"
        shutil.rmtree(target, ignore_errors=True)
        outcome = device.run("export", "--quiet", "/", target, may_fail=True)
        if outcome.status in (NO_ACCOUNT, NOT_HERE):
            return {f"(status {outcome.status})": b""}
        # Status 9: what stays on the server.
        if outcome.status not in (0, 9):
            raise stage.Failed(f"the state cannot be exported: {outcome.status} {outcome.errors}")
        found = texts(target)
        # Folders count too.
        found |= {f"{path.relative_to(target)}/": b"" for path in target.rglob("*") if path.is_dir()}
        shutil.rmtree(target, ignore_errors=True)
        found["(trash)"] = device.run("trash").output
        return found


class Device(stage.Device):
    def __init__(self, folder: Path, name: str, world: World):
        super().__init__(folder, name)
        self.world = world
        self.added: dict[str, str] = {}

    def environment(self) -> dict[str, str]:
        return super().environment() | {"XDG_RUNTIME_DIR": str(self.world.runtime)} | self.added


class Sweep:
    def __init__(self, folder: Path, tally: stage.Tally):
        self.folder, self.tally = folder, tally
        library = folder / "fault.so"
        compiler = shutil.which("clang") or shutil.which("cc")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, Path(__file__).with_name("fault.c")], check=True)
        self.library = library
        self.world = World(folder, library)
        self.counts: dict[str, int] = {}

    def settings(self, scene: Scene, fault: str | None) -> dict[str, str]:
        found = {"LD_PRELOAD": str(self.library), "FAULT_PROGRAM": scene.program, "FAULT_COUNT": str(self.folder / "count")}
        return found | ({"FAULT": fault} if fault else {})

    def cut_off(self, scene: Scene, fault: str | None) -> stage.Outcome:
        """Runs the command, meddled with, and leaves a server running that is not."""
        world = self.world
        settings = self.settings(scene, fault)
        device = world.device(scene.who)
        # Looked up before anything is meddled with.
        if scene.syncs and scene.program == "lockbook" or scene.is_online:
            world.start()
        words = world.words(scene.words)
        if scene.program == "lockbook":
            device.added = settings
        else:
            try:
                world.start(("env", *[f"{name}={value}" for name, value in settings.items()]))
            except stage.Failed:
                # Killed, or out of room, before it listened.
                pass
        outcome = device.run(*words, text=world.text(scene.text), may_fail=True)
        if scene.program != "lockbook":
            world.stop()
            world.start()
        return outcome

    def play(self, scene: Scene) -> None:
        world = self.world
        world.begin(scene)
        laptop = world.device(scene.who)
        old, old_out = world.state(laptop), texts(world.now / "out")
        outcome = self.cut_off(scene, None)
        if not self.tally.check(outcome.status in (0, CONFLICT), f"{scene.name}: without a fault", outcome.errors):
            return
        count = int((self.folder / "count").read_text())
        new, new_out = world.state(laptop), texts(world.now / "out")
        final = self.settle(scene) if scene.syncs else new
        broken: list[str] = []
        tried = 0
        for kind in scene.faults:
            # A sample begins elsewhere in each scene and for each kind.
            first = 1 + (SEED + zlib.crc32(f"{scene.name} {kind}".encode())) % STEP
            for number in range(first, count + 1, STEP):
                if CHOSEN and CHOSEN != f"{kind}:{number}":
                    continue
                tried += 1
                world.begin(scene)
                try:
                    problem = self.one(scene, f"{kind}:{number}", old, new, final, old_out, new_out)
                except (stage.Failed, OSError) as error:
                    problem = f"{error}"
                if problem:
                    broken.append(f"{kind} at call {number} of {count}: {problem}")
        self.counts[scene.name] = tried
        self.tally.check(not broken, f"{scene.name}: {tried} faults at {count} calls", "\n      ".join(broken[:5]) + f"\n      ({len(broken)} in all)")

    def settle(self, scene: Scene) -> dict[str, bytes]:
        """Both devices sync until quiet; what they agree on."""
        laptop, phone = self.world.device(scene.who), self.world.device("phone")
        for device in (laptop, phone, laptop, phone):
            outcome = device.run(*(scene.settles if device is laptop else ("sync",)), may_fail=True)
            if outcome.status not in (0, CONFLICT):
                raise stage.Failed(f"a later sync of {device.name} ended with {outcome.status}: {outcome.errors}")
        one, other = self.world.state(laptop), self.world.state(phone)
        if one != other:
            raise stage.Failed(f"the devices differ in {sorted(differing(one, other))}")
        return one

    def one(self, scene, fault, old, new, final, old_out, new_out) -> str:
        world = self.world
        outcome = self.cut_off(scene, fault)
        laptop = world.device(scene.who)
        if scene.rescues:
            rescue = laptop.run("edit", "--rescue", may_fail=True)
            if rescue.status != 0:
                return f"the rescue ended with {rescue.status}: {rescue.errors}"
            left = [path for path in world.runtime.rglob("*") if path.is_file() and TOKEN in path.read_bytes()]
            if left:
                return f"the text is still in {left}"
        found = world.state(laptop)
        if scene.is_atomic and not scene.syncs:
            # An account that was cut off has no root yet; the next command makes it.
            if found not in (old, new) and not (scene.who == "new" and list(found) == [f"(status {NOT_HERE})"]):
                return f"neither as before nor as after: {sorted(differing(found, old) & differing(found, new))}"
        elif not scene.syncs:
            for path in differing(found, old) & differing(found, new):
                # A folder may be there before what comes into it.
                return f"{path} is neither the old nor the new one"
        if outcome.status == 0 and not scene.syncs and found != new:
            return "it said that it was done, and it was not"
        sound = laptop.run("debug", "validate", may_fail=True)
        if sound.status not in ((0, NO_ACCOUNT, NOT_HERE) if scene.who == "new" else (0,)):
            return f"validate: {sound.output.decode()} {sound.errors}"
        for path in (world.now / scene.who).rglob("*"):
            if path.is_file() and TOKEN in path.read_bytes():
                return f"{path.name} can be read"
        out = texts(world.now / "out")
        for path, text in out.items():
            if "lockbook" in Path(path).name:
                continue
            if text not in (old_out.get(path), new_out.get(path)):
                return f"the export's {path} is neither the old nor the new one"
        for path in old_out:
            if path not in out and path in new_out:
                return f"the export lost {path}"
        if scene.syncs:
            settled = self.settle(scene)
            if sorted(settled.values()) != sorted(final.values()):
                return f"after later syncs: {sorted(differing(settled, final))}"
            return ""
        if (found != new or "OUT" in scene.words) and not (scene.is_once and found == new):
            outcome = laptop.run(*world.words(scene.words), text=world.text(scene.text), may_fail=True)
            allowed = scene.again if found == new or not scene.is_atomic else (0,)
            if outcome.status not in allowed:
                return f"again, it ended with {outcome.status}: {outcome.errors}"
            if scene.is_atomic and world.state(laptop) != new:
                return "again, it did not come to the same"
            if texts(world.now / "out") != new_out:
                return f"exported again, it is not the same: {sorted(differing(texts(world.now / 'out'), new_out))}"
        if scene.who == "new":
            outcome = laptop.run("sync", may_fail=True)
            if outcome.status != 0:
                return f"the server and the new account do not belong together: {outcome.status} {outcome.errors}"
        return ""


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    return {path for path in one.keys() | other.keys() if one.get(path) != other.get(path)}


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("sweep") as folder:
        sweep = Sweep(folder, tally)
        try:
            for scene in SCENES:
                if ONLY is None or scene.name in ONLY:
                    sweep.play(scene)
        finally:
            sweep.world.stop()
            sweep.world.proxy.close()
        print(f"{sum(sweep.counts.values())} faults in {len(sweep.counts)} scenes")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
