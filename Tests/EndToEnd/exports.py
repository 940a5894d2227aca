"""Exports of other programs for notes, built as their documented formats say; `docs/IMPORT.md` names the sources."""

import io
import json
import os
import tarfile
import zipfile
from pathlib import Path

CREATED, UPDATED = "2021-10-02T16:38:20.381Z", "2022-03-04T05:06:07.008Z"
UPDATED_MS = 1646370367008


def joplin_item(kind: int, number: int, title: str | None, body: str | None = None, **fields: object) -> tuple[str, bytes]:
    """As `BaseItem.serialize` of Joplin puts an item together."""
    name = f"{number:032x}"
    rows = {"id": name, "created_time": CREATED, "updated_time": UPDATED, "user_created_time": CREATED,
            "user_updated_time": UPDATED, "encryption_applied": 0} | fields | {"type_": kind}
    parts = [part for part in (title, body) if part is not None]
    parts.append("\n".join(f"{key}: {value}" for key, value in rows.items()))
    return f"{name}.md", "\n\n".join(parts).encode()


def tar(path: Path, members: list[tuple[str, bytes]], *special: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for info in special:
            archive.addfile(info)
    return path


def zipped(path: Path, members: list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


JOPLIN = [
    joplin_item(2, 0xF1, "Work"),
    joplin_item(2, 0xF2, "2021/22", parent_id=f"{0xF1:032x}"),
    joplin_item(2, 0xF3, "Empty"),
    joplin_item(1, 0xA1, "First", f"See [second](:/{0xA2:032x}#part), ![shot](:/{0xE1:032x}), [gone](:/{0x99:032x}).\n"
                f'<img src=":/{0xE1:032x}"/>\n\nkey: value\n\nlast', parent_id=f"{0xF1:032x}"),
    joplin_item(1, 0xA2, "a/b: \U0001f600 (x)", "Back to [first](:/" + f"{0xA1:032x}).", parent_id=f"{0xF2:032x}"),
    joplin_item(1, 0xA3, "First", "another of that title", parent_id=f"{0xF1:032x}"),
    joplin_item(1, 0xA4, "", None, parent_id="", is_todo=1, todo_completed=0, todo_due=1646370367008),
    joplin_item(1, 0xA5, "Page", "<p>html</p>", parent_id="", markup_language=2),
    joplin_item(1, 0xA6, "Front", "---\nowner: me\ntags: [old]\n---\ntext", parent_id=f"{0x77:032x}"),
    joplin_item(1, 0xA7, "..", "dots", parent_id=""),
    joplin_item(4, 0xE1, "screen shot.png", mime="image/png", file_extension="png"),
    joplin_item(4, 0xE2, "big.bin", file_extension="bin"),
    joplin_item(5, 0xD1, "to do"),
    joplin_item(5, 0xD2, "urgent"),
    joplin_item(6, 0xC1, None, note_id=f"{0xA1:032x}", tag_id=f"{0xD1:032x}"),
    joplin_item(6, 0xC2, None, note_id=f"{0xA1:032x}", tag_id=f"{0xD2:032x}"),
    joplin_item(6, 0xC3, None, note_id=f"{0xA6:032x}", tag_id=f"{0xD2:032x}"),
    joplin_item(13, 0xB1, "revision"),
    (f"resources/{0xE1:032x}.png", b"\x89PNG picture"),
    (f"resources/{0xE2:032x}.bin", os.urandom(700_000)),
]


def standard_note(number: int, title: str | None, text: str, **content: object) -> dict:
    return {"uuid": f"n{number}", "content_type": "Note", "created_at": CREATED, "updated_at": "2020-01-01T00:00:00.000Z",
            "content": {"title": title, "text": text, "references": [],
                        "appData": {"org.standardnotes.sn": {"client_updated_at": UPDATED}}} | content}


def bundle(name: str, text: str, assets: dict[str, bytes] = {}, **bear: object) -> list[tuple[str, bytes]]:
    """A TextBundle, with what Bear adds to its info.json."""
    info = {"version": 2, "type": "net.daringfireball.markdown", "transient": False, "creatorIdentifier": "net.shinyfrog.bear",
            "net.shinyfrog.bear": {"archived": 0, "trashed": 0, "creationDate": "2021-10-02T16:38:20Z",
                                   "modificationDate": "2022-03-04T05:06:07Z", "uniqueIdentifier": name} | bear}
    files = [("info.json", json.dumps(info).encode()), ("text.markdown", text.encode())]
    files += [(f"assets/{asset}", content) for asset, content in assets.items()]
    return [(f"{name}.textbundle/{path}", content) for path, content in files]
