#!/usr/bin/env python3
"""Shows that each check fails when it must: a small sound site, then one fault at a time.

usage: selftest.py [--only WORD]

A case names a check, an edit of selftest/site, and a part of the line the check must print (and it
must exit 1). The sound site itself must pass. Exits 1 when a check is silent or too loud.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checklib import HERE, enter_environment  # noqa: E402

enter_environment()
from selftest_cases import CASES, SOUND  # noqa: E402


def run(command, environment=None):
    result = subprocess.run(
        command, capture_output=True, stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})}
    )
    return result.returncode, (result.stdout + result.stderr).decode("utf-8", "replace")


def apply(site, edits):
    """Edits: (file, old, new); old None writes the file; new None removes it."""
    for file, old, new in edits:
        path = site / file
        if new is None:
            path.unlink()
        elif old is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(new if isinstance(new, bytes) else new.encode("utf-8", "surrogatepass"))
        else:
            text = path.read_text("utf-8")
            if old not in text:
                raise SystemExit(f"selftest: '{old}' is not in {file}")
            path.write_text(text.replace(old, new, 1), "utf-8")


def judge(case):
    """None when the check behaves, else what is wrong."""
    name, check, edits, expected = case
    with tempfile.TemporaryDirectory(prefix="selftest-") as folder:
        site = Path(folder) / "site"
        shutil.copytree(HERE / "selftest" / "site", site)
        apply(site, edits)
        program, *arguments = check if isinstance(check, (list, tuple)) else [check]
        environment = dict(a.split("=", 1) for a in arguments if a.startswith("FAULT="))
        arguments = [a for a in arguments if not a.startswith("FAULT=")]
        if "{nosite}" in arguments:
            arguments = [a for a in arguments if a != "{nosite}"]
        else:
            arguments.insert(0, str(site))
        arguments = [a.replace("{here}", str(HERE)).replace("{out}", f"{folder}/shots") for a in arguments]
        status, output = run([str(HERE / program), *arguments], environment)
        if expected is None:
            return None if status == 0 else f"{name}: {program} must pass, but:\n{output[-1500:]}"
        if status != 1:
            return f"{name}: {program} exited {status}, not 1:\n{output[-1500:]}"
        if expected not in output:
            return f"{name}: {program} did not say '{expected}':\n{output[-1500:]}"
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--only", default="", help="cases whose name or program holds this word")
    options = arguments.parse_args()
    cases = [c for c in SOUND + CASES if options.only in f"{c[0]} {c[1]}"]
    with ThreadPoolExecutor(2) as pool:
        failures = [f for f in pool.map(judge, cases) if f]
    for failure in failures:
        print(failure)
    print(f"{len(cases) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
