#!/usr/bin/env python3
"""A second reader of Lockbook's formats, written from docs/FORMAT.md alone.

    reader.py SERVER_DATA_FOLDER [--to DIR] < the 24 words (or the compact key)

Prints `PATH<TAB>SIZE<TAB>SHA256` for every live document of that account in the folder of a server, sorted by path, and
with --to writes documents and folders into DIR. Everything the document says can be checked is checked on the way; the
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
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
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


class Account:
    def __init__(self, seed: bytes):
        prk = mac(b"lockbook/v1/account", seed)

        def key(purpose: str) -> bytes:
            return expand(prk, b"lockbook/v1/account/" + purpose.encode())

        def public(private: Ed25519PrivateKey | X25519PrivateKey) -> bytes:
            return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

        self.entry_key = public(Ed25519PrivateKey.from_private_bytes(key("entry-signing")))
        self.request_key = public(Ed25519PrivateKey.from_private_bytes(key("request-signing")))
        self.agreement_key = public(X25519PrivateKey.from_private_bytes(key("key-agreement")))
        self.root_key, self.root_tag = key("root-key"), key("root-tag")
        self.id = account_id(self.entry_key, self.request_key, self.agreement_key)
        self.root_id = labelled_hash("root-id", self.id)[:16]


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
        self.account_id = account_id(self.entry_key, self.request_key, self.agreement_key)
        self.hash = labelled_hash("certificate", data)


# 9. Log entry, 11. Grant, 12. Grantee wrap


class Header:
    def __init__(self, data: bytes, what: str):
        self.hash = labelled_hash("header", data)
        d = Decoder(data, what)
        self.log, self.position, self.previous, self.author = d.bytes(32), d.u64(), d.bytes(32), d.bytes(32)
        self.device, self.body_hash, self.created = d.bytes(16), d.bytes(32), d.i64()
        d.bytes(64)
        d.end()


class Group:
    def __init__(self, data: bytes, account: Account, what: str):
        self.hash = labelled_hash("group", data)
        d = Decoder(data, what, 3)
        self.scope = d.bytes(16)
        listed = [(d.bytes(16), d.bytes(32)) for _ in range(d.count(20_000, 48))]
        require_rising([file for file, _ in listed], what)
        self.records = dict(listed)
        grants = [d.counted() for _ in range(d.count(1_000, 4))]
        require_rising(grants, what)
        wraps = [d.counted() for _ in range(d.count(1_000, 4))]
        require_rising(wraps, what)
        self.purged = [d.bytes(16) for _ in range(d.count(20_000, 16))] if d.format >= 2 else []
        require_rising(self.purged, what)
        left = [d.bytes(16) for _ in range(d.count(20_000, 16))] if d.format >= 3 else []
        inner = [d.bytes(16) for _ in range(d.count(20_000, 16))] if d.format >= 3 else []
        require_rising(left, what)
        require_rising(inner, what)
        require(d.format < 3 or left or inner, f"{what}: is of a format that it does not need")
        require(set(left).isdisjoint(self.records) and set(left).isdisjoint(self.purged), f"{what}: keeps a file that left")
        require(self.scope not in inner, f"{what}: is inside of itself")
        require(d.format != 2 or self.purged, f"{what}: purges nothing, and says it does")
        require(self.records.keys().isdisjoint(self.purged), f"{what}: changes a file and purges it")
        d.counted()
        d.end()
        for grant in grants:
            check_grant(grant, account, f"{what}, a grant")
        for wrap in wraps:
            check_grantee_wrap(wrap, account, f"{what}, a grantee wrap")


def check_grant(data: bytes, account: Account, what: str) -> None:
    d = Decoder(data, what)
    require(d.bytes(32) == account.id, f"{what}: is of another tree")
    d.bytes(16)
    check_signing_key(d.bytes(32), what)
    check_signing_key(d.bytes(32), what)
    check_agreement_key(d.bytes(32), what)
    check_username(d.text(), what)
    d.choice(3)
    # Grants of a share's admins would take the history of who was one.
    require(d.bytes(32) == account.id, f"{what}: is by another account than the owner, which this reader cannot judge")
    d.u64(), d.i64(), d.bytes(64)
    d.end()
    check_signature(account.entry_key, "grant", data, what)


def check_grantee_wrap(data: bytes, account: Account, what: str) -> None:
    d = Decoder(data, what)
    require(d.bytes(32) == account.id, f"{what}: is of another tree")
    d.bytes(16), d.u32(), d.bytes(32)
    check_agreement_key(d.bytes(32), what)
    d.bytes(48)
    d.end()


def body_hash(certificate: Certificate | None, groups: list[Group], shared: bool = False) -> bytes:
    if shared:
        parts = b"".join(group.scope + group.hash for group in groups)
        return labelled_hash("entry-body", b"\2\0" + struct.pack(">I", len(groups)) + parts)
    body = b"\1" + (b"\1" + certificate.hash if certificate else b"\0") + struct.pack(">I", len(groups))
    return labelled_hash("entry-body", body + b"".join(group.hash for group in groups))


# 10. Checkpoint


class Checkpoint:
    def __init__(self, data: bytes, account: Account, what: str):
        self.what = what
        d = Decoder(data, what)
        require(d.bytes(32) == account.id, f"{what}: is of another tree")
        self.position, self.head = d.u64(), d.bytes(32)
        self.scopes = [(d.bytes(16), d.u64(), d.bytes(32)) for _ in range(d.count(2**32, 56))]
        require_rising([scope for scope, _, _ in self.scopes], what)
        author = d.bytes(32)
        d.bytes(16), d.i64(), d.counted(), d.bytes(64)
        d.end()
        require(author == account.id, f"{what}: is by another account than the owner, which this reader cannot judge")
        check_signature(account.entry_key, "checkpoint", data, what)

    def check(self, state: dict[bytes, bytes], scope_of: Callable[[bytes], bytes]) -> None:
        """Compares with the record hash of every file."""
        listed: dict[bytes, list[bytes]] = {}
        for file in sorted(state):
            listed.setdefault(scope_of(state[file]), []).append(file + state[file])
        found = [(scope, len(files), labelled_hash("scope", b"".join(files))) for scope, files in sorted(listed.items())]
        require(found == self.scopes, f"{self.what}: the files at its position are not those it names")


# Where a server keeps it


@dataclass
class Node:
    record: Record
    body: Body
    keys: dict[int, FileKey]
    dead: bool
    children: dict[bytes, "Node"] = field(default_factory=dict)


class Reader:
    def __init__(self, folder: Path, account: Account):
        self.folder, self.account = folder, account
        database = folder / "server.sqlite"
        require(database.is_file(), f"there is no server.sqlite in {folder}")
        log = database.with_name("server.sqlite-wal")
        # Without a log beside it, nothing at all has to be written to read the database.
        how = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
        self._database = sqlite3.connect(f"{database.resolve().as_uri()}?{how}", uri=True, isolation_level=None)
        self._database.execute("BEGIN")
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        require(version == 1, f"the database has version {version}, this reader knows 1")
        row = self._database.execute(
            "SELECT id, username, certificate, head_position, head_hash, bodies_from FROM account WHERE account = ?", (account.id,)
        ).fetchone()
        require(row is not None, "this server does not know the account of these words")
        self._log, self.username, self._certificate_bytes, self._head_position, self._head_hash, self._bodies_from = row
        self._records: dict[bytes, Record] = {}

    def close(self) -> None:
        self._database.close()

    def _rows(self, query: str, *values: object) -> list[tuple]:
        return self._database.execute(query, (self._log, *values)).fetchall()

    def record(self, digest: bytes) -> Record:
        if digest not in self._records:
            rows = self._rows("SELECT bytes FROM record WHERE owner = ? AND hash = ?", digest)
            require(len(rows) == 1, f"record {digest.hex()[:16]}: is not there")
            record = Record(rows[0][0])
            require(record.hash == digest, f"record {digest.hex()[:16]}: its bytes have another hash")
            require(record.owner == self.account.id, f"record {digest.hex()[:16]}: is of another tree")
            self._records[digest] = record
        return self._records[digest]

    def _check_certificate(self, data: bytes | None) -> Certificate:
        require(data is not None and data == self._certificate_bytes, "entry 0 carries another certificate than the account")
        certificate, own = Certificate(data), self.account
        keys = certificate.entry_key, certificate.request_key, certificate.agreement_key
        require(keys == (own.entry_key, own.request_key, own.agreement_key), "the certificate is of other keys")
        require(certificate.username == self.username, "the certificate is of another username")
        return certificate

    def headers(self) -> list[Header]:
        """The chain, from its first entry to the head, each signed."""
        headers: list[Header] = []
        previous = bytes(32)
        rows = self._rows("SELECT position, header, hash, certificate FROM entry WHERE log = ? ORDER BY position")
        for expected, (position, data, digest, certificate) in enumerate(rows):
            what = f"entry {expected}"
            require(position == expected, f"{what}: is not there")
            header = Header(data, what)
            require(header.log == self.account.id, f"{what}: is of another tree")
            require(header.position == position, f"{what}: its header names position {header.position}")
            require(header.previous == previous, f"{what}: does not continue the one before")
            require(header.author == self.account.id, f"{what}: is by another account than the owner, which this reader cannot judge")
            check_signature(self.account.entry_key, "entry", data, what)
            require(header.hash == digest, f"{what}: its row names another hash")
            if position == 0:
                self.certificate = self._check_certificate(certificate)
            else:
                require(certificate is None, f"{what}: only the first entry carries a certificate")
            headers.append(header)
            previous = header.hash
        require(bool(headers), "the log is empty")
        head = len(headers) - 1, headers[-1].hash
        require(head == (self._head_position, self._head_hash), "the account's row names another head than the log has")
        return headers

    def groups(self, header: Header) -> list[Group]:
        what = f"entry {header.position}"
        rows = self._rows("SELECT scope, bytes FROM entry_group WHERE log = ? AND position = ? ORDER BY scope", header.position)
        require(len(rows) <= 1_000, f"{what}: has too many groups")
        groups = [Group(data, self.account, f"{what}, a group") for _, data in rows]
        require([g.scope for g in groups] == [scope for scope, _ in rows], f"{what}: a row names another scope than its group")
        require_rising([g.scope for g in groups], what)
        first = header.position == 0
        hashes = [body_hash(self.certificate if first else None, groups), body_hash(None, groups, shared=True)]
        require(header.body_hash in hashes, f"{what}: its body has another hash")
        if first:
            root = len(groups) == 1 and list(groups[0].records) == [self.account.root_id]
            require(root, f"{what}: does not list the root and nothing else")
        return groups

    def _check_listed(self, file: bytes, digest: bytes, header: Header) -> None:
        record, what = self.record(digest), f"entry {header.position}"
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

    def current(self, headers: list[Header]) -> dict[bytes, bytes]:
        """The hash of the record that every file has now."""
        checkpoints: dict[int, Checkpoint] = {}
        for position, data in self._rows("SELECT position, bytes FROM checkpoint WHERE log = ?"):
            checkpoint = Checkpoint(data, self.account, f"the checkpoint at {position}")
            good = checkpoint.position == position < len(headers) and checkpoint.head == headers[position].hash
            require(good, f"{checkpoint.what}: names another head than the log has")
            checkpoints[position] = checkpoint

        def scope_of(digest: bytes) -> bytes:
            return self.record(digest).scope

        state: dict[bytes, tuple[bytes, int]] = {}
        start = self._bodies_from
        if start > 0:
            base = max((position for position in checkpoints if position >= start), default=None)
            require(base is not None, f"groups before {start} are gone, and no checkpoint stands for them")
            state = self._state_at(base)
            for file, (digest, since) in state.items():
                self._check_listed(file, digest, headers[since])
            checkpoints[base].check({file: digest for file, (digest, _) in state.items()}, scope_of)
        here = {digest for (digest,) in self._rows("SELECT hash FROM record WHERE owner = ?")}
        for header in headers[start:]:
            walked = start == 0 or header.position > base
            listed: set[bytes] = set()
            for group in self.groups(header):
                require(listed.isdisjoint(group.records), f"entry {header.position}: lists a file twice")
                listed.update(group.records)
                for file, digest in group.records.items():
                    # A record that a later one replaced may be gone.
                    if digest in here:
                        self._check_listed(file, digest, header)
                        right = self.record(digest).scope == group.scope
                        require(right, f"entry {header.position}: lists a record under another scope than its own")
                    if walked:
                        state[file] = digest, header.position
                for file in group.purged if walked else ():
                    require(file in state, f"entry {header.position}: purges a file that there is not")
                    del state[file]
            if walked and header.position in checkpoints:
                checkpoints[header.position].check({file: digest for file, (digest, _) in state.items()}, scope_of)
        require(state == self._state_at(len(headers) - 1), "the table of versions says something else than the log")
        return {file: digest for file, (digest, _) in state.items()}

    def tree(self, current: dict[bytes, bytes]) -> Node:
        """Opens every file, from the root down."""
        below: dict[bytes, list[Record]] = {}
        records = {file: self.record(digest) for file, digest in current.items()}
        for record in records.values():
            if record.id != self.account.root_id:
                below.setdefault(record.parent, []).append(record)
        require(self.account.root_id in records, "the log has no root")
        root = records[self.account.root_id]
        shape = root.parent == root.id and root.type == FOLDER and not root.deleted and root.scope == root.id
        require(shape, "the root is not a folder that is its own parent")
        top = self._open(root, self.account.root_key, self.account.root_tag, False)
        require(top.body.name == self.username, "the root is not named after its owner")
        todo, opened = [(top, {root.id})], 1
        while todo:
            folder, scopes = todo.pop()
            for record in below.get(folder.record.id, []):
                require(folder.record.type == FOLDER, f"{record.what}: what is above it is not a folder")
                inside = scopes | {record.id}
                require(record.scope in inside, f"{record.what}: its scope is neither the root nor a file above it")
                key = self._key(folder, record.parent_epoch)
                node = self._open(record, key.wrap, key.tag, folder.dead)
                opened += 1
                if not node.dead:
                    normal = normal_form(node.body.name)
                    require(normal not in folder.children, f"{record.what}: another file in its folder has the same name")
                    folder.children[normal] = node
                todo.append((node, inside))
        require(opened == len(records), f"{len(records) - opened} files are not below the root")
        return top

    def _key(self, folder: Node, epoch: int) -> FileKey:
        record = folder.record
        if epoch not in folder.keys and epoch == record.epoch - 1:
            folder.keys[epoch] = FileKey(record.open_previous(folder.keys[record.epoch]))
        require(epoch in folder.keys, f"{record.what}: its key of epoch {epoch} is not to be had")
        return folder.keys[epoch]

    def _open(self, record: Record, wrap_key: bytes, tag_key: bytes, dead: bool) -> Node:
        key = FileKey(record.open_key(wrap_key))
        body = record.open_body(key)
        require(hmac.compare_digest(name_tag(tag_key, body.name), record.name_tag), f"{record.what}: its name tag is not that of its name")
        node = Node(record, body, {record.epoch: key}, dead or record.deleted)
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
            path = self.folder / "blobs" / self.account.id.hex()[:32] / name[:2] / name
            require(path.is_file(), f"{record.what}: the file of its blob is not there")
            file: BinaryIO = open(path, "rb")
        else:
            file = tempfile.TemporaryFile()
            file.write(data)
        if blob_name(file, size, record.what) != record.blob_name:
            file.close()
            raise Refused(f"{record.what}: its blob has another name than its bytes")
        return file


def read(reader: Reader, key: CompactKey | None, target: Path | None) -> list[tuple[str, int, str]]:
    headers = reader.headers()
    if key is not None:
        kept = key.position < len(headers) and headers[key.position].hash == key.head
        require(kept, "the log was rolled back: it has not the entry that the key names")
    todo = [("", reader.tree(reader.current(headers)))]
    found: list[tuple[str, int, str]] = []
    while todo:
        path, node = todo.pop()
        if node.record.type == FOLDER:
            if target is not None and path:
                (target / path[1:]).mkdir()
            todo += ((f"{path}/{child.body.name}", child) for child in node.children.values())
        elif node.record.type == DOCUMENT:
            found.append((path, *_document(reader, node, target / path[1:] if target is not None else None)))
    return sorted(found, key=lambda row: row[0].encode())


def _document(reader: Reader, node: Node, path: Path | None) -> tuple[int, str]:
    state = hashlib.sha256()
    content = node.body.content
    with tempfile.NamedTemporaryFile(dir=path.parent) if path is not None else open(os.devnull, "wb") as out:

        def take(piece: bytes) -> None:
            state.update(piece)
            out.write(piece)

        if content is not None:
            with reader.blob(node.record) as file:
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
