"""The commands that are cut off by `sweep.py` and `unsynced.py`, and what each may leave behind."""

import os
import random
from dataclasses import dataclass, field

NOT_FOUND, EXISTS, NO_ACCOUNT, CONFLICT, PARTIAL, NOT_HERE = 3, 4, 5, 8, 9, 14
# Stands in every content and in many names; found in a data folder, it was written there readable.
TOKEN = b"Ploughshare"
FAULTS = tuple(os.environ.get("KINDS", "kill,full,error").split(","))


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
    # Done before the second run, of an export alone: what was cut off has to know its files all the same.
    later: list[tuple] = field(default_factory=list)
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
    # The device that has to come to the same; `joiner` joins when it is first needed.
    other: str = "phone"


EDITOR = "sh -c 'printf \"%s\\n\" \"Ploughshare edited\" >\"$1\"' -"
# A folder of bob's that alice writes in as `/bobs`.
BEHIND_A_LINK = [("bob", ["write", "/bobs/note.md"], b"Ploughshare of bob\n"), ("bob", ["share", "new", "/bobs", "alice", "--mode", "write"]),
                 ("bob", ["sync"]), ("laptop", ["sync"]), ("laptop", ["share", "accept", "OFFER"]), ("laptop", ["sync"])]
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
    # The trees of two accounts are two databases, which commit one after the other.
    Scene("move into a share", ["move", "/notes/one.md", "/notes/two.md", "/bobs/"], is_atomic=False, again=(0, NOT_FOUND, EXISTS), before=BEHIND_A_LINK),
    Scene("move out of a share", ["move", "/bobs/note.md", "/notes/"], is_atomic=False, again=(0, NOT_FOUND, EXISTS), before=BEHIND_A_LINK),
    Scene("undo of a move into a share", ["undo"], is_atomic=False, is_once=True, again=(0, CONFLICT),
          before=[*BEHIND_A_LINK, ("laptop", ["move", "/notes/one.md", "/bobs/"])]),
    Scene("delete in two trees", ["delete", "/notes/one.md", "/bobs/note.md"], is_atomic=False, again=(0, NOT_FOUND), before=BEHIND_A_LINK),
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
    Scene("export and go on", ["export", "--quiet", "--mirror", "/", "OUT"], is_atomic=False,
          each=[("laptop", ["export", "--quiet", "/", "OUT"]), ("laptop", ["write", "/notes/one.md"], b"Ploughshare, later\n"),
                ("laptop", ["write", "/notes/new.md"], b"Ploughshare, new\n"), ("laptop", ["write", "/fresh/new.md"], b"Ploughshare, new\n")],
          later=[("laptop", ["write", "/notes/one.md"], b"Ploughshare, at last\n"), ("laptop", ["delete", "/notes/new.md"]),
                 ("laptop", ["delete", "--recursive", "/fresh"])],
          # A store that cannot be written keeps nobody from getting notes out: of those the next export does not know that it wrote them.
          faults=("kill",)),
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
    Scene("server: first account", ["account", "new", "zoe", "--server", "URL"], who="new", program="lockbook-server", again=(0, EXISTS)),
    Scene("server: purge", ["sync"], syncs=True, program="lockbook-server",
          before=[("laptop", ["write", "/large.bin"], TOKEN + random.Random(7).randbytes(2_500_000)), ("laptop", ["sync"]),
                  ("laptop", ["delete", "--permanent", "--force", "/large.bin"])]),
    Scene("server: share", ["sync"], syncs=True, program="lockbook-server", before=[("laptop", ["share", "new", "/notes", "bob"])]),
]
