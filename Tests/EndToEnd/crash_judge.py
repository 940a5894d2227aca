"""What has to hold after a command was cut off, for `sweep.py` and `unsynced.py`."""

from dataclasses import dataclass
from pathlib import Path

import stage
from crash_scenes import CONFLICT, NO_ACCOUNT, NOT_HERE, PARTIAL, TOKEN, Scene
from crash_world import World, differing, texts


@dataclass
class Expected:
    """The notes and the export before the command and after it, and what both devices come to when they sync."""

    old: dict[str, bytes]
    new: dict[str, bytes]
    final: dict[str, bytes]
    old_out: dict[str, bytes]
    new_out: dict[str, bytes]


class Judge:
    """Looks at what is left of a device.

    An export knows its files by more than their bytes; where they are copies (`is_a_copy`), it may leave one behind.
    """

    def __init__(self, world: World, is_a_copy: bool = False):
        self.world, self.is_a_copy = world, is_a_copy

    def settle(self, scene: Scene) -> dict[str, bytes]:
        """Both devices sync until quiet; what they agree on."""
        laptop = self.world.device(scene.who)
        for _ in range(2):
            self.sync(laptop, scene.settles)
            phone = self.other(scene)
            self.sync(phone, ("sync",))
        one, other = self.world.state(laptop), self.world.state(phone)
        if one != other:
            raise stage.Failed(f"the devices differ in {sorted(differing(one, other))}")
        return one

    def problem(self, scene: Scene, is_done: bool, expected: Expected) -> str:
        """What is wrong after the command was cut off; nothing when all promises are kept."""
        world, old, new = self.world, expected.old, expected.new
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
                if path == "(trash)" and set(found[path].splitlines()) <= {*old[path].splitlines(), *new[path].splitlines()}:
                    continue
                # A folder may be there before what comes into it.
                return f"{path} is neither the old nor the new one"
            if lost := set(old.values()) & set(new.values()) - set(found.values()):
                return f"what is there before and after is not there: {lost}"
        if is_done and not scene.syncs and found != new:
            return "it said that it was done, and it was not"
        sound = laptop.run("debug", "validate", may_fail=True)
        if sound.status not in ((0, NO_ACCOUNT, NOT_HERE) if scene.who == "new" else (0,)):
            return f"validate: {sound.output.decode()} {sound.errors}"
        for path in (world.now / scene.who).rglob("*"):
            if path.is_file() and TOKEN in path.read_bytes():
                return f"{path.name} can be read"
        out = texts(world.now / "out")
        for path, text in out.items():
            if any(part.startswith(".lockbook-export.") for part in Path(path).parts):
                continue
            if text not in (expected.old_out.get(path), expected.new_out.get(path)):
                return f"the export's {path} is neither the old nor the new one"
        for path in expected.old_out:
            if path not in out and path in expected.new_out:
                return f"the export lost {path}"
        if scene.syncs:
            if is_done and (lost := self.lost_by_the_server(scene)):
                return lost
            settled = self.settle(scene)
            if sorted(settled.values()) != sorted(expected.final.values()):
                return f"after later syncs: {sorted(differing(settled, expected.final))}"
            return ""
        if scene.later and not self.is_a_copy:
            return self.after_more(scene)
        if (found != new or "OUT" in scene.words) and not (scene.is_once and found == new):
            words, allowed = world.words(scene.words), scene.again if found == new or not scene.is_atomic else (0,)
            if self.is_a_copy and "OUT" in scene.words:
                words, allowed = [*words, "--force"], (0, PARTIAL)
            outcome = laptop.run(*words, text=world.text(scene.text), may_fail=True)
            if outcome.status not in allowed:
                return f"again, it ended with {outcome.status}: {outcome.errors}"
            if scene.is_atomic and world.state(laptop) != new:
                return "again, it did not come to the same"
            out = texts(world.now / "out")
            if self.is_a_copy:
                out = {path: text for path, text in out.items() if path in expected.new_out or text != expected.old_out.get(path)}
            if out != expected.new_out:
                return f"exported again, it is not the same: {sorted(differing(out, expected.new_out))}"
        if scene.who == "new":
            outcome = laptop.run("sync", may_fail=True)
            if outcome.status != 0:
                return f"the server and the new account do not belong together: {outcome.status} {outcome.errors}"
        return ""

    def after_more(self, scene: Scene) -> str:
        """The notes went on since the export was cut off: the next one brings all of its files up to date."""
        world, laptop = self.world, self.world.device(scene.who)
        world.do(scene.later)
        outcome = laptop.run(*world.words(scene.words), may_fail=True)
        if outcome.status != 0:
            return f"later, it ended with {outcome.status}: {outcome.errors}"
        notes = {path: text for path, text in world.state(laptop).items() if path != "(trash)" and not path.endswith("/")}
        out = texts(world.now / "out")
        return f"exported later, it is not the same: {sorted(differing(out, notes))}" if out != notes else ""

    def sync(self, device: stage.Device, words: tuple[str, ...]) -> None:
        outcome = device.run(*words, may_fail=True)
        if outcome.status not in (0, CONFLICT):
            raise stage.Failed(f"a later sync of {device.name} ended with {outcome.status}: {outcome.errors}")

    def other(self, scene: Scene) -> stage.Device:
        device = self.world.device(scene.other)
        if not device.path.exists():
            device.join(self.world.device(scene.who), self.world.proxy.url)
        return device

    def lost_by_the_server(self, scene: Scene) -> str:
        """A sync that ended well has handed over everything: another device needs nothing more of this one."""
        device, phone = self.world.device(scene.who), self.other(scene)
        outcome = phone.run("sync", may_fail=True)
        if outcome.status not in (0, CONFLICT):
            return f"it said that it was done, and the other device's sync ended with {outcome.status}: {outcome.errors}"
        one, other = self.world.state(device), self.world.state(phone)
        return f"it said that it was done, and the server does not have {sorted(differing(one, other))}" if one != other else ""
