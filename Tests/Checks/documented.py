#!/usr/bin/env python3
"""Builds the archive of docs/content-format.md: what the page shows is what works.

usage: documented.py STILLFEED
Writes every fenced block whose opening mark carries a path, adds the pictures it names, and runs
`check --strict` and `build` on it. Exits 1 when one of them finds something.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n'
PAGES = ["posts/rain", "posts/sun", "channels/harbour", "channels/guestbook", "channels/letters", "people/ada", "about"]


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    blocks = BLOCK.findall((ROOT / "docs/content-format.md").read_text())
    problems = [] if len(blocks) >= 10 else [f"only {len(blocks)} blocks found"]
    with tempfile.TemporaryDirectory() as folder:
        archive = pathlib.Path(folder)
        pictures = [("Content/media/avatars/ada.svg", PICTURE), ("Content/media/window.svg", PICTURE)]
        for path, text in blocks + pictures:
            (archive / path).parent.mkdir(parents=True, exist_ok=True)
            (archive / path).write_text(text)
        for words in (["check", "--strict"], ["build", "--strict"]):
            run = subprocess.run(
                [sys.argv[1], *words, "-C", folder, "--no-color"], capture_output=True, text=True
            )
            if run.returncode:
                problems.append(f"{' '.join(words)} exited {run.returncode}:\n{run.stderr.strip()}")
        for page in PAGES:
            if not (archive / "Site" / page / "index.html").is_file():
                problems.append(f"there is no page /{page}/")
    for problem in problems:
        print(f"docs/content-format.md: {problem}")
    print(f"documented: {len(blocks)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
