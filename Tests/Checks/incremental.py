#!/usr/bin/env python3
"""Holds incremental builds to clean ones: after any change the same bytes, diagnostics and exit status.

usage: incremental.py STILLFEED [--sequences N] [--seed S] [--steps N] [--only SEED] [--keep FOLDER]

Each sequence makes a small random archive and changes it step by step: entries, files, people, media,
theme, settings, options; bytes changed while size and time stay; the output tampered with; the memory
in .stillfeed damaged; builds killed. Most changes fall on its focus (incremental_focus.py): records at a
border of pages, of which one field changes. After each step it builds into the same folder, and into a new one
from a copy without memory, and compares. Exit status 0 if all were equal.
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter

from incremental_archive import Archive

FOREIGN = "foreign/own.txt"


def tree(folder):
    """Each file below a folder with the hash of its bytes."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() or path.is_symlink():
            found[str(path.relative_to(folder))] = hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
    return found


def stamps(folder):
    """Each file with what a write would change."""
    found = {}
    for path in folder.rglob("*"):
        status = path.lstat()
        found[str(path)] = (status.st_mtime_ns, status.st_size, status.st_ino)
    return found


class Sequence:
    def __init__(self, binary, seed, folder):
        self.binary, self.seed, self.folder = binary, seed, pathlib.Path(folder)
        self.random = random.Random(seed)
        self.archive = Archive(self.folder / "archive", self.random)
        self.output = self.folder / "Site"
        self.log = []
        self.taken = 0

    def build(self, root, output):
        command = [self.binary, "build", "-C", str(root), "-o", str(output), "--json", "--no-color", *self.archive.arguments()]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        report = json.loads(done.stdout) if done.stdout.strip() else {}
        words = done.stderr.decode("utf-8", "replace").replace(str(output), "OUT").replace(str(root), "ROOT")
        return done.returncode, report, words

    def manifests(self):
        return sorted((self.archive.root / ".stillfeed").glob("manifest-*"))

    def disturb(self):
        """Changes what the last build left; returns what."""
        files = [path for path in sorted(self.output.rglob("*")) if path.is_file() and "foreign" not in str(path)]
        kind = self.random.choice(["tamper", "tamper", "delete", "truncate", "folder", "foreign", "memory", "kill", "link", "forget"])
        if kind == "tamper" and files:
            path = self.random.choice(files)
            status, data = path.stat(), bytearray(path.read_bytes())
            if data:
                data[self.random.randrange(len(data))] ^= 1
            with open(path, "r+b") as file:
                file.write(data)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        elif kind == "delete" and files:
            self.random.choice(files).unlink()
        elif kind == "truncate" and files:
            os.truncate(self.random.choice(files), 0)
        elif kind == "folder" and self.output.exists():
            folders = [path for path in sorted(self.output.iterdir()) if path.is_dir() and path.name != "foreign"]
            if folders:
                shutil.rmtree(self.random.choice(folders))
        elif kind == "foreign" and self.output.exists():
            (self.output / FOREIGN).parent.mkdir(exist_ok=True)
            (self.output / FOREIGN).write_text("mine")
        elif kind == "link" and files:
            # Another name for each file, as a preview or a backup makes: the times of change are new.
            for path in files:
                os.link(path, self.folder / "name")
                (self.folder / "name").unlink()
        elif kind == "forget":
            shutil.rmtree(self.archive.root / ".stillfeed", ignore_errors=True)
            return "forget"
        elif kind == "memory":
            for path in self.manifests():
                data = bytearray(path.read_bytes())
                way = self.random.randint(0, 4)
                if way == 0 and data:
                    data[self.random.randrange(len(data))] ^= 1 << self.random.randint(0, 7)
                elif way == 1:
                    data = data[: self.random.randrange(len(data) + 1)]
                elif way == 2:
                    data = b"stillfeed manifest 1\n" + data[21:]
                elif way == 3:
                    data = b"stillfeed manifest 9\n" + data[21:]
                else:
                    data = self.random.randbytes(self.random.randint(0, 300))
                path.write_bytes(data)
            # It names no files any more, so what it wrote can't be told from what is foreign.
            return "memory"
        elif kind == "kill":
            self.archive.change()
            command = [self.binary, "build", "-C", str(self.archive.root), "-o", str(self.output), "-q", *self.archive.arguments()]
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.random.random() * 0.02)
            process.send_signal(signal.SIGKILL)
            process.wait()
        return kind

    def step(self, number):
        """One step; returns what is wrong after it."""
        leftovers = False
        did = []
        for _ in range(self.random.choice([0, 1, 1, 1, 2, 4]) if number else 0):
            did.append(self.archive.change())
        if number and self.random.random() < 0.25:
            did.append(self.disturb())
            leftovers = did[-1] in ("memory", "forget")
        self.log.append("+".join(did) or "nothing")
        # What was there before may stay where the memory was lost: all else must be equal.
        before = tree(self.output) if leftovers and self.output.exists() else {}
        quiet = stamps(self.output) if not did and self.output.exists() else None
        status, report, words = self.build(self.archive.root, self.output)
        self.taken += report.get("reused", 0)
        clean = self.folder / "clean"
        copy = self.folder / "copy"
        self.archive.copy(copy)
        clean_status, clean_report, clean_words = self.build(copy, clean)
        problems = []
        if status != clean_status:
            problems.append(f"exit status {status}, clean {clean_status}\n{words}")
        if status < 0 or status > 1:
            problems.append(f"exit status {status}: {words}")
        if words != clean_words:
            problems.append(f"says\n{words}clean says\n{clean_words}")
        for field in ("entries", "pages", "files", "bytes", "diagnostics"):
            if report.get(field) != clean_report.get(field):
                problems.append(f"{field}: {report.get(field)}, clean {clean_report.get(field)}")
        if clean.exists():
            problems += self.differences(tree(self.output), tree(clean), before)
        if quiet is not None and number and quiet != stamps(self.output):
            problems.append("nothing changed, but files were touched")
        for leftover in list(self.output.rglob(".stillfeed-tmp-*")) + list(self.folder.glob(".Site*")):
            problems.append(f"left behind: {leftover.name}")
        shutil.rmtree(copy)
        shutil.rmtree(clean, ignore_errors=True)
        return problems

    def differences(self, site, clean, before):
        problems = []
        for path in sorted(site.keys() | clean.keys()):
            if path == FOREIGN or (path not in clean and path in before):
                continue
            if site.get(path) != clean.get(path):
                problems.append(f"{path}: {'missing' if path not in site else 'too much' if path not in clean else 'differs'}")
        # Where the memory was lost, the next steps begin from a clean folder.
        if before and any(path not in clean for path in site if path != FOREIGN):
            shutil.rmtree(self.output)
        return problems[:10]

    def run(self, steps):
        self.archive.create()
        for number in range(steps):
            problems = self.step(number)
            if problems:
                print(f"sequence {self.seed}, step {number} ({' → '.join(self.log)}):")
                for problem in problems:
                    print(f"  {problem}")
                return False
        return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--sequences", type=int, default=25)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    seeds = [arguments.only] if arguments.only is not None else range(arguments.seed, arguments.seed + arguments.sequences)
    failed, taken, steps = [], 0, Counter()
    for seed in seeds:
        folder = tempfile.mkdtemp(prefix=f"incremental-{seed}-")
        sequence = Sequence(binary, seed, folder)
        if not sequence.run(arguments.steps):
            failed.append(seed)
        taken += sequence.taken
        steps.update(part for entry in sequence.log for part in entry.split("+"))
        if arguments.keep and seed in failed:
            shutil.move(folder, f"{arguments.keep}/{seed}")
        else:
            shutil.rmtree(folder)
    print(f"incremental: {len(list(seeds)) - len(failed)} of {len(list(seeds))} sequences equal, {taken} pages taken over")
    print("  " + ", ".join(f"{name} {count}" for name, count in sorted(steps.items())))
    if failed:
        print("  failed seeds:", *failed)
    if taken == 0:
        print("  nothing was ever taken over: this tested nothing")
    sys.exit(1 if failed or taken == 0 else 0)


if __name__ == "__main__":
    main()
