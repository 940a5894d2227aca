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
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

sys.dont_write_bytecode = True

if folder := os.environ.get("PROGRAMS"):
    for variable, name in (("LOCKBOOK", "lockbook"), ("LOCKBOOK_SERVER", "lockbook-server")):
        if not os.environ.get(variable):
            os.environ[variable] = str(Path(folder, name).resolve())

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


def main() -> int:
    tally = stage.Tally()
    try:
        check_values(tally)
        with stage.scratch("reader") as folder:
            made = make(folder)
            check_reading(tally, folder, made)
            check_changed(tally, folder, made)
    except (stage.Failed, reader.Refused) as failure:
        tally.check(False, "the script ran to its end", str(failure))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
