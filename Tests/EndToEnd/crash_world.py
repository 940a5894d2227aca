"""Devices and their server, put back to the same beginning again and again, for `sweep.py` and `unsynced.py`."""

import json
import random
import shutil
from pathlib import Path

import stage
from crash_scenes import NO_ACCOUNT, NOT_HERE, TOKEN, Scene


def texts(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    return {path for path in one.keys() | other.keys() if one.get(path) != other.get(path)}


class World:
    """Two devices of one account and their server, put back to the same beginning again and again."""

    def __init__(self, folder: Path):
        self.folder = folder
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
                if words == ["remove"]:
                    shutil.rmtree(self.now / "server")
                    continue
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
