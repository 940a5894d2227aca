"""What a disk holds after a power cut: the calls that `record.c` wrote down, replayed with what was synced kept apart.

A file is durable as it was at its last `fsync`; a name as it was at the last `fsync` of its folder. Nothing more is taken
for granted, though most file systems keep more.
"""

import os
import random
import struct
from dataclasses import dataclass, field
from pathlib import Path

CREATED, FOLDER, WRITTEN, CUT, RENAMED, REMOVED, LINKED, SYNCED, ALL_SYNCED = range(1, 10)
HEADER = struct.Struct("=Q 2Q 2Q 2Q q Q 4I")
Key = tuple[int, int]
# What a crash may leave of what was not synced: nothing; names without the bytes; bytes without the names; some of it.
KINDS = ("dropped", "names", "bytes", "drawn")


@dataclass
class Call:
    time: int
    what: int
    file: Key
    folder: Key
    other_folder: Key
    offset: int
    name: str
    other: str
    data: bytes
    # Which of the programs made it.
    program: str = ""


def calls(path: Path, program: str) -> list[Call]:
    if not path.exists():
        return []
    found, raw, at = [], path.read_bytes(), 0
    while at < len(raw):
        time, d1, n1, d2, n2, d3, n3, offset, count, what, first, second, _ = HEADER.unpack_from(raw, at)
        at += HEADER.size
        name, other = os.fsdecode(raw[at : at + first]), os.fsdecode(raw[at + first : at + first + second])
        at += first + second
        found.append(Call(time, what, (d1, n1), (d2, n2), (d3, n3), offset, name, other, raw[at : at + count], program))
        at += count
    return found


@dataclass(eq=False)
class File:
    live: bytearray = field(default_factory=bytearray)
    durable: bytes = b""
    # What was not synced yet: where, and the bytes; without bytes, a new length.
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def change(self, offset: int, data: bytes | None) -> None:
        self.pending.append((offset, data))
        apply(self.live, offset, data)

    def sync(self) -> None:
        if self.pending:
            self.durable, self.pending = bytes(self.live), []

    def left(self, kind: str, draw: random.Random) -> bytes:
        if kind == "bytes":
            return bytes(self.live)
        kept = bytearray(self.durable)
        if kind == "drawn":
            for offset, data in self.pending[: draw.randint(0, len(self.pending))]:
                apply(kept, offset, data)
        return bytes(kept)


def apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        content.extend(bytes(offset - len(content)))
    else:
        content.extend(bytes(max(0, offset - len(content))))
        content[offset : offset + len(data)] = data


@dataclass(eq=False)
class Folder:
    live: dict[str, "File | Folder"] = field(default_factory=dict)
    durable: dict[str, "File | Folder"] = field(default_factory=dict)
    pending: list[tuple[int, str, "File | Folder | None"]] = field(default_factory=list)

    def change(self, number: int, name: str, node: "File | Folder | None") -> None:
        self.pending.append((number, name, node))
        put(self.live, name, node)

    def sync(self) -> None:
        if self.pending:
            self.durable, self.pending = dict(self.live), []

    def left(self, kind: str, last: int) -> dict[str, "File | Folder"]:
        if kind == "names":
            return self.live
        kept = dict(self.durable)
        if kind == "drawn":
            for number, name, node in self.pending:
                # Names reach a disk in their order.
                if number <= last:
                    put(kept, name, node)
        return kept


def put(names: dict, name: str, node: "File | Folder | None") -> None:
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node


class Disk:
    """A folder as it is now, taken for durable, and what calls make of it."""

    def __init__(self, top: Path):
        self.nodes: dict[Key, File | Folder] = {}
        self.top = self.read(top)
        # How many names were changed.
        self.number = 0

    def read(self, path: Path) -> "File | Folder":
        facts = path.lstat()
        node: File | Folder
        if path.is_dir():
            node = Folder()
            node.live = {child.name: self.read(child) for child in path.iterdir()}
            node.durable = dict(node.live)
        else:
            content = path.read_bytes()
            node = File(bytearray(content), content)
        self.nodes[(facts.st_dev, facts.st_ino)] = node
        return node

    def folder(self, key: Key) -> Folder | None:
        found = self.nodes.get(key)
        return found if isinstance(found, Folder) else None

    def name(self, key: Key, name: str, node: File | Folder | None) -> None:
        if folder := self.folder(key):
            self.number += 1
            folder.change(self.number, name, node)

    def run(self, call: Call) -> bool:
        """Whether more is durable now, or could be lost."""
        file = self.nodes.get(call.file)
        if call.what in (CREATED, FOLDER):
            node = self.nodes[call.file] = File() if call.what == CREATED else Folder()
            if call.name:
                self.name(call.folder, call.name, node)
        elif call.what in (WRITTEN, CUT) and isinstance(file, File):
            file.change(call.offset, call.data if call.what == WRITTEN else None)
        elif call.what == RENAMED:
            source = self.folder(call.folder)
            node = source.live.get(call.name) if source else None
            if node:
                self.name(call.folder, call.name, None)
                self.name(call.other_folder, call.other, node)
        elif call.what == REMOVED:
            self.name(call.folder, call.name, None)
        elif call.what == LINKED and file:
            self.name(call.folder, call.name, file)
        elif call.what == SYNCED and file:
            file.sync()
        elif call.what == ALL_SYNCED:
            for node in self.nodes.values():
                node.sync()
        else:
            return False
        return bool(self.folder(call.folder) or file)

    def write(self, target: Path, kind: str, crashed: set[str], seed: int) -> None:
        """Makes the folder as a power cut now leaves it; names at the top that did not crash are as they are."""
        draw = random.Random(seed)
        last = draw.randint(0, self.number)

        def make(node: File | Folder, path: Path, kind: str) -> None:
            if isinstance(node, File):
                # A database makes this one again after a restart.
                if not path.name.endswith("-shm"):
                    path.write_bytes(bytes(node.live) if kind == "" else node.left(kind, draw))
                    path.chmod(0o600)
                return
            path.mkdir(mode=0o700)
            for name, child in (node.live if kind == "" else node.left(kind, last)).items():
                make(child, path / name, kind)

        assert isinstance(self.top, Folder)
        target.mkdir(mode=0o700)
        names = self.top.live | {name: node for name, node in self.top.durable.items() if name in crashed}
        for name, node in names.items():
            if name not in crashed:
                make(node, target / name, "")
            elif name in self.top.left(kind, last):
                make(self.top.left(kind, last)[name], target / name, kind)
