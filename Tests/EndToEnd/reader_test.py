#!/usr/bin/env python3
"""Reads what the real programs wrote with the second reader, which knows only docs/FORMAT.md.

    PROGRAMS=folder   where lockbook and lockbook-server are (LOCKBOOK and LOCKBOOK_SERVER go before it)
    KEEP=1            leaves the temporary folder for a look

First the values of the document's section 16. Then an account with the sample notes and awkward contents: `reader.py` on
the data folder of the stopped server must find exactly what `lockbook export / DIR` writes. Last, folders in which one
thing was changed: each must be refused with a sentence.

The last line on stdout is `N passed, N failed`.
"""

import io
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

sys.dont_write_bytecode = True

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import reader
import stage

FORMAT = stage.REPOSITORY / "docs/FORMAT.md"
READER = Path(__file__).with_name("reader.py")
NOTES = Path(__file__).with_name("notes")
# As many as let a device sign a checkpoint.
MANY = 300


def check_values(tally: stage.Tally) -> None:
    """Section 16, against what this reader derives; what it only reads is written here."""
    text = FORMAT.read_text().split("## 16.")[1]
    stated = dict(re.findall(r"^\| ([^|]+) \| `([0-9a-f]+)` \|$", text, re.MULTILINE))

    def check(name: str, value: bytes) -> None:
        tally.check(stated.get(name) == value.hex(), f"section 16: {name}", f"{stated.get(name)} and {value.hex()}")

    def counted(data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + data

    def seal(key: bytes, plaintext: bytes, associated: bytes) -> bytes:
        return b"\x66" * 12 + AESGCM(key).encrypt(b"\x66" * 12, plaintext, associated)

    seed, time = bytes(range(32)), struct.pack(">q", 1_700_000_000_000)
    account = reader.Account(seed)
    signing = Ed25519PrivateKey.from_private_bytes(
        reader.expand(reader.mac(b"lockbook/v1/account", seed), b"lockbook/v1/account/entry-signing")
    )
    check("entry public key", account.entry_key)
    check("request public key", account.request_key)
    check("agreement public key", account.agreement_key)
    check("root-key", account.root_key)
    check("root-tag", account.root_tag)
    check("account id", account.id)
    check("root id", account.root_id)
    certificate = b"\1" + counted(b"ann") + account.entry_key + account.request_key + account.agreement_key + time
    certificate += signing.sign(reader.label("account") + certificate)
    reader.Certificate(certificate)
    check("SHA-256 of the certificate", reader.hashlib.sha256(certificate).digest())
    phrase = re.search(r"recovery phrase of this seed: `([a-z\s]+)`", text)
    tally.check(phrase is not None and reader.seed_of_phrase(phrase[1]) == seed, "section 16: recovery phrase")

    file_key, content_key, file, version, device = (bytes([byte]) * count for byte, count in
                                                    ((0x11, 32), (0x22, 32), (0x33, 16), (0x44, 16), (0x55, 16)))
    key = reader.FileKey(file_key)
    check("wrap key", key.wrap)
    check("tag key", key.tag)
    check("previous-key key", key.previous)
    check("body key", key.body)
    check("file key commitment", key.commitment)

    plaintext = b"hello\n"
    digest = reader.mac(reader.expand(content_key, b"lockbook/v1/content-digest"), plaintext)
    check("content digest", digest)
    blob = bytes.fromhex(stated["blob"])
    name = reader.blob_name(io.BytesIO(blob), len(blob), "the blob")
    check("blob name", name)
    tag = reader.name_tag(account.root_tag, "hello.md")
    check("name tag", tag)
    facts = b"\1" + account.id + file + account.root_id + b"\1" + account.root_id + struct.pack(">II", 1, 1) + tag
    facts += b"\0\1" + name + struct.pack(">Q", len(blob)) + account.id + device
    body = b"\1" + counted(b"hello.md") + time + time + b"\0" + counted(b"laptop")
    body += b"\1" + version + content_key + digest + struct.pack(">Q", len(plaintext)) + b"\0" + b"\0" + counted(b"")
    associated = reader.label("wrap") + account.id + file + account.root_id + struct.pack(">IIB", 1, 1, 1)
    data = facts + seal(account.root_key, file_key, associated) + b"\0" + key.commitment
    data += counted(seal(key.body, body.ljust(192, b"\0"), reader.label("body") + facts)) + counted(b"")
    record = reader.Record(data)
    check("record hash", record.hash)
    tally.check(record.open_key(account.root_key) == file_key, "section 16: the file key is unwrapped")
    opened, pieces = record.open_body(key), []
    reader.read_content(io.BytesIO(blob), record, opened.content, pieces.append)
    tally.check(b"".join(pieces) == plaintext, "section 16: the blob opens")
    group = b"\1" + account.root_id + struct.pack(">I", 1) + file + record.hash + bytes(12)
    groups = [reader.Group(group, account, "the group")]
    check("group hash", groups[0].hash)
    header = b"\1" + account.id + struct.pack(">Q", 1) + bytes(32) + account.id + device + reader.body_hash(None, groups) + time
    check("header hash", reader.Header(header + signing.sign(reader.label("entry") + header), "the header").hash)


@dataclass
class Made:
    """The data folder of a stopped server, and what stands in it."""

    data: Path
    exported: Path
    phrase: bytes
    key: bytes


def make(folder: Path) -> Made:
    random = Random(7)
    many = folder / "Many"
    many.mkdir()
    for number in range(MANY):
        (many / f"{number}.md").write_text(f"note {number}\n")
    program = folder / "run me.sh"
    program.write_text("#!/bin/sh\necho hello\n")
    program.chmod(0o755)
    words = [f"word{number}" for number in range(500)]
    lines = "".join(" ".join(random.choices(words, k=9)) + "\n" for _ in range(60_000)).encode()[:3_000_000]
    with stage.Server(folder / "server") as server:
        laptop = stage.Device(folder, "laptop")
        laptop.run("account", "new", "ann", "--server", server.url)
        laptop.run("import", program, f"{NOTES}/.", "/")
        laptop.run("stream", "in", "/nothing.md", text=b"")
        laptop.run("stream", "in", "/noise.bin", text=random.randbytes(200_000))
        laptop.run("stream", "in", "/lines.txt", text=lines)
        laptop.run("stream", "in", "/zeros", text=bytes(3_000_000))
        for size in (1, 48, 65_519, 65_520, 65_521, 65_536):
            laptop.run("stream", "in", f"/Sizes/{size}", text=random.randbytes(size))
        laptop.run("new", "/Empty folder/")
        laptop.sync()
        laptop.run("rename", "/noise.bin", "randão.bin")
        laptop.run("move", "/Recipes", "/Travel")
        laptop.run("move", "/lines.txt", "/Work")
        laptop.run("delete", "/shopping list.md")
        laptop.run("delete", "-r", "/Ideas/half baked")
        laptop.run("stream", "in", "/Start here.md", text=b"changed\n")
        laptop.sync()
        laptop.run("import", many, "/")
        laptop.sync()
        laptop.run("stream", "in", "/Many/7.md", text=b"last\n")
        laptop.sync()
        exported = folder / "exported"
        laptop.run("export", "/", exported)
        made = Made(
            server.data, exported, laptop.run("account", "export", "--phrase").output, laptop.run("account", "export").output
        )
    with closing(sqlite3.connect(made.data / "server.sqlite")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return made


def listing(folder: Path) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    rows = sorted((f"/{path.relative_to(folder)}", path) for path in files)
    return [f"{name}\t{path.stat().st_size}\t{stage.digest(path)}" for name, path in rows]


def run(data: Path, secret: bytes, *options: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, READER, data, *options], input=secret, capture_output=True)


def check_reading(tally: stage.Tally, folder: Path, made: Made) -> None:
    expected = listing(made.exported)
    tally.check(len(expected) > MANY + 15, "there is something to read", f"{len(expected)} documents")
    wrote = folder / "read"
    before = stage.digest(made.data / "server.sqlite")
    outcome = run(made.data, made.phrase, "--to", wrote)
    complaint = outcome.stderr.decode()
    if not tally.check(outcome.returncode == 0, "the reader reads the folder of the server", complaint):
        return
    found = outcome.stdout.decode().splitlines()
    tally.check(found == expected, "it lists what was exported", "\n".join(sorted(set(found) ^ set(expected))[:10]))
    unlike = stage.differences(made.exported, wrote)
    tally.check(not unlike, "it writes what was exported, folders too", unlike)
    modes = [os.access(base / "run me.sh", os.X_OK) for base in (made.exported, wrote)]
    tally.check(modes == [True, True], "and what was executable is")
    tally.check(stage.digest(made.data / "server.sqlite") == before, "and leaves the folder as it was")

    shouted = b"-".join(word[:4] for word in made.phrase.split()).upper()
    tally.check(run(made.data, shouted).stdout == outcome.stdout, "words in capitals, cut to four letters")
    tally.check(run(made.data, made.key).stdout == outcome.stdout, "the compact key")

    words = made.phrase.split()
    for what, secret in {
        "another word": [b"zoo" if words[0] != b"zoo" else b"zone", *words[1:]],
        "a word that is not one": [b"lockbook", *words[1:]],
        "a word too few": words[1:],
        "the words of nobody": [b"abandon"] * 23 + [b"art"],
    }.items():
        check_refused(tally, what, run(made.data, b" ".join(secret)))
    letter = b"a" if made.key[40:41] != b"a" else b"b"
    check_refused(tally, "a letter of the compact key changed", run(made.data, made.key[:40] + letter + made.key[41:]))


def check_refused(tally: stage.Tally, what: str, outcome: subprocess.CompletedProcess) -> None:
    complaint = outcome.stderr.decode().strip()
    good = outcome.returncode == 1 and not outcome.stdout and complaint.startswith("reader: ") and "\n" not in complaint
    tally.check(good, f"refused: {what} ({complaint[:110].removeprefix('reader: ')})", f"status {outcome.returncode}")


def flip(data: bytes, place: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


def check_changed(tally: stage.Tally, folder: Path, made: Made) -> None:
    def copied() -> Path:
        copy = folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(made.data, copy)
        return copy

    def change(copy: Path, statements: str, *values: object) -> None:
        with closing(sqlite3.connect(copy / "server.sqlite")) as database, database:
            database.create_function("flip", 2, flip, deterministic=True)
            if values:
                database.execute(statements, values)
            else:
                database.executescript(statements)

    with closing(sqlite3.connect(made.data / "server.sqlite")) as database:
        ((head,),) = database.execute("SELECT head_position FROM account").fetchall()
        points = [position for (position,) in database.execute("SELECT position FROM checkpoint ORDER BY position")]
    if not tally.check(bool(points) and 0 < points[-1] < head, "there is a checkpoint, and entries after it", f"{points}, head {head}"):
        return
    now = f"(SELECT record FROM version WHERE superseded IS NULL AND deleted = 0 AND position = {head})"
    live = "(SELECT blob FROM version WHERE superseded IS NULL AND deleted = 0 AND blob IS NOT NULL)"

    for what, statement in {
        "a header's bytes": "UPDATE entry SET header = flip(header, 60) WHERE position = 1",
        "a header's signature": "UPDATE entry SET header = flip(header, 200) WHERE position = 1",
        "a header's format": "UPDATE entry SET header = CAST(X'02' || substr(header, 2) AS BLOB) WHERE position = 1",
        "a header too long": "UPDATE entry SET header = CAST(header || X'00' AS BLOB) WHERE position = 1",
        "an entry missing": "DELETE FROM entry WHERE position = 1",
        "another head": "UPDATE account SET head_hash = flip(head_hash, 0)",
        "the certificate": "UPDATE entry SET certificate = flip(certificate, 10) WHERE position = 0;"
        "UPDATE account SET certificate = flip(certificate, 10)",
        "a group": "UPDATE entry_group SET bytes = flip(bytes, 40) WHERE position = 2",
        "a group missing": "DELETE FROM entry_group WHERE position = 1",
        "a record": f"UPDATE record SET bytes = flip(bytes, 90) WHERE id IN {now}",
        "a record missing": f"PRAGMA foreign_keys = OFF; DELETE FROM record WHERE id IN {now}",
        "a blob": f"UPDATE blob SET bytes = flip(bytes, 50) WHERE bytes IS NOT NULL AND id IN {live}",
        "a blob missing": f"PRAGMA foreign_keys = OFF; DELETE FROM blob WHERE bytes IS NOT NULL AND id IN {live}",
        "a blob's size": f"UPDATE blob SET size = size + 1 WHERE id IN {live}",
        "a checkpoint's digest": "UPDATE checkpoint SET bytes = flip(bytes, 110)",
        "a checkpoint's signature": "UPDATE checkpoint SET bytes = flip(bytes, length(bytes) - 1)",
        "a version withheld": f"DELETE FROM version WHERE position = {head}",
        "a later database": "PRAGMA user_version = 2",
    }.items():
        copy = copied()
        change(copy, statement)
        check_refused(tally, what, run(copy, made.phrase))

    for what, change_file in {
        "a blob's file": lambda path: path.write_bytes(flip(path.read_bytes(), 70_000)),
        "a blob's file cut": lambda path: os.truncate(path, path.stat().st_size - 1),
        "a blob's file missing": lambda path: path.unlink(),
    }.items():
        copy = copied()
        change_file(max((p for p in (copy / "blobs").rglob("*") if p.is_file()), key=lambda p: p.stat().st_size))
        check_refused(tally, what, run(copy, made.phrase))

    pruned = copied()
    gone = f"DELETE FROM entry_group WHERE position < {points[-1]}; UPDATE account SET bodies_from = {points[-1]};"
    change(pruned, gone)
    outcome = run(pruned, made.phrase)
    tally.check(outcome.stdout == run(made.data, made.phrase).stdout and outcome.returncode == 0,
                "groups before the checkpoint are gone: it stands for them", outcome.stderr.decode())
    change(pruned, "DELETE FROM version WHERE id = (SELECT max(id) FROM version WHERE position <= ? AND deleted = 0)", points[-1])
    check_refused(tally, "then, a file withheld from the checkpoint", run(pruned, made.phrase))
    pruned = copied()
    change(pruned, gone + "DELETE FROM checkpoint")
    check_refused(tally, "then, no checkpoint", run(pruned, made.phrase))

    older = copied()
    change(older, f"""
        DELETE FROM version WHERE position = {head};
        UPDATE version SET superseded = NULL WHERE superseded = {head};
        DELETE FROM entry_group WHERE position = {head};
        DELETE FROM entry WHERE position = {head};
        UPDATE account SET head_position = {head - 1},
            head_hash = (SELECT hash FROM entry WHERE position = {head - 1});
        """)
    outcome = run(older, made.phrase)
    tally.check(outcome.returncode == 0, "an older state, from the words alone, is a whole one", outcome.stderr.decode())
    check_refused(tally, "the same from the compact key, which knows a newer entry", run(older, made.key))


MEMBERS = ("ada", "bob", "cyn", "eve", "dan")


@dataclass
class Shared:
    """The data folder of a stopped server on which ada shares; by name the words of each account and what it exports."""

    data: Path
    words: dict[str, bytes]
    exported: dict[str, Path]


def make_shared(folder: Path) -> Shared:
    """Bob writes, cyn is admin, eve reads all and writes in a part, dan was let in by cyn and is removed."""
    folder.mkdir()
    with stage.Server(folder / "server") as server:
        devices = {name: stage.Device(folder, name) for name in MEMBERS}

        def do(name: str, *arguments: str, text: bytes | None = None) -> None:
            devices[name].sync()
            devices[name].run(*arguments, text=text)
            devices[name].sync()

        def accept(name: str) -> None:
            devices[name].sync()
            for offer in json.loads(devices[name].run("share", "pending", "--json").output):
                devices[name].run("share", "accept", offer["id"])
            devices[name].sync()

        for name, device in devices.items():
            device.run("account", "new", name, "--server", server.url)
            device.sync()
        for path in ("plan.md", "deep/note.md", "deep/er/inside.md", "out/a.md", "old.md", "gone.md"):
            devices["ada"].run("write", f"/team/{path}", text=f"{path}\n".encode())
        devices["ada"].run("write", "/private.md", text=b"private\n")
        devices["ada"].run("stream", "in", "/solo.bin", text=Random(8).randbytes(150_000))
        do("ada", "delete", "/team/gone.md")
        do("ada", "share", "new", "/team", "bob", "--mode", "write")
        do("ada", "share", "new", "/team", "cyn", "--mode", "admin")
        do("ada", "share", "new", "/team", "eve")
        do("ada", "share", "new", "/solo.bin", "bob", "--mode", "write")
        for name in ("bob", "cyn", "eve"):
            accept(name)
        do("bob", "write", "/team/plan.md", text=b"by bob\n")
        do("bob", "write", "/team/bob/new.md", text=b"new by bob\n")
        do("bob", "stream", "in", "/solo.bin", text=Random(9).randbytes(150_000))
        do("bob", "move", "/team/old.md", "/team/deep/")
        do("cyn", "share", "new", "/team", "dan", "--mode", "write")
        accept("dan")
        do("dan", "write", "/team/dan.md", text=b"by dan\n")
        do("ada", "share", "new", "/team/deep", "eve", "--mode", "write")
        do("eve", "write", "/team/deep/eve.md", text=b"by eve\n")
        do("ada", "move", "/team/out", "/out")
        do("ada", "move", "/team/deep/note.md", "/team/note.md")
        do("ada", "move", "/private.md", "/team/deep/")
        do("ada", "share", "revoke", "/solo.bin", "bob")
        do("ada", "share", "new", "/solo.bin", "bob", "--mode", "write")
        do("ada", "share", "new", "/team/deep/er", "bob")
        accept("bob")
        do("cyn", "share", "revoke", "/team", "dan")
        do("bob", "write", "/team/plan.md", text=b"by bob, later\n")
        do("ada", "share", "mode", "/team", "eve", "write")
        do("eve", "write", "/team/eve.md", text=b"outer, by eve\n")
        do("ada", "share", "mode", "/team", "eve", "read")
        do("ada", "trash", "empty", "-f")
        # So much that ada's device signs a checkpoint.
        many = folder / "many"
        many.mkdir()
        for number in range(MANY):
            (many / f"{number}.md").write_text(f"{number}\n")
        do("ada", "import", str(many), "/")
        do("bob", "write", "/team/bob/later.md", text=b"after the checkpoint\n")
        made = Shared(server.data, {}, {})
        for name, device in devices.items():
            device.sync()
            made.words[name] = device.run("account", "export", "--phrase").output
            made.exported[name] = folder / f"exported-{name}"
            device.run("export", "/", made.exported[name])
    with closing(sqlite3.connect(made.data / "server.sqlite")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return made


def check_members(tally: stage.Tally, data: Path, made: Shared, what: str) -> None:
    for name in MEMBERS:
        expected, outcome = listing(made.exported[name]), run(data, made.words[name])
        found = outcome.stdout.decode().splitlines()
        tally.check(outcome.returncode == 0 and found == expected, f"{name}: {len(expected)} documents, {what}",
                    outcome.stderr.decode() + "\n".join(sorted(set(found) ^ set(expected))[:10]))


def check_collected(tally: stage.Tally, folder: Path, made: Shared) -> None:
    """What is left when all of it is older than the retention: a checkpoint, and what came after it."""
    copy = folder / "collected"
    shutil.copytree(made.data, copy)
    with closing(sqlite3.connect(copy / "server.sqlite")) as database, database:
        database.execute("UPDATE entry SET at = 0")
    with stage.Server(copy, "--keep-versions", "0") as server:
        server.wait_for_log("collected")
    with closing(sqlite3.connect(copy / "server.sqlite")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((start, end),) = database.execute("SELECT bodies_from, head_position FROM account WHERE username = 'ada'").fetchall()
        ((states,),) = database.execute("SELECT count(*) FROM checkpoint_state").fetchall()
    tally.check(0 < start <= end, "the server let go of what is behind the checkpoint", f"{start} of {end}")
    check_members(tally, copy, made, "from a checkpoint")

    def refused(what: str, change: str) -> None:
        other = folder / "collected-other"
        shutil.copytree(copy, other)
        with closing(sqlite3.connect(other / "server.sqlite")) as database, database:
            database.executescript(change)
        check_refused(tally, what, run(other, made.words["bob"]))
        shutil.rmtree(other)

    tally.check(states > 4, "it says something of each scope", f"{states}")
    refused("a state left out", "DELETE FROM checkpoint_state WHERE scope = (SELECT min(scope) FROM checkpoint_state)")
    refused("a state of another scope", "UPDATE checkpoint_state SET bytes = (SELECT max(bytes) FROM checkpoint_state)")
    refused("a state with a byte changed", "UPDATE checkpoint_state SET bytes = CAST(substr(bytes, 1, 60) || x'07' || substr(bytes, 62) AS BLOB)")


def check_shared(tally: stage.Tally, made: Shared) -> None:
    check_members(tally, made.data, made, "as exported")
    counts = [len(listing(made.exported[name])) for name in MEMBERS]
    tally.check(min(counts[:4]) > 5 and counts[4] == 0, "those who are members have something, who was removed has nothing", f"{counts}")


class Forger:
    """Appends entries to a copy of ada's log: with the right keys, whatever they may do."""

    def __init__(self, made: Shared, copy: Path):
        self.database = sqlite3.connect(copy / "server.sqlite")
        self.accounts, self.signing = {}, {}
        for name, words in made.words.items():
            self._learn(name, reader.seed_of_phrase(words.decode()))
        self._learn("nobody", bytes(32))
        self.owner = self.accounts["ada"]
        with closing(reader.Reader(copy, self.owner)) as opened:
            log = opened.log(self.owner.id)
            self.nodes, todo = {}, [("", log.tree(self.owner))]
            while todo:
                path, node = todo.pop()
                self.nodes[path or "/"] = node
                todo += ((f"{path}/{child.body.name}", child) for child in node.children.values())
            self.grants, self.head = log.judge.grants, log.headers[-1]

    def _learn(self, name: str, seed: bytes) -> None:
        self.accounts[name] = reader.Account(seed)
        key = reader.expand(reader.mac(b"lockbook/v1/account", seed), b"lockbook/v1/account/entry-signing")
        self.signing[name] = Ed25519PrivateKey.from_private_bytes(key)

    def file(self, path: str) -> bytes:
        return self.nodes[path].record.id

    def record(self, path: str, author: str, change: dict[int, bytes] = {}) -> bytes:
        """The record as this author would list it, with other bytes at some places; its body does not open."""
        record = self.nodes[path].record
        ((data,),) = self.database.execute("SELECT bytes FROM record WHERE hash = ?", (record.hash,)).fetchall()
        made = bytearray(data)
        for place, value in change.items():
            made[place : place + len(value)] = value
        end = len(record.facts)
        made[end - 48 : end] = self.accounts[author].id + b"\x55" * 16
        return bytes(made)

    def grant(self, path: str, to: str, mode: int, by: str, serial: int = 100, signer: str | None = None) -> bytes:
        grantee = self.accounts[to]
        grant = b"\1" + self.owner.id + self.file(path) + grantee.entry_key + grantee.request_key + grantee.agreement_key
        grant += struct.pack(">I", len(to)) + to.encode() + bytes([mode]) + self.accounts[by].id + struct.pack(">Qq", serial, 0)
        return grant + self.signing[signer or by].sign(reader.label("grant") + grant)

    def group(
        self, path: str, records: list[bytes] = (), grants: list[bytes] = (), purged: list[bytes] = ()
    ) -> tuple[bytes, list[bytes]]:
        listed = sorted((reader.Record(data).id, reader.Record(data).hash) for data in records)
        group = (b"\2" if purged else b"\1") + self.file(path) + struct.pack(">I", len(listed))
        group += b"".join(file + digest for file, digest in listed) + struct.pack(">I", len(grants))
        group += b"".join(struct.pack(">I", len(grant)) + grant for grant in sorted(grants)) + bytes(4)
        group += struct.pack(">I", len(purged)) + b"".join(sorted(purged)) if purged else b""
        return group + bytes(4), list(records)

    def entry(self, author: str, *made: tuple[bytes, list[bytes]], signer: str | None = None, shared: bool = True) -> None:
        groups = sorted((reader.Group(data, self.owner, "a group") for data, _ in made), key=lambda group: group.scope)
        position = self.head.position + 1
        header = b"\1" + self.owner.id + struct.pack(">Q", position) + self.head.hash + self.accounts[author].id + b"\x55" * 16
        header += reader.body_hash(None, groups, shared) + struct.pack(">q", 0)
        header += self.signing[signer or author].sign(reader.label("entry") + header)
        digest = reader.labelled_hash("header", header)
        with self.database:
            ((log,),) = self.database.execute("SELECT id FROM account WHERE account = ?", (self.owner.id,)).fetchall()
            self.database.execute("INSERT INTO entry (log, position, at, hash, header) VALUES (?, ?, 0, ?, ?)", (log, position, digest, header))
            self.database.execute("UPDATE account SET head_position = ?, head_hash = ? WHERE id = ?", (position, digest, log))
            for data, records in made:
                self.database.execute("INSERT INTO entry_group (log, position, scope, bytes) VALUES (?, ?, ?, ?)", (log, position, data[1:17], data))
                for record in records:
                    self.database.execute("INSERT INTO record (owner, at, hash, bytes) VALUES (?, 0, ?, ?)", (log, reader.Record(record).hash, record))
        self.database.close()


def check_forged(tally: stage.Tally, folder: Path, made: Shared) -> None:
    # Where these fields are in a record (section 5).
    parent, scope, epoch, tag, deleted = 49, 66, 82, 90, 122

    def forged(what: str, sentence: str, make: Callable[[Forger], None]) -> None:
        copy = folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(made.data, copy)
        make(Forger(made, copy))
        # The judge of both is the same: of what is refused, one look is enough.
        for name in ("ada",) if sentence else ("ada", "bob"):
            outcome = run(copy, made.words[name])
            complaint = outcome.stderr.decode().strip()
            if not sentence:
                tally.check(outcome.returncode == 0, f"{name} takes {what}", complaint)
            else:
                good = outcome.returncode == 1 and not outcome.stdout and sentence in complaint and "\n" not in complaint
                tally.check(good, f"{name} refuses {what} ({sentence})", f"status {outcome.returncode}: {complaint}")

    def writes(author: str, place: str, path: str, change: dict[int, bytes] = {}) -> Callable[[Forger], None]:
        return lambda f: f.entry(author, f.group(place, [f.record(path, author, change)]))

    def grants(
        author: str, *arguments: object, to: tuple[str, ...] = ("/team", "/team/deep", "/team/deep/er"), **more: object
    ) -> Callable[[Forger], None]:
        return lambda f: f.entry(author, *(f.group(place, grants=[f.grant(*arguments, **more)]) for place in to))

    team = "/team"
    may_not = "its author may not write in scope"
    forged("a mode changed by an admin, so what follows is refused for what it is", "", grants("cyn", team, "bob", 1, "cyn"))
    forged("a mode changed by the owner", "", grants("ada", team, "bob", 3, "ada"))
    forged("an entry of somebody removed", may_not, writes("dan", team, "/team/plan.md"))
    forged("an entry of a reader", may_not, writes("eve", team, "/team/plan.md"))
    forged("an entry outside of the author's scope", may_not, writes("bob", "/", "/out/a.md"))
    forged("an entry around the author's scope", may_not, writes("eve", team, "/team/bob/new.md"))
    forged("an entry of somebody never let in", "let in nowhere", writes("nobody", team, "/team/plan.md"))
    forged("an entry that somebody else signed", "the signature is not right",
           lambda f: f.entry("bob", f.group(team, [f.record("/team/plan.md", "bob")]), signer="eve"))
    forged("a record of another author than its entry", "another author or device",
           lambda f: f.entry("bob", f.group(team, [f.record("/team/plan.md", "cyn")])))
    forged("a body without scopes", "its body has another hash",
           lambda f: f.entry("bob", f.group(team, [f.record("/team/plan.md", "bob")]), shared=False))
    forged("a grant by a writer", "may not grant", grants("bob", team, "dan", 2, "bob"))
    forged("an admin made by an admin", "makes an admin", grants("cyn", team, "bob", 3, "cyn"))
    forged("a grant around what its author is admin of", "is by an account that is no admin",
           grants("cyn", "/solo.bin", "bob", 1, "cyn", to=(team,)))
    forged("a grant in the owner's name", "by another account than its entry", grants("cyn", team, "bob", 1, "ada", signer="cyn"))
    forged("a grant that somebody else signed", "the signature is not right", grants("cyn", team, "bob", 1, "cyn", signer="bob"))
    forged("a serial that was used", "serial", grants("cyn", team, "bob", 1, "cyn", serial=1))
    forged("a grant kept from those inside", "kept from those", grants("cyn", team, "bob", 1, "cyn", to=(team, "/team/deep/er")))
    forged("a grant in the group of another scope", "neither begins this scope",
           grants("ada", "/team/deep", "eve", 1, "ada", to=("/team/deep", "/team/deep/er", team)))
    forged("somebody let in without a key", "without a key", grants("cyn", team, "dan", 1, "cyn"))
    forged("somebody removed without new keys", "without a new key", grants("cyn", team, "bob", 0, "cyn"))
    forged("a new key of a writer", "nobody was removed", writes("bob", team, "/team/plan.md", {epoch: struct.pack(">I", 99)}))
    forged("an old epoch", "an epoch that is over", writes("bob", team, "/team/note.md", {epoch: struct.pack(">I", 2)}))
    forged("the shared folder deleted by a member", "place or life", writes("bob", team, team, {deleted: b"\1"}))
    forged("the shared folder moved by a member", "place or life",
           lambda f: f.entry("bob", f.group(team, [f.record(team, "bob", {parent: f.file("/out")})])))
    forged("the shared folder renamed by a member", "changed its name", writes("bob", team, team, {tag: bytes(32)}))
    forged("a scope made by a member", "a member makes a scope",
           lambda f: f.entry("bob", f.group("/team/bob", [f.record("/team/bob", "bob", {scope: f.file("/team/bob")})])))
    forged("a file put into another scope by a member", "came from another scope",
           lambda f: f.entry("bob", f.group("/team/deep", [f.record("/team/plan.md", "bob", {parent: f.file("/team/deep"), scope: f.file("/team/deep")})])))
    forged("a file moved into a folder of another scope", "another scope than its folder",
           lambda f: f.entry("bob", f.group(team, [f.record("/team/plan.md", "bob", {parent: f.file("/team/deep")})])))
    forged("a purge by a member", "purges files",
           lambda f: f.entry("bob", f.group(team, purged=[f.file("/team/plan.md")])))
    forged("a file that leaves without a new key", "leaves its scope without a new key",
           lambda f: f.entry("ada", f.group("/", [f.record("/team/plan.md", "ada", {parent: f.file("/"), scope: f.file("/")})])))
    forged("a file that leaves, and its scope does not say so", "its group says something else",
           lambda f: f.entry("ada", f.group("/", [f.record("/team/plan.md", "ada", {parent: f.file("/"), scope: f.file("/"), epoch: struct.pack(">I", 9)})])))
    forged("a share put into another one by the owner", "puts a scope into another one",
           lambda f: f.entry("ada", f.group("/solo.bin", [f.record("/solo.bin", "ada", {parent: f.file("/team/deep")})])))

    with closing(sqlite3.connect(made.data / "server.sqlite")) as database:
        ((log, head),) = database.execute("SELECT id, head_position FROM account WHERE username = 'ada'").fetchall()
        entries = [(position, reader.Header(header, "").author, header) for position, header in
                   database.execute("SELECT position, header FROM entry WHERE log = ? ORDER BY position", (log,))]
        ids = dict(database.execute("SELECT username, account FROM account"))
    at = {name: max(position for position, author, _ in entries if author == ids[name]) for name in MEMBERS}
    swapped = bytearray(entries[at["dan"]][2])
    swapped[73:105] = ids["eve"]
    for what, statement, values in (
        ("an author swapped", "UPDATE entry SET header = ? WHERE log = ? AND position = ?", (bytes(swapped), log, at["dan"])),
        ("a group left out", "DELETE FROM entry_group WHERE id = (SELECT max(id) FROM entry_group WHERE log = ? AND position = ?)",
         (log, at["cyn"])),
        ("a group changed", "UPDATE entry_group SET bytes = flip(bytes, 40) WHERE log = ? AND position = ?", (log, at["bob"])),
        ("a member's entry missing", "DELETE FROM entry WHERE log = ? AND position = ?", (log, at["eve"])),
        ("a signature of somebody else", "UPDATE entry SET header = CAST(substr(header, 1, 161) || ? AS BLOB) WHERE log = ? AND position = ?",
         (entries[at["bob"]][2][-64:], log, at["eve"])),
        ("a version withheld", "DELETE FROM version WHERE log = ? AND superseded IS NULL AND position = ?", (log, at["bob"])),
    ):
        copy = folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(made.data, copy)
        with closing(sqlite3.connect(copy / "server.sqlite")) as database, database:
            database.create_function("flip", 2, flip, deterministic=True)
            changed = database.execute(statement, values).rowcount
        tally.check(changed > 0, f"something is changed: {what}")
        for name in ("ada", "bob"):
            check_refused(tally, f"{what}, by {name}", run(copy, made.words[name]))


def main() -> int:
    tally = stage.Tally()
    try:
        check_values(tally)
        with stage.scratch("reader") as folder:
            made = make(folder)
            check_reading(tally, folder, made)
            check_changed(tally, folder, made)
            shared = make_shared(folder / "shared")
            check_shared(tally, shared)
            check_collected(tally, folder, shared)
            check_forged(tally, folder, shared)
    except (stage.Failed, reader.Refused) as failure:
        tally.check(False, "the script ran to its end", str(failure))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
