#!/usr/bin/env python3
"""What `--json` prints is what docs/json says, for every command that has the option.

    LOCKBOOK, LOCKBOOK_SERVER     what is tested (else those of .build/release, else of .build/debug)

The schemas are JSON Schema 2020-12, of which this reads the part that they use; a property that no schema names counts as
wrong, so that nothing is printed that is not documented.

The last line on stdout is `N passed, N failed`.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

sys.dont_write_bytecode = True

import stage

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
KNOWN = {"$schema", "title", "description", "type", "properties", "required", "items", "enum", "pattern", "minimum"}


def problems(value: object, schema: dict, place: str = "$") -> Iterator[str]:
    if unknown := set(schema) - KNOWN:
        yield f"{place}: this test cannot read {unknown}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is none of {schema['enum']}"
    if wanted := schema.get("type"):
        if not isinstance(value, TYPES[wanted]) or (wanted == "integer" and isinstance(value, bool)):
            yield f"{place}: {value!r} is no {wanted}"
            return
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{place}: {value!r} does not fit {schema['pattern']}"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{place}: {value} is less than {schema['minimum']}"
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                yield f"{place}: {name} is missing"
        for name, inner in value.items():
            if name not in schema["properties"]:
                yield f"{place}: nothing says what {name} is"
            else:
                yield from problems(inner, schema["properties"][name], f"{place}.{name}")
    if isinstance(value, list):
        for index, inner in enumerate(value):
            yield from problems(inner, schema["items"], f"{place}[{index}]")


def offered(words: list[str]) -> list[str]:
    """What completion offers behind these words, up to the last one."""
    answer = subprocess.run(
        [stage.program("lockbook"), "__complete", "bash", str(len(words)), "lockbook", *words], capture_output=True
    ).stdout.decode()
    return [record.split("\t")[0] for record in answer.split("\0")[1:-1]]


def commands(path: list[str]) -> Iterator[list[str]]:
    """Every command that has `--json`."""
    inner = [name for name in offered([*path, ""]) if re.fullmatch("[a-z]+", name)] if len(path) < 2 else []
    # `trash` alone has the options of `trash list`, which it stands for.
    below = [found for name in inner if name != "help" for found in commands([*path, name])]
    if not below and path and "--json" in offered([*path, "--"]):
        yield path
    yield from below


# A command that prints two things has the second schema under a name of its own.
SECOND = {"tags-tag": "tags"}
# What each is run with; several times where it has several faces.
RUNS: dict[str, list[list[str]]] = {
    "list": [["-r"], ["/empty"]],
    "find": [["a"]],
    "recent": [[]],
    "tags": [[]],
    "tags-tag": [["tag"], ["#TAG"], ["nowhere"]],
    "links": [["/linked.md"]],
    "backlinks": [["/needle.md"]],
    "trash-list": [[]],
    "history": [["/needle.md"], ["/"]],
    "trash-restore": [["/again.md"]],
    "restore": [["/gone.md"], ["/gone"]],
    "search": [["needle"], ["-i", "NEEDLE"], ["-e", "need.e"]],
    "import": [["{disk}/.", "/imported"], ["{disk}/.", "/imported"]],
    "export": [["/", "{out}"], ["/", "{out}"]],
    "sync": [["--dry-run"], [], ["--dry-run"]],
    "conflicts-list": [[]],
    "share-invite": [["/empty"], ["--mode", "write", "--expires", "4w", "/linked.md"], ["--mode", "admin", "/linked.md"]],
    "share-list": [[], ["/empty"]],
    "share-pending": [[]],
    "status": [[]],
    "account-status": [[]],
    "config-list": [[]],
    "undo": [["--list"]],
    "share-block": [["--list"]],
    "debug-validate": [[]],
}


def check(tally: stage.Tally, device: stage.Device, name: str, words: list[str]) -> None:
    schema = json.loads((stage.REPOSITORY / "docs/json" / f"{name}.json").read_text())
    outcome = device.run(*SECOND.get(name, name).split("-"), "--json", *words, may_fail=True)
    try:
        found = list(problems(json.loads(outcome.output), schema))
    except ValueError:
        found = [f"no JSON: {outcome.output[:200]!r} {outcome.errors}"]
    tally.check(not found, f"{name} --json {' '.join(words)}", "; ".join(found[:5]))


def prepare(folder: Path, server: stage.Server) -> tuple[stage.Device, stage.Device]:
    laptop, phone = stage.Device(folder, "laptop"), stage.Device(folder, "phone")
    laptop.run("account", "new", "alice", "--server", server.url)
    laptop.run("write", "/needle.md", text=b"one\na needle here\nthree\n")
    laptop.run("write", "/binary", text=b"\0needle")
    laptop.run("write", "/linked.md", text=b"[[needle]] [[nowhere]] #tag\n")
    laptop.run("new", "/empty/", "/gone.md", "/again.md", "/gone/inner.md")
    laptop.sync()
    other = stage.Device(folder, "other")
    other.run("account", "new", "bob", "--server", server.url)
    other.run("new", "/offered/", "/given/")
    other.sync()
    other.run("share", "new", "/offered", "alice")
    other.run("share", "new", "/given", "alice")
    other.sync()
    other.run("share", "transfer", "/given", "alice")
    other.sync()
    laptop.run("share", "new", "/empty", "bob")
    laptop.sync()
    laptop.run("share", "transfer", "/empty", "bob")
    stage.Device(folder, "blocked").run("account", "new", "carol", "--server", server.url)
    laptop.run("share", "block", "carol")
    laptop.run("rename", "/linked.md", "other.md")
    laptop.run("undo")
    laptop.sync()
    phone.join(laptop, server.url)
    phone.sync()
    phone.run("write", "/needle.md", text=b"one\na phone needle\nthree\n")
    phone.run("rename", "/binary", "other")
    phone.sync()
    laptop.run("write", "/needle.md", text=b"one\na laptop needle\nthree\n")
    laptop.run("rename", "/binary", "mine")
    laptop.run("delete", "-r", "/gone.md", "/again.md", "/gone")
    (folder / "disk").mkdir()
    (folder / "disk" / "a.txt").write_text("a")
    return laptop, phone


def main() -> int:
    tally = stage.Tally()
    found = {"-".join(path) for path in commands([])}
    documented = {path.stem for path in (stage.REPOSITORY / "docs/json").glob("*.json")}
    tally.check(found | set(SECOND) == documented == set(RUNS), "every --json has a schema, and a run here",
                f"{(found | set(SECOND)) ^ documented} {documented ^ set(RUNS)}")
    table = (stage.REPOSITORY / "docs/JSON.md").read_text()
    tally.check(set(re.findall(r"\(json/([a-z-]+)\.json\)", table)) == documented, "docs/JSON.md leads to every schema")
    wrong = [{"id": 1}, {}, {"kind": "new", "id": "x", "path": "y", "more": 1}]
    schema = json.loads((stage.REPOSITORY / "docs/json/status.json").read_text())["properties"]["changes"]["items"]
    tally.check(all(list(problems(value, schema)) for value in wrong), "what is wrong is found")
    with stage.scratch("schemas") as folder, stage.Server(folder / "server") as server:
        laptop, phone = prepare(folder, server)
        places = {"disk": str(folder / "disk"), "out": str(folder / "out")}
        for name, runs in RUNS.items():
            for words in runs:
                check(tally, laptop, name, [word.format(**places) for word in words])
        # A device that a mass deletion stopped, and one with a failed automatic sync.
        phone.run("sync")
        phone.run("delete", "-r", *phone.run("list", "/").output.decode().split())
        check(tally, phone, "status", [])
        config = folder / "config" / "lockbook"
        config.mkdir(parents=True)
        (config / "config.toml").write_text('auto_sync = true\nserver_cert = "/nowhere"\n')
        phone.wrap = ["env", f"XDG_CONFIG_HOME={config.parent}"]
        check(tally, phone, "config-list", [])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
