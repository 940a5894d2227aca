#!/usr/bin/env python3
"""Kills the programs at every call that changes something, and fails those calls as a full or a broken disk would.

    STEP=1            tries every call; 29, the default, every 29th, beginning with one that SEED draws
    SEED=1
    ONLY=name,...     only these scenes
    KINDS=kill,full   only these kinds; `error` is the third
    CHOSEN=kill:17    only this fault
    PART=1/2          every second scene, beginning with the first: for two runs beside each other
    STATE=file        notes each fault that was tried, and passes by what held in an earlier run
    FOR_SECONDS=600   stops after that time; with STATE the next run goes on
    KEEP=1            leaves the temporary folder for a look

`fault.c` is loaded into the program and counts: what is written to files and sockets, synced, renamed, made, removed. For
each scene the command runs once without a fault, which tells how many calls there are and what comes of it. Then, from the
same beginning each time, it is killed at call 1, 2, 3…; then from each call on there is no room; then each call fails once.
After each of these: every note is what it was or what it becomes, and so is every file of an export; `debug validate` finds
nothing; nothing readable is in the data folder; what a command says it did is done; and the same command again, without a
fault, ends where it should. Where the server was killed, it starts again, and both devices come to the same notes.

The last line on stdout is `N passed, N failed`; above it stands how many faults there were.
"""

import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

sys.dont_write_bytecode = True

import stage
from crash_judge import Expected, Judge
from crash_progress import Progress
from crash_scenes import CONFLICT, SCENES, Scene
from crash_world import World, texts

# One fault alone, as it is told: `kill:17`.
CHOSEN = os.environ.get("CHOSEN")
STEP = int(os.environ.get("STEP", "29"))
SEED = int(os.environ.get("SEED") or "1")
ONLY = os.environ.get("ONLY", "").split(",") if os.environ.get("ONLY") else None
PART, PARTS = (int(number) for number in (os.environ.get("PART") or "1/1").split("/"))


class Sweep:
    def __init__(self, folder: Path, tally: stage.Tally):
        self.folder, self.tally = folder, tally
        library = folder / "fault.so"
        compiler = shutil.which("clang") or shutil.which("cc")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, Path(__file__).with_name("fault.c")], check=True)
        self.library = library
        self.world = World(folder)
        self.judge = Judge(self.world)
        self.progress = Progress(os.environ.get("STATE"), float(os.environ.get("FOR_SECONDS") or 0))
        self.counts: dict[str, int] = {}
        self.calls = self.held_before = 0

    def settings(self, scene: Scene, fault: str | None) -> dict[str, str]:
        found = {"LD_PRELOAD": str(self.library), "FAULT_PROGRAM": scene.program, "FAULT_COUNT": str(self.folder / "count")}
        return found | ({"FAULT": fault} if fault else {})

    def cut_off(self, scene: Scene, fault: str | None) -> stage.Outcome:
        """Runs the command, meddled with, and leaves a server running that is not."""
        world = self.world
        settings = self.settings(scene, fault)
        device = world.device(scene.who)
        # Looked up before anything is meddled with.
        if scene.syncs and scene.program == "lockbook" or scene.is_online:
            world.start()
        words = world.words(scene.words)
        if scene.program == "lockbook":
            device.added = settings
        else:
            try:
                world.start(("env", *[f"{name}={value}" for name, value in settings.items()]))
            except stage.Failed:
                # Killed, or out of room, before it listened.
                pass
        outcome = device.run(*words, text=world.text(scene.text), may_fail=True)
        if scene.program != "lockbook":
            world.stop()
            world.start()
        return outcome

    def play(self, scene: Scene) -> None:
        world = self.world
        world.begin(scene)
        laptop = world.device(scene.who)
        old, old_out = world.state(laptop), texts(world.now / "out")
        outcome = self.cut_off(scene, None)
        if not self.tally.check(outcome.status in (0, CONFLICT), f"{scene.name}: without a fault", outcome.errors):
            return
        count = int((self.folder / "count").read_text())
        new, new_out = world.state(laptop), texts(world.now / "out")
        expected = Expected(old, new, self.judge.settle(scene) if scene.syncs else new, old_out, new_out)
        self.calls += count
        broken: list[str] = []
        tried = before = 0
        for kind in scene.faults:
            # A sample begins elsewhere in each scene and for each kind.
            first = 1 + (SEED + zlib.crc32(f"{scene.name} {kind}".encode())) % STEP
            for number in range(first, count + 1, STEP):
                fault = f"{kind}:{number}"
                if CHOSEN and CHOSEN != fault or self.progress.is_over:
                    continue
                if self.progress.has(scene.name, fault):
                    before += 1
                    continue
                tried += 1
                problem = self.one(scene, fault, expected)
                self.progress.note(scene.name, fault, problem)
                if problem:
                    broken.append(f"{kind} at call {number} of {count}: {problem}")
        self.counts[scene.name] = tried
        self.held_before += before
        earlier = f", {before} more in earlier runs" if before else ""
        details = "\n      ".join(broken[:5]) + f"\n      ({len(broken)} in all)"
        self.tally.check(not broken, f"{scene.name}: {tried} faults at {count} calls{earlier}", details)

    def one(self, scene: Scene, fault: str, expected: Expected) -> str:
        self.world.begin(scene)
        try:
            outcome = self.cut_off(scene, fault)
            return self.judge.problem(scene, outcome.status == 0, expected)
        except (stage.Failed, OSError) as error:
            return f"{error}"


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("sweep") as folder:
        sweep = Sweep(folder, tally)
        try:
            for number, scene in enumerate(SCENES):
                if (ONLY is None or scene.name in ONLY) and number % PARTS == PART - 1 and not sweep.progress.is_over:
                    sweep.play(scene)
        finally:
            sweep.world.stop()
            sweep.world.proxy.close()
        earlier = f", and {sweep.held_before} in earlier runs" if sweep.held_before else ""
        print(f"{sum(sweep.counts.values())} faults in {len(sweep.counts)} scenes of {sweep.calls} calls{earlier}")
        if sweep.progress.is_over:
            print("stopped, as the time has passed: the next run goes on")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
