#!/usr/bin/env python3
"""Imports of what other programs for notes export, built here as their documented formats say.

    LOCKBOOK     what is tested (else that of .build/release, else of .build/debug)

`docs/IMPORT.md` names the sources of the formats. The last line on stdout is `N passed, N failed`.
"""

import contextlib
import io
import json
import os
import sqlite3
import sys
import tarfile
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True

import stage
from exports import CREATED, JOPLIN, UPDATED, UPDATED_MS, bundle, joplin_item, special, standard_note, tar, zipped


class Importing:
    def __init__(self, folder: Path, tally: stage.Tally):
        self.folder, self.tally = folder, tally
        self.device = stage.Device(folder, "alice")
        self.device.run("account", "new", "alice")

    def listed(self, path: str = "/") -> dict[str, dict]:
        found = json.loads(self.device.run("list", "-r", "--json", path).output)
        return {entry["path"].removeprefix("/"): entry for entry in found}

    def text(self, path: str) -> bytes:
        return self.device.run("cat", path, may_fail=True).output

    def take(self, program: str, source: Path, destination: str, *options: str) -> stage.Outcome:
        return self.device.run("import", "--from", program, *options, source, destination, may_fail=True)

    def same(self, found: object, wanted: object, what: str) -> None:
        self.tally.check(found == wanted, what, f"{found!r}, wanted {wanted!r}")

    def refused(self, program: str, source: Path, sentence: str, what: str) -> None:
        """Refused with one sentence and status 65, and nothing changed."""
        before = self.listed()
        self.tally.refused(self.take(program, source, "/refused"), 65, sentence, what)
        self.same(self.listed(), before, f"{what}: nothing changed")


def joplin(world: Importing) -> None:
    export = tar(world.folder / "notes.jex", JOPLIN)
    done = world.take("joplin", export, "/j", "--json")
    world.same(done.status, 0, "joplin: the export is taken in")
    world.same(done.errors, "", "joplin: nothing is said")
    world.same(json.loads(done.output)["ignored"], 1, "joplin: a revision is passed by")
    listed = world.listed("/j")
    world.same(sorted(listed), sorted([
        "j/Work", "j/Work/2021-22", "j/Empty", "j/Work/First.md", "j/Work/First-1.md", "j/Work/2021-22/a-b: \U0001f600 (x).md",
        "j/Untitled.md", "j/Page.html", "j/Front.md", "j/_..md", "j/attachments", "j/attachments/screen shot.png",
        "j/attachments/big.bin"]), "joplin: notebooks are folders, titles are names")
    second = "2021-22/a-b%3A%20\U0001f600%20%28x%29.md"
    shot = "../attachments/screen%20shot.png"
    world.same(world.text("/j/Work/First.md").decode(),
               f"---\ntags: [to-do, urgent]\n---\n\nSee [second]({second}#part), ![shot]({shot}), [gone](:/{0x99:032x}).\n"
               f'<img src="{shot}"/>\n\nkey: value\n\nlast', "joplin: tags and links of a note")
    world.same(world.text("/j/Work/2021-22/a-b: \U0001f600 (x).md").decode(),
               '---\ntitle: "a/b: \U0001f600 (x)"\n---\n\nBack to [first](../First.md).', "joplin: a title that is no name is kept")
    world.same(world.text("/j/Work/First-1.md").decode(), "---\ntitle: First\n---\n\nanother of that title",
               "joplin: a title twice")
    world.same(world.text("/j/Untitled.md").decode(),
               '---\ndue: "2022-03-04T05:06:07Z"\ncompleted: "no"\n---\n\n', "joplin: a to-do without a title")
    world.same(world.text("/j/Page.html"), b"<p>html</p>", "joplin: HTML stays HTML")
    world.same(world.text("/j/Front.md").decode(), "---\nowner: me\ntags: [old]\n---\ntext\n\n#urgent\n",
               "joplin: front matter of the note stays")
    world.same(world.text("/j/attachments/big.bin"), JOPLIN[-1][1], "joplin: a large attachment, byte for byte")
    world.same(listed["j/Work/First.md"]["modified"], UPDATED_MS, "joplin: the time of the change is kept")
    links = json.loads(world.device.run("links", "--json", "/j/Work/First.md").output)
    world.same([link.get("path") for link in links],
               ["/j/Work/2021-22/a-b: \U0001f600 (x).md", "/j/attachments/screen shot.png", None], "joplin: links lead there")
    again = json.loads(world.take("joplin", export, "/j", "--json").output)
    world.same((again["created"], again["updated"]), (0, 0), "joplin: a second time nothing changes")
    world.device.run("write", "/j/Work/First.md", text=b"mine")
    changed = world.take("joplin", export, "/j")
    world.same(changed.status, 0, "joplin: a note that was changed here alone is no trouble")
    world.same(world.text("/j/Work/First.md"), b"mine", "joplin: and stays")
    raw = world.folder / "raw"
    for name, content in JOPLIN:
        (raw / name).parent.mkdir(parents=True, exist_ok=True)
        (raw / name).write_bytes(content)
    # What a desktop, and a program that keeps versions of folders, leave in them.
    for stray in ("._stray.md", ".DS_Store", "resources/.DS_Store", ".git/config"):
        (raw / stray).parent.mkdir(exist_ok=True)
        (raw / stray).write_bytes(b"\0\5\x16\7")
    taken = world.take("joplin", raw, "/raw")
    world.same(taken.status, 0, "joplin: the folder of the same items")
    world.tally.check(".git" not in taken.errors, "joplin: nothing is said of what was passed by", taken.errors)
    world.same(len(world.listed("/raw")), len(listed), "joplin: holds the same")
    lost = world.take("joplin", tar(world.folder / "lost.jex", JOPLIN[:-1]), "/lost")
    world.same(lost.status, 9, "joplin: an attachment that is not there")
    world.tally.check("big.bin: the export does not hold this attachment" in lost.errors, "joplin: is named", lost.errors)
    kept = [joplin_item(1, 0xA8 + number, "First", text, parent_id=f"{0xF1:032x}", is_conflict=1, **fields)
            for number, text, fields in [(0, "mine", {}), (1, "yours", {}), (2, "gone", {"deleted_time": UPDATED_MS})]]
    told = world.take("joplin", tar(world.folder / "kept.jex", [*JOPLIN, *kept]), "/kept")
    world.same(told.status, 0, "joplin: conflict copies are taken in")
    world.tally.check("2 conflict copies are in the folder Conflicts, as Joplin kept them" in told.errors,
                      "joplin: and counted", told.errors)
    world.same(sorted(set(world.listed("/kept")) - {path.replace("j/", "kept/", 1) for path in listed}),
               ["kept/Conflicts", "kept/Conflicts/First-1.md", "kept/Conflicts/First.md", "kept/Trash", "kept/Trash/First.md"],
               "joplin: they stand apart")
    world.same(world.text("/kept/Conflicts/First.md"), b"mine", "joplin: with their texts")


def malformed(world: Importing) -> None:
    folder, good = world.folder, JOPLIN[:4]

    def archive(name: str, members: list[tuple[str, bytes]], *extra: tarfile.TarInfo) -> Path:
        return tar(folder / name, members, *extra)

    world.refused("joplin", archive("no-type.jex", [*good, ("x.md", b"title\n\nid: 1")]), "x.md in it is no item of Joplin",
                  "a JEX with an item without a type")
    world.refused("joplin", archive("no-properties.jex", [*good, ("x.md", b"only text")]), "does not end with properties",
                  "a JEX with a plain file")
    world.refused("joplin", archive("latin.jex", [*good, ("x.md", b"caf\xe9\n\ntype_: 1")]), "it is not UTF-8",
                  "a JEX with a note that is not UTF-8")
    world.refused("joplin", archive("twice.jex", [*good, good[3]]), "is in it twice", "a JEX with an item twice")
    world.refused("joplin", archive("empty.jex", []), "cannot import", "a JEX with nothing in it")
    (folder / "zero.jex").write_bytes(b"")
    world.refused("joplin", folder / "zero.jex", "cannot import", "an empty file")
    (folder / "noise.jex").write_bytes(os.urandom(5000))
    world.refused("joplin", folder / "noise.jex", "cannot import", "noise")
    whole = archive("whole.jex", JOPLIN).read_bytes()
    (folder / "cut.jex").write_bytes(whole[:-400_000])
    world.refused("joplin", folder / "cut.jex", "cannot import", "a JEX that was cut")
    with tarfile.open(fileobj=io.BytesIO(whole)) as tape:
        last = tape.getmembers()[-1].offset
    (folder / "cut.jex").write_bytes(whole[:last])
    world.refused("joplin", folder / "cut.jex", "its end is missing", "a JEX that was cut between two files")
    world.refused("joplin", archive("up.jex", [*good, ("../evil.md", b"x")]), "would lead out of its folder", "../ in a name")
    world.refused("joplin", archive("deep.jex", [*good, ("resources/../../evil", b"x")]), "would lead out", "../ inside a name")
    world.refused("joplin", archive("root.jex", [*good, ("/etc/evil", b"x")]), "would lead out", "an absolute name")
    world.refused("joplin", archive("sign.jex", [*good, ("\u0600/../../evil", b"x")]), "would lead out",
                  "../ behind a sign that is one character with the slash")
    for kind, word in ((tarfile.SYMTYPE, "is a link"), (tarfile.LNKTYPE, "is a link"), (tarfile.CHRTYPE, "neither a file"),
                       (tarfile.FIFOTYPE, "neither a file")):
        name = f"special-{kind.decode()}.jex"
        world.refused("joplin", archive(name, good, special("resources/x", kind, "/etc/passwd")), word, f"tar type {kind!r}")
    world.refused("joplin", zipped(folder / "bomb.zip", [("resources/x", bytes(300_000_000))]), "hundred times",
                  "a zip that grows to 300 MB")
    loop = [joplin_item(2, 0xF1, "A", parent_id=f"{0xF2:032x}"), joplin_item(2, 0xF2, "B", parent_id=f"{0xF1:032x}")]
    world.same(world.take("joplin", archive("loop.jex", loop), "/loop").status, 0, "notebooks in each other are taken in")
    world.same(len(world.listed("/loop")), 2, "both of them")
    world.tally.refused(world.take("joplin", folder / "missing.jex", "/x"), 74, "No such file", "a file that is not there")
    world.device.run("new", "/document.md")
    world.tally.refused(world.take("joplin", folder / "whole.jex", "/document.md"), 65, "is not a folder", "into a document")
    world.refused("joplin", Path("/dev/null"), "neither a file nor a folder", "a device as an export")
    world.tally.refused(world.take("evernote", folder / "whole.jex", "/x"), 64, "evernote", "a program that is not known")
    world.tally.refused(world.take("bear", folder / "whole.jex", "/x", "--exclude", "a"), 64, "folders of the disk",
                        "options that do not go together")


def standard_notes(world: Importing) -> None:
    folder = world.folder
    archived = {"appData": {"org.standardnotes.sn": {"archived": True, "client_updated_at": UPDATED}, "other": {"x": [1]}}}
    backup = {"version": "004", "items": [
        standard_note(1, "Plan", "one\n", noteType="plain-text"),
        standard_note(2, "Plan", "two"),
        standard_note(3, "Old", "three", **archived),
        standard_note(4, "Gone", "four", trashed=True),
        standard_note(5, "Super", '{"root":{}}', noteType="super"),
        standard_note(6, None, ""),
        standard_note(7, "Rich", "<b>x</b>", noteType="rich-text"),
        {"uuid": "t1", "content_type": "Tag", "content": {"title": "work", "references": [
            {"uuid": "n1", "content_type": "Note"}]}},
        {"uuid": "t2", "content_type": "Tag", "content": {"title": "this year", "references": [
            {"uuid": "t1", "content_type": "Tag", "reference_type": "TagToParentTag"},
            {"uuid": "n1", "content_type": "Note"}]}},
        {"uuid": "x", "content_type": "SN|UserPreferences", "content": {"sortBy": 1}},
        {"uuid": "d", "content_type": "Note", "deleted": True},
    ]}
    text = folder / "Standard Notes Backup and Import File.txt"
    text.write_text(json.dumps(backup, indent=2))
    done = world.take("standard-notes", text, "/s")
    world.same((done.status, "4 new" in done.errors or "7 new" in done.errors), (0, True), "standard notes: taken in")
    listed = world.listed("/s")
    world.same(sorted(listed), ["s/Archive", "s/Archive/Old.md", "s/Plan-1.md", "s/Plan.md", "s/Rich.html", "s/Super.json",
                                "s/Trash", "s/Trash/Gone.md", "s/Untitled.md"], "standard notes: where they are")
    world.same(world.text("/s/Plan.md").decode(), "---\ntags: [work, work/this-year]\n---\n\none\n", "standard notes: tags")
    world.same(listed["s/Plan.md"]["modified"], UPDATED_MS, "standard notes: the time of the change")
    tags = json.loads(world.device.run("tags", "--json").output)
    world.tally.check("work/this-year" in [tag["tag"] for tag in tags], "standard notes: `tags` finds them", str(tags))
    archive = zipped(folder / "backup.zip", [(text.name, text.read_bytes()), ("Items/Note/Plan-n1.txt", b"one")])
    world.same(world.take("standard-notes", archive, "/z").status, 0, "standard notes: the zip")
    world.same(len(world.listed("/z")), len(listed), "standard notes: holds the same")
    encrypted = {"items": [{"uuid": "n", "content_type": "Note", "content": "004:abc:def"}], "keyParams": {}}

    def written(name: str, content: str) -> Path:
        (folder / name).write_text(content)
        return folder / name

    halves = written("halves.txt", json.dumps({"items": [
        standard_note(1, "Half \ud83d", "\ude00\ud83d, \ud83d\ud83d\ude00 and \\ud83d"), standard_note(2, "Whole", "\U0001f600")]}))
    world.same(world.take("standard-notes", halves, "/halves").status, 0, "standard notes: half a character costs no note")
    world.same((world.text("/halves/Half \ufffd.md").decode(), world.text("/halves/Whole.md").decode()),
               ("\ufffd\ufffd, \ufffd\U0001f600 and \\ud83d", "\U0001f600"), "standard notes: and nothing else")
    world.refused("standard-notes", written("encrypted.txt", json.dumps(encrypted)), "it is encrypted", "an encrypted backup")
    part = written("part.txt", json.dumps({"items": [standard_note(1, "Open", "one"), *encrypted["items"]]}))
    done = world.take("standard-notes", part, "/part")
    world.same((done.status, "n: this note is encrypted" in done.errors), (9, True), "standard notes: one encrypted note is named")
    world.same(sorted(world.listed("/part")), ["part/Open.md"], "standard notes: and the rest is taken in")
    world.refused("standard-notes", written("cut.txt", json.dumps(backup)[:-40]), "it does not parse", "a backup that was cut")
    many = zipped(folder / "many.zip", [(text.name, b'{"items":[' + b"0," * 5_000_000 + b"0]}")])
    world.refused("standard-notes", many, "more than 5000000 values", "a backup of too many values")
    commas = written("commas.txt", json.dumps({"items": [standard_note(1, "Commas", "," * 5_000_001)]}))
    world.same(world.take("standard-notes", commas, "/commas").status, 0, "standard notes: commas in a note are no values")
    world.refused("standard-notes", written("other.json", '{"notes": []}'), "there is no `items` at the top", "other JSON")
    world.refused("standard-notes", written("title.json", '{"items": [{"uuid": "n", "content_type": "Note", "content": '
                  '{"title": 5}}]}'), "at items.0.content.title", "a title that is a number")
    world.refused("standard-notes", written("deep.json", '{"items": ' + "[" * 200_000), "it does not parse", "JSON 200,000 deep")
    world.refused("standard-notes", zipped(folder / "none.zip", [("a/b.txt", b"x")]), "there is no `Standard Notes",
                  "a zip of something else")


def bear(world: Importing) -> None:
    folder = world.folder
    backup = [
        *bundle("Trip to Zürich", "# Trip to Zürich\n#travel/2022 #two words#\n![](assets/my%20map.png) [f](assets/a.pdf) "
                "see assets/a.pdf [[Other]]", {"my map.png": b"map", "a.pdf": b"one"}),
        *bundle("Other", "# Other\n![](assets/a.pdf)", {"a.pdf": b"two"}),
        *bundle("Old", "old", archived=1),
        *bundle("Gone", "gone", trashed=1),
        ("tags.json", b"[]"),
    ]
    source = zipped(folder / "bear.bear2bk", backup)
    world.same(world.take("bear", source, "/b").status, 0, "bear: the backup is taken in")
    listed = world.listed("/b")
    world.same(sorted(name for name in listed if not name.endswith("attachments")), sorted([
        "b/Trip to Zürich.md", "b/Other.md", "b/Archive", "b/Archive/Old.md", "b/Trash", "b/Trash/Gone.md",
        "b/attachments/Trip to Zürich", "b/attachments/Trip to Zürich/my map.png", "b/attachments/Trip to Zürich/a.pdf",
        "b/attachments/Other", "b/attachments/Other/a.pdf"]), "bear: where they are")
    world.same(world.text("/b/Trip to Zürich.md").decode(),
               "# Trip to Zürich\n#travel/2022 #two words#\n![](attachments/Trip%20to%20Zürich/my%20map.png) "
               "[f](attachments/Trip%20to%20Zürich/a.pdf) see assets/a.pdf [[Other]]", "bear: links to attachments")
    world.same(world.text("/b/attachments/Other/a.pdf"), b"two", "bear: attachments of one name stay apart")
    world.same(listed["b/Other.md"]["modified"], UPDATED_MS // 1000 * 1000, "bear: the time of the change")
    links = json.loads(world.device.run("links", "--json", "/b/Trip to Zürich.md").output)
    world.same([link.get("path") for link in links], ["/b/attachments/Trip to Zürich/my map.png",
               "/b/attachments/Trip to Zürich/a.pdf", "/b/Other.md"], "bear: all links lead there")
    for name, content in bundle("Alone", "x"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    world.same(world.take("bear", folder / "Alone.textbundle", "/one").status, 0, "bear: one TextBundle")
    inner = [(name.split("/", 1)[1], content) for name, content in bundle("x", "packed")]
    world.same(world.take("bear", zipped(folder / "Packed.textpack", inner), "/one").status, 0, "bear: one TextPack")
    world.same(sorted(world.listed("/one")), ["one/Alone.md", "one/Packed.md"], "bear: both by their names")
    # What macOS leaves in folders, and in archives of them.
    strays = [(name, b"\0\5\x16\7") for name in (".DS_Store", "A.textbundle/.DS_Store", "A.textbundle/assets/.DS_Store",
                                               "A.textbundle/assets/._a.png", "__MACOSX/A.textbundle/assets/._a.png")]
    taken = world.take("bear", zipped(folder / "mac.zip", [*bundle("A", "x", {"a.png": b"1"}), *strays]), "/mac")
    world.same((taken.status, taken.errors), (0, "lockbook: imported 2 B: 2 new, 5 ignored\n"),
               "bear: what a desktop left beside is passed by")
    world.same(sorted(name for name in world.listed("/mac") if not name.endswith(("attachments", "/A"))),
               ["mac/A.md", "mac/attachments/A/a.png"], "bear: and is no attachment")
    locked = world.take("bear", zipped(folder / "locked.bearbk", bundle("Secret", "....", encrypted=1)), "/locked")
    world.same((locked.status, "locked with a password" in locked.errors), (9, True), "bear: a locked note is named")
    world.refused("bear", zipped(folder / "plain.bearbk", [("a.md", b"x")]), "there is no TextBundle", "a zip without bundles")
    world.refused("bear", zipped(folder / "json.bearbk", [("a.textbundle/info.json", b"{")]), "not the JSON", "a bad info.json")
    world.refused("bear", zipped(folder / "textless.bearbk", bundle("A", "x")[:1]), "there is no text in", "a bundle without text")
    world.refused("bear", zipped(folder / "out.bearbk", [*bundle("A", "x"), ("A.textbundle/assets/../../../x", b"")]),
                  "would lead out", "../ in a zip")
    os.symlink("/etc/passwd", folder / "Alone.textbundle" / "assets")
    world.refused("bear", folder / "Alone.textbundle", "is a link", "a link in a TextBundle")
    link = zipfile.ZipInfo("A.textbundle/assets/x")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    with zipfile.ZipFile(folder / "link.bearbk", "w") as archive:
        for name, content in bundle("A", "x"):
            archive.writestr(name, content)
        archive.writestr(link, "/etc/passwd")
    world.refused("bear", folder / "link.bearbk", "is a link", "a link in a zip")
    damaged = bytearray(zipped(folder / "damaged.bearbk", bundle("A", "text " * 50), zipfile.ZIP_STORED).read_bytes())
    damaged[damaged.find(b"text text")] ^= 1
    (folder / "damaged.bearbk").write_bytes(damaged)
    world.refused("bear", folder / "damaged.bearbk", "cannot import", "a zip with a wrong checksum")
    latin = zipped(folder / "latin.bearbk", bundle("A", "x", {"cafX.png": b"1"})).read_bytes()
    (folder / "latin.bearbk").write_bytes(latin.replace(b"cafX.png", b"caf\xff.png"))
    odd = world.take("bear", folder / "latin.bearbk", "/latin")
    world.same((odd.status, "not UTF-8" in odd.errors), (9, True), "bear: a name that is not UTF-8 is named")
    world.same(sorted(world.listed("/latin")), ["latin/A.md"], "bear: and the rest is taken in")


def obsidian(world: Importing) -> None:
    vault = world.folder / "Vault"
    for name, content in {".obsidian/app.json": "{}", ".trash/old.md": "old", "Home.md": "[[Sub/Note]] ![[image.png]]",
                          "Sub/Note.md": "#tag [home](../Home.md)", "assets/image.png": "png", "Sub/.obsidian-like.md": "x"}.items():
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_text(content)
    done = world.take("obsidian", vault, "/o")
    world.same(done.status, 0, "obsidian: the vault is taken in")
    world.same(sorted(world.listed("/o")), ["o/Home.md", "o/Sub", "o/Sub/.obsidian-like.md", "o/Sub/Note.md", "o/assets",
                                            "o/assets/image.png"], "obsidian: without its settings and trash")
    links = json.loads(world.device.run("links", "--json", "/o/Home.md").output)
    world.same([link.get("path") for link in links], ["/o/Sub/Note.md", "/o/assets/image.png"], "obsidian: links lead there")
    again = json.loads(world.take("obsidian", vault, "/o", "--json").output)
    world.same((again["created"], again["unchanged"]), (0, 4), "obsidian: a second time nothing changes")
    world.refused("obsidian", world.folder / "raw", "there is no .obsidian", "a folder that is no vault")
    world.refused("obsidian", world.folder / "notes.jex", "a vault is a folder", "a file as a vault")
    plain = world.device.run("import", vault, "/plain", may_fail=True)
    world.tally.check("--from obsidian" in plain.errors, "a vault without --from is pointed out", plain.errors)


LATER, LATER_STILL = "2027-06-01T00:00:00.000Z", "2027-07-01T00:00:00.000Z"


def dated(number: int, title: str, text: str, time: str, **fields: object) -> tuple[str, bytes]:
    return joplin_item(1, number, title, text, updated_time=time, user_updated_time=time, **fields)


def together(world: Importing) -> None:
    """Several exports in one place, none of which takes anything from another."""
    def book(number: int, title: str, time: str) -> Path:
        return tar(world.folder / f"{title}.jex", [
            joplin_item(2, number, title), dated(number + 1, "Inbox", f"inbox of {title}", time),
            dated(number + 2, "Plan", f"![](:/{number + 3:032x})", time, parent_id=f"{number:032x}"),
            joplin_item(4, number + 3, "image.png", file_extension="png", updated_time=time, user_updated_time=time),
            (f"resources/{number + 3:032x}.png", f"picture of {title}".encode())])

    work, home = book(0x100, "Office", CREATED), book(0x200, "House", LATER)
    for number in range(2):
        done = world.device.run("import", "--from", "joplin", "--json", work, home, "/t", may_fail=True)
        report = json.loads(done.output)
        world.same((done.status, report["created"], report["updated"]), (0, 6 if number == 0 else 0, 0),
                   f"two exports of Joplin in one place, time {number + 1}")
        world.same([world.text(f"/t/{name}").decode() for name in (
                       "Inbox.md", "Inbox-1.md", "attachments/image.png", "attachments/image-1.png",
                       "House/Plan.md")],
                   ["inbox of Office", "---\ntitle: Inbox\n---\n\ninbox of House", "picture of Office", "picture of House",
                    "![](../attachments/image-1.png)"], f"each keeps its own, time {number + 1}")
    for place, time in (("p", "2022"), ("q", "2023")):
        for name, content in bundle("Plan", f"from {place}", modificationDate=f"{time}-01-01T00:00:00Z"):
            (world.folder / place / name).parent.mkdir(parents=True, exist_ok=True)
            (world.folder / place / name).write_bytes(content)
    bundles = [world.folder / place / "Plan.textbundle" for place in ("p", "q")]
    world.same(world.device.run("import", "--from", "bear", *bundles, "/tb", may_fail=True).status, 0, "two TextBundles of one name")
    world.same([world.text("/tb/Plan.md"), world.text("/tb/Plan-1.md")], [b"from p", b"from q"], "both are here")


def changed(world: Importing) -> None:
    """Who changed a note decides what becomes of it, not the time."""
    def export(program: str, text: str, time: str) -> Path:
        if program == "joplin":
            return tar(world.folder / "c.jex", [dated(0x301, "Plan", text, time)])
        if program == "standard-notes":
            note = standard_note(1, "Plan", text, appData={"org.standardnotes.sn": {"client_updated_at": time}})
            (world.folder / "c.txt").write_text(json.dumps({"items": [note]}))
            return world.folder / "c.txt"
        return zipped(world.folder / "c.bear2bk", bundle("Plan", text, modificationDate=time[:19] + "Z"))

    for program in ("joplin", "standard-notes", "bear"):
        note, place = f"/c-{program}/Plan.md", f"/c-{program}"
        world.same(world.take(program, export(program, "one", UPDATED), place).status, 0, f"{program}: a note")
        world.same(world.take(program, export(program, "two", LATER), place).status, 0, f"{program}: changed there")
        world.same(world.text(note), b"two", f"{program}: comes over")
        world.device.run("write", note, text=b"mine")
        world.same(world.take(program, export(program, "two", LATER), place).status, 0, f"{program}: changed here alone")
        world.same(world.text(note), b"mine", f"{program}: stays")
        done = world.take(program, export(program, "three", LATER_STILL), place)
        world.same((done.status, f"{note}: the note was changed in" in done.errors), (9, True), f"{program}: changed on both sides is named")
        world.same(world.text(note), b"mine", f"{program}: and stays")
        world.same(world.take(program, export(program, "three", LATER_STILL), place, "--force").status, 0, f"{program}: --force")
        world.same(world.text(note), b"three", f"{program}: takes the export's text")
        world.device.run("move", note, f"{place}/Moved.md")
        before = world.listed(place)
        world.same(world.take(program, export(program, "three", LATER_STILL), place).status, 0, f"{program}: a note that is elsewhere")
        world.same(world.listed(place), before, f"{program}: is found there")


def own(world: Importing) -> None:
    world.device.run("write", "/own/Todo.md", text=b"my own list")
    export = tar(world.folder / "own.jex", [dated(0x401, "Todo", "joplin's", LATER)])
    for number in range(2):
        world.same(world.take("joplin", export, "/own").status, 0, f"own: a note of the same title, time {number + 1}")
        world.same((sorted(world.listed("/own")), world.text("/own/Todo.md")), (["own/Todo-1.md", "own/Todo.md"], b"my own list"),
                   f"own: both are here, time {number + 1}")
    # Where nobody knows when an item was made, a note of its name may be the item's.
    notes = ["/made/Plan.md", "/made/attachments/Plan/a.bin"]
    for path in notes:
        world.device.run("write", path, text=b"my own")
    export = zipped(world.folder / "made.bear2bk", bundle("Plan", "plan", {"a.bin": os.urandom(700_000)}, creationDate=""))
    done = world.take("bear", export, "/made")
    named = [path for path in notes if f"{path}: no import is known to have made the note" in done.errors]
    world.same((done.status, named), (9, notes), "own: what may be the item's is named")
    world.same([world.text(path) for path in notes], [b"my own", b"my own"], "own: and stays")
    for replaced in (notes, []):
        report = json.loads(world.take("bear", export, "/made", "--force", "--json").output)
        world.same(sorted(report["replaced"]), replaced, f"own: --force names {len(replaced)} notes that give way")


def tags_told(world: Importing) -> list[str]:
    return sorted(tag["tag"] for tag in json.loads(world.device.run("tags", "--json").output))


def tagged(world: Importing) -> None:
    """Tags with signs that no tag has here."""
    def export(names: list[str], text: str = "text") -> Path:
        items = [dated(0x801, "Plan", text, UPDATED), dated(0x802, "Own", "---\ntags: [own-of-it]\n---\ntext", UPDATED)]
        for number, name in enumerate(names):
            items.append(joplin_item(5, 0x810 + number, name))
            items += [joplin_item(6, 0x830 + 2 * number + note, None, note_id=f"{0x801 + note:032x}", tag_id=f"{0x810 + number:032x}")
                      for note in range(2)]
        return tar(world.folder / "g.jex", items)

    names = ["node.js", "r&d", "2024", "don't", "gr\u00fcn/blau", "l_1-a"]
    here = ["don-t", "gr\u00fcn/blau", "l_1-a", "node-js", "r-d", "tag-2024"]
    before = set(tags_told(world))
    done = world.take("joplin", export(names), "/g")
    world.same((done.status, "warning" in done.errors), (0, False), "tags: taken in, and nothing is said")
    world.same(sorted(set(tags_told(world)) - before), sorted([*here, "own-of-it"]), "tags: all are read as one each")
    for note in ("Plan", "Own"):
        found = [tag for tag in here if f"/g/{note}.md" not in world.device.run("tags", tag).output.decode().splitlines()]
        world.same(found, [], f"tags: {note}.md has each")
    again = json.loads(world.take("joplin", export(names), "/g", "--json").output)
    world.same((again["created"], again["updated"]), (0, 0), "tags: a second time nothing changes")
    lost = world.take("joplin", export(["c++", "c#", "++"]), "/lost-tags")
    world.same((lost.status, "2 things left out" in lost.errors), (9, True), "tags: those that cannot be told apart are counted")
    world.same([said in lost.errors for said in ("c++: this tag is c here, and cannot be told from c#", "++: this tag is lost")],
               [True, True], "tags: and named")
    world.same("\ntags: [c]\n" in world.text("/lost-tags/Plan.md").decode(), True, "tags: the note has the one that they are")
    # As the version before wrote it: to it nothing but a blank was no part of a tag.
    former = export([], "---\ntags: [node.js]\n---\n\ntext")
    for place in ("/former", "/edited"):
        world.take("joplin", former, place)
    world.device.run("write", "/edited/Plan.md", text=b"mine")
    done = world.take("joplin", export(["node.js"]), "/former")
    world.same((done.status, world.text("/former/Plan.md").decode()), (0, "---\ntags: [node-js]\n---\n\ntext"),
               "tags: a note of the version before gets its tags")
    done = world.take("joplin", export(["node.js"]), "/edited")
    world.same((done.status, "/edited/Plan.md: the note was changed in" in done.errors, world.text("/edited/Plan.md")), (9, True, b"mine"),
               "tags: one that was changed here stays, and is named")
    notes = [standard_note(number, f"N{number}", "text") for number in range(4)]
    standard = [("t0", "travel.italy", "n0", []), ("t1", "a..b", "n1", []), ("t2", "outer", "n2", []),
                ("t3", "in.ner", "n3", [{"uuid": "t2", "content_type": "Tag", "reference_type": "TagToParentTag"}])]
    items = [{"uuid": tag, "content_type": "Tag", "content": {"title": title, "references": [
        *above, {"uuid": note, "content_type": "Note"}]}} for tag, title, note, above in standard]
    (world.folder / "g.txt").write_text(json.dumps({"items": notes + items}))
    world.same(world.take("standard-notes", world.folder / "g.txt", "/gs").status, 0, "tags: of Standard Notes")
    world.same([world.text(f"/gs/N{number}.md").decode().splitlines()[1] for number in range(4)],
               ["tags: [travel/italy]", "tags: [a-b]", "tags: [outer]", "tags: [outer/in-ner]"], "tags: a dot is a level where it was one")


def retitled(world: Importing) -> None:
    def note(number: int, title: str = "") -> tuple[str, bytes]:
        return dated(0x500 + number, title, f"text {number}", f"2021-0{number}-01T00:00:00.000Z",
                     created_time=f"2021-0{number}-01T00:00:00.000Z")

    def texts() -> dict[str, bytes]:
        return {name: world.text(f"/{name}")[-6:] for name in world.listed("/r")}

    world.take("joplin", tar(world.folder / "r.jex", [note(1), note(2), note(3)]), "/r")
    before = texts()
    world.same(before, {"r/Untitled.md": b"text 1", "r/Untitled-1.md": b"text 2", "r/Untitled-2.md": b"text 3"},
               "three notes without a title")
    for what, notes in (("one is deleted there", [note(2), note(3)]), ("one is retitled there", [note(1, "Aha"), note(2), note(3)])):
        world.same(world.take("joplin", tar(world.folder / "r.jex", notes), "/r").status, 0, what)
        world.same(texts(), before, f"{what}: all stay where they are")
    world.take("joplin", tar(world.folder / "r.jex", [note(1), note(2), note(3), note(4)]), "/r")
    world.same(texts(), before | {"r/Untitled-3.md": b"text 4"}, "a fourth one gets a name of its own")


def renamed(world: Importing) -> None:
    """The folder that an export went into has another path now."""
    def export(text: str, *more: tuple[str, bytes]) -> Path:
        return tar(world.folder / "n.jex", [
            dated(0x701, "Plan", f"{text} ![](:/{0x702:032x})", UPDATED),
            joplin_item(4, 0x702, "image.png", file_extension="png"),
            (f"resources/{0x702:032x}.png", b"picture"), *more])

    world.take("joplin", export("one"), "/n/first")
    for former, place in (("/n/first", "/n/second"), ("/n/second", "/third")):
        world.device.run("move", former, place)
        before = world.listed(place)
        done = world.take("joplin", export(place), place, "--json")
        report = json.loads(done.output)
        world.same((done.status, done.errors, report["created"], report["updated"]), (0, "", 0, 1), f"renamed: {place}: what changed comes over")
        world.same(sorted(world.listed(place)), sorted(before), f"renamed: {place}: nothing stands there twice")
        world.same(world.text(f"{place}/Plan.md").decode(), f"{place} ![](attachments/image.png)", f"renamed: {place}: it is there")
    # By its first path, too, and what is new goes where it is meant to go.
    done = world.take("joplin", export("last", dated(0x703, "More", "more", UPDATED)), "/n/first", "--json")
    world.same((done.status, json.loads(done.output)["created"]), (0, 1), "renamed: the first path")
    world.same((world.text("/third/Plan.md")[:4], world.text("/n/first/More.md")), (b"last", b"more"), "renamed: notes are found where they are")
    books = [joplin_item(2, 0x710, "Work"), joplin_item(2, 0x711, "Empty", parent_id=f"{0x710:032x}"),
             dated(0x712, "In", "in", UPDATED, parent_id=f"{0x710:032x}")]
    world.take("joplin", tar(world.folder / "b.jex", books), "/n/books")
    world.device.run("move", "/n/books/Work", "/elsewhere")
    for more, created in (([], 0), ([dated(0x713, "New", "new", UPDATED, parent_id=f"{0x711:032x}")], 1)):
        done = world.take("joplin", tar(world.folder / "b.jex", [*books, *more]), "/n/books", "--json")
        world.same((done.status, json.loads(done.output)["created"]), (0, created), "renamed: a notebook was moved")
    world.same((sorted(world.listed("/n/books")), sorted(world.listed("/elsewhere"))),
               ([], ["elsewhere/Empty", "elsewhere/Empty/New.md", "elsewhere/In.md"]), "renamed: nothing is made where the notebook was")


def forgotten(world: Importing) -> None:
    """What an earlier version of the program took in: nothing is remembered of it."""
    def note(number: int, title: str, text: str) -> tuple[str, bytes]:
        return dated(0x600 + number, title, text, UPDATED, created_time=f"2021-0{number}-01T00:00:00.000Z",
                     user_created_time=f"2021-0{number}-01T00:00:00.000Z")

    def texts() -> dict[str, bytes]:
        return {name: world.text(f"/{name}")[-6:] for name in world.listed("/f")}

    notes = [note(1, "Same", "text 1"), note(2, "Same", "text 2"), note(3, "Mine", "text 3")]
    world.take("joplin", tar(world.folder / "f.jex", notes), "/f")
    world.device.run("write", "/f/Mine.md", text=b"mine 3")
    before = texts()
    with contextlib.closing(sqlite3.connect(world.device.path / "lockbook.db")) as database, database:
        gone = database.execute("DELETE FROM imported").rowcount
    world.tally.check(gone > 0, "forgotten: something was remembered", str(gone))
    for what, notes in (("all", notes), ("without the first", notes[1:])):
        done = world.take("joplin", tar(world.folder / "f.jex", notes), "/f")
        world.same((done.status, done.errors.count("no import is known")), (9, 1), f"forgotten: {what}: what differs is named")
        world.same(texts(), before, f"forgotten: {what}: the same text is taken for the same note")


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("importers") as folder:
        world = Importing(folder, tally)
        for part in (joplin, malformed, standard_notes, bear, obsidian, together, changed, own, tagged, retitled, renamed, forgotten):
            part(world)
        check = world.device.run("debug", "validate", may_fail=True)
        world.same(check.status, 0, "the lockbook is sound afterwards")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
