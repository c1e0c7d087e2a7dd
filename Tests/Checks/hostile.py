#!/usr/bin/env python3
"""Builds hostile archives with good neighbours and asks what must hold (Tests/Fixtures/hostile).

usage: hostile.py STILLFEED [--section NAME …] [--only WORD] [--long] [--list] [--keep FOLDER] [--workers N]
                  [--files FOLDER …]

For each case: no signal, time and memory within bounds, the bad record named on standard error, the good
records shown exactly once, nothing changed outside the output, distinct names for distinct ids. --long
adds the cases of a million messages. --files adds those of further folders of bad files. Prints `section/case: finding` lines; exits 1 on a finding.
"""

import argparse
import re
import shutil
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checklib import Report, enter_environment, in_parallel  # noqa: E402

enter_environment()
import hostile_cases  # noqa: E402
import hostile_files  # noqa: E402
import hostile_threads  # noqa: E402
from buildlib import Case, private_copy, work_folder  # noqa: E402
from hostile_judge import add_good, good_shown, limits  # noqa: E402
from watchlib import opened_elsewhere  # noqa: E402

binary = None
folder = None
keep = None
trials = []


def staged(out):
    """Where an output stands before it has its name."""
    return out.parent / f".{out.name}.stillfeed-new"


def attempt(number):
    """The findings of one trial, with what it cost."""
    trial = trials[number]
    case = Case(folder / str(number))
    if trial.good:
        add_good(case)
    trial.prepare(case)
    result = case.build(binary, *trial.arguments, timeout=trial.seconds * 3 + 5)
    findings = list(limits(result, trial.seconds, trial.memory, trial.exits))
    if not result.died and not result.timed_out:
        if result.status == 0:
            if trial.good:
                findings += good_shown(case)
            findings += trial.judge(case, result)
    if trial.watched and shutil.which("strace"):
        log = case.base / "trace"
        case.build(binary, *trial.arguments, timeout=trial.seconds * 10, log=log)
        findings += [f"opened {path}" for path in opened_elsewhere(
            log.read_text("utf-8", "replace"), [case.archive, case.out, staged(case.out), binary.parent], case.base)]
        log.unlink()
    findings += [f"changed {path}" for path in case.strays()]
    if keep and findings:
        where = keep / re.sub(r"[^A-Za-z0-9.-]+", "_", trial.name)[:100]
        shutil.copytree(case.around, where, dirs_exist_ok=True, symlinks=True, ignore_dangling_symlinks=True,
                        ignore=lambda at, names: [n for n in names if n.endswith(".pipe")])
        (where / "stderr.txt").write_text(result.stderr, "utf-8", "replace")
    case.remove()
    return trial.name, findings, result.seconds, result.memory


def main():
    global binary, folder, keep
    sections = {**hostile_cases.SECTIONS, **hostile_files.SECTIONS, **hostile_threads.SECTIONS}
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("binary")
    arguments.add_argument("--section", nargs="*", choices=sorted(sections), default=list(sections))
    arguments.add_argument("--only", default="", help="cases whose name holds this word")
    arguments.add_argument("--long", action="store_true")
    arguments.add_argument("--list", action="store_true", help="print each case with its time and memory")
    arguments.add_argument("--keep", help="folder for the archives and sites with findings")
    arguments.add_argument("--workers", type=int, help="cases at once (default: 2; 1 with --long)")
    arguments.add_argument("--files", nargs="*", type=Path, default=[], help="folders of bad files, to stand in every folder")
    options = arguments.parse_args()
    # A site of a million pages has two million files and folders: a memory file system has no room for two.
    workers = options.workers or (1 if options.long else 2)
    hostile_files.given += options.files
    keep = Path(options.keep) if options.keep else None
    for section in options.section:
        for trial in sections[section](options.long):
            trial.name = f"{section}/{trial.name}"
            if options.only in trial.name:
                trials.append(trial)
    folder = work_folder("hostile-")
    report = Report("hostile", most_alike=40)
    started, slowest = time.monotonic(), []
    try:
        binary = private_copy(options.binary, folder)
        for name, findings, seconds, memory in in_parallel(attempt, range(len(trials)), workers, chunk=1):
            slowest.append((seconds, memory, name))
            if options.list:
                print(f"{name}: {seconds:.2f} s, {memory >> 20} MB")
            for finding in findings:
                report.add(name, finding, finding.split(":")[0])
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if slowest:
        seconds, _, name = max(slowest)
        memory, most = max((m, n) for _, m, n in slowest)
        print(f"slowest {name} {seconds:.2f} s; largest {most} {memory >> 20} MB; {time.monotonic() - started:.0f} s in all")
    return report.finish(f"{len(trials)} cases")


if __name__ == "__main__":
    sys.exit(main())
