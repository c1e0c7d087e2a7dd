"""Running the stillfeed binary on made-up archives: measured, bounded, and watched for stray writes."""

import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from watchlib import WATCHED

NOBODY = 65534


@dataclass
class Run:
    """One run: exit status (negative: the signal that ended it), wall seconds, peak memory in bytes."""

    status: int
    seconds: float
    memory: int
    stdout: str
    stderr: str
    timed_out: bool

    @property
    def died(self):
        return self.status < 0 or self.status >= 128


def as_nobody():
    """Root gives up its rights for a run, so that a path bug cannot reach the machine's own files."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def run(command, timeout, environment=None, cwd=None):
    """Runs a command without a terminal and measures it with wait4."""
    # Until it becomes the command, the child is a copy of this process, whose size counts as its peak. A peak
    # below that is known as it was last seen, twenty times a second.
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=cwd,
            env={**os.environ, "LC_ALL": "C.UTF-8", **(environment or {})}, start_new_session=True, **as_nobody(),
        )
        late = threading.Event()

        def stop():
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        seen, ended = [0], threading.Event()

        def watch():
            while not ended.wait(0.05):
                seen.append(peak_of(process.pid))

        timer, watcher = threading.Timer(timeout, stop), threading.Thread(target=watch)
        timer.start()
        watcher.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            timer.cancel()
            ended.set()
            watcher.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read(20_000_000).decode("utf-8", "replace"))
        memory = usage.ru_maxrss if usage.ru_maxrss > own else max(seen)
        return Run(process.returncode, seconds, memory * 1024, *texts, late.is_set())


def peak_of(process):
    """The most memory that a running process had, in KB; 0 where it is none any more."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def private_copy(binary, folder):
    """The binary where an unprivileged run can execute it."""
    binary = Path(binary).resolve()
    if not binary.is_file():
        sys.exit(f"checks: no such binary: {binary}")
    copy = Path(folder) / "bin" / binary.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(binary, copy)
    copy.chmod(0o755)
    return copy


def work_folder(prefix):
    """A folder that an unprivileged run can enter."""
    folder = tempfile.mkdtemp(prefix=prefix, dir="/dev/shm" if room_in_memory() else None)
    os.chmod(folder, 0o755)
    return Path(folder)


def room_in_memory():
    try:
        status = os.statvfs("/dev/shm")
    except OSError:
        return False
    return status.f_bavail * status.f_frsize > 2 << 30


class Case:
    """One archive: `base/around/archive`, its output `base/around/out`, and canaries on every level."""

    def __init__(self, base):
        self.base = Path(base)
        self.around = self.base / "around"
        self.archive = self.around / "archive"
        self.out = self.around / "out"
        self.content = self.archive / "Content"
        self.content.mkdir(parents=True)
        for folder in (self.base, self.around, self.archive):
            (folder / "canary.txt").write_text("canary\n")
        # Neighbours that a prefix test without a separator would let through.
        (self.around / "out2").mkdir()
        (self.around / "out2" / "canary.html").write_text("canary\n")
        (self.around / "archive-evil").mkdir()
        (self.around / "archive-evil" / "canary.md").write_text("CANARY-NEVER-SHOWN\n")

    def write(self, path, content):
        """A file of the archive. False when its name cannot stand on this file system."""
        try:
            name = path if isinstance(path, bytes) else path.encode("utf-8")
            target = os.path.join(os.fsencode(self.archive), name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as stream:
                stream.write(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        except (OSError, ValueError):
            return False
        return True

    def json(self, path, value):
        return self.write(path, json.dumps(value, ensure_ascii=True))

    def lines(self, path, values):
        return self.write(path, "".join(json.dumps(value, ensure_ascii=True) + "\n" for value in values))

    def build(self, binary, *arguments, timeout=30, environment=None, log=None):
        """Builds into `out`; the tree beside it is compared before and after. `log`: where strace notes its calls."""
        if os.geteuid() == 0:
            give_away(self.base)
        self._before = self.snapshot()
        before = []
        if log:
            log.touch()
            os.chmod(log, 0o666)
            before = ["strace", "-f", "-qq", "-y", "-s", "4096", "-o", log, "-e", f"trace={WATCHED}"]
        return run([*before, binary, "build", "-C", self.archive, "-o", self.out, "--no-color", *arguments], timeout, environment)

    def strays(self):
        """What the run changed outside its output and its state folder."""
        after = self.snapshot()
        return sorted(
            path.decode("utf-8", "backslashreplace") for path in set(self._before) | set(after)
            if self._before.get(path) != after.get(path)
        )

    def snapshot(self):
        found, stack = {}, [os.fsencode(self.base)]
        skipped = {os.fsencode(self.out), os.fsencode(self.archive / ".stillfeed")}
        while stack:
            folder = stack.pop()
            for entry in os.scandir(folder):
                if entry.path in skipped:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    found[entry.path] = "folder"
                    stack.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    status = entry.stat()
                    if status.st_size > 1 << 20:
                        found[entry.path] = (status.st_size, status.st_mtime_ns)
                    else:
                        with open(entry.path, "rb") as stream:
                            found[entry.path] = hashlib.blake2b(stream.read()).digest()
                else:
                    found[entry.path] = "other"
        return found

    def remove(self):
        shutil.rmtree(os.fsencode(self.base), ignore_errors=True)


def give_away(folder):
    """chown -R nobody, without following links."""
    for path, folders, files in os.walk(os.fsencode(folder)):
        os.chown(path, NOBODY, NOBODY)
        for name in files:
            os.chown(os.path.join(path, name), NOBODY, NOBODY, follow_symlinks=False)


def quoted(text):
    """A double-quoted string as both YAML and TOML read it; lone surrogates become U+FFFD."""
    out = ['"']
    for c in text:
        code = ord(c)
        if 0xD800 <= code <= 0xDFFF:
            out.append("\ufffd")
        elif c in '"\\':
            out.append("\\" + c)
        elif code < 0x20 or 0x7F <= code < 0xA0 or code in (0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF):
            out.append(f"\\u{code:04X}")
        elif code > 0xFFFF:
            out.append(f"\\U{code:08X}")
        else:
            out.append(c)
    return "".join(out) + '"'
