#!/usr/bin/env python3
"""Makes a repository of merges that people made: Debian's changes to a program, brought over to its next version.

    merge_history.py FOLDER

A source package of Debian is what its authors released, and patches. When they release again, somebody brings the patches
over. That is a merge: of the old release with its patches and the new release, from the old release, and the new release
with the new patches is what that person made of it. Each pair of packages becomes a history of four commits with such a
merge, of the files that both sets of patches touch. `make merge-history merge-compare` compares with these.

    RELEASES=names   of Debian, oldest first (default: bullseye bookworm trixie)
    WANTED=number    how many files of such merges are wanted (default 600)

The packages come through apt, which verifies them, from where the system has its own; nothing of them is kept but FOLDER.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

RELEASES = (os.environ.get("RELEASES") or "bullseye bookworm trixie").split()
WANTED = int(os.environ.get("WANTED") or 600)
# Of a source package: larger ones are slow to fetch.
LARGEST_PACKAGE = 6_000_000
LARGEST_FILE = 1_000_000
# Files of one package, and packages that are fetched in one go.
MOST_OF_ONE = 10
AT_ONCE = 40
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


class Apt:
    """Apt with sources and lists of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        site = self.origin()
        lines = [f"deb-src [signed-by={KEYRING}] {site} {release} main\n" for release in RELEASES]
        (folder / "sources.list").write_text("".join(lines))
        for name in ("lists/partial", "cache", "parts"):
            (folder / name).mkdir(parents=True)
        self.options = []
        for option in (
            f"Dir::Etc::SourceList={folder}/sources.list",
            f"Dir::Etc::SourceParts={folder}/parts",
            f"Dir::State::Lists={folder}/lists",
            f"Dir::Cache={folder}/cache",
            "APT::Sandbox::User=root",
        ):
            self.options += ["-o", option]
        subprocess.run(["apt-get", *self.options, "-q", "update"], check=True, stdout=subprocess.DEVNULL)

    @staticmethod
    def origin() -> str:
        """Where this system has the main part of Debian from."""
        wanted = "$(CREATED_BY)|$(CODENAME)|$(REPO_URI)"
        said = subprocess.run(["apt-get", "indextargets", "--format", wanted], check=True, capture_output=True, text=True)
        for line in said.stdout.splitlines():
            kind, codename, site = line.split("|")
            if kind == "Packages" and codename in RELEASES:
                return site
        sys.exit("this system has no packages of " + ", ".join(RELEASES))

    def packages(self, release: str) -> dict[str, tuple[str, int]]:
        """The source packages with patches that are small enough: their versions, and the sizes of what Debian adds."""
        found: dict[str, tuple[str, int]] = {}
        for path in sorted((self.folder / "lists").glob(f"*_{release}_main_source_Sources*")):
            text = subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", path], check=True, capture_output=True).stdout
            for paragraph in text.decode(errors="replace").split("\n\n"):
                fields = dict(re.findall(r"^([A-Za-z0-9-]+): *(.*(?:\n .*)*)", paragraph, re.MULTILINE))
                files = re.findall(r"^ [0-9a-f]{64} (\d+) (\S+)", fields.get("Checksums-Sha256", ""), re.MULTILINE)
                added = sum(int(size) for size, name in files if ".debian.tar." in name)
                if fields.get("Format") == "3.0 (quilt)" and added and sum(int(size) for size, _ in files) <= LARGEST_PACKAGE:
                    found[fields["Package"]] = (fields["Version"], added)
        return found

    def fetch(self, wanted: list[str], folder: Path) -> None:
        """What the archive does not have any more is not there after; all of it missing is an error."""
        command = ["apt-get", *self.options, "-q", "source", "--download-only", *wanted]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0 and not any(folder.iterdir()):
            sys.exit(done.stderr)


def upstream(version: str) -> str:
    """A version without its epoch and Debian's own part."""
    return version.partition(":")[2].rpartition("-")[0] if ":" in version else version.rpartition("-")[0]


def touched(tree: Path) -> set[str]:
    """The files that the patches of an unpacked source change, as far as they were there before."""
    series = tree / "debian/patches/series"
    files: set[str] = set()
    for line in series.read_text(errors="replace").splitlines() if series.is_file() else []:
        name = line.partition("#")[0].split()
        patch = tree / "debian/patches" / name[0] if name else None
        if patch is not None and patch.is_file():
            files |= set(re.findall(r"^\+\+\+ [^/\s]+/(\S+)", patch.read_text(errors="replace"), re.MULTILINE))
    return files


def unpack(package: Path, into: Path, *options: str) -> bool:
    command = ["dpkg-source", "--no-check", *options, "-x", package, into]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def text(tree: Path, name: str) -> bytes | None:
    path = tree / name
    if ".." in path.parts or path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_FILE:
        return None
    data = path.read_bytes()
    return None if b"\0" in data else data


class History:
    """A repository that is written by `git fast-import`."""

    def __init__(self, folder: Path) -> None:
        subprocess.run(["git", "init", "-q", "--bare", folder], check=True)
        self.process = subprocess.Popen(["git", "-C", folder, "fast-import", "--quiet"], stdin=subprocess.PIPE)
        self.count = 0
        self.files = 0

    def write(self, *lines: bytes | str) -> None:
        for line in lines:
            self.process.stdin.write(line if isinstance(line, bytes) else line.encode() + b"\n")

    def commit(self, branch: str, message: str, files: dict[str, bytes], parents: list[int]) -> int:
        self.count += 1
        title = message.encode()
        # All are of one moment: the same packages make the same repository.
        self.write(f"commit refs/heads/{branch}", f"mark :{self.count}", "committer Debian <debian> 1000000000 +0000")
        self.write(f"data {len(title)}", title, b"\n")
        self.write(*(f"{word} :{mark}" for word, mark in zip(("from", "merge"), parents)))
        self.write("deleteall")
        for name, data in sorted(files.items()):
            quoted = name.replace("\\", "\\\\").replace('"', '\\"')
            self.write(f'M 100644 inline "{quoted}"', f"data {len(data)}", data, b"\n")
        return self.count

    def merge(self, name: str, versions: dict[str, tuple[bytes, bytes, bytes, bytes]]) -> None:
        branch = "merge-" + sha256(name.encode()).hexdigest()[:16]
        base, mine, theirs, merged = ({path: texts[side] for path, texts in versions.items()} for side in range(4))
        first = self.commit(branch, f"{name}: the old release", base, [])
        sides = [
            self.commit(f"{branch}-{side}", f"{name}: {what}", files, [first])
            for side, what, files in (("mine", "its patches", mine), ("theirs", "the new release", theirs))
        ]
        self.commit(branch, f"{name}: brought over", merged, sides)
        self.files += len(versions)

    def finish(self) -> None:
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit("git fast-import failed")


def versions(old: Path, new: Path, folder: Path) -> dict[str, tuple[bytes, bytes, bytes, bytes]]:
    """Old release, the same with patches, new release, the same with patches: of what both sides changed."""
    base, mine, theirs, merged = (folder / name for name in ("base", "mine", "theirs", "merged"))
    if not (unpack(old, base, "--skip-patches") and unpack(new, theirs, "--skip-patches")):
        return {}
    names = [name for name in sorted(touched(base) & touched(theirs)) if text(base, name) != text(theirs, name)]
    if not names or not (unpack(old, mine) and unpack(new, merged)):
        return {}
    found = {}
    for name in names:
        texts = tuple(text(tree, name) for tree in (base, mine, theirs, merged))
        if None not in texts and texts[0] not in texts[1:3] and texts[1] != texts[2] and texts[2] != texts[3]:
            found[name] = texts
    # So that no package has more to say than others.
    return dict(list(found.items())[:MOST_OF_ONE])


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    target = Path(sys.argv[1])
    if target.exists():
        print(f"{target} is there already")
        return 0
    with tempfile.TemporaryDirectory(prefix="merge-history-") as work:
        work = Path(work)
        (work / "apt").mkdir()
        apt = Apt(work / "apt")
        held = [apt.packages(release) for release in RELEASES]
        pairs = [
            (-min(before[name][1], after[name][1]), name, before[name][0], after[name][0])
            for before, after in zip(held, held[1:])
            for name in before
            if name in after and upstream(before[name][0]) != upstream(after[name][0])
        ]
        # Where Debian adds much there are many patches.
        pairs.sort()
        print(f"{len(pairs)} packages with patches have another release in the next one of {', '.join(RELEASES)}", flush=True)
        history = History(work / "history")
        at = 0
        while history.files < WANTED and at < len(pairs):
            some, at = pairs[at : at + AT_ONCE], at + AT_ONCE
            fetched = work / "fetched"
            fetched.mkdir()
            apt.fetch([f"{name}={version}" for _, name, old, new in some for version in (old, new)], fetched)
            for _, name, old, new in some:
                files = [fetched / f"{name}_{version.rpartition(':')[2]}.dsc" for version in (old, new)]
                if not all(file.exists() for file in files):
                    continue
                with tempfile.TemporaryDirectory(dir=work) as trees:
                    found = versions(*files, Path(trees))
                if found:
                    history.merge(f"{name} {old} {new}", found)
            shutil.rmtree(fetched)
            print(f"{at} pairs: {history.files} files", flush=True)
        history.finish()
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(work / "history", target)
    return 0


sys.exit(main())
