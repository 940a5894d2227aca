#!/usr/bin/env python3
"""A second reader of Lockbook's formats, written from docs/FORMAT.md alone.

    reader.py SERVER_DATA_FOLDER [--to DIR] < the 24 words (or the compact key)

Prints `PATH<TAB>SIZE<TAB>SHA256` for every live document of that account in the folder of a server, sorted by path, what
others share with it behind its links, and with --to writes documents and folders into DIR. Every entry of every log that
is read is judged, whoever wrote it. A link to what is not shared any more leads to nothing. Everything the document says can be checked is checked on the way; the
first thing that is wrong ends the program with a sentence and status 1, and nothing is printed. The section numbers are
those of the document.

Python's standard library, Debian's python3-cryptography, and the command `zstd`. No code of the program is used; the one
thing taken from it is data, the word list, and that only when it is the English list of BIP39.
"""

import argparse
import base64
import hashlib
import hmac
import os
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

WORDS = Path(__file__).resolve().parents[2] / "Sources/LockbookCrypto/Phrase/RecoveryPhrase+Words.swift"
# Of bip-0039/english.txt, one word to a line.
WORDS_SHA256 = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"

FOLDER, DOCUMENT, LINK = range(3)
CHUNK, TAG, SEGMENT = 1 << 16, 16, 1 << 20


class Refused(Exception):
    """What was read is not as FORMAT.md says; the text is the sentence for people."""


def require(good: bool, sentence: str) -> None:
    if not good:
        raise Refused(sentence)


# 1. Conventions


def label(text: str) -> bytes:
    return b"lockbook/v1/" + text.encode() + b"\0"


def labelled_hash(text: str, message: bytes) -> bytes:
    return hashlib.sha256(label(text) + message).digest()


def expand(key: bytes, info: bytes, count: int = 32) -> bytes:
    return HKDFExpand(SHA256(), count, info).derive(key)


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def unseal(key: bytes, sealed: bytes, associated: bytes, what: str) -> bytes:
    require(len(sealed) >= 12 + TAG, f"{what}: too short for something sealed")
    try:
        return AESGCM(key).decrypt(sealed[:12], sealed[12:], associated)
    except InvalidTag:
        raise Refused(f"{what}: does not open with its key") from None


class Decoder:
    """Reads the fields of one value; `end` refuses what is left over."""

    def __init__(self, data: bytes, what: str, newest: int = 1):
        self.data, self.what, self.at = data, what, 0
        self.format = self.u8()
        require(1 <= self.format <= newest, f"{what}: has format {self.format}, this reader is too old for it")

    def bytes(self, count: int) -> bytes:
        require(count <= len(self.data) - self.at, f"{self.what}: ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def u8(self) -> int:
        return self.bytes(1)[0]

    def u32(self) -> int:
        return struct.unpack(">I", self.bytes(4))[0]

    def u64(self) -> int:
        return struct.unpack(">Q", self.bytes(8))[0]

    def i64(self) -> int:
        return struct.unpack(">q", self.bytes(8))[0]

    def bool(self) -> bool:
        return bool(self.choice(1))

    def choice(self, last: int) -> int:
        value = self.u8()
        require(value <= last, f"{self.what}: {value} where only 0 to {last} may stand")
        return value

    def counted(self) -> bytes:
        return self.bytes(self.u32())

    def count(self, most: int, each: int) -> int:
        value = self.u32()
        require(value <= most and value * each <= len(self.data) - self.at, f"{self.what}: a list of {value} is too long")
        return value

    def text(self) -> str:
        try:
            return self.counted().decode()
        except UnicodeDecodeError:
            raise Refused(f"{self.what}: a text is not UTF-8") from None

    def end(self) -> None:
        require(self.at == len(self.data), f"{self.what}: bytes are left over")


def require_rising(values: list[bytes], what: str) -> None:
    require(all(a < b for a, b in zip(values, values[1:])), f"{what}: a list is not in rising order")


P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P


def check_signing_key(key: bytes, what: str) -> bytes:
    y = int.from_bytes(key, "little") % 2**255
    # The last: twice the point has y = 0, so the point has order 8.
    unsafe = y >= P or y in (0, 1, P - 1) or (D * pow(y, 4, P) + 2 * y * y - 1) % P == 0
    require(not unsafe, f"{what}: an Ed25519 key is not safe")
    return key


def check_agreement_key(key: bytes, what: str) -> bytes:
    safe = int.from_bytes(key, "little") < P
    try:
        X25519PrivateKey.from_private_bytes(b"\x08" * 32).exchange(X25519PublicKey.from_public_bytes(key))
    except ValueError:
        safe = False
    require(safe, f"{what}: an X25519 key is not safe")
    return key


def check_signature(key: bytes, purpose: str, signed: bytes, what: str) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signed[-64:], label(purpose) + signed[:-64])
    except (InvalidSignature, ValueError):
        raise Refused(f"{what}: the signature is not right") from None


# 2. Account


def account_id(entry_key: bytes, request_key: bytes, agreement_key: bytes) -> bytes:
    return labelled_hash("account-id", entry_key + request_key + agreement_key)


class Identity:
    """What everybody knows of an account."""

    def __init__(self, entry_key: bytes, request_key: bytes, agreement_key: bytes):
        self.entry_key, self.request_key, self.agreement_key = entry_key, request_key, agreement_key
        self.id = account_id(entry_key, request_key, agreement_key)
        self.root_id = labelled_hash("root-id", self.id)[:16]


class Account(Identity):
    def __init__(self, seed: bytes):
        prk = mac(b"lockbook/v1/account", seed)

        def key(purpose: str) -> bytes:
            return expand(prk, b"lockbook/v1/account/" + purpose.encode())

        def public(private: Ed25519PrivateKey | X25519PrivateKey) -> bytes:
            return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

        self.agreement = X25519PrivateKey.from_private_bytes(key("key-agreement"))
        super().__init__(
            public(Ed25519PrivateKey.from_private_bytes(key("entry-signing"))),
            public(Ed25519PrivateKey.from_private_bytes(key("request-signing"))),
            public(self.agreement),
        )
        self.root_key, self.root_tag = key("root-key"), key("root-tag")


def word_list() -> list[str]:
    found = re.search(r'"""(.*?)"""', WORDS.read_text(), re.DOTALL)
    words = found.group(1).split() if found else []
    listed = hashlib.sha256("".join(word + "\n" for word in words).encode()).hexdigest()
    require(listed == WORDS_SHA256, f"{WORDS.name} does not hold the English word list of BIP39")
    return words


def seed_of_phrase(text: str) -> bytes:
    numbers = {}
    for number, word in enumerate(word_list()):
        numbers[word] = numbers[word[:4]] = number
    given = re.findall(r"[a-z]+", text.lower())
    require(len(given) == 24, f"a phrase has 24 words, these are {len(given)}")
    value = 0
    for place, word in enumerate(given, 1):
        require(word in numbers, f"word {place} is not one of the list")
        value = value << 11 | numbers[word]
    data = value.to_bytes(33, "big")
    require(hashlib.sha256(data[:32]).digest()[0] == data[32], "the checksum of the phrase is not right: a word is wrong")
    return data[:32]


@dataclass
class CompactKey:
    seed: bytes
    position: int
    head: bytes


def compact_key(text: str) -> CompactKey:
    letters = "".join(text.split()).lower()
    require(len(letters) == 3 + 124 and letters.startswith("lb1"), "this is not a compact key")
    try:
        data = base64.b32decode(letters[3:].upper() + "====")
    except ValueError:
        raise Refused("this is not a compact key") from None
    spelled = base64.b32encode(data).decode().lower().rstrip("=")
    require(len(data) == 77 and spelled == letters[3:], "the last letter of the key is not right")
    require(labelled_hash("compact-key", data[:-4])[:4] == data[-4:], "the checksum of the key is not right")
    decoder = Decoder(data[:-4], "the compact key")
    key = CompactKey(decoder.bytes(32), decoder.u64(), decoder.bytes(32))
    decoder.end()
    return key


# 3. Names and ids


def check_name(name: str, what: str) -> str:
    control = any(ord(c) < 0x20 or 0x7F <= ord(c) <= 0x9F for c in name)
    good = 1 <= len(name.encode()) <= 255 and name not in (".", "..") and "/" not in name and not control
    require(good, f"{what}: its name is not one")
    return name


def check_username(name: str, what: str) -> str:
    good = re.fullmatch(r"[a-z0-9._-]{1,32}", name) and name not in (".", "..")
    require(bool(good), f"{what}: the username is not one")
    return name


def normal_form(name: str) -> bytes:
    return unicodedata.normalize("NFC", name).encode()


# 4. Keys of files


class FileKey:
    def __init__(self, key: bytes):
        self.wrap = expand(key, b"lockbook/v1/wrap-key")
        self.tag = expand(key, b"lockbook/v1/tag-key")
        self.previous = expand(key, b"lockbook/v1/previous-key")
        both = expand(key, b"lockbook/v1/body-key", 64)
        self.body, self.commitment = both[:32], both[32:]


def name_tag(tag_key: bytes, name: str) -> bytes:
    return mac(tag_key, normal_form(name))


# 5. Record


class Record:
    def __init__(self, data: bytes):
        self.hash = labelled_hash("record", data)
        what = f"record {self.hash.hex()[:16]}"
        require(len(data) <= 16_384, f"{what}: is too long")
        d = Decoder(data, what)
        self.owner, self.id, self.parent = d.bytes(32), d.bytes(16), d.bytes(16)
        self.what = f"file {self.id.hex()}"
        self.type, self.scope = d.choice(2), d.bytes(16)
        self.epoch, self.parent_epoch = d.u32(), d.u32()
        require(self.epoch >= 1 and self.parent_epoch >= 1, f"{what}: epochs count from 1")
        self.name_tag, self.deleted, self.has_blob = d.bytes(32), d.bool(), d.bool()
        require(not self.has_blob or self.type == DOCUMENT, f"{what}: only documents have a blob")
        self.blob_name = d.bytes(32) if self.has_blob else b""
        self.blob_size = d.u64() if self.has_blob else 0
        self.author, self.device = d.bytes(32), d.bytes(16)
        self.facts = data[: d.at]
        self.wrapped_key = d.bytes(60)
        self.has_previous = d.bool()
        require(self.has_previous == (self.epoch > 1), f"{what}: a previous key is there exactly after epoch 1")
        self.previous_key = d.bytes(60) if self.has_previous else b""
        self.commitment, self.sealed_body = d.bytes(32), d.counted()
        d.counted()
        d.end()

    def open_key(self, wrap_key: bytes) -> bytes:
        numbers = struct.pack(">IIB", self.parent_epoch, self.epoch, self.type)
        associated = label("wrap") + self.owner + self.id + self.parent + numbers
        return unseal(wrap_key, self.wrapped_key, associated, f"{self.what}: its key")

    def open_previous(self, key: FileKey) -> bytes:
        associated = label("previous") + self.owner + self.id + struct.pack(">I", self.epoch)
        return unseal(key.previous, self.previous_key, associated, f"{self.what}: its previous key")

    def open_body(self, key: FileKey) -> "Body":
        require(hmac.compare_digest(key.commitment, self.commitment), f"{self.what}: its key is not the one committed to")
        body = Body(unseal(key.body, self.sealed_body, label("body") + self.facts, f"{self.what}: its body"), self.what)
        require((body.content is not None) == self.has_blob, f"{self.what}: body and facts differ about a content")
        require(body.has_target == (self.type == LINK), f"{self.what}: exactly links have a target")
        return body


# 6. Body


@dataclass
class Content:
    version: bytes
    key: bytes
    digest: bytes
    size: int
    compressed: bool


class Body:
    def __init__(self, data: bytes, what: str):
        d = Decoder(data, f"{what}: its body")
        self.name = check_name(d.text(), what)
        self.created, self.modified, self.executable, self.device_name = d.i64(), d.i64(), d.bool(), d.text()
        self.content = None
        if d.bool():
            self.content = Content(d.bytes(16), d.bytes(32), d.bytes(32), d.u64(), bool(d.choice(1)))
        self.has_target = d.bool()
        if self.has_target:
            self.target = d.bytes(32), d.bytes(16)
        d.counted()
        require(len(data) == max(192, -(-d.at // 64) * 64), f"{what}: the padding of the body is not as long as it must be")
        require(not any(data[d.at :]), f"{what}: the padding of the body is not zero")


# 7. Content


def padme(length: int) -> int:
    e = length.bit_length() - 1
    step = 1 << (e - e.bit_length())
    return -(-length // step) * step


def blob_name(file: BinaryIO, size: int, what: str) -> bytes:
    """Reads the blob from its beginning to its end."""
    file.seek(0)
    segments, count = [], 0
    while segment := file.read(SEGMENT):
        count += len(segment)
        segments.append(hashlib.sha256(segment).digest())
    require(count == size, f"{what}: a blob has {count} bytes instead of {size}")
    return labelled_hash("blob", struct.pack(">Q", count) + b"".join(segments))


class Padded:
    """The padded bytes inside a blob, any part of them."""

    def __init__(self, file: BinaryIO, size: int, record: Record, content: Content):
        binding = record.owner + record.id + content.version
        both = expand(content.key, label("content") + bytes([content.compressed]) + binding, 64)
        self._file, self._what, self._cipher, self._number = file, record.what, AESGCM(both[:32]), -1
        file.seek(0)
        head = Decoder(file.read(33), f"{record.what}: its blob")
        require(hmac.compare_digest(head.bytes(32), both[32:]), f"{record.what}: its blob is of another key")
        self._chunks = -(-(size - 33) // (CHUNK + TAG))
        last = size - 33 - (self._chunks - 1) * (CHUNK + TAG)
        require(self._chunks > 0 and last > TAG, f"{record.what}: its blob has no last chunk")
        self.length = size - 33 - self._chunks * TAG

    def _chunk(self, number: int) -> bytes:
        if number != self._number:
            self._file.seek(33 + number * (CHUNK + TAG))
            nonce = bytes(3) + struct.pack(">QB", number, number == self._chunks - 1)
            try:
                self._opened = self._cipher.decrypt(nonce, self._file.read(CHUNK + TAG), None)
            except InvalidTag:
                raise Refused(f"{self._what}: chunk {number} of its blob does not open") from None
            self._number = number
        return self._opened

    def pieces(self, start: int, end: int) -> Iterator[bytes]:
        require(0 <= start <= end <= self.length, f"{self._what}: its content ends too early")
        while start < end:
            number, inside = divmod(start, CHUNK)
            piece = self._chunk(number)[inside : inside + end - start]
            start += len(piece)
            yield piece

    def part(self, start: int, count: int) -> bytes:
        return b"".join(self.pieces(start, start + count))


def check_frame(padded: Padded, length: int, size: int, what: str) -> None:
    """That the payload is one zstd frame (RFC 8878) as this format has it: walks its headers, inflates nothing."""
    require(padded.part(0, 4) == bytes.fromhex("28b52ffd"), f"{what}: its content is not a zstd frame")
    (descriptor,) = padded.part(4, 1)
    single, at = descriptor >> 5 & 1, 5
    require(not descriptor & 0b1000 and not descriptor & 0b11, f"{what}: its zstd frame needs a dictionary or is of a later kind")
    window = None
    if not single:
        (byte,) = padded.part(at, 1)
        window, at = (1 << 10 + (byte >> 3)) * (8 + (byte & 7)) // 8, at + 1
    width = (single, 2, 4, 8)[descriptor >> 6]
    if width:
        stated, at = int.from_bytes(padded.part(at, width), "little") + (256 if width == 2 else 0), at + width
        require(stated == size, f"{what}: its zstd frame states another size")
    window = size if window is None else window
    require(window <= 1 << 20, f"{what}: its zstd frame has a window of {window} bytes")
    last = 0
    while not last:
        header, at = int.from_bytes(padded.part(at, 3), "little"), at + 3
        last, kind, count = header & 1, header >> 1 & 3, header >> 3
        require(kind < 3, f"{what}: its zstd frame has a block of no known kind")
        at += 1 if kind == 1 else count
        require(at <= length, f"{what}: its zstd frame ends too early")
    at += 4 * (descriptor >> 2 & 1)
    require(at == length, f"{what}: its content is not one zstd frame and nothing else")


def inflated(pieces: Iterator[bytes], most: int, what: str) -> Iterator[bytes]:
    """What `zstd` makes of the pieces, at most one byte more than `most`."""
    with subprocess.Popen(
        ["zstd", "-d", "-c", "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        failures: list[Exception] = []

        def feed() -> None:
            try:
                with process.stdin:
                    for piece in pieces:
                        process.stdin.write(piece)
            except BrokenPipeError:
                pass
            except Exception as error:
                failures.append(error)

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        try:
            left = most + 1
            while left > 0 and (piece := process.stdout.read(min(left, CHUNK))):
                left -= len(piece)
                yield piece
        finally:
            if left <= 0:
                process.kill()
            process.stdout.close()
            feeder.join()
        if failures:
            raise failures[0]
        require(left > 0 and process.wait() == 0, f"{what}: its content does not inflate to what the body says")


def read_content(file: BinaryIO, record: Record, content: Content, take: Callable[[bytes], object]) -> None:
    """Checks a blob whole, and hands its plaintext on in pieces, which count only when this returns."""
    what = record.what
    padded = Padded(file, record.blob_size, record, content)
    require(padded.length >= 16, f"{what}: its content has no trailer")
    payload, size = struct.unpack(">QQ", padded.part(padded.length - 16, 16))
    require(size == content.size, f"{what}: trailer and body differ about the size")
    require(padme(payload + 16) == padded.length, f"{what}: its content is not padded as it must be")
    pieces = padded.pieces(0, payload)
    if content.compressed:
        check_frame(padded, payload, size, what)
        pieces = inflated(pieces, size, what)
    else:
        require(payload == size, f"{what}: an uncompressed payload has another length than its content")
    state = hmac.new(expand(content.key, b"lockbook/v1/content-digest"), digestmod="sha256")
    count = 0
    for piece in pieces:
        state.update(piece)
        count += len(piece)
        take(piece)
    require(count == size, f"{what}: its content has {count} bytes instead of {size}")
    require(not any(map(any, padded.pieces(payload, padded.length - 16))), f"{what}: the padding of its content is not zero")
    require(hmac.compare_digest(state.digest(), content.digest), f"{what}: the digest of its content is not right")


# 8. Account certificate


class Certificate:
    def __init__(self, data: bytes):
        what = "the certificate"
        d = Decoder(data, what)
        self.username = check_username(d.text(), what)
        self.entry_key, self.request_key = check_signing_key(d.bytes(32), what), check_signing_key(d.bytes(32), what)
        self.agreement_key = check_agreement_key(d.bytes(32), what)
        self.created = d.i64()
        d.bytes(64)
        d.end()
        check_signature(self.entry_key, "account", data, what)
        self.identity = Identity(self.entry_key, self.request_key, self.agreement_key)
        self.hash = labelled_hash("certificate", data)


# 9. Log entry


class Header:
    def __init__(self, data: bytes, what: str):
        self.what, self.data = what, data
        self.hash = labelled_hash("header", data)
        d = Decoder(data, what)
        self.log, self.position, self.previous, self.author = d.bytes(32), d.u64(), d.bytes(32), d.bytes(32)
        self.device, self.body_hash, self.created = d.bytes(16), d.bytes(32), d.i64()
        d.bytes(64)
        d.end()


class Group:
    def __init__(self, data: bytes, owner: Identity, what: str):
        self.hash = labelled_hash("group", data)
        d = Decoder(data, what, 3)
        self.scope = d.bytes(16)
        listed = [(d.bytes(16), d.bytes(32)) for _ in range(d.count(100_000, 48))]
        require_rising([file for file, _ in listed], what)
        self.records = dict(listed)
        grants = [d.counted() for _ in range(d.count(1_000, 4))]
        require_rising(grants, what)
        wraps = [d.counted() for _ in range(d.count(1_000, 4))]
        require_rising(wraps, what)
        self.purged = [d.bytes(16) for _ in range(d.count(100_000, 16))] if d.format >= 2 else []
        require_rising(self.purged, what)
        self.left = [d.bytes(16) for _ in range(d.count(100_000, 16))] if d.format >= 3 else []
        self.inner = [d.bytes(16) for _ in range(d.count(100_000, 16))] if d.format >= 3 else []
        require_rising(self.left, what)
        require_rising(self.inner, what)
        require(d.format < 3 or bool(self.left or self.inner), f"{what}: is of a format that it does not need")
        kept = set(self.left).isdisjoint(self.records) and set(self.left).isdisjoint(self.purged)
        require(kept, f"{what}: keeps a file that left")
        require(self.scope not in self.inner, f"{what}: is inside of itself")
        require(d.format != 2 or bool(self.purged), f"{what}: purges nothing, and says it does")
        require(self.records.keys().isdisjoint(self.purged), f"{what}: changes a file and purges it")
        d.counted()
        d.end()
        self.grants = [Grant(grant, owner, f"{what}, a grant") for grant in grants]
        self.wraps = [Wrap(wrap, owner, f"{what}, a grantee wrap") for wrap in wraps]


def body_hash(certificate: Certificate | None, groups: list[Group], shared: bool = False) -> bytes:
    if shared:
        parts = b"".join(group.scope + group.hash for group in groups)
        return labelled_hash("entry-body", b"\2\0" + struct.pack(">I", len(groups)) + parts)
    body = b"\1" + (b"\1" + certificate.hash if certificate else b"\0") + struct.pack(">I", len(groups))
    return labelled_hash("entry-body", body + b"".join(group.hash for group in groups))


# 10. Checkpoint


class Checkpoint:
    def __init__(self, data: bytes, owner: Identity, what: str):
        self.what = what
        d = Decoder(data, what, 2)
        require(d.bytes(32) == owner.id, f"{what}: is of another tree")
        self.position, self.head, self.shared = d.u64(), d.bytes(32), d.format == 2
        if self.shared:
            self.scopes = [(d.bytes(16), d.bytes(32)) for _ in range(d.count(2**32, 48))]
        else:
            self.scopes = [(d.bytes(16), d.u64(), d.bytes(32)) for _ in range(d.count(2**32, 56))]
        require_rising([scope[0] for scope in self.scopes], what)
        author = d.bytes(32)
        d.bytes(16), d.i64(), d.counted(), d.bytes(64)
        d.end()
        require(author == owner.id, f"{what}: is by another account than the owner")
        check_signature(owner.entry_key, "checkpoint", data, what)

    def check(self, state: dict[bytes, bytes], scope_of: Callable[[bytes], bytes], scopes: list["State"]) -> None:
        """Compares with the record hash of every file, and with what stands beside it."""
        listed: dict[bytes, list[bytes]] = {}
        for file in sorted(state):
            listed.setdefault(scope_of(state[file]), []).append(file + state[file])
        found = [(scope, len(files), labelled_hash("scope", b"".join(files))) for scope, files in sorted(listed.items())]
        if self.shared:
            require([(s.scope, s.hash) for s in scopes] == self.scopes, f"{self.what}: its states are not those it names")
            named = [(s.scope, s.count, s.digest) for s in scopes]
        else:
            require(not scopes, f"{self.what}: has states, and names none")
            named = self.scopes
        require(found == named, f"{self.what}: the files at its position are not those it names")


# 10a. State of a scope


class State:
    """As the server keeps it: all of it is there."""

    def __init__(self, data: bytes, owner: Identity, what: str):
        self.what = what
        d = Decoder(data, what)
        self.scope = d.bytes(16)
        require(d.bool(), f"{what}: has no body")
        body = d.counted()
        grants: list[bytes] = []
        for _ in range(d.count(2**32, 33)):
            require(d.bool(), f"{what}: hides a grant")
            grants.append(d.counted())
        d.end()
        hashes = b"".join(labelled_hash("scope-grant", grant) for grant in grants)
        parts = self.scope + labelled_hash("scope-body", body) + struct.pack(">I", len(grants)) + hashes
        self.hash = labelled_hash("scope-state", parts)
        d = Decoder(body, f"{what}, its body")
        self.count, self.digest = d.u64(), d.bytes(32)
        self.inner = [d.bytes(16) for _ in range(d.count(2**32, 16))]
        require_rising(self.inner, what)
        wraps = [d.counted() for _ in range(d.count(2**32, 4))]
        d.counted()
        d.end()
        self.grants = [Grant(grant, owner, f"{what}, a grant") for grant in grants]
        require_rising([grant.file + grant.grantee.id for grant in self.grants], what)
        self.wraps = [Wrap(wrap, owner, f"{what}, a grantee wrap") for wrap in wraps]
        require_rising([wrap.grantee for wrap in self.wraps], what)
        keys = {grant.grantee.id: grant.grantee.entry_key for grant in self.grants} | {owner.id: owner.entry_key}
        for grant in self.grants:
            require(grant.mode < ADMIN or grant.grantor == owner.id, f"{grant.what}: makes an admin, and is not by the owner")
            if grant.mode == NONE and grant.grantor not in keys:
                continue
            require(grant.grantor in keys, f"{grant.what}: is by somebody of whom nothing says who he is")
            check_signature(keys[grant.grantor], "grant", grant.data, grant.what)
        need = {grant.grantee.id for grant in self.grants if grant.mode > NONE}
        need |= {owner.id} if need else set()
        require({wrap.grantee for wrap in self.wraps} == need, f"{what}: has its key for others than it should")
        require(all(wrap.file == self.scope for wrap in self.wraps), f"{what}: has the key of another scope")
        require(self.scope != owner.root_id or not self.grants, f"{what}: all of the tree is shared")


# 11. Grant

NONE, READ, WRITE, ADMIN, OWNER = range(5)


class Grant:
    def __init__(self, data: bytes, owner: Identity, what: str):
        self.data, self.what = data, what
        d = Decoder(data, what)
        require(d.bytes(32) == owner.id, f"{what}: is of another tree")
        self.file = d.bytes(16)
        self.grantee = Identity(
            check_signing_key(d.bytes(32), what), check_signing_key(d.bytes(32), what), check_agreement_key(d.bytes(32), what)
        )
        self.username, self.mode, self.grantor = check_username(d.text(), what), d.choice(3), d.bytes(32)
        self.serial, self.created = d.u64(), d.i64()
        d.bytes(64)
        d.end()
        require(self.grantee.id != owner.id, f"{what}: is for the owner")


# 12. Grantee wrap


class Wrap:
    def __init__(self, data: bytes, owner: Identity, what: str):
        self.what = what
        d = Decoder(data, what)
        require(d.bytes(32) == owner.id, f"{what}: is of another tree")
        self.file, self.epoch, self.grantee = d.bytes(16), d.u32(), d.bytes(32)
        self._info = label("grantee-wrap") + data[1 : d.at]
        self._enc = check_agreement_key(d.bytes(32), what)
        self._ciphertext = d.bytes(48)
        d.end()

    def open(self, account: Account) -> bytes:
        """HPKE (RFC 9180, 4.1 and 5.1), one message."""

        def extract(suite: bytes, salt: bytes, text: bytes, key: bytes) -> bytes:
            return mac(salt, b"HPKE-v1" + suite + text + key)

        def labelled_expand(suite: bytes, key: bytes, text: bytes, info: bytes, count: int) -> bytes:
            return expand(key, struct.pack(">H", count) + b"HPKE-v1" + suite + text + info, count)

        kem, hpke = b"KEM\0\x20", b"HPKE\0\x20\0\1\0\3"
        agreed = account.agreement.exchange(X25519PublicKey.from_public_bytes(self._enc))
        agreed = extract(kem, b"", b"eae_prk", agreed)
        secret = labelled_expand(kem, agreed, b"shared_secret", self._enc + account.agreement_key, 32)
        context = b"\0" + extract(hpke, b"", b"psk_id_hash", b"") + extract(hpke, b"", b"info_hash", self._info)
        secret = extract(hpke, secret, b"secret", b"")
        key, nonce = labelled_expand(hpke, secret, b"key", context, 32), labelled_expand(hpke, secret, b"base_nonce", context, 12)
        try:
            return ChaCha20Poly1305(key).decrypt(nonce, self._ciphertext, b"")
        except InvalidTag:
            raise Refused(f"{self.what}: does not open with the key of its grantee") from None


# 12d. Who may do what


class Judge:
    """The state of one tree after each of its entries, and whether the entry's author might bring it about."""

    def __init__(self, owner: Identity, record: Callable[[bytes], Record]):
        self._owner, self._record = owner, record
        # Of every file the hash of its record, and the position of the entry that listed it.
        self.state: dict[bytes, tuple[bytes, int]] = {}
        self.grants: dict[tuple[bytes, bytes], Grant] = {}
        self.wraps: dict[tuple[bytes, int, bytes], Wrap] = {}
        # In force only after the first entry that carries a grant.
        self.shared = False

    def now(self, file: bytes) -> Record | None:
        return self._record(self.state[file][0]) if file in self.state else None

    def around(self, scope: bytes) -> list[bytes]:
        """The scope and those that it is inside of, from the inside out, the root's left away."""
        found: list[bytes] = []
        while scope != self._owner.root_id:
            first = self.now(scope)
            require(first is not None and first.scope == scope, f"file {scope.hex()}: begins no scope")
            require(scope not in found, f"file {scope.hex()}: its scope is inside of itself")
            found.append(scope)
            folder = self.now(first.parent)
            require(folder is not None, f"{first.what}: its folder is not there")
            scope = folder.scope
        return found

    def mode(self, account: bytes, scope: bytes) -> int:
        if account == self._owner.id:
            return OWNER
        held = [self.grants[scope, account].mode for scope in self.around(scope) if (scope, account) in self.grants]
        return max(held, default=NONE)

    def _holders(self, scope: bytes) -> set[bytes]:
        return {account for (file, account), grant in self.grants.items() if file == scope and grant.mode > NONE}

    def _scopes(self) -> dict[bytes, list[bytes]]:
        """Every scope on which there ever was a grant, with those around it."""
        return {scope: self.around(scope) for scope in {file for file, _ in self.grants} if scope in self.state}

    def begin(self, states: list[State]) -> None:
        """Takes what a checkpoint says of shares for what holds."""
        self.shared = True
        for state in states:
            for grant in state.grants:
                if grant.file == state.scope:
                    self.grants[grant.file, grant.grantee.id] = grant
            for wrap in state.wraps:
                self.wraps[wrap.file, wrap.epoch, wrap.grantee] = wrap

    def check_states(self, states: list[State]) -> None:
        """Compares what a checkpoint says of shares with what holds."""
        every = {state.scope: [] if state.scope == self._owner.root_id else self.around(state.scope) for state in states}
        for state in states:
            scope, around = state.scope, every[state.scope][1:]
            inner = [other for other in every if other != scope and scope in (*every[other], self._owner.root_id)]
            require(state.inner == sorted(inner), f"{state.what}: names other scopes inside of it than there are")
            want = [grant for (file, _), grant in self.grants.items() if file == scope]
            outer = [grant for (file, _), grant in self.grants.items() if file in around]
            want += [grant for grant in outer if grant.mode > NONE]
            ended = [grant for grant in outer if grant.mode == NONE]
            while more := [g for g in ended if any(grant.grantor == g.grantee.id for grant in want)]:
                want += more
                ended = [grant for grant in ended if grant not in more]
            found = {grant.data for grant in state.grants}
            require(found == {grant.data for grant in want}, f"{state.what}: names other grants than hold")
            first = self.now(scope)
            require(all(wrap.epoch == first.epoch for wrap in state.wraps), f"{state.what}: has a key of another epoch")

    def entry(self, header: Header, groups: list[Group]) -> None:
        self._check_signature(header)
        brings = any(group.grants for group in groups)
        if not self.shared and not brings:
            self._apply(header, groups)
            return
        self.shared = True
        old = {file: self.now(file) for group in groups for file in (*group.records, *group.purged, *group.left)}
        modes = self._check_groups(header, groups)
        scopes = self._scopes()
        new_grants = self._check_grants(header, groups)
        before = {place: self.grants[place].mode if place in self.grants else NONE for place in new_grants}
        taken = {file for (file, account), grant in new_grants.items() if grant.mode == NONE}
        unseen = {file for file in taken if self._outside(header.author, file)}
        self._apply(header, groups)
        self.grants |= new_grants
        self._check_scopes(header, scopes)
        self._check_left(header, groups, old)
        for group in groups:
            for file in group.records:
                self._check_record(header, group, old[file], self.now(file), modes[group.scope], taken)
        self._check_places(header, groups, new_grants)
        self._check_wraps(header, groups)
        by_scope = {group.scope: group for group in groups}
        for (file, account), grant in new_grants.items():
            if grant.mode > NONE and before[file, account] == NONE:
                self._check_let_in(header, by_scope, grant)
        for file in taken:
            self._check_taken(header, by_scope, file, old, file in unseen)

    def _check_signature(self, header: Header) -> None:
        key = self._owner.entry_key
        if header.author != self._owner.id:
            keys = {grant.grantee.entry_key for (_, account), grant in self.grants.items() if account == header.author}
            require(bool(keys), f"{header.what}: is by an account that was let in nowhere before")
            (key,) = keys
        check_signature(key, "entry", header.data, header.what)

    def _check_groups(self, header: Header, groups: list[Group]) -> dict[bytes, int]:
        """What the author may do in the scope of each group."""
        modes: dict[bytes, int] = {}
        owner = header.author == self._owner.id
        for group in groups:
            known = group.scope == self._owner.root_id or group.scope in self.state and self.now(group.scope).scope == group.scope
            require(owner or known, f"{header.what}: a member makes a scope")
            modes[group.scope] = mode = OWNER if owner else self.mode(header.author, group.scope)
            require(mode >= WRITE, f"{header.what}: its author may not write in scope {group.scope.hex()} at that point")
            require(mode >= ADMIN or not group.grants, f"{header.what}: its author may not grant anything at that point")
            require(owner or not group.purged, f"{header.what}: purges files, and is not by the owner")
            require(owner or not group.left, f"{header.what}: takes files out of a scope, and is not by the owner")
            for file in group.purged:
                was = self.now(file)
                require(was is not None and was.scope == group.scope, f"{header.what}: purges a file of another scope")
        return modes

    def _check_grants(self, header: Header, groups: list[Group]) -> dict[tuple[bytes, bytes], Grant]:
        """The grants that did not hold before."""
        found: dict[tuple[bytes, bytes], Grant] = {}
        for grant in (grant for group in groups for grant in group.grants):
            place = grant.file, grant.grantee.id
            held = self.grants.get(place)
            if held is not None and held.data == grant.data:
                continue
            if place in found:
                require(found[place].data == grant.data, f"{grant.what}: another one of the same entry is for the same account")
                continue
            require(grant.grantor == header.author, f"{grant.what}: is by another account than its entry")
            if grant.grantor == self._owner.id:
                key = self._owner.entry_key
            else:
                require(self.mode(grant.grantor, grant.file) == ADMIN, f"{grant.what}: is by an account that is no admin at that point")
                require(grant.mode < ADMIN, f"{grant.what}: makes an admin, and is not by the owner")
                key = next(g.grantee.entry_key for (_, account), g in self.grants.items() if account == grant.grantor)
            check_signature(key, "grant", grant.data, grant.what)
            require(held is None or grant.serial > held.serial, f"{grant.what}: has a serial that was used")
            found[place] = grant
        return found

    def _outside(self, author: bytes, file: bytes) -> bool:
        """Whether the author does not see the folder of a shared file."""
        outer = self.around(file)[1:2] if file in self.state else []
        return author != self._owner.id and (not outer or self.mode(author, outer[0]) < READ)

    def _apply(self, header: Header, groups: list[Group]) -> None:
        for group in groups:
            for file, digest in group.records.items():
                self.state[file] = digest, header.position
            for file in group.purged:
                require(file in self.state, f"{header.what}: purges a file that there is not")
                del self.state[file]
            for wrap in group.wraps:
                self.wraps[wrap.file, wrap.epoch, wrap.grantee] = wrap

    def _check_scopes(self, header: Header, before: dict[bytes, list[bytes]]) -> None:
        for scope, around in before.items():
            if scope in self.state:
                after = [outer for outer in self.around(scope) if outer in before]
                require(after == around, f"{header.what}: puts a scope into another one, or takes it out")

    def _check_left(self, header: Header, groups: list[Group], old: dict[bytes, Record | None]) -> None:
        left = {file: group.scope for group in groups for file in group.left}
        gone: dict[bytes, bytes] = {}
        for file, was in old.items():
            new = self.now(file)
            if new is None or was is None or was.scope in (new.scope, self._owner.root_id):
                continue
            if was.scope not in self.around(new.scope):
                gone[file] = was.scope
                require(new.epoch > was.epoch, f"{header.what}: a file leaves its scope without a new key")
        require(left == gone, f"{header.what}: files leave a scope, and its group says something else")

    def _check_record(
        self, header: Header, group: Group, old: Record | None, new: Record, mode: int, taken: set[bytes]
    ) -> None:
        what = f"{header.what}: {new.what}"
        first, folder = new.id == new.scope, self.now(new.parent)
        require(folder is not None, f"{what} is in a folder that there is not")
        require(first or folder.scope == new.scope, f"{what} is in another scope than its folder")
        if old is not None:
            require(new.type == old.type, f"{what} has another type than before")
            require(old.scope != old.id or first, f"{what} is a scope no more")
            require(new.epoch >= old.epoch, f"{what} has an epoch that is over")
            require(new.epoch > old.epoch or new.commitment == old.commitment, f"{what} has another key in the same epoch")
        if mode == OWNER:
            return
        new_keys = bool(taken.intersection(self.around(new.scope)))
        if old is None:
            require(not first, f"{what} is a scope that a member made")
            require(new.epoch == 1 or new_keys, f"{what} is new and has a later epoch")
            return
        require(old.scope == new.scope, f"{what} came from another scope, and not by the owner")
        require(new.epoch == old.epoch or new_keys, f"{what} has a new key, and nobody was removed")
        if first:
            same = (new.parent, new.deleted) == (old.parent, old.deleted)
            require(same, f"{what} is shared, and a member changed its place or life")
            renamed = new.parent_epoch == old.parent_epoch and new.name_tag != old.name_tag
            require(not renamed, f"{what} is shared, and a member changed its name")
            if self._outside(header.author, new.id):
                kept = (new.parent_epoch, new.wrapped_key) == (old.parent_epoch, old.wrapped_key)
                require(kept, f"{what} is shared, and a member changed its wrapped key without seeing its folder")

    def _check_places(self, header: Header, groups: list[Group], new: dict[tuple[bytes, bytes], Grant]) -> None:
        for group in groups:
            around = self.around(group.scope)
            for grant in group.grants:
                require(grant.file in around, f"{grant.what}: is of a file that neither begins this scope nor one around it")
        carried = {group.scope: {grant.data for grant in group.grants} for group in groups}
        for grant in new.values():
            inside = {scope for scope, around in self._scopes().items() if grant.file in around and self._holders(scope)}
            for scope in {grant.file} | inside:
                require(grant.data in carried.get(scope, set()), f"{header.what}: a grant is kept from those in scope {scope.hex()}")

    def _check_wraps(self, header: Header, groups: list[Group]) -> None:
        for group in groups:
            for wrap in group.wraps:
                first = self.now(group.scope)
                right = first is not None and (wrap.file, wrap.epoch) == (group.scope, first.epoch)
                require(right, f"{wrap.what}: is not of the key of its scope")

    def _living(self, top: bytes) -> dict[bytes, set[bytes]]:
        """What stands below a file that lives, itself too, by scopes; nothing of what is below a deleted folder."""
        below: dict[bytes, list[Record]] = {}
        for digest, _ in self.state.values():
            record = self._record(digest)
            below.setdefault(record.parent, []).append(record)
        found: dict[bytes, set[bytes]] = {}
        todo = [] if self.now(top).deleted else [self.now(top)]
        while todo:
            record = todo.pop()
            found.setdefault(record.scope, set()).add(record.id)
            if not record.deleted:
                todo += below.get(record.id, [])
        return found

    def _check_let_in(self, header: Header, groups: dict[bytes, Group], grant: Grant) -> None:
        what, living = f"{header.what}: lets {grant.username} in", self._living(grant.file)
        require(grant.file in living, f"{what}, where nothing lives")
        key = grant.file, self.now(grant.file).epoch, grant.grantee.id
        wrapped = [(wrap.file, wrap.epoch, wrap.grantee) for wrap in groups[grant.file].wraps]
        require(key in wrapped, f"{what} without a key")
        inner = set(living) - {grant.file}
        require(inner <= set(groups[grant.file].inner), f"{what}, and names not all scopes inside")
        for scope, files in living.items():
            require(scope in groups and files <= groups[scope].records.keys(), f"{what} without all of scope {scope.hex()}")
            carried = {held.data for held in groups[scope].grants}
            around = self.around(scope)
            if scope != grant.file:
                # Those of further out stand in the group of the file; where nobody holds one, none are needed.
                around = around[: around.index(grant.file) + 1] if self._holders(scope) else []
            held = {g.data for (file, _), g in self.grants.items() if file in around and g.mode > NONE}
            require(held <= carried, f"{what} without all grants that hold in scope {scope.hex()}")

    def _check_taken(
        self, header: Header, groups: dict[bytes, Group], file: bytes, old: dict[bytes, Record | None], unseen: bool
    ) -> None:
        what = f"{header.what}: takes a grant back"
        for scope, files in self._living(file).items():
            for one in files:
                was = old.get(one)
                renewed = one in old and (was is None or self.now(one).epoch > was.epoch)
                require(renewed, f"{what} without a new key for file {one.hex()}")
            need = self._holders(scope)
            if scope == file and unseen:
                need |= {self._owner.id}.union(*(self._holders(outer) for outer in self.around(file)))
            wrapped = {wrap.grantee for wrap in groups[scope].wraps}
            require(need <= wrapped, f"{what} without the new key for all who stay")


# Where a server keeps it


@dataclass
class Node:
    log: "Log"
    record: Record
    body: Body
    keys: dict[int, FileKey]
    dead: bool
    children: dict[bytes, "Node"] = field(default_factory=dict)


class Log:
    """The log of one owner, judged from its first entry to its head, and what an account may open of it."""

    def __init__(self, folder: Path, database: sqlite3.Connection, owner: bytes):
        self._folder, self._database = folder, database
        row = database.execute(
            "SELECT id, username, certificate, head_position, head_hash, bodies_from FROM account WHERE account = ?", (owner,)
        ).fetchone()
        require(row is not None, "this server does not know the account of these words, or one that shares with it")
        self._log, self.username, self._certificate_bytes, self._head_position, self._head_hash, self._bodies_from = row
        self.certificate = Certificate(self._certificate_bytes)
        self.owner = self.certificate.identity
        require(self.owner.id == owner, "the certificate is of other keys")
        require(self.certificate.username == self.username, "the certificate is of another username")
        self._records: dict[bytes, Record] = {}
        self.judge = Judge(self.owner, self.record)
        self.headers = self._chain()
        self._walk()
        self._below: dict[bytes, list[Record]] = {}
        for file in self.judge.state:
            record = self.judge.now(file)
            if record.id != self.owner.root_id:
                self._below.setdefault(record.parent, []).append(record)

    def _rows(self, query: str, *values: object) -> list[tuple]:
        return self._database.execute(query, (self._log, *values)).fetchall()

    def record(self, digest: bytes) -> Record:
        if digest not in self._records:
            rows = self._rows("SELECT bytes FROM record WHERE owner = ? AND hash = ?", digest)
            require(len(rows) == 1, f"record {digest.hex()[:16]}: is not there")
            record = Record(rows[0][0])
            require(record.hash == digest, f"record {digest.hex()[:16]}: its bytes have another hash")
            require(record.owner == self.owner.id, f"record {digest.hex()[:16]}: is of another tree")
            self._records[digest] = record
        return self._records[digest]

    def _chain(self) -> list[Header]:
        """The headers, from the first to the head; the judge looks at their signatures."""
        headers: list[Header] = []
        previous = bytes(32)
        rows = self._rows("SELECT position, header, hash, certificate FROM entry WHERE log = ? ORDER BY position")
        for expected, (position, data, digest, certificate) in enumerate(rows):
            what = f"entry {expected}"
            require(position == expected, f"{what}: is not there")
            header = Header(data, what)
            require(header.log == self.owner.id, f"{what}: is of another tree")
            require(header.position == position, f"{what}: its header names position {header.position}")
            require(header.previous == previous, f"{what}: does not continue the one before")
            require(header.hash == digest, f"{what}: its row names another hash")
            if position == 0:
                require(certificate == self._certificate_bytes, "entry 0 carries another certificate than the account")
            else:
                require(certificate is None, f"{what}: only the first entry carries a certificate")
            headers.append(header)
            previous = header.hash
        require(bool(headers), "the log is empty")
        head = len(headers) - 1, headers[-1].hash
        require(head == (self._head_position, self._head_hash), "the account's row names another head than the log has")
        return headers

    def groups(self, header: Header, judged_by: int | None = None) -> list[Group]:
        """
        judged_by: the position of a checkpoint that stands for all entries up to there.
        """
        what = header.what
        rows = self._rows("SELECT scope, bytes FROM entry_group WHERE log = ? AND position = ? ORDER BY scope", header.position)
        require(len(rows) <= 1_000, f"{what}: has too many groups")
        groups = [Group(data, self.owner, f"{what}, a group") for _, data in rows]
        require([g.scope for g in groups] == [scope for scope, _ in rows], f"{what}: a row names another scope than its group")
        require_rising([g.scope for g in groups], what)
        first = header.position == 0
        shared = self.judge.shared or any(group.grants for group in groups)
        require(not first or not shared, f"{what}: carries a grant")
        expected = {body_hash(self.certificate if first else None, groups, shared)}
        if judged_by is not None and header.position <= judged_by:
            # Nobody says here whether it is of the time before something was shared.
            expected.add(body_hash(self.certificate if first else None, groups, False))
        require(header.body_hash in expected, f"{what}: its body has another hash")
        if first:
            root = len(groups) == 1 and list(groups[0].records) == [self.owner.root_id]
            require(root, f"{what}: does not list the root and nothing else")
        listed: set[bytes] = set()
        for group in groups:
            require(listed.isdisjoint(group.records), f"{what}: lists a file twice")
            listed.update(group.records)
        return groups

    def _check_listed(self, file: bytes, digest: bytes, header: Header) -> None:
        record, what = self.record(digest), header.what
        require(record.id == file, f"{what}: lists a record under another file than its own")
        made_by = record.author, record.device
        require(made_by == (header.author, header.device), f"{what}: lists a record of another author or device")

    def _state_at(self, position: int) -> dict[bytes, tuple[bytes, int]]:
        """The server's word: the record hash of every file, and the entry that listed it."""
        rows = self._rows(
            "SELECT file, hash, position FROM version JOIN record ON record.id = version.record"
            " WHERE log = ? AND position <= ? AND (superseded IS NULL OR superseded > ?)",
            position, position,
        )
        state = {file: (record, since) for file, record, since in rows}
        require(len(state) == len(rows), f"the server names two records of one file at position {position}")
        return state

    def _checkpoints(self) -> dict[int, Checkpoint]:
        found: dict[int, Checkpoint] = {}
        for position, data in self._rows("SELECT position, bytes FROM checkpoint WHERE log = ?"):
            checkpoint = Checkpoint(data, self.owner, f"the checkpoint at {position}")
            good = checkpoint.position == position < len(self.headers) and checkpoint.head == self.headers[position].hash
            require(good, f"{checkpoint.what}: names another head than the log has")
            found[position] = checkpoint
        return found

    def _states(self, checkpoint: Checkpoint) -> list[State]:
        rows = self._rows("SELECT scope, bytes FROM checkpoint_state WHERE log = ? AND position = ? ORDER BY scope", checkpoint.position)
        states = [State(data, self.owner, f"{checkpoint.what}, scope {scope.hex()}") for scope, data in rows]
        require([s.scope for s in states] == [scope for scope, _ in rows], f"{checkpoint.what}: a row names another scope than its state")
        return states

    def _check_checkpoint(self, checkpoint: Checkpoint, begins: bool = False) -> None:
        states = self._states(checkpoint)
        if begins and checkpoint.shared:
            self.judge.begin(states)
        require(self.judge.shared == checkpoint.shared, f"{checkpoint.what}: is of the wrong format for what was shared by then")
        state = {file: digest for file, (digest, _) in self.judge.state.items()}
        checkpoint.check(state, lambda digest: self.record(digest).scope, states)
        if checkpoint.shared:
            self.judge.check_states(states)

    def _walk(self) -> None:
        """The state of every file, judged entry by entry."""
        checkpoints, start, base = self._checkpoints(), self._bodies_from, -1
        if start > 0:
            base = max((position for position in checkpoints if position + 1 >= start), default=None)
            require(base is not None, f"groups before {start} are gone, and no checkpoint stands for them")
            self.judge.state = self._state_at(base)
            for header in self.headers[: base + 1]:
                # What others signed leads up to a head that the owner has signed.
                if header.author == self.owner.id or not checkpoints[base].shared:
                    check_signature(self.owner.entry_key, "entry", header.data, header.what)
            for file, (digest, since) in self.judge.state.items():
                self._check_listed(file, digest, self.headers[since])
            self._check_checkpoint(checkpoints[base], begins=True)
        here = {digest for (digest,) in self._rows("SELECT hash FROM record WHERE owner = ?")}
        for header in self.headers[start:]:
            groups = self.groups(header, base)
            for group in groups:
                for file, digest in group.records.items():
                    # A record that a later one replaced may be gone.
                    if digest in here:
                        self._check_listed(file, digest, header)
                        right = self.record(digest).scope == group.scope
                        require(right, f"{header.what}: lists a record under another scope than its own")
            if header.position <= base:
                brings = any(group.grants for group in groups)
                require(self.judge.shared or not brings, f"{header.what}: shares something before a checkpoint")
                continue
            self.judge.entry(header, groups)
            if header.position in checkpoints:
                self._check_checkpoint(checkpoints[header.position])
        require(self.judge.state == self._state_at(len(self.headers) - 1), "the table of versions says something else than the log")

    def tree(self, account: Account) -> Node:
        """Opens every file of the own tree, from the root down."""
        root = self.judge.now(self.owner.root_id)
        require(root is not None, "the log has no root")
        shape = root.parent == root.id and root.type == FOLDER and not root.deleted and root.scope == root.id
        require(shape, "the root is not a folder that is its own parent")
        top = self._open(root, account.root_key, account.root_tag, False)
        require(top.body.name == self.username, "the root is not named after its owner")
        opened = self._fill(top, {root.id}, account)
        require(opened == len(self.judge.state), f"{len(self.judge.state) - opened} files are not below the root")
        return top

    def shared_tree(self, account: Account, file: bytes) -> Node | None:
        """Opens what is shared with a member; nothing when it is not, or not any more."""
        record = self.judge.now(file)
        if record is None or record.scope != file or file == self.owner.root_id or self.judge.mode(account.id, file) < READ:
            return None
        top = self._open_wrapped(record, account, self._is_dead(record))
        self._fill(top, set(self.judge.around(file)) | {self.owner.root_id}, account)
        return None if top.dead else top

    def _is_dead(self, record: Record) -> bool:
        while not record.deleted and record.id != self.owner.root_id:
            record = self.judge.now(record.parent)
        return record.deleted

    def _fill(self, top: Node, scopes: set[bytes], account: Account) -> int:
        todo, opened = [(top, scopes)], 1
        while todo:
            folder, scopes = todo.pop()
            for record in self._below.get(folder.record.id, []):
                require(folder.record.type == FOLDER, f"{record.what}: what is above it is not a folder")
                inside = scopes | {record.id}
                require(record.scope in inside, f"{record.what}: its scope is neither the root nor a file above it")
                in_place = record.scope in (record.id, folder.record.scope)
                require(in_place or folder.dead, f"{record.what}: is in another scope than its folder")
                # Below what was deleted before its folder was shared: of a scope that this member does not see.
                if self.judge.mode(account.id, record.scope) < READ:
                    continue
                node = self._open_below(folder, record, account)
                opened += 1
                if not node.dead:
                    normal = normal_form(node.body.name)
                    require(normal not in folder.children, f"{record.what}: another file in its folder has the same name")
                    folder.children[normal] = node
                todo.append((node, inside))
        return opened

    def _key(self, folder: Node, epoch: int) -> FileKey:
        record = folder.record
        if epoch not in folder.keys and epoch == record.epoch - 1:
            folder.keys[epoch] = FileKey(record.open_previous(folder.keys[record.epoch]))
        require(epoch in folder.keys, f"{record.what}: its key of epoch {epoch} is not to be had")
        return folder.keys[epoch]

    def _open_below(self, folder: Node, record: Record, account: Account) -> Node:
        wrapped = (record.id, record.epoch, account.id) in self.judge.wraps
        try:
            key = self._key(folder, record.parent_epoch)
            return self._open(record, key.wrap, key.tag, folder.dead)
        except Refused:
            # A key that an admin made, who does not see the folder.
            if record.id != record.scope or not wrapped:
                raise
            return self._open_wrapped(record, account, folder.dead)

    def _open_wrapped(self, record: Record, account: Account, dead: bool) -> Node:
        wrap = self.judge.wraps.get((record.id, record.epoch, account.id))
        require(wrap is not None, f"{record.what}: its key of epoch {record.epoch} was not wrapped for this account")
        return self._opened(record, FileKey(wrap.open(account)), None, dead)

    def _open(self, record: Record, wrap_key: bytes, tag_key: bytes, dead: bool) -> Node:
        return self._opened(record, FileKey(record.open_key(wrap_key)), tag_key, dead)

    def _opened(self, record: Record, key: FileKey, tag_key: bytes | None, dead: bool) -> Node:
        body = record.open_body(key)
        if tag_key is not None:
            right = hmac.compare_digest(name_tag(tag_key, body.name), record.name_tag)
            require(right, f"{record.what}: its name tag is not that of its name")
        node = Node(self, record, body, {record.epoch: key}, dead or record.deleted)
        if record.has_previous:
            self._key(node, record.epoch - 1)
        return node

    def blob(self, record: Record) -> BinaryIO:
        rows = self._rows("SELECT size, bytes FROM blob WHERE owner = ? AND name = ?", record.blob_name)
        require(len(rows) == 1, f"{record.what}: its blob is not there")
        size, data = rows[0]
        require(size == record.blob_size, f"{record.what}: its blob has {size} bytes instead of {record.blob_size}")
        if data is None:
            name = record.blob_name.hex()
            path = self._folder / "blobs" / self.owner.id.hex()[:32] / name[:2] / name
            require(path.is_file(), f"{record.what}: the file of its blob is not there")
            file: BinaryIO = open(path, "rb")
        else:
            file = tempfile.TemporaryFile()
            file.write(data)
        if blob_name(file, size, record.what) != record.blob_name:
            file.close()
            raise Refused(f"{record.what}: its blob has another name than its bytes")
        return file


class Reader:
    """The folder of a server, and the logs in it that an account reads."""

    def __init__(self, folder: Path, account: Account):
        self.folder, self.account = folder, account
        database = folder / "server.sqlite"
        require(database.is_file(), f"there is no server.sqlite in {folder}")
        log = database.with_name("server.sqlite-wal")
        # Without a log beside it, or one that is shorter than its header, nothing at all has to be written to read the database.
        how = "mode=ro" if log.exists() and log.stat().st_size >= 32 else "mode=ro&immutable=1"
        self._database = sqlite3.connect(f"{database.resolve().as_uri()}?{how}", uri=True, isolation_level=None)
        self._database.execute("BEGIN")
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        require(version == 1, f"the database has version {version}, this reader knows 1")
        self._logs: dict[bytes, Log] = {}

    def close(self) -> None:
        self._database.close()

    def log(self, owner: bytes) -> Log:
        if owner not in self._logs:
            self._logs[owner] = Log(self.folder, self._database, owner)
        return self._logs[owner]

    def behind(self, link: Node) -> Node | None:
        owner, file = link.body.target
        require(owner != self.account.id, f"{link.record.what}: leads into the own tree")
        return self.log(owner).shared_tree(self.account, file)


def read(reader: Reader, key: CompactKey | None, target: Path | None) -> list[tuple[str, int, str]]:
    log = reader.log(reader.account.id)
    if key is not None:
        kept = key.position < len(log.headers) and log.headers[key.position].hash == key.head
        require(kept, "the log was rolled back: it has not the entry that the key names")
    todo = [("", log.tree(reader.account))]
    found: list[tuple[str, int, str]] = []
    while todo:
        path, node = todo.pop()
        if node.record.type == LINK:
            # A link inside of what others share would be theirs.
            behind = reader.behind(node) if node.log is log else None
            if behind is None:
                continue
            node = behind
        if node.record.type == FOLDER:
            if target is not None and path:
                (target / path[1:]).mkdir()
            todo += ((f"{path}/{child.body.name}", child) for child in node.children.values())
        elif node.record.type == DOCUMENT:
            found.append((path, *_document(node, target / path[1:] if target is not None else None)))
    return sorted(found, key=lambda row: row[0].encode())


def _document(node: Node, path: Path | None) -> tuple[int, str]:
    state = hashlib.sha256()
    content = node.body.content
    with tempfile.NamedTemporaryFile(dir=path.parent) if path is not None else open(os.devnull, "wb") as out:

        def take(piece: bytes) -> None:
            state.update(piece)
            out.write(piece)

        if content is not None:
            with node.log.blob(node.record) as file:
                read_content(file, node.record, content, take)
        if path is not None:
            out.flush()
            os.chmod(out.name, 0o700 if node.body.executable else 0o600)
            # Unlike a renaming, this never writes over what is there.
            os.link(out.name, path)
    return content.size if content is not None else 0, state.hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description="Reads the notes of an account in the data folder of a server.")
    parser.add_argument("folder", type=Path, help="data folder of the server")
    parser.add_argument("--to", type=Path, metavar="DIR", help="write documents and folders into this folder")
    options = parser.parse_args()
    try:
        text = sys.stdin.read()
        key = compact_key(text) if text.strip().lower().startswith("lb1") else None
        account = Account(key.seed if key else seed_of_phrase(text))
        if options.to is not None:
            options.to.mkdir(parents=True, exist_ok=True)
        with closing(Reader(options.folder, account)) as reader:
            found = read(reader, key, options.to)
    except Refused as refusal:
        print(f"reader: {refusal}", file=sys.stderr)
        return 1
    except (OSError, sqlite3.Error) as error:
        print(f"reader: {error}", file=sys.stderr)
        return 1
    for path, size, digest in found:
        sys.stdout.buffer.write(f"{path}\t{size}\t{digest}\n".encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
