#!/usr/bin/env python3
"""Several accounts write to one shared folder at the same time, through the real programs and one server.

    WRITERS=4         how many accounts, the owner among them
    PUSHES=10         how many times each of them writes and syncs
    PROGRAMS=folder   where lockbook and lockbook-server are (LOCKBOOK and LOCKBOOK_SERVER go before it)
    KEEP=1            leaves the temporary folder for a look

All that was written is in the folder of every account, each sync ends well, and none had to make its push again more than 20
times because others came first. Every tenth time each of them changes a note that was pushed before.

The last line on stdout is `N passed, N failed`.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True

import stage

WRITERS = int(os.environ.get("WRITERS") or 4)
PUSHES = int(os.environ.get("PUSHES") or 10)
MOST_RACES = 20


class Writer:
    def __init__(self, folder: Path, number: int, url: str):
        self.name = f"writer{number}"
        self.device = stage.Device(folder, self.name)
        self.device.run("account", "new", self.name, "--server", url)
        self.device.sync()
        self.races: list[int] = []
        self.wrong: list[str] = []

    def write(self, start: threading.Barrier) -> None:
        start.wait()
        for number in range(PUSHES):
            words = ["write", f"/team/{self.name}-{number}.md"]
            try:
                self.device.run(*words, text=f"{self.name} {number}\n".encode())
                if number % 10 == 9:
                    self.device.run("write", f"/team/common/{self.name}.md", text=f"{number}\n".encode())
                outcome = self.device.run("sync", "--json", may_fail=True)
                if outcome.status != 0:
                    self.wrong.append(f"sync {number} ended with {outcome.status}: {outcome.errors}")
                    continue
                self.races.append(json.loads(outcome.output)["races"])
            except stage.Failed as failure:
                self.wrong.append(str(failure))


def share(writers: list[Writer]) -> None:
    owner, members = writers[0].device, writers[1:]
    owner.run("new", "/team/", "/team/common/")
    owner.sync()
    for member in members:
        owner.run("share", "new", "/team", member.name, "--mode", "write")
    owner.sync()
    for member in members:
        member.device.sync()
        offer = json.loads(member.device.run("share", "pending", "--json").output)[0]
        member.device.run("share", "accept", offer["id"], "/team")
        member.device.sync()


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("writers") as folder, stage.Server(folder / "server") as server:
        writers = [Writer(folder, number, server.url) for number in range(WRITERS)]
        share(writers)
        start = threading.Barrier(WRITERS)
        threads = [threading.Thread(target=writer.write, args=(start,)) for writer in writers]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.monotonic() - began
        for writer in writers:
            tally.check(not writer.wrong, f"{writer.name} pushes {PUSHES} times", "; ".join(writer.wrong[:3]))
        races = [count for writer in writers for count in writer.races]
        tally.check(len(races) == WRITERS * PUSHES, f"all {WRITERS * PUSHES} syncs end well", f"{len(races)}")
        most = max(races, default=0)
        tally.check(most <= MOST_RACES, f"no push is made again more than {MOST_RACES} times (the most: {most})", f"{most}")
        wanted = {f"/team/{w.name}-{n}.md": f"{w.name} {n}\n".encode() for w in writers for n in range(PUSHES)}
        if PUSHES >= 10:
            wanted |= {f"/team/common/{w.name}.md": f"{PUSHES // 10 * 10 - 1}\n".encode() for w in writers}
        for writer in writers:
            writer.device.sync()
        for writer in writers:
            writer.device.sync()
            out = folder / "out" / writer.name
            out.mkdir(parents=True)
            writer.device.run("export", "--quiet", "/team/", out)
            found = {f"/team/{path.relative_to(out / 'team')}": path.read_bytes() for path in out.rglob("*.md")}
            missing = sorted(path for path in wanted if found.get(path) != wanted[path])
            tally.check(found == wanted, f"{writer.name} has all {len(wanted)} notes", f"{len(found)} found, missing {missing[:5]}")
            tally.check(writer.device.run("debug", "validate").status == 0, f"{writer.name} is sound")
        print(
            f"{WRITERS} writers, {PUSHES} pushes each: {seconds:.0f} s, {sum(races)} pushes made again, at most {most} times for one",
            flush=True,
        )
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
