#!/usr/bin/env python3
"""Puts each payload of the hostile corpus into every field of an archive, builds it, and reads every page.

usage: xss.py STILLFEED [--limit N] [--only TEXT] [--keep FOLDER] [--workers N]

What must hold stands in xss_oracle.py. The elements, attributes and classes that a page may have are
learnt from clean builds of the same shape. Prints `payload N, file: finding` lines; exits 1 on a finding.
"""

import argparse
import json
import random
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checklib import FIXTURES, Report, enter_environment, in_parallel, printable, site_files  # noqa: E402

enter_environment()
import xss_archive  # noqa: E402
from buildlib import Case, private_copy, work_folder  # noqa: E402
from xss_oracle import (  # noqa: E402
    Vocabulary, elements_by_html5lib, elements_of, judge, judge_json, judge_title, judge_xml,
)

# Neutral texts of the kinds that the theme may treat differently.
CLEAN = [
    "neutral", "two words & more", "https://example.org/page", "https://example.org/a.png", "mailto:ada@example.org",
    "ada@example.org", "dot.png", "media/dot.png", "2024-05-17", "2024-05-17T10:00:00Z", "12", "*", "😀", "a/b", "p", "about",
    "# heading\n\ntext", "> quote\n\n- list", "tea", "12:30 is *it*", "see https://example.org/x and @q", "x" * 300, "",
    "<iframe src='https://example.org/film'></iframe>", "<b>bold</b> and <a href='https://example.org/'>link</a>", "![i](https://example.org/i.png)", "@q",
    "![i](gone.png)", "[![i](gone.png)](gone.html)", "```swift\ncode\n```", "plain", "true", "-1",
    "漢字かな混じり文", "שלום", "```\ncode\n```", "a | b\n--|--\nc | d", "private", "friends",
]

binary = None
folder = None
vocabulary = Vocabulary()
keep = None
second_parser_bytes = 6_000


def payloads():
    for line in (FIXTURES / "hostile" / "xss" / "payloads.jsonl").read_text("utf-8").split("\n"):
        if line:
            yield json.loads(line)["payload"]


def build(name, text, other):
    case = Case(folder / name)
    xss_archive.write(case, text, other)
    return case, case.build(binary, timeout=60)


def learn(number):
    """The vocabulary of one clean build."""
    case, result = build(f"clean-{number}", CLEAN[number // 2], ("plain", "odd")[number % 2])
    found = Vocabulary()
    pages = 0
    if result.status == 0:
        for file in site_files(case.out):
            if file.endswith(".html"):
                pages += 1
                content = (case.out / file).read_bytes()
                # A text with markup of its own must not teach what may stand outside users' texts.
                outside = "<" not in CLEAN[number // 2]
                found.learn(elements_of(content), outside)
                if len(content) < second_parser_bytes or number < 2:
                    found.learn(elements_by_html5lib(content), outside)
    case.remove()
    return found, pages, result.status, result.stderr[-400:]


def check(job):
    """All findings of one payload: (file, finding) pairs, and the number of pages read."""
    number, text, other = job
    case, result = build(f"{number}-{other}", text, other)
    findings, pages = [], 0
    if result.died:
        findings.append(("(build)", f"ended by status {result.status} after {result.seconds:.1f} s"))
    elif result.status != 0 and other == "plain":
        findings.append(("(build)", f"exit {result.status}: {result.stderr.strip()[-300:]}"))
    for path in case.strays():
        findings.append(("(build)", f"changed {path}"))
    chance = random.Random(number)
    if case.out.exists():
        files = site_files(case.out)
        for file in files:
            path = case.out / file
            if file.startswith("static/") or path.is_symlink():
                findings.append((file, "a link in the output")) if path.is_symlink() else None
                continue
            if file.endswith(".html"):
                pages += 1
                content = path.read_bytes()
                if b"CANARY-NEVER-SHOWN" in content or b"root:x:0" in content:
                    findings.append((file, "shows a file from outside the archive"))
                for finding in judge(elements_of(content), vocabulary):
                    findings.append((file, finding))
                if chance.random() < 0.06 and len(content) < 20_000:
                    for finding in judge(elements_by_html5lib(content), vocabulary):
                        findings.append((file, "by html5lib: " + finding))
            elif file.endswith((".xml", ".svg")):
                findings += [(file, finding) for finding in judge_xml(path.read_bytes(), vocabulary)]
            elif file.endswith((".json", ".webmanifest")):
                findings += [(file, finding) for finding in judge_json(path.read_bytes(), vocabulary)]
        if result.status == 0:
            findings += [("posts/text-plain", f) for f in judge_title(case.out / "posts/text-plain/index.html", text)]
    if keep and findings:
        shutil.copytree(case.around, keep / f"{number}-{other}", dirs_exist_ok=True, symlinks=True)
    case.remove()
    return number, text, findings, pages


def main():
    global binary, folder, keep
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("binary")
    arguments.add_argument("--limit", type=int, default=0, help="payloads, spread over the corpus")
    arguments.add_argument("--only", default="", help="payloads that hold this text")
    arguments.add_argument("--quick", action="store_true", help="learn from a few clean builds only (self-test)")
    arguments.add_argument("--keep", help="folder for the archives and sites with findings")
    arguments.add_argument("--workers", type=int, default=2)
    options = arguments.parse_args()
    keep = Path(options.keep) if options.keep else None
    folder = work_folder("xss-")
    try:
        binary = private_copy(options.binary, folder)
        report = Report("xss", most_alike=5)
        texts = [text for text in dict.fromkeys(payloads()) if options.only in text]
        if options.limit:
            texts = texts[:: max(1, len(texts) // options.limit)][: options.limit]
        learnt = 0
        for found, pages, status, words in in_parallel(learn, range(8 if options.quick else 2 * len(CLEAN)), options.workers):
            vocabulary.pairs |= found.pairs
            vocabulary.classes |= found.classes
            learnt += pages
            if status < 0 or status >= 128:
                report.add("(clean build)", f"ended by status {status}: {words}")
        if not learnt:
            report.add("(clean build)", f"wrote no page: {words}")
            return report.finish()
        # Every fourth payload also stands where a wrong value may rightly refuse the build (language, theme, …).
        jobs = [(n, text, "plain") for n, text in enumerate(texts)] + [(n, t, "odd") for n, t in enumerate(texts) if n % 4 == 0]
        total = 0
        for number, text, findings, pages in in_parallel(check, jobs, options.workers):
            total += pages
            for file, finding in findings[:40]:
                report.add(f"payload {number} {printable(text, 60)!r}, {file}", finding, finding.split(":")[0])
        return report.finish(f"{len(texts)} payloads, {len(jobs)} builds, {total} pages, vocabulary of {learnt} clean pages")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
