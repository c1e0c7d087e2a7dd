#!/usr/bin/env python3
"""Builds a site from the posts of each other generator in Tests/Fixtures/markdown, and judges it.

usage: corpus_sites.py STILLFEED [--only FOLDER …] [--keep FOLDER]
Each folder stands at Content/posts as it is. It must build, without drafts and with them; every post is a
page or is named in a message; check_site.py and nu.sh must find nothing. Exits 1 on a problem.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checklib import FIXTURES, Report, enter_environment  # noqa: E402

enter_environment()

HERE = Path(__file__).resolve().parent
TIMEOUT = 120


def sources(folder):
    """The files that are posts by the content format: not hidden, no section or data files."""
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden and path.suffix in (".md", ".markdown", ".html") and path.stem != "_index":
            yield path


def pages_of(site):
    """The post pages, without redirects and further parts."""
    return [page for page in (site / "posts").glob("*/index.html") if "k-post" in page.read_text("utf-8")]


def build(report, binary, archive, site, name, words):
    """Runs a build; its words on standard error, or None if it failed."""
    command = [binary, "build", "-C", archive, "-o", site, "--no-color", *words]
    try:
        run = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        report.add(name, f"took over {TIMEOUT} s")
        return None
    messages = run.stderr.decode("utf-8", "replace")
    if run.returncode:
        report.add(name, f"build exited {run.returncode}: {messages.strip()[-300:]}")
        return None
    return messages


def judge(report, name, command):
    """Runs one of the other checks and takes over what it says."""
    run = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, text=True, check=False)
    if run.returncode:
        for line in run.stdout.strip().splitlines() + run.stderr.strip().splitlines():
            report.add(name, line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stillfeed", type=Path)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    binary = options.stillfeed.resolve()
    if not binary.is_file():
        sys.exit(f"checks: no such binary: {binary}")
    report = Report("corpus_sites")
    folders = [f for f in sorted((FIXTURES / "markdown").iterdir()) if f.is_dir()]
    if options.only:
        folders = [f for f in folders if f.name in options.only]
    if not folders:
        sys.exit("checks: no such folder in Tests/Fixtures/markdown")
    work = options.keep or Path(tempfile.mkdtemp(prefix="stillfeed-corpus-"))
    shutil.rmtree(work, ignore_errors=True)
    posts = 0
    for folder in folders:
        name = folder.name
        archive = work / "archives" / name
        shutil.copytree(folder, archive / "Content" / "posts")
        (archive / "stillfeed.yml").write_text(f"title: {json.dumps(name)}\n", "utf-8")
        site = work / "sites" / name
        if build(report, binary, archive, site, name, ["--base-url", "https://still.example/sub/"]) is None:
            continue
        drafts = work / "drafts" / name
        messages = build(report, binary, archive, drafts, name + " with drafts", ["--drafts"])
        if messages is not None:
            made, written = pages_of(drafts), list(sources(folder))
            unnamed = [p for p in written if str(p.relative_to(folder)) not in messages]
            # A message may be about a post that is shown, so only the difference can be counted.
            if len(made) > len(written) or len(made) < len(unnamed):
                report.add(name, f"{len(written)} posts, {len(unnamed)} without a message, but {len(made)} pages")
            if len(pages_of(site)) > len(made):
                report.add(name, "more posts without drafts than with them")
            posts += len(made)
        judge(report, name, [sys.executable, HERE / "check_site.py", site, "--base-path", "/sub/"])
        judge(report, name + " with drafts", [sys.executable, HERE / "check_site.py", drafts])
        judge(report, name, [sys.executable, HERE / "feeds.py", site])
    if (work / "sites").is_dir():
        judge(report, "all folders", [HERE / "nu.sh", work / "sites", "--no-css"])
    if options.keep is None:
        shutil.rmtree(work)
    return report.finish(f"{len(folders)} folders, {posts} posts")


if __name__ == "__main__":
    sys.exit(main())
