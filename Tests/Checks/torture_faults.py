"""The checks of torture_build.py that break a build off, or have its system calls fail."""

import errno
import itertools
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import time

from torture_site import differences
from torturelib import CALLS, EPOCH, TEMPORARY, WORKERS, counted, spread, strace

# Calls that read: their failing must not be taken for "nothing is there".
READING = "read pread64 getdents64 newfstatat".split()
# Calls that the runtime makes for itself, too: of these only calls on files of the site are failed.
# libdispatch ends the process when it can't open or read /proc and /sys.
SHARED = ["openat", "read", "newfstatat"]
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


class Faults:
    def begin(self, site, mode):
        """An archive that is to be built: into no folder, or over the site of another version."""
        if mode == "fresh":
            site.begin(self.new)
            return
        site.begin(self.old)
        site.build("-q")
        site.change(self.new)

    def judge_output(self, what, site, mode):
        """What stands in the output after a build that was broken off."""
        now = site.tree
        if mode == "fresh":
            if now and now != self.new_tree:
                self.fail(f"{what}: half a site has its name: {differences(self.new_tree, now)}")
        else:
            for path, found in now.items():
                if TEMPORARY not in path and found not in (self.old_tree.get(path), self.new_tree.get(path)):
                    self.fail(f"{what}: {path} is torn")
            gone = (self.old_tree.keys() & self.new_tree.keys()) - now.keys()
            if gone:
                self.fail(f"{what}: gone: {sorted(gone)[:5]}")
        if not site.has_content():
            self.fail(f"{what}: the archive itself was changed")

    def judge_next(self, what, site):
        """A build without cleaning gives the clean tree, and leaves nothing behind."""
        result = site.build()
        if result.returncode != 0:
            self.fail(f"{what}: the next build ended with {result.returncode}: {result.stderr.decode()}")
            return
        if words := differences(self.new_tree, site.tree):
            self.fail(f"{what}: the next build's tree isn't clean: {words}")
        if left := site.leftovers():
            self.fail(f"{what}: left behind {left}")

    def with_sites(self, work, jobs):
        """Runs jobs, each with a site of its own."""
        free = queue.SimpleQueue()
        for _ in range(WORKERS):
            free.put(self.site())

        def one(job):
            site = free.get()
            try:
                return work(site, job)
            except subprocess.TimeoutExpired as error:
                self.fail(f"{job}: doesn't end: {error}")
            finally:
                free.put(site)

        return self.in_parallel(one, jobs)

    def places(self, calls, most):
        """Modes, calls and their numbers; of shared calls only those on the site count."""
        site = self.site()
        for mode in ("fresh", "over"):
            self.begin(site, mode)
            site.build()
            paths = site.paths()
            log = self.base / "log"
            words = ["strace", "-f", "-qq", "-o", str(log)]
            self.begin(site, mode)
            site.build(before=words)
            found = counted(log.read_text())
            words += [w for path in paths for w in ("-P", path)]
            self.begin(site, mode)
            site.build(before=words)
            shared = counted(log.read_text())
            for call in calls:
                count = shared[call] if call in SHARED else found[call]
                for k in spread(count, most) if count else ():
                    yield mode, call, k

    # A1: killed at any call.
    def kill_at_calls(self):
        def one(site, job):
            mode, call, k = job
            self.begin(site, mode)
            result = site.build(before=strace(call, f"signal=KILL:when={k}", self.filter(site, call)))
            what = f"build {mode} killed at {call} {k}"
            self.judge_output(what, site, mode)
            self.judge_next(what, site)
            return result.returncode < 0

        jobs = list(self.places(CALLS, 100 if self.is_long else 5))
        kills = sum(map(bool, self.with_sites(one, jobs)))
        if kills < len(jobs) // 3:
            self.fail(f"only {kills} of {len(jobs)} builds were killed")
        return f"{kills} builds killed at calls"

    def filter(self, site, call):
        if call not in SHARED:
            return ()
        return [str(site.root / path) for path in self.known_paths]

    # A1, A9: signals at random times.
    def signals_at_random(self):
        rounds = 400 if self.is_long else 60
        site, late, killed = self.site(), 0, 0
        start = time.monotonic()
        self.begin(site, "over")
        site.build("-q")
        usual = time.monotonic() - start
        for number in range(rounds):
            mode = ("fresh", "over")[number % 2]
            self.begin(site, mode)
            process = subprocess.Popen(
                site.words("-q"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, env=dict(os.environ, SOURCE_DATE_EPOCH=EPOCH))
            time.sleep(random.uniform(0.002, usual))
            sent = SIGNALS[0] if number % 4 < 2 else random.choice(SIGNALS[1:])
            process.send_signal(sent)
            start = time.monotonic()
            status = process.wait(timeout=30)
            late = max(late, time.monotonic() - start)
            killed += status != 0
            what = f"build {mode} after signal {sent}"
            if status not in (0, -sent):
                self.fail(f"{what}: status {status}")
            self.judge_output(what, site, mode)
            self.judge_next(what, site)
        if late > 1:
            self.fail(f"a signal took {late:.2f} s")
        return f"{rounds} signals at random times, {killed} in time, the slowest end after {late:.3f} s"

    # A4, A5: system calls that fail are never taken for success.
    def errors_at_calls(self):
        fired = []

        def one(site, job):
            (mode, call, k), error = job
            self.begin(site, mode)
            log = site.root.parent / f"{site.root.name}.log"
            words = strace(call, f"{error}:when={k}", self.filter(site, call))
            words[words.index("/dev/null")] = str(log)
            result = site.build(before=words)
            what = f"build {mode} with {error} at {call} {k}"
            injected = [line for line in log.read_text().splitlines() if "INJECTED" in line]
            fired.append(bool(injected))
            if result.returncode < 0 or result.returncode > 127:
                self.fail(f"{what}: died with {result.returncode}: {injected[-2:]}")
            elif result.returncode == 0:
                if words := differences(self.new_tree, site.tree):
                    self.fail(f"{what}: said it was done, and was not: {words}; {injected[-2:]}")
            elif b"error while loading shared libraries" in result.stderr:
                pass  # A call of the system's loader, before the first of ours; it knows few causes by name.
            elif cause_of(error) not in result.stderr and not re.search(r"write\(2", "".join(injected)):
                self.fail(f"{what}: failed without the cause: {result.stderr[-300:]}; {injected[-2:]}")
            self.judge_output(what, site, mode)
            self.judge_next(f"{what} ({injected[-2:]})", site)

        jobs = []
        for place in self.places(CALLS + READING, 100 if self.is_long else 3):
            errors = ["error=EIO", "error=EINTR", "error=EAGAIN", "error=ENOSPC", "error=EDQUOT"]
            if place[1] in READING:
                errors = ["error=EIO"]
            if place[1] in ("write", "pwrite64"):
                errors.append("retval=1")
            if not self.is_long:
                errors = errors[:1] + random.sample(errors[1:], min(1, len(errors) - 1))
            jobs += [(place, error) for error in errors]
        self.with_sites(one, jobs)
        if sum(fired) < len(jobs) // 3:
            self.fail(f"only {sum(fired)} of {len(jobs)} calls failed")
        return f"{sum(fired)} builds with a failing call"

    # A4: the disk is full; of what is needed beyond the archive there is from 5% to 100%.
    def full_disk(self):
        folder = self.base / "disk"
        folder.mkdir()
        if os.geteuid() != 0 or not mount(folder, "64m"):
            return "SKIPPED: a full disk, for file systems can't be mounted here"
        steps = 20 if self.is_long else 5
        statuses = []
        site = self.site(folder / "site")
        try:
            for mode in ("fresh", "over"):
                needed = []
                for size in [None] + [1 + n * 99 // steps for n in range(1, steps + 1)]:
                    resize(folder, "64m")
                    self.begin(site, mode)
                    before = used(folder)
                    if size is not None:
                        resize(folder, f"{before + max(needed) * size // 100 + 1}k")
                    result = site.build()
                    what = f"build {mode} with {size}% of the room"
                    if size is None:
                        needed.append(used(folder) - before if mode == "fresh" else peak(site, before))
                        continue
                    statuses.append(result.returncode)
                    if result.returncode == 0:
                        if words := differences(self.new_tree, site.tree):
                            self.fail(f"{what}: said it was done: {words}")
                    elif result.returncode > 127 or b"No space left" not in result.stderr or str(folder).encode() not in result.stderr:
                        self.fail(f"{what}: {result.returncode} {result.stderr}")
                    self.judge_output(what, site, mode)
                    resize(folder, "64m")
                    self.judge_next(what, site)
        finally:
            shutil.rmtree(folder / "site", ignore_errors=True)
            subprocess.run(["umount", str(folder)], check=False)
        if 0 not in statuses or all(status == 0 for status in statuses):
            self.fail(f"the disk was never full, or always: {statuses}")
        return f"{len(statuses)} builds on small disks, {statuses.count(0)} of which had room enough"

    # A6: few descriptors.
    def few_descriptors(self):
        site = self.site()
        counts = [16, 24, 32, 64, 256]
        for count, (mode, jobs) in itertools.product(counts + [7, 8, 10, 12], [("fresh", "1"), ("over", "2"), ("fresh", "64")]):
            self.begin(site, mode)
            result = site.build("-j", jobs, before=["prlimit", f"--nofile={count}"])
            what = f"build {mode} -j{jobs} with {count} descriptors"
            if result.returncode == 0:
                if words := differences(self.new_tree, site.tree):
                    self.fail(f"{what}: {words}")
            elif count >= 32 or not 0 < result.returncode < 128 or b"Too many open files" not in result.stderr:
                self.fail(f"{what}: {result.returncode} {result.stderr}")
            self.judge_output(what, site, mode)
        return f"few descriptors: {', '.join(map(str, counts))}, and fewer"


def cause_of(injection):
    """The system's words for an injected error; none for a write that is only short."""
    name = injection.partition("=")[2]
    return os.strerror(getattr(errno, name)).encode() if name.startswith("E") else b""


def mount(folder, size):
    words = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "torture", str(folder)]
    return subprocess.run(words, capture_output=True).returncode == 0


def resize(folder, size):
    subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True, capture_output=True)


def used(folder):
    """Kilobytes."""
    status = os.statvfs(folder)
    return (status.f_blocks - status.f_bfree) * status.f_frsize // 1024


def peak(site, before):
    """Kilobytes that a build over a site may need: what it wrote anew, and a file beside its old one."""
    return max(64, used(site.root.parent) - before + 64)
