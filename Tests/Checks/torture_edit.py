#!/usr/bin/env python3
"""Holds `stillfeed add`, `edit` and `delete` to what RELIABILITY promises for edits.

usage: torture_edit.py [STILLFEED_BINARY] [--long] [--only NAME]

Needs strace (with fault injection) and, for the check of missing rights, root and setpriv. The short
run takes about a minute and a half; the long one tries every call. Exit status 0 if all held.
"""

import argparse
import collections
import hashlib
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
CALLS = (
    "openat write pwrite64 fsync fdatasync rename renameat renameat2 unlink unlinkat mkdir mkdirat "
    "link linkat close flock fchmod"
).split()
EPOCH = "1715938212"
TEMPORARY = ".stillfeed-tmp-"

FILES = {
    "stillfeed.yml": "title: T\ntimeZone: Asia/Taipei\nself: [ada]\n",
    "Content/people.yml": "- id: ada\n  name: Ada\n",
    "Content/posts/2024-01-01-rain.md": "---\ntitle: Rain # kept\nauthor: ada\n---\n\nOld body\n",
    "Content/comments/rain.jsonl": '{"id":"1","author":"ada","date":"2024-01-02","body":"c"}\r\n',
    "Content/channels/gb/channel.yml": "view: board\n",
    "Content/channels/gb/board.json": "[\n"
    + ",\n".join(
        '  { "id": "%d", "name": "Ada", "content": "m%d", "time": "2024-01-%02dT08:00:00Z" }'
        % (n, n, n)
        for n in range(1, 11)
    )
    + "\n]\n",
    "Content/channels/log/a.jsonl": "".join(
        '{"id":"%d","author":"ada","date":1704067200000,"body":"l%d"}\n' % (n, n)
        for n in range(1, 6)
    ),
    "attach.png": "not really a picture",
}

COMMANDS = {
    "edit a board": ["edit", "channels/gb#m-3", "--body", "new", "--like"],
    "edit a post": ["edit", "posts/rain", "--title", "New", "--tag", "a"],
    "add a message": ["add", "message", "--to", "log", "--author", "ada", "hello"],
    "add a post": ["add", "post", "--author", "ada", "--title", "Snow", "white"],
    "add a channel": ["add", "channel", "news"],
    "add with a picture": ["add", "message", "--to", "gb", "--author", "ada", "--attach",
                           "ROOT/attach.png", "look"],
    "delete a line": ["delete", "channels/log#m-2", "--yes"],
    "delete a post": ["delete", "posts/rain", "--yes"],
    "bury a comment": ["delete", "posts/rain#c-1", "--tombstone", "--yes"],
}


class Torture:
    def __init__(self, binary, is_long, base):
        self.binary, self.is_long, self.base = binary, is_long, base
        self.failures = []
        self.number = 0

    def fail(self, text):
        self.failures.append(text)
        print("FAIL", text, flush=True)

    def archive(self):
        self.number += 1
        root = self.base / f"a{self.number}"
        for path, text in FILES.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text.encode())
        return root

    def words(self, command, root):
        return [self.binary, "-C", str(root)] + [w.replace("ROOT", str(root)) for w in command]

    def run(self, command, root, before=(), **options):
        environment = dict(os.environ, SOURCE_DATE_EPOCH=EPOCH, LC_ALL="C.UTF-8")
        return subprocess.run(
            list(before) + self.words(command, root),
            stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=120, **options,
        )

    def state(self, root, keep_temporary=False):
        """Every file of the archive but the state folder: path to bytes."""
        found = {}
        for folder, folders, names in os.walk(root):
            folders[:] = [f for f in folders if f != ".stillfeed"]
            for name in names:
                path = pathlib.Path(folder) / name
                if keep_temporary or not name.startswith(TEMPORARY):
                    found[str(path.relative_to(root))] = path.read_bytes()
        return found

    def judge(self, what, old, new, now):
        """Each file is whole, as it was or as it should be."""
        for path in old.keys() | new.keys() | now.keys():
            if now.get(path) not in (old.get(path), new.get(path)):
                self.fail(f"{what}: {path} is neither old nor new: {now.get(path)!r}")

    def wanted(self, command):
        root = self.archive()
        old = self.state(root)
        result = self.run(command, root)
        if result.returncode != 0:
            self.fail(f"{command}: {result.stderr.decode()}")
        new = self.state(root)
        shutil.rmtree(root)
        return old, new

    def calls(self, command):
        """How often each system call is made."""
        root = self.archive()
        log = root / "log"
        self.run(command, root, ["strace", "-f", "-qq", "-o", str(log)])
        found = collections.Counter(re.findall(r"^\d+\s+(\w+)\(", log.read_text(), re.M))
        shutil.rmtree(root)
        return found

    def injections(self, command, most):
        for call, count in self.calls(command).items():
            if call not in CALLS:
                continue
            step = max(1, -(-count // most))
            # The last calls are those that write.
            for k in sorted({count - n for n in range(0, count, step)} | {count}):
                yield call, k

    # A2 and A10: killed at any call; the next run goes on and cleans up.
    def kill_at_calls(self):
        total = 0
        def one(job):
            name, command, old, new, call, k = job
            root = self.archive()
            self.run(command, root, ["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                                     f"trace={call}", "-e", f"inject={call}:signal=KILL:when={k}"])
            now = self.state(root)
            what = f"{name} killed at {call} {k}"
            self.judge(what, old, new, now)
            if now == old or not name.startswith(("delete", "bury", "add a channel")):
                again = self.run(command, root)
                if again.returncode != 0:
                    self.fail(f"{what}: the next run failed: {again.stderr.decode()}")
                left = [p for p in self.state(root, True) if TEMPORARY in p]
                if left and now == old:
                    self.fail(f"{what}: left behind {left}")
            shutil.rmtree(root)
        jobs = []
        for name, command in COMMANDS.items():
            old, new = self.wanted(command)
            for call, k in self.injections(command, 100 if self.is_long else 3):
                jobs.append((name, command, old, new, call, k))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(one, jobs))
        return f"{len(jobs)} kills at calls of {len(COMMANDS)} commands"

    # A2, A9: signals at random times.
    def signals_at_random(self):
        rounds = 200 if self.is_long else 40
        late = 0
        for number in range(rounds):
            name = random.choice(list(COMMANDS))
            command = COMMANDS[name]
            old, new = self.cached(name)
            root = self.archive()
            process = subprocess.Popen(
                self.words(command, root), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, env=dict(os.environ, SOURCE_DATE_EPOCH=EPOCH),
            )
            time.sleep(random.uniform(0, 0.05))
            number = random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
            process.send_signal(number)
            start = time.time()
            status = process.wait(timeout=30)
            late = max(late, time.time() - start)
            if status not in (0, -number):
                self.fail(f"{name}: status {status} after signal {number}")
            self.judge(f"{name} after signal {number}", old, new, self.state(root))
            shutil.rmtree(root)
        if late > 1:
            self.fail(f"a signal took {late:.2f} s")
        return f"{rounds} signals at random times, the slowest end after {late:.3f} s"

    def cached(self, name):
        if not hasattr(self, "known"):
            self.known = {}
        if name not in self.known:
            self.known[name] = self.wanted(COMMANDS[name])
        return self.known[name]

    # A4, A5: system calls that fail are never taken for success.
    def errors_at_calls(self):
        errors = ["error=EIO", "error=ENOSPC", "error=EINTR", "retval=1"]
        def one(job):
            name, command, old, new, call, k, error = job
            root = self.archive()
            result = self.run(command, root, [
                "strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                f"inject={call}:{error}:when={k}"])
            now = self.state(root)
            what = f"{name} with {error} at {call} {k}"
            self.judge(what, old, new, now)
            if result.returncode < 0 and call == "openat" and k == 1:
                # The first file that a thread of libdispatch opens is one of /proc; it traps when
                # that fails, whatever the program does.
                shutil.rmtree(root)
                return
            if result.returncode < 0 or result.returncode > 127:
                self.fail(f"{what}: died with {result.returncode}")
            if result.returncode == 0 and now != new:
                self.fail(f"{what}: said it was done, and was not")
            if result.returncode != 0 and not result.stderr:
                self.fail(f"{what}: failed without a word")
            shutil.rmtree(root)
        jobs = []
        for name, command in COMMANDS.items():
            old, new = self.cached(name)
            for call, k in self.injections(command, 100 if self.is_long else 2):
                for error in errors:
                    if error == "retval=1" and call != "write":
                        continue
                    if not self.is_long and error == "error=ENOSPC" and call != "write":
                        continue
                    jobs.append((name, command, old, new, call, k, error))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(one, jobs))
        return f"{len(jobs)} failing calls"

    # A3: write, fsync, rename, fsync of the folder, and only then the end.
    def order_of_calls(self):
        for name, command in COMMANDS.items():
            root = self.archive()
            log = root / "log"
            self.run(command, root, ["strace", "-f", "-qq", "-y", "-o", str(log), "-e",
                                     "trace=write,fsync,renameat,renameat2,unlinkat,exit_group"])
            lines = log.read_text().splitlines()
            waiting = {}
            for line in lines:
                if match := re.search(r"write\(\d+<([^>]*/" + re.escape(TEMPORARY) + "[^>]*)>", line):
                    waiting[match[1]] = "written"
                elif match := re.search(r"fsync\(\d+<([^>]*)>", line):
                    path = match[1]
                    if path in waiting:
                        waiting[path] = "synced"
                    for other in [p for p, s in waiting.items() if s == "renamed in " + path]:
                        del waiting[other]
                elif match := re.search(r"renameat2?\(\d+<([^>]*)>, \"([^\"]*)\"", line):
                    path = os.path.normpath(f"{match[1]}/{match[2]}")
                    if waiting.get(path) != "synced":
                        self.fail(f"{name}: renamed before it was on the disk: {line}")
                    waiting[path] = "renamed in " + os.path.dirname(path)
                elif match := re.search(r"unlinkat\(\d+<([^>]*)>, \"([^\"]*)\"", line):
                    path = os.path.normpath(f"{match[1]}/{match[2]}")
                    waiting[path] = "renamed in " + os.path.dirname(path)
                elif "exit_group(0)" in line and waiting:
                    self.fail(f"{name}: ended before {waiting}")
            if not any("fsync" in line for line in lines):
                self.fail(f"{name}: no fsync at all")
            shutil.rmtree(root)
        return f"the order of calls of {len(COMMANDS)} commands"

    # Must hold: 1,000 edits from eight processes at once.
    def eight_processes(self):
        each = 125 if self.is_long else 30
        root = self.archive()
        def edits(process):
            random_ = random.Random(process)
            for n in range(each):
                entry = random_.choice(
                    ["channels/gb#m-%d" % random_.randint(1, 10), "posts/rain",
                     "channels/log#m-%d" % random_.randint(1, 5)])
                result = self.run(["edit", entry, "--tag", f"p{process}n{n}"], root)
                if result.returncode != 0:
                    self.fail(f"an edit was refused: {result.stderr.decode()}")
        start = time.time()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(edits, range(8)))
        text = b"".join(self.state(root).values()).decode()
        missing = [f"p{p}n{n}" for p in range(8) for n in range(each)
                   if not re.search(rf"\bp{p}n{n}\b", text)]
        if missing:
            self.fail(f"{len(missing)} edits are lost: {missing[:5]}")
        shutil.rmtree(root)
        seconds = time.time() - start
        return f"{8 * each} edits from 8 processes in {seconds:.1f} s, {len(missing)} lost"

    # A11: two edits from one base.
    def two_edits(self):
        rounds = 200 if self.is_long else 30
        for number in range(rounds):
            root = self.archive()
            one = subprocess.Popen(self.words(["edit", "channels/gb#m-2", "--title", "T"], root),
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
            two = subprocess.Popen(self.words(["edit", "channels/gb#m-2", "--body", "B"], root),
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
            statuses = [p.wait(timeout=60) for p in (one, two)]
            text = (root / "Content/channels/gb/board.json").read_text()
            kept = ['"title": "T"' in text, '"content": "B"' in text]
            if [s == 0 for s in statuses] != kept:
                self.fail(f"two edits: statuses {statuses}, kept {kept}")
            for p in (one, two):
                p.stderr.close()
            shutil.rmtree(root)
        return f"{rounds} rounds of two edits at once"

    # A7: missing rights; A8: standard output that fails.
    def rights_and_output(self):
        root = self.archive()
        old = self.state(root)
        if os.geteuid() == 0 and shutil.which("setpriv"):
            os.chmod(self.base, 0o755)
            nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
            for name, command in COMMANDS.items():
                result = self.run(command, root, nobody)
                if not 0 < result.returncode < 128 or str(root).encode() not in result.stderr:
                    self.fail(f"{name} without rights: {result.returncode} {result.stderr}")
            (root / ".stillfeed").mkdir(exist_ok=True)
            os.chmod(root / ".stillfeed", 0o777)
            for name, command in COMMANDS.items():
                result = self.run(command, root, nobody)
                if not 0 < result.returncode < 128 or b"Content/" not in result.stderr:
                    self.fail(f"{name} without rights: {result.returncode} {result.stderr}")
            if self.state(root, True) != old:
                self.fail("a command without rights changed something")
        with open("/dev/full", "w") as full:
            words = self.words(["edit", "posts/rain", "--like", "--json"], root)
            status = subprocess.run(words, stdout=full, stderr=subprocess.DEVNULL).returncode
            if not 0 < status < 128:
                self.fail(f"a full standard output gave {status}")
        closed = subprocess.run(
            ["sh", "-c", '"$@" >&-', "sh", *self.words(["edit", "posts/rain", "--tag", "x"], root)],
            stderr=subprocess.DEVNULL)
        if closed.returncode > 127:
            self.fail("a closed standard output killed it")
        if b"x" not in (root / "Content/posts/2024-01-01-rain.md").read_bytes().split(b"---")[1]:
            self.fail("with standard output closed the edit is lost")
        shutil.rmtree(root)
        return "missing rights and a failing standard output"

    # B4: hostile paths as arguments.
    def hostile_arguments(self):
        lines = (HERE.parent / "Fixtures/hostile/paths.txt").read_bytes().split(b"\n")
        paths = [l for l in lines if l and not l.startswith(b"#")]
        paths += [b"..", b"../canary", b"/etc/passwd", b"posts/../../canary/x", b"a\nb", b"-x"]
        if not self.is_long:
            paths = paths[::max(1, len(paths) // 20)]
        outside = self.base / "outside"
        canary = outside / "canary"
        canary.mkdir(parents=True)
        (canary / "x").write_text("canary")
        root = outside / "site"
        runs = 0
        for path in paths:
            if root.exists():
                shutil.rmtree(root)
            for name, text in FILES.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            text = os.fsdecode(path.replace(b"\0", b"\\0"))
            for command in (
                ["add", "message", "--author=ada", f"--to={text}", "x"],
                ["add", "comment", "--author=ada", f"--on={text}", "x"],
                ["add", "post", "--author=ada", f"--slug={text}", "x"],
                ["add", "post", "--author=ada", f"--title={text}", "x"],
                ["add", "post", f"--author={text}", f"--attach={root}/{text}", "x"],
                ["add", "channel", "--", text],
                ["add", "person", "--", text],
                ["edit", "--body=x", "--", text],
                ["delete", "--yes", "--", text],
                ["delete", "--yes", "--", f"posts/{text}"],
            ):
                runs += 1
                result = self.run(command, root)
                if not 0 <= result.returncode < 128:
                    self.fail(f"{command}: {result.returncode} {result.stderr}")
                around = {str(p.relative_to(outside)) for p in outside.rglob("*")
                          if not str(p).startswith(str(root) + "/")}
                if around != {"canary", "canary/x", "site"}:
                    self.fail(f"{command} wrote outside: {around}")
                beside = {p.name for p in root.iterdir()}
                if not beside <= {".stillfeed", "Content", "attach.png", "stillfeed.yml"}:
                    self.fail(f"{command} wrote beside the content: {beside}")
            if (canary / "x").read_text() != "canary":
                self.fail(f"{path!r} changed the canary")
        return f"{runs} commands with {len(paths)} hostile paths"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary", nargs="?", default=os.environ.get("STILLFEED_BINARY", "stillfeed"))
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", help="the name of one check")
    arguments = parser.parse_args()
    if shutil.which("strace") is None:
        sys.exit("strace is missing")
    random.seed(1)
    with tempfile.TemporaryDirectory(prefix="torture-edit-") as base:
        binary = os.path.abspath(arguments.binary) if "/" in arguments.binary else arguments.binary
        torture = Torture(binary, arguments.long, pathlib.Path(base))
        checks = ["order_of_calls", "kill_at_calls", "errors_at_calls", "signals_at_random",
                  "two_edits", "eight_processes", "rights_and_output", "hostile_arguments"]
        for name in checks:
            if arguments.only in (None, name):
                start = time.time()
                print(f"{getattr(torture, name)()} ({time.time() - start:.1f} s)", flush=True)
    print(f"{len(torture.failures)} failures")
    sys.exit(1 if torture.failures else 0)


if __name__ == "__main__":
    main()
