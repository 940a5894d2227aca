#!/usr/bin/env python3
"""Keeps real notes on two devices, edits them on both while both are offline, and syncs.

    NOTES=folder    the notes (default: 600 generated ones with awkward names)
    SEED=number     which changes are drawn (default 1)
    KEEP=1          leaves the temporary folder for a look
    EDITS, MOVES, DELETIONS   how many, half of them on each device (default 200, 100, 50; fewer when the notes are few)

First the way in and out: import, sync, a second device from the 24 words, export, `diff -r`. Then the changes. A small
model predicts the tree: most changes are of different files, and where both devices change one file, the rules of the
merge decide: different lines of a text are both kept; where the same line was changed both versions stand between
markers; of two names or two places the one that was synced first (the laptop's) stays; deleted beats edited. Last, both
devices and a fresh third one must hold exactly what the model says.

The last line on stdout is `N passed, N failed`.
"""

import os
import sys
import time
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

sys.dont_write_bytecode = True

import corpus
import stage

ROOT = 0


@dataclass
class Node:
    number: int
    parent: int
    name: str
    content: bytes | None  # None for a folder

    @property
    def is_text(self) -> bool:
        if self.content is None or len(self.content) > 1 << 20 or not self.name.endswith((".md", ".txt")):
            return False
        try:
            return "\0" not in self.content.decode("utf-8")
        except UnicodeDecodeError:
            return False

    @property
    def has_room_for_two(self) -> bool:
        """Whether two edits, at the top and at the end, cannot touch each other."""
        return self.is_text and b"\r" not in self.content and self.content.endswith(b"\n") and self.content.count(b"\n") >= 8


class Tree:
    """The notes as they were when both devices had synced."""

    def __init__(self, folder: Path):
        self.nodes = [Node(ROOT, ROOT, "", None)]
        self.children: dict[int, list[int]] = {ROOT: []}
        self._read(folder, ROOT)

    def _read(self, folder: Path, parent: int) -> None:
        for entry in sorted(os.scandir(folder), key=lambda e: e.name):
            number = len(self.nodes)
            is_folder = entry.is_dir(follow_symlinks=False)
            self.nodes.append(Node(number, parent, entry.name, None if is_folder else Path(entry).read_bytes()))
            self.children[parent].append(number)
            if is_folder:
                self.children[number] = []
                self._read(Path(entry), number)

    @property
    def documents(self) -> list[Node]:
        return [node for node in self.nodes if node.content is not None]

    @property
    def folders(self) -> list[Node]:
        return [node for node in self.nodes[1:] if node.content is None]

    def below(self, number: int) -> list[int]:
        found = [number]
        for child in self.children.get(number, []):
            found += self.below(child)
        return found


@dataclass
class Edit:
    token: str
    place: str  # top, end or line

    def apply(self, text: bytes) -> bytes:
        line = f"edited: {self.token}\n".encode()
        lines = text.splitlines(keepends=True)
        if self.place == "top":
            return b"".join(lines[:1]) + (b"" if not lines or lines[0].endswith(b"\n") else b"\n") + line + b"".join(lines[1:])
        if self.place == "end":
            return text + (b"" if not text or text.endswith(b"\n") else b"\n") + line
        middle = len(lines) // 2
        return b"".join(lines[:middle]) + line + b"".join(lines[middle + 1 :])


@dataclass
class Side:
    """What one device does, and how the tree looks to it meanwhile."""

    device: stage.Device
    tree: Tree
    names: dict[int, str] = field(default_factory=dict)
    parents: dict[int, int] = field(default_factory=dict)
    edits: dict[int, Edit] = field(default_factory=dict)
    deleted: set[int] = field(default_factory=set)
    moved: int = 0

    @property
    def name(self) -> str:
        return self.device.name

    def path(self, number: int) -> str:
        steps = []
        while number != ROOT:
            steps.append(self.names.get(number, self.tree.nodes[number].name))
            number = self.parents.get(number, self.tree.nodes[number].parent)
        return "/" + "/".join(reversed(steps))

    def edit(self, number: int, place: str) -> None:
        edit = Edit(f"{self.name}-{number}-{len(self.edits):04d}", place)
        self.device.run("stream", "in", "--", self.path(number), text=edit.apply(self.tree.nodes[number].content))
        self.edits[number] = edit

    def rename(self, number: int, name: str) -> None:
        self.device.run("rename", "--", self.path(number), name)
        self.names[number] = name
        self.moved += 1

    def move(self, number: int, folder: int) -> None:
        self.device.run("move", "--", self.path(number), self.path(folder) if folder == ROOT else self.path(folder) + "/")
        self.parents[number] = folder
        self.moved += 1

    def delete(self, number: int) -> None:
        self.device.run("delete", "--recursive", "--", self.path(number))
        self.deleted.add(number)


class Plan:
    """Draws the changes. Every file is taken for one purpose only, so that the outcome can be told beforehand."""

    def __init__(self, tree: Tree, laptop: Side, phone: Side, random: Random):
        self.tree, self.laptop, self.phone, self.random = tree, laptop, phone, random
        wanted = [int(os.environ.get(n) or d) for n, d in (("EDITS", 200), ("MOVES", 100), ("DELETIONS", 50))]
        share = min(1.0, len(tree.documents) * 0.8 / sum(wanted))
        self.edits, self.moves, self.deletions = (max(2, int(count * share)) for count in wanted)
        self.full = share == 1.0
        self.left: dict[str, list] = {"laptop": [], "phone": []}
        self.free = [node.number for node in tree.documents]
        random.shuffle(self.free)
        self.claimed = {(node.parent, unicodedata.normalize("NFC", node.name)) for node in tree.nodes[1:]}
        self.stable = [ROOT] + [folder.number for folder in tree.folders]
        self.serial = 0

    def take(self, count: int, fits=lambda node: True) -> list[int]:
        """Files nobody else has; as many as there are."""
        chosen = [number for number in self.free if fits(self.tree.nodes[number])][: max(0, count)]
        self.free = [number for number in self.free if number not in set(chosen)]
        return chosen

    def do(self, side: Side, action: str, *arguments: object) -> None:
        self.left[side.name].append((action, arguments))

    def count(self, side: Side, *actions: str) -> int:
        return sum(action in actions for action, _ in self.left[side.name])

    def new_name(self, number: int, side: Side) -> str:
        self.serial += 1
        old = self.tree.nodes[number].name
        extension = os.path.splitext(old)[1] if self.tree.nodes[number].content is not None else ""
        return f"{self.random.choice(['named', 'two words', '名前', '$(x)', 'it is'])} {side.name} {self.serial}{extension}"

    def place(self, number: int) -> int | None:
        """A folder that has, and gets, nothing of that name."""
        name = unicodedata.normalize("NFC", self.tree.nodes[number].name)
        for _ in range(50):
            folder = self.random.choice(self.stable)
            if (folder, name) not in self.claimed:
                self.claimed.add((folder, name))
                return folder
        return None

    def move(self, side: Side, number: int) -> None:
        folder = self.place(number)
        if folder is None:
            self.do(side, "rename", number, self.new_name(number, side))
        else:
            self.do(side, "move", number, folder)

    def draw(self) -> None:
        part = max(1, self.edits // 40)
        laptop, phone = self.laptop, self.phone
        self.folders(part)
        for number in self.take(2 * part, lambda node: node.has_room_for_two):
            top, end = (laptop, phone) if self.random.random() < 0.5 else (phone, laptop)
            self.do(top, "edit", number, "top")
            self.do(end, "edit", number, "end")
        for number in self.take(part, lambda node: node.has_room_for_two):
            self.do(laptop, "edit", number, "line")
            self.do(phone, "edit", number, "line")
        for number in self.take(part):
            self.do(laptop, "rename", number, self.new_name(number, laptop))
            self.do(phone, "rename", number, self.new_name(number, phone))
        for number in self.take(part):
            self.move(laptop, number)
            self.move(phone, number)
        for number in self.take(part):
            self.do(laptop, "rename", number, self.new_name(number, laptop))
            self.move(phone, number)
        for one, other in ((laptop, phone), (phone, laptop)):
            for number in self.take(part, lambda node: node.is_text):
                self.do(one, "edit", number, "end")
                self.do(other, "rename", number, self.new_name(number, other))
            for number in self.take(part, lambda node: node.is_text):
                self.do(one, "edit", number, "top")
                self.do(other, "delete", number)
        for number in self.take(min(2, part)):
            self.do(laptop, "delete", number)
            self.do(phone, "delete", number)
        for side in (laptop, phone):
            for number in self.take(self.edits // 2 - self.count(side, "edit"), lambda node: node.is_text):
                self.do(side, "edit", number, self.random.choice(["top", "end", "line"]))
            for number in self.take(self.moves // 2 - self.count(side, "move", "rename")):
                if self.random.random() < 0.5:
                    self.do(side, "rename", number, self.new_name(number, side))
                else:
                    self.move(side, number)
            for number in self.take(self.deletions // 2 - self.count(side, "delete")):
                self.do(side, "delete", number)
            self.random.shuffle(self.left[side.name])

    def folders(self, part: int) -> None:
        """A small folder deleted here with a note edited there; folders renamed on both sides, moved on one."""
        tree, random = self.tree, self.random
        folders = [folder.number for folder in tree.folders]
        random.shuffle(folders)
        small = [n for n in folders if 0 < len(tree.children[n]) <= 8 and all(c not in tree.children for c in tree.children[n])]
        if small and len(folders) > 4:
            gone = small[0]
            inside = tree.children[gone]
            self.do(self.phone, "delete", gone)
            for number in [n for n in inside if tree.nodes[n].is_text][:1]:
                self.do(self.laptop, "edit", number, "end")
            self.free = [number for number in self.free if number not in inside]
            self.stable.remove(gone)
            folders.remove(gone)
        # Only folders at the bottom move, and nothing moves into them: no cycle, whatever the other side does.
        movable = [n for n in folders if all(c not in tree.children for c in tree.children[n])][: max(1, part - 1)]
        if len(folders) > 4:
            for number in movable:
                self.stable.remove(number)
            for number in movable:
                self.move(self.laptop, number)
        others = [n for n in folders if n not in movable][: 2 * part] if len(folders) > 4 else []
        for index, number in enumerate(others):
            side = (self.laptop, self.phone)[index % 2]
            self.do(side, "rename", number, self.new_name(number, side))

    def carry_out(self, side: Side) -> None:
        for action, arguments in self.left[side.name]:
            getattr(side, action)(*arguments)


class Prediction:
    """The tree after both have synced, the laptop first."""

    def __init__(self, tree: Tree, first: Side, second: Side):
        self.documents: dict[str, bytes] = {}
        self.between_markers: dict[str, list[str]] = {}
        self.folders: set[str] = set()
        self.tokens: list[str] = []
        merged = Side(first.device, tree, {**second.names, **first.names}, {**second.parents, **first.parents})
        deleted = first.deleted | second.deleted
        for node in tree.nodes[1:]:
            if self._is_dead(merged, node.number, deleted):
                continue
            path = merged.path(node.number)
            if node.content is None:
                self.folders.add(path)
                continue
            edits = [side.edits[node.number] for side in (first, second) if node.number in side.edits]
            self.tokens += [edit.token for edit in edits]
            if len(edits) == 2 and edits[0].place == edits[1].place:
                self.between_markers[path] = [edit.token for edit in edits]
            content = node.content
            for edit in edits:
                content = edit.apply(content)
            self.documents[path] = content

    @staticmethod
    def _is_dead(side: Side, number: int, deleted: set[int]) -> bool:
        while number != ROOT:
            if number in deleted:
                return True
            number = side.parents.get(number, side.tree.nodes[number].parent)
        return False

    def problems(self, folder: Path) -> list[str]:
        """What of an export is not as predicted."""
        found: dict[str, bytes] = {}
        folders: set[str] = set()
        for path in folder.rglob("*"):
            name = "/" + str(path.relative_to(folder))
            if path.is_dir():
                folders.add(name)
            else:
                found[name] = path.read_bytes()
        problems = [f"missing: {name}" for name in self.documents.keys() - found.keys()]
        problems += [f"not expected: {name}" for name in found.keys() - self.documents.keys()]
        problems += [f"missing folder: {name}" for name in self.folders - folders]
        problems += [f"folder not expected: {name}" for name in folders - self.folders]
        for name in self.documents.keys() & found.keys():
            tokens = self.between_markers.get(name)
            if tokens is not None:
                if b"<<<<<<<" not in found[name] or any(token.encode() not in found[name] for token in tokens):
                    problems.append(f"both versions should stand between markers: {name}")
            elif found[name] != self.documents[name]:
                problems.append(f"another content: {name}")
        everything = b"\n".join(found.values())
        problems += [f"lost edit: {token}" for token in self.tokens if token.encode() not in everything]
        return sorted(problems)


def sync_until_quiet(devices: list[stage.Device], tally: stage.Tally) -> int:
    for turn in range(1, 9):
        quiet = True
        for device in devices:
            report = device.sync()
            quiet = quiet and not report["pulled"] and not report["pushed"]
        if quiet:
            tally.check(True, f"quiet after {turn} turns")
            return turn
    tally.check(False, "the devices do not come to rest")
    return turn


def main() -> int:
    seed = os.environ.get("SEED") or "1"
    tally = stage.Tally()
    began = time.monotonic()
    with stage.scratch("e2e") as folder, stage.Server(folder / "server") as server:
        notes = Path(os.environ["NOTES"]).resolve() if os.environ.get("NOTES") else folder / "notes"
        if not os.environ.get("NOTES"):
            corpus.write_notes(notes, 600, seed=7, per_folder=6, odd_names=True)
        tree = Tree(notes)
        laptop, phone, tablet = (stage.Device(folder, name) for name in ("laptop", "phone", "tablet"))

        laptop.run("account", "new", "alice", "--server", server.url)
        laptop.run("import", f"{notes}/.", "/")
        laptop.sync()
        phone.join(laptop, server.url)
        phone.sync()
        phone.run("export", "/", folder / "phone-1")
        found = stage.differences(notes, folder / "phone-1")
        tally.check(not found, f"{len(tree.documents)} notes arrive on the second device as they were", found)

        sides = Side(laptop, tree), Side(phone, tree)
        plan = Plan(tree, *sides, Random(seed))
        plan.draw()
        for side in sides:
            plan.carry_out(side)
        sync_until_quiet([laptop, phone], tally)
        for device in (laptop, phone):
            left = device.run("status", "--porcelain").output
            tally.check(not left, f"nothing is left to sync on the {device.name}", left.decode()[:500])

        prediction = Prediction(tree, *sides)
        tablet.join(phone, server.url)
        tablet.sync()
        for device in (laptop, phone, tablet):
            target = folder / f"{device.name}-2"
            device.run("export", "/", target)
            problems = prediction.problems(target)
            tally.check(not problems, f"the {device.name} holds what the model predicts", "; ".join(problems[:10]))
            checked = device.run("debug", "validate", may_fail=True)
            tally.check(checked.status == 0, f"all is sound on the {device.name}", checked.output.decode()[:500])
        for device in (phone, tablet):
            found = stage.differences(folder / "laptop-2", folder / f"{device.name}-2")
            tally.check(not found, f"laptop and {device.name} hold the same", found)

        edits = sum(len(side.edits) for side in sides)
        moves = sum(side.moved for side in sides)
        deletions = sum(len(side.deleted) for side in sides)
        if plan.full and not os.environ.get("NOTES"):
            tally.check(edits >= plan.edits and moves >= plan.moves and deletions >= plan.deletions, "as many changes as wanted")
        print(
            f"{len(tree.documents)} notes, seed {seed}: {edits} edits, {moves} moves and renames, {deletions} deletions; "
            f"{len(prediction.documents)} notes at the end, {len(prediction.tokens)} edits in them, "
            f"{len(prediction.between_markers)} between markers; {time.monotonic() - began:.1f} s"
        )
    return tally.end()


if __name__ == "__main__":
    sys.exit(stage.told(main))
