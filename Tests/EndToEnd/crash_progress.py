"""How far a long run of faults is, in a file that the next run goes on from."""

import hashlib
import json
import os
import time
from pathlib import Path

import stage


class Progress:
    """One line of JSON for each fault that was tried, written at once.

    What was found broken is tried again by the next run; what held is not, by whichever build of the programs it did.
    """

    def __init__(self, path: str | None, seconds: float):
        self.path = path
        self.end = time.monotonic() + seconds if seconds else None
        self.held: set[tuple[str, str]] = set()
        programs = b"".join(stage.program(name).read_bytes() for name in ("lockbook", "lockbook-server"))
        self.build = hashlib.sha256(programs).hexdigest()[:12]
        if path and Path(path).exists():
            for line in Path(path).read_text().splitlines():
                found = json.loads(line)
                if not found["problem"]:
                    self.held.add((found["scene"], found["fault"]))

    @property
    def is_over(self) -> bool:
        """Whether the time of this run has passed."""
        return self.end is not None and time.monotonic() > self.end

    def has(self, scene: str, fault: str) -> bool:
        return (scene, fault) in self.held

    def note(self, scene: str, fault: str, problem: str) -> None:
        if not self.path:
            return
        line = json.dumps({"scene": scene, "fault": fault, "build": self.build, "problem": problem}) + "\n"
        with open(self.path, "a") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
