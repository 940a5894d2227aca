#!/usr/bin/env python3
"""Raises every number that a later version would raise, and looks whether "update needed" is all that happens.

    PROGRAMS=folder   where lockbook and lockbook-server are (LOCKBOOK and LOCKBOOK_SERVER go before it)
    KEEP=1            leaves the temporary folder for a look

Raised are the version of the wire (by a proxy, in requests and in answers), the formats of what the server keeps (in its
database, and as an entry that a later program could have signed), and the versions of both stores, of the key file and of
the key as text. Each time the client, or the server, has to say "update needed" and end with status 13; notes that were not
synced stay, can be read and written where the store itself is not the newer thing, and are synced when the number is back.

The last line on stdout is `N passed, N failed`.
"""

import base64
import contextlib
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

sys.dont_write_bytecode = True

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import reader
import stage

UPDATE_NEEDED = 13
VERSION = re.compile(rb"(?i)(lockbook-version: *)1")


def raise_first_byte(column: str) -> str:
    return f"{column} = CAST(X'7f' || substr({column}, 2) AS BLOB)"


class Story:
    def __init__(self, folder: Path, tally: stage.Tally):
        self.folder, self.tally = folder, tally
        self.data = folder / "server"
        self.laptop, self.phone = stage.Device(folder, "laptop"), stage.Device(folder, "phone")
        self.server: stage.Server | None = None
        self.proxy: stage.Proxy | None = None
        self.notes = 0

    @contextlib.contextmanager
    def serving(self, change=None) -> Iterator[None]:
        """The server runs behind the proxy, whose address the devices know."""
        with stage.Server(self.data) as server:
            if self.proxy is None:
                self.proxy = stage.Proxy(server.port)
            self.proxy.lead_to(server.port)
            self.proxy.change = change
            yield

    def begin(self) -> None:
        with self.serving():
            self.laptop.run("account", "new", "alice", "--server", self.proxy.url)
            self.laptop.run("write", "/a.md", text=b"first\n")
            self.laptop.sync()
            self.phone.join(self.laptop, self.proxy.url)
            self.phone.sync()

    def unsynced(self, device: stage.Device) -> str:
        """A new note on this device; its path."""
        self.notes += 1
        path = f"/unsynced {self.notes}.md"
        device.run("write", path, text=f"{path}\n".encode())
        return path

    def holds(self, device: stage.Device, path: str) -> bool:
        outcome = device.run("cat", path, may_fail=True)
        changes = device.run("status", "--porcelain", may_fail=True).output.decode()
        return outcome.output == f"{path}\n".encode() and f"new {path}\n" in changes

    def arrives(self, path: str, what: str) -> None:
        """With the number back: what was not synced is, and the other device reads it."""
        with self.serving():
            for device in (self.phone, self.laptop, self.phone):
                outcome = device.run("sync", may_fail=True)
                if not self.tally.check(outcome.status == 0, f"{what}: back again, {device.name} syncs", outcome.errors):
                    return
            for device in (self.phone, self.laptop):
                text = device.run("cat", path, may_fail=True).output
                self.tally.check(text == f"{path}\n".encode(), f"{what}: the note is on {device.name}")

    def sync_refused(self, device: stage.Device, path: str, sentence: str, what: str) -> None:
        outcome = device.run("sync", may_fail=True)
        self.tally.refused(outcome, UPDATE_NEEDED, sentence, f"{what}: sync says so")
        self.tally.check(not outcome.output, f"{what}: nothing on stdout", outcome.output.decode())
        self.tally.check(self.holds(device, path), f"{what}: the note that was not synced is there")

    # The wire

    def wire(self) -> None:
        def raised(direction: str):
            return lambda data, going: VERSION.sub(rb"\g<1>2", data) if going in direction else data

        for direction, sentence in {
            "received": "speaks version 2, and this program version 1",
            "sent": "this server speaks version 1",
            "sent received": "speaks version 2, and this program version 1",
        }.items():
            what = f"wire, {direction}"
            path = self.unsynced(self.phone)
            with self.serving(raised(direction)):
                self.sync_refused(self.phone, path, sentence, what)
                new = stage.Device(self.folder, f"new {direction}")
                words = self.laptop.run("account", "export").output
                outcome = new.run("account", "import", "--server", self.proxy.url, text=words, may_fail=True)
                self.tally.refused(outcome, UPDATE_NEEDED, sentence, f"{what}: account import says so")
                self.tally.check(not (new.path / "account.json").exists(), f"{what}: and leaves nothing")
                outcome = new.run("account", "new", "bob", "--server", self.proxy.url, may_fail=True)
                self.tally.refused(outcome, UPDATE_NEEDED, sentence, f"{what}: account new says so")
                self.tally.check("24 words" in outcome.errors, f"{what}: and the account is made, as without a network")
            self.arrives(path, what)
            with self.serving():
                outcome = new.run("sync", may_fail=True)
                self.tally.check(outcome.status in (0, 7), f"{what}: the new account is registered when the number is back",
                                 outcome.errors)

        older = stage.Device(self.folder, "later than the server")
        with self.serving(lambda data, going: VERSION.sub(rb"\g<1>0", data) if going == "received" else data):
            outcome = older.run("account", "import", "--server", self.proxy.url,
                                text=self.laptop.run("account", "export").output, may_fail=True)
            self.tally.refused(outcome, UPDATE_NEEDED, "speaks version 0, and this program version 1",
                               "wire, an older server: account import says so")
            self.tally.check("server" in outcome.errors.split("hint:")[-1], "wire, an older server: it is the server's turn",
                             outcome.errors)

    # The log

    def change_data(self, statement: str, *values: object) -> None:
        with contextlib.closing(sqlite3.connect(self.data / "server.sqlite")) as database, database:
            database.execute(statement, values)

    def dump(self) -> list[str]:
        with contextlib.closing(sqlite3.connect(self.data / "server.sqlite")) as database:
            return [str(database.execute("PRAGMA user_version").fetchone()), *database.iterdump()]

    @contextlib.contextmanager
    def kept_data(self) -> Iterator[None]:
        """What the server keeps is afterwards what it was."""
        copy = self.folder / "kept"
        shutil.copytree(self.data, copy)
        try:
            yield
        finally:
            shutil.rmtree(self.data)
            copy.rename(self.data)

    def log(self) -> None:
        newest = "position = (SELECT max(position) FROM entry)"
        for what, statement in {
            "a header": f"UPDATE entry SET {raise_first_byte('header')} WHERE {newest}",
            "a group": f"UPDATE entry_group SET {raise_first_byte('bytes')} WHERE {newest}",
            "a record": f"UPDATE record SET {raise_first_byte('bytes')} WHERE id = (SELECT max(record) FROM version)",
        }.items():
            path = self.unsynced(self.phone)
            with self.serving():
                self.laptop.run("write", "/a.md", text=f"{what}\n".encode())
                self.laptop.sync()
            with self.kept_data():
                self.change_data(statement)
                with self.serving():
                    self.sync_refused(self.phone, path, "update needed", f"log, {what}")
                self.tally.check(self.phone.run("cat", "/a.md").output != f"{what}\n".encode(), f"log, {what}: nothing of it was taken")
            self.arrives(path, f"log, {what}")

        path = self.unsynced(self.phone)
        with self.kept_data():
            self.plant_later_body()
            with self.serving():
                self.sync_refused(self.phone, path, "written by a newer", "log, a body")
                tablet = stage.Device(self.folder, "tablet")
                tablet.join(self.phone, self.proxy.url)
                outcome = tablet.run("sync", may_fail=True)
                self.tally.refused(outcome, UPDATE_NEEDED, "written by a newer", "log, a body: a fresh device says so")
        self.arrives(path, "log, a body")
        with self.serving():
            # That device saw an entry which is gone now; it must not be talked out of it.
            self.tally.refused(tablet.run("sync", may_fail=True), 10, "not the one", "log, a body: what a device saw cannot be unmade")
            tablet = stage.Device(self.folder, "another tablet")
            tablet.join(self.phone, self.proxy.url)
            tablet.sync()
            self.tally.check(tablet.run("cat", path).output == f"{path}\n".encode(), "log, a body: back again, a fresh device has all")

        path = self.unsynced(self.phone)
        with self.kept_data():
            self.change_data(f"UPDATE account SET {raise_first_byte('certificate')}")
            with self.serving():
                other = stage.Device(self.folder, "certificate")
                outcome = other.run("account", "import", "--server", self.proxy.url,
                                    text=self.laptop.run("account", "export").output, may_fail=True)
                self.tally.refused(outcome, UPDATE_NEEDED, "update needed", "log, the certificate: account import says so")
                self.tally.check(not (other.path / "account.json").exists(), "log, the certificate: and leaves nothing")
        self.arrives(path, "log, the certificate")

    def plant_later_body(self) -> None:
        """Appends what a later program of this account could have pushed: a body of format 2, sealed and signed."""
        seed = bytes.fromhex(json.loads((self.laptop.path / "account.json").read_text())["seed"])
        account = reader.Account(seed)
        signing = Ed25519PrivateKey.from_private_bytes(
            reader.expand(reader.mac(b"lockbook/v1/account", seed), b"lockbook/v1/account/entry-signing")
        )
        with contextlib.closing(sqlite3.connect(self.data / "server.sqlite")) as database, database:
            current = "SELECT record.bytes, version.blob FROM version JOIN record ON record.id = version.record WHERE superseded IS NULL"
            root, _ = database.execute(f"{current} AND version.file = ?", (account.root_id,)).fetchone()
            folder = reader.FileKey(reader.Record(root).open_key(account.root_key))
            data, blob = database.execute(
                f"{current} AND version.blob IS NOT NULL AND version.parent = ?", (account.root_id,)
            ).fetchone()
            record = reader.Record(data)
            key = reader.FileKey(record.open_key(folder.wrap))
            body = reader.unseal(key.body, record.sealed_body, reader.label("body") + record.facts, "the body")
            nonce = os.urandom(12)
            sealed = nonce + AESGCM(key.body).encrypt(nonce, b"\2" + body[1:], reader.label("body") + record.facts)
            later = record.facts + record.wrapped_key + b"\0" + key.commitment
            later += struct.pack(">I", len(sealed)) + sealed + struct.pack(">I", 0)
            later_hash = reader.labelled_hash("record", later)
            ((log, position, head),) = database.execute("SELECT id, head_position, head_hash FROM account WHERE account = ?", (account.id,))
            position += 1
            group = b"\1" + account.root_id + struct.pack(">I", 1) + record.id + later_hash + bytes(12)
            body_hash = reader.body_hash(None, [reader.Group(group, account, "the group")])
            header = b"\1" + account.id + struct.pack(">Q", position) + head + account.id + record.device + body_hash
            header += struct.pack(">q", 1_700_000_000_000)
            header += signing.sign(reader.label("entry") + header)
            header_hash = reader.Header(header, "the header").hash
            database.execute("INSERT INTO entry (log, position, at, hash, header) VALUES (?, ?, 1700000000, ?, ?)",
                             (log, position, header_hash, header))
            database.execute("INSERT INTO entry_group (log, position, scope, bytes) VALUES (?, ?, ?, ?)",
                             (log, position, account.root_id, group))
            row = database.execute("INSERT INTO record (owner, at, hash, bytes) VALUES (?, 1700000000, ?, ?)",
                                   (log, later_hash, later)).lastrowid
            database.execute("UPDATE version SET superseded = ? WHERE log = ? AND file = ? AND superseded IS NULL", (position, log, record.id))
            database.execute("INSERT INTO version (log, position, record, blob, deleted, file, parent, scope, tag) VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?)",
                             (log, position, row, blob, record.id, record.parent, record.scope, record.name_tag))
            database.execute("UPDATE account SET head_position = ?, head_hash = ? WHERE id = ?", (position, header_hash, log))

    # The stores

    def client_store(self) -> None:
        path = self.unsynced(self.phone)
        database, key_file = self.phone.path / "lockbook.db", self.phone.path / "account.json"

        def version(number: int) -> None:
            with contextlib.closing(sqlite3.connect(database)) as connection, connection:
                connection.execute(f"PRAGMA user_version = {number}")

        with contextlib.closing(sqlite3.connect(database)) as connection:
            (ours,) = connection.execute("PRAGMA user_version").fetchone()

        def all_refuse(what: str) -> None:
            for command in (["list"], ["cat", path], ["status"], ["sync"], ["new", "/x.md"], ["rm", path], ["debug", "validate"],
                            ["account", "export"], ["account", "logout", "--force"], ["account", "new", "alice"], []):
                outcome = self.phone.run(*command, may_fail=True)
                self.tally.refused(outcome, UPDATE_NEEDED, "update needed", f"{what}: lockbook {' '.join(command)} says so")
            for command in (["write", path], ["account", "import"]):
                outcome = self.phone.run(*command, text=self.laptop.run("account", "export").output, may_fail=True)
                self.tally.refused(outcome, UPDATE_NEEDED, "update needed", f"{what}: lockbook {' '.join(command)} says so")
            completion = self.phone.run("__complete", "bash", "2", "lockbook", "cat", "", may_fail=True)
            self.tally.check(completion.status == 0 and not completion.errors, f"{what}: completion is quiet", completion.errors)

        version(ours + 1)
        before = stage.digest(database)
        with self.serving():
            all_refuse("client's store")
        self.tally.check(stage.digest(database) == before, "client's store: not a byte was changed")
        version(ours)
        self.tally.check(self.holds(self.phone, path), "client's store: back again, the note is there")
        self.arrives(path, "client's store")

        path = self.unsynced(self.phone)
        text = key_file.read_text()
        key_file.write_text(json.dumps(json.loads(text) | {"format": 2, "seed": {"of": "another form"}}))
        later = key_file.read_bytes()
        with self.serving():
            all_refuse("key file")
        self.tally.check(key_file.read_bytes() == later, "key file: not a byte was changed")
        key_file.write_text(text)
        self.tally.check(self.holds(self.phone, path), "key file: back again, the note is there")
        self.arrives(path, "key file")

    def key_text(self) -> None:
        key = self.laptop.run("account", "export").output.decode().strip()
        data = b"\2" + base64.b32decode(key[3:].upper() + "====")[1:-4]
        data += reader.labelled_hash("compact-key", data)[:4]
        later = "lb1" + base64.b32encode(data).decode().lower().rstrip("=")
        new = stage.Device(self.folder, "key text")
        with self.serving():
            outcome = new.run("account", "import", "--server", self.proxy.url, text=later.encode(), may_fail=True)
        self.tally.refused(outcome, UPDATE_NEEDED, "the key is of a newer format", "key as text: account import says so")
        self.tally.check(not new.path.exists(), "key as text: and leaves nothing")

    def server_store(self) -> None:
        path = self.unsynced(self.phone)
        with self.kept_data():
            self.change_data("PRAGMA user_version = 2")
            before = self.dump()
            outcome = subprocess.run(
                [stage.program("lockbook-server"), "serve", "--listen", "127.0.0.1:0", "--data", self.data],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            good = outcome.returncode == UPDATE_NEEDED and outcome.stderr.count("lockbook-server: error: ") == 1
            self.tally.check(good and "update needed" in outcome.stderr and not outcome.stdout,
                             "server's store: the server says so and does not start", f"{outcome.returncode} {outcome.stderr}")
            self.tally.check(self.dump() == before, "server's store: nothing in it was changed")
            refused = self.phone.run("sync", may_fail=True)
            self.tally.refused(refused, 6, "cannot reach", "server's store: a client is offline meanwhile")
            self.tally.check(self.holds(self.phone, path), "server's store: the note is there")
        self.arrives(path, "server's store")


def main() -> int:
    tally = stage.Tally()
    try:
        with stage.scratch("future") as folder:
            story = Story(folder, tally)
            story.begin()
            story.wire()
            story.log()
            story.client_store()
            story.key_text()
            story.server_store()
    except (stage.Failed, reader.Refused) as failure:
        tally.check(False, "the script ran to its end", str(failure))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
