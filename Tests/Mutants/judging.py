"""Runs the tests against each mutant: first it is seen which tests come by it, then those run, quick ones first."""

import os
import re
import resource
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

# Tests quicker than this share one process.
QUICK = 0.3
# So many of them run before the others do.
FEW = 8
MEMORY = 6 << 30


class Judge:
    def __init__(self, program, workers, log):
        self.program, self.workers, self.log = program, workers, log
        self.seconds, self.reached = {}, {}
        # Tests that fail although no mutant is awake, which can say nothing.
        self.unsound = []

    def _command(self, tests):
        command = ["nice", str(self.program), "--testing-library", "swift-testing", "--no-parallel"]
        for test in tests:
            command += ["--filter", "^" + re.escape(test).replace("/", r"\/") + "($|/)"]
        return command

    def tests(self):
        """The names of all tests."""
        listed = subprocess.run([str(self.program), "--testing-library", "swift-testing", "--list-tests"],
                                capture_output=True, text=True, check=True)  # fmt: skip
        return [line for line in listed.stdout.split("\n") if "/" in line]

    def measure(self, tests, folder):
        """Runs each test alone without a mutant, for its time and for the mutants that it comes by."""
        reach = {}

        def one(numbered):
            number, test = numbered
            path = folder / f"reached-{number}"
            environment = os.environ | {"MUTANT": "0", "REACHED": str(path), "NO_COLOR": "1"}
            process = subprocess.Popen(self._command([test]), env=environment, text=True, errors="replace",
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            if status != 0 or "1 test" not in output:
                self.unsound.append(test)
                self.log(f"fails without a mutant: {test}\n{output[-2000:]}")
                return
            # Not the time on the clock, which says more about what else the machine does.
            self.seconds[test] = usage.ru_utime + usage.ru_stime
            for mutant, byte in enumerate(path.read_bytes()):
                if byte:
                    self.reached.setdefault(mutant, []).append(test)
                    reach[test] = reach.get(test, 0) + 1
            path.unlink()

        with ThreadPoolExecutor(self.workers) as pool:
            list(pool.map(one, enumerate(tests)))
        # A test that comes by few mutants is more likely about this one.
        for tests in self.reached.values():
            tests.sort(key=lambda test: (self.seconds[test] >= QUICK, reach[test], test))

    def verdict(self, mutant):
        """Which test kills a mutant, and how; nothing when it survives."""
        tests = self.reached.get(mutant, [])
        quick = [test for test in tests if self.seconds[test] < QUICK]
        groups = [quick[:FEW], quick[FEW:]] + [[test] for test in tests if self.seconds[test] >= QUICK]
        for group in filter(None, groups):
            killed = self._run(mutant, group)
            if killed:
                return killed
        return None

    def _run(self, mutant, tests):
        limit = int(5 * sum(self.seconds[t] for t in tests)) + 2

        def bound():
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        environment = os.environ | {"MUTANT": str(mutant), "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"}
        process = subprocess.Popen(self._command(tests), env=environment, preexec_fn=bound, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")  # fmt: skip
        for line in process.stdout:
            if "recorded an issue" in line or line.startswith("✘"):
                process.kill()
                process.stdout.close()
                process.wait()
                return "failed"
        code = process.wait()
        return {0: None, -24: "endless", -9: "endless"}.get(code, "crashed")

    def judge(self, mutants, tell):
        """The verdict of each mutant; `tell` is called with each survivor at once."""
        before, verdicts = time.monotonic(), {}
        with ThreadPoolExecutor(self.workers) as pool:
            for number, (mutant, verdict) in enumerate(
                zip(mutants, pool.map(self.verdict, mutants)), start=1
            ):
                verdicts[mutant] = verdict
                if verdict is None:
                    tell(mutant)
                if number % 200 == 0:
                    dead = sum(v is not None for v in verdicts.values())
                    self.log(f"{number} of {len(mutants)} mutants, {dead} killed, {time.monotonic() - before:.0f} s")
        return verdicts
