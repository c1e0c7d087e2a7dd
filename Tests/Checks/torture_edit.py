#!/usr/bin/env python3
"""Holds `stillfeed add`, `edit` and `delete` to what docs/reliability.md promises for edits.

usage: torture_edit.py [STILLFEED_BINARY] [--long] [--only NAME]

Needs strace (with fault injection) and, for the check of missing rights, root and setpriv. The short
run takes about a minute; the long one tries every call. Exit status 0 if all held.
"""

import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from torture_edit_cases import COMMANDS, FILES
from torture_edit_paths import Paths
from torture_faults import cause_of
from torturelib import CALLS, EPOCH, TEMPORARY, Torture, counted, run, spread, strace


# What ld.so says when a call of its own fails, and what the command prints when the Swift runtime can't
# tell it its arguments, which it finds in /proc.
FOREIGN = (b"error while loading shared libraries", b"usage: stillfeed")


class EditTorture(Torture, Paths):
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
        return self.execute(self.words(command, root), before, **options)

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

    def wanted(self, command):
        root = self.archive()
        old = self.state(root)
        result = self.run(command, root)
        if result.returncode != 0:
            self.fail(f"{command}: {result.stderr.decode()}")
        new = self.state(root)
        shutil.rmtree(root)
        return old, new

    def injections(self, command, most):
        """Calls of a command, each with some of its numbers."""
        root = self.archive()
        log = root / "log"
        self.run(command, root, ["strace", "-f", "-qq", "-o", str(log)])
        found = counted(log.read_text())
        shutil.rmtree(root)
        for call, count in found.items():
            if call in CALLS:
                for k in spread(count, most):
                    yield call, k

    # A2 and A10: killed at any call; the next run goes on and cleans up.
    def kill_at_calls(self):
        def one(job):
            name, command, old, new, call, k = job
            root = self.archive()
            killed = self.run(command, root, strace(call, f"signal=KILL:when={k}")).returncode < 0
            now = self.state(root)
            what = f"{name} killed at {call} {k}"
            self.judge(what, old, new, now)
            if now == old or not name.startswith(("delete", "bury", "add a channel")):
                again = self.run(command, root)
                if again.returncode != 0:
                    self.fail(f"{what}: the next run failed: {again.stderr.decode()}")
                if left := [p for p in self.state(root, True) if TEMPORARY in p]:
                    self.fail(f"{what}: left behind {left}")
            shutil.rmtree(root)
            return killed
        jobs = []
        for name, command in COMMANDS.items():
            old, new = self.wanted(command)
            for call, k in self.injections(command, 100 if self.is_long else 4):
                jobs.append((name, command, old, new, call, k))
        kills = sum(self.in_parallel(one, jobs))
        if kills < len(jobs) // 2:
            self.fail(f"only {kills} of {len(jobs)} runs were killed")
        return f"{kills} kills at calls of {len(COMMANDS)} commands"

    # A2, A9: signals at random times, every second one SIGKILL.
    def signals_at_random(self):
        rounds = 1000 if self.is_long else 80
        late, in_time, killed = 0, 0, 0
        usual = self.usual_seconds()
        for round_number in range(rounds):
            name = random.choice(list(COMMANDS))
            command = COMMANDS[name]
            old, new = self.cached(name)
            root = self.archive()
            process = subprocess.Popen(
                self.words(command, root), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, env=dict(os.environ, SOURCE_DATE_EPOCH=EPOCH),
            )
            time.sleep(random.uniform(0.1, 1.2) * usual)
            number = random.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP]) if round_number % 2 else signal.SIGKILL
            process.send_signal(number)
            start = time.time()
            status = process.wait(timeout=30)
            late = max(late, time.time() - start)
            in_time += status != 0
            killed += status == -signal.SIGKILL
            if status not in (0, -number):
                self.fail(f"{name}: status {status} after signal {number}")
            self.judge(f"{name} after signal {number}", old, new, self.state(root))
            shutil.rmtree(root)
        if late > 1:
            self.fail(f"a signal took {late:.2f} s")
        if in_time < rounds // 4:
            self.fail(f"only {in_time} of {rounds} signals came in time")
        return f"{rounds} signals at random times, {in_time} in time, {killed} of them SIGKILL, the slowest end after {late:.3f} s"

    def usual_seconds(self):
        """What an edit takes here and now."""
        root = self.archive()
        start = time.time()
        for name in COMMANDS:
            self.run(COMMANDS[name], root)
        shutil.rmtree(root)
        return (time.time() - start) / len(COMMANDS)

    def cached(self, name):
        if not hasattr(self, "known"):
            self.known = {}
        if name not in self.known:
            self.known[name] = self.wanted(COMMANDS[name])
        return self.known[name]

    # A4, A5: system calls that fail are never taken for success.
    def errors_at_calls(self):
        errors = ["error=EIO", "error=ENOSPC", "error=EINTR", "retval=1"]
        if self.is_long:
            errors += ["error=EDQUOT", "error=EAGAIN"]
        def one(job):
            name, command, old, new, call, k, error = job
            root = self.archive()
            result = self.run(command, root, strace(call, f"{error}:when={k}"))
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
            if result.returncode > 0 and cause_of(error) not in result.stderr and not any(
                    words in result.stderr for words in FOREIGN):
                self.fail(f"{what}: failed without the cause: {result.stderr[-300:]}")
            shutil.rmtree(root)
        jobs = []
        for name, command in COMMANDS.items():
            old, new = self.cached(name)
            for call, k in self.injections(command, 100 if self.is_long else 5):
                for error in errors:
                    if error == "retval=1" and call != "write":
                        continue
                    if not self.is_long and error == "error=ENOSPC" and call != "write":
                        continue
                    jobs.append((name, command, old, new, call, k, error))
        self.in_parallel(one, jobs)
        return f"{len(jobs)} failing calls"

    # A3: write, fsync, rename, fsync of the folder, and only then the end.
    def order_of_calls(self):
        for name, command in COMMANDS.items():
            root = self.archive()
            log = root / "log"
            self.run(command, root, ["strace", "-f", "-qq", "-y", "-o", str(log), "-e",
                                     "trace=write,fsync,mkdirat,renameat,renameat2,unlinkat,exit_group"])
            lines = log.read_text().splitlines()
            waiting = {}
            replaced = 0
            for line in lines:
                # What is kept there only saves time, and is trusted by its checksum alone.
                if f"{root}/.stillfeed/" in line:
                    continue
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
                    replaced += 1
                elif match := re.search(r"(?:unlinkat|mkdirat)\(\d+<([^>]*)>, \"([^\"]*)\".* = 0", line):
                    path = os.path.normpath(f"{match[1]}/{match[2]}")
                    waiting[path] = "renamed in " + os.path.dirname(path)
                    replaced += 1
                elif "exit_group(0)" in line and waiting:
                    self.fail(f"{name}: ended before {waiting}")
            if not replaced:
                self.fail(f"{name}: changed no file that strace saw")
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


if __name__ == "__main__":
    run(__doc__, EditTorture, ["order_of_calls", "kill_at_calls", "errors_at_calls", "signals_at_random",
                           "two_edits", "eight_processes", "rights_and_output", "unseen_files", "hostile_arguments"])
