"""What the torture tests share: running the command under strace, counting its calls, judging files."""

import argparse
import collections
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
# Calls that change files, or may tell that a change has failed.
CALLS = (
    "openat write pwrite64 fsync fdatasync rename renameat renameat2 unlink unlinkat mkdir mkdirat "
    "link linkat close flock fchmod"
).split()
EPOCH = "1715938212"
TEMPORARY = ".stillfeed-tmp-"
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
WORKERS = 4


class Torture:
    """One run of a test; a check is a method that calls `fail` and returns a line of figures."""

    def __init__(self, binary, is_long, base):
        self.binary, self.is_long, self.base = binary, is_long, base
        self.failures = []
        self.number = 0

    def fail(self, text):
        self.failures.append(text)
        print("FAIL", text[:600], flush=True)

    def execute(self, words, before=(), timeout=120, **options):
        environment = dict(os.environ, SOURCE_DATE_EPOCH=EPOCH, LC_ALL="C.UTF-8")
        environment.update(options.pop("environment", {}))
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        return subprocess.run(
            [*before, *words], stdin=subprocess.DEVNULL, env=environment, timeout=timeout, **options)

    def judge(self, what, old, new, now):
        """Each file is whole, as it was or as it should be."""
        for path in old.keys() | new.keys() | now.keys():
            if now.get(path) not in (old.get(path), new.get(path)):
                self.fail(f"{what}: {path} is neither old nor new: {now.get(path)!r}")

    @staticmethod
    def in_parallel(work, jobs, workers=WORKERS):
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(work, jobs))

    @staticmethod
    def is_privileged():
        return os.geteuid() == 0 and shutil.which("setpriv") is not None


def strace(call, injection, paths=()):
    """A command line before a command: what happens at a call, counted by each thread for itself.

    With paths only calls on just these count, which leaves out those of the runtime.
    """
    words = ["strace", "-f", "-qq", "-o", "/dev/null"]
    # A filter in the kernel makes it much faster, but with it strace 6.1 sends signals at the first call only.
    if not injection.startswith("signal"):
        words.append("--seccomp-bpf")
    for path in paths:
        words += ["-P", path]
    return words + ["-e", f"trace={call}", "-e", f"inject={call}:{injection}"]


def counted(log):
    """How often the busiest thread makes each system call, from a log of `strace -f -o`."""
    most = collections.Counter()
    for (_, call), count in collections.Counter(re.findall(r"^(\d+)\s+(\w+)\(", log, re.M)).items():
        most[call] = max(most[call], count)
    return most


def spread(count, most):
    """At most about `most` numbers of 1…count, the last ones with them, for they write, and the first, for it finds the archive."""
    step = max(1, -(-count // most))
    return sorted({count - n for n in range(0, count, step)} | {1, count})


def run(description, kind, checks):
    """The command line of a torture test; ends with status 0 if all held."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("binary", nargs="?", default=os.environ.get("STILLFEED_BINARY", "stillfeed"))
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", help="the name of one check", choices=checks)
    arguments = parser.parse_args()
    if shutil.which("strace") is None:
        sys.exit("strace is missing")
    random.seed(1)
    with tempfile.TemporaryDirectory(prefix="torture-") as base:
        os.chmod(base, 0o755)
        binary = os.path.abspath(arguments.binary) if "/" in arguments.binary else arguments.binary
        torture = kind(binary, arguments.long, pathlib.Path(base))
        for name in checks:
            if arguments.only in (None, name):
                start = time.time()
                print(f"{getattr(torture, name)()} ({time.time() - start:.1f} s)", flush=True)
    print(f"{len(torture.failures)} failures")
    sys.exit(1 if torture.failures else 0)
