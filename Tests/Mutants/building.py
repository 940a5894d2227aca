"""Builds the tests around a copy of the model in which every mutant is present, out of what SwiftPM built before."""

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from points import points
from rendering import Rendering
from swift_tree import dump

TOP = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
BUILT = TOP / ".build/debug"
WORK = TOP / ".build/mutants"
FORMS = TOP / ".build/mutants-forms.json"
MODEL = TOP / "Sources/LockbookModel"
# What is mutated: merges, validation, and the rules for names and states that these rest on.
MUTATED = ["Merge/**/*.swift", "Tree/**/*.swift", "Files/FileName.swift", "Files/File.swift", "Files/DeviceName.swift",
           "Files/PlainText.swift"]
# Tests of the formats need another implementation of them, so only those of names and of the validator are taken.
FORMAT_TESTS = ["PushValidator*.swift", "FileName*.swift", "DeviceName*.swift", "PlainText*.swift",
                "Support.swift"]
PLACE = re.compile(r"^(.+?\.swift):(\d+):(\d+): error: (.*)", re.M)


def flags(target="LockbookModel"):
    """The options that SwiftPM compiles a target with, but for those about optimising and output."""
    plan = (BUILT.parent / "debug.yaml").read_text()
    command = re.search(r'\n  "C\.%s-[^\n]*\n(?:    .*\n)*?    args: (\[.*\])' % target, plan)
    words, taken = json.loads(command.group(1)), []
    pairs = ("-Xcc", "-I", "-package-name", "-swift-version", "-enable-upcoming-feature", "-module-cache-path", "-target")
    while words:
        count = 2 if words[0] in pairs else 1
        if count == 2:
            taken += words[:2]
        del words[:count]
    return taken


def run(*command, **options):
    return subprocess.run([*map(str, command)], **options)


def find():
    """All points of what is mutated, by file, numbered from 1 on."""
    sources = sorted(MODEL.rglob("*.swift"))
    wanted = {path for pattern in MUTATED for path in MODEL.glob(pattern)}
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "trees").mkdir(parents=True)
    trees = dump(sources, wanted, ["-module-name", "LockbookModel", *flags()], WORK / "trees")
    found, number = {}, 1
    for source in sorted(trees):
        found[source] = points(trees[source], source.read_bytes())
        for point in found[source]:
            point.first = number
            number += len(point.mutants)
    return sources, found


def write(sources, found):
    """Writes the mutated module; answers the renderings by path."""
    folder = WORK / "LockbookModel"
    folder.mkdir(exist_ok=True)
    shutil.copy(HERE / "Mutant.swift", folder)
    renderings = {}
    for source in sources:
        target = folder / source.name
        rendering = Rendering(source.read_bytes(), found.get(source, []))
        target.write_bytes(bytes(rendering.out))
        renderings[str(target)] = rendering
    return renderings


def fingerprint(source, points):
    """What a file and the points found in it are known by."""
    told = repr([(p.start, p.end, p.mutants) for p in points]).encode()
    return f"{source.name} {hashlib.sha256(source.read_bytes() + told).hexdigest()}"


def make_viable(sources, found, log):
    """Leaves out, or writes in another way, what does not compile, until everything does.

    What was found is remembered for files that stay as they are.
    """
    remembered = json.loads(FORMS.read_text()) if FORMS.exists() else {}
    for source, points in found.items():
        for point, form in zip(points, remembered.get(fingerprint(source, points), [])):
            point.form = form
    command = ["swiftc", "-frontend", "-module-name", "LockbookModel", "-parse-as-library", *flags(),
               "-solver-expression-time-threshold=3"]  # fmt: skip
    for mode in (["-typecheck"], ["-emit-sil", "-Onone", "-o", "/dev/null"]):
        for round in range(40):
            renderings = write(sources, found)
            result = run(*command, *mode, *sorted(renderings), WORK / "LockbookModel/Mutant.swift",
                          capture_output=True, text=True)  # fmt: skip
            if result.returncode == 0:
                break
            blamed = []
            for path, line, column, message in set(PLACE.findall(result.stderr)):
                if path in renderings:
                    unset = re.match(r"(?:variable |constant )?'(\w+)(?:\.init' isn't called|' used|' captured)", message)
                    left = renderings[path].setting(unset.group(1), int(line)) if unset else []
                    if message.startswith("return from initializer"):
                        left = renderings[path].returning(int(line))
                    blamed += left or renderings[path].at(int(line), int(column))
            if not blamed:
                raise SystemExit(result.stderr[-4000:])
            for point in {id(p): p for p in blamed}.values():
                point.form += 1
            FORMS.write_text(json.dumps({fingerprint(s, ps): [p.form for p in ps] for s, ps in found.items()}))
            log(f"{mode[0][1:]}: {len(blamed)} points do not compile so")
        else:
            raise SystemExit("the mutated code does not come to compile")
    return sum(len(p.mutants) for ps in found.values() for p in ps if p.form >= len(p.forms))


def compile_module(name, sources, *options):
    output = WORK / f"{name}.o"
    run(
        "swiftc", "-c", "-wmo", "-parse-as-library", "-enable-testing", "-module-name", name, "-o", output,
        "-emit-module", "-emit-module-path", WORK / f"{name}.swiftmodule", "-I", WORK, "-suppress-warnings",
        *options, *flags(name if name.endswith("Tests") else "LockbookModel"), *sorted(sources), check=True,
    )  # fmt: skip
    return output


def build():
    """Compiles the mutated model and its tests.
    Returns the program that runs them."""
    tests = TOP / "Tests"
    formats = [path for pattern in FORMAT_TESTS for path in (tests / "LockbookFormatTests").glob(pattern)]
    objects = [
        compile_module("LockbookModel", (WORK / "LockbookModel").glob("*.swift"), "-O"),
        compile_module("TreeSpace", (tests / "TreeSpace").glob("*.swift"), "-O"),
        compile_module("LockbookModelTests", (tests / "LockbookModelTests").rglob("*.swift"), "-Onone"),
        compile_module("LockbookFormatTests", formats, "-Onone"),
        compile_module("MutantRunner", [HERE / "Runner.swift"], "-Onone"),
    ]
    linked = (BUILT / "lockbookPackageTests.product/Objects.LinkFileList").read_text().split("\n")
    taken = []
    for line in linked:
        name = re.search(r"/debug/([A-Za-z0-9_-]+)\.build/", line)
        if name and name.group(1) in NEEDED:
            taken.append(line.strip("'"))
    program = WORK / "tests"
    run("swiftc", "-o", program, *objects, *taken, "-lzstd", "-lcrypto", "-lstdc++", check=True)
    return program


NEEDED = (
    "LockbookCrypto", "SecondImplementation", "Crypto", "CryptoBoringWrapper", "CCryptoBoringSSL",
    "CCryptoBoringSSLShims", "CXKCP", "CXKCPShims",
)  # fmt: skip
