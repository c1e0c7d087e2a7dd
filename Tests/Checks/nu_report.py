#!/usr/bin/env python3
"""Groups what the Nu HTML checker reported: nu_report.py SITE PAGES SHEETS REPORT.json …

Lines of nu_known.tsv (kind, pattern, reason; tab-separated) name reports that are false; how many each
took away is printed.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checklib import HERE, printable  # noqa: E402


def known_reports():
    for line in (HERE / "nu_known.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, pattern, reason = line.split("\t")
            yield kind, re.compile(pattern, re.DOTALL), reason


def lines_before(message):
    """The reported line of a style sheet and the eight before it."""
    try:
        text = Path(unquote(message["url"]).removeprefix("file:")).read_text("utf-8", "replace")
    except (KeyError, OSError):
        return ""
    last = message.get("lastLine", 0)
    return "\t" + "\n".join(text.split("\n")[max(0, last - 9):last])


def main():
    site, pages, sheets, *reports = sys.argv[1:]
    known = list(known_reports())
    groups = {"error": defaultdict(list), "warning": defaultdict(list)}
    set_aside = Counter()
    for report in reports:
        kind = Path(report).stem
        try:
            messages = json.loads(Path(report).read_text("utf-8"))["messages"]
        except (ValueError, KeyError):
            print(f"nu: no report from the checker: {Path(report).read_text('utf-8', 'replace')[-400:]}")
            return 2
        for message in messages:
            level = "error" if message["type"] != "info" else message.get("subType", "info")
            if level not in groups:
                continue
            text, extract = message.get("message", ""), message.get("extract", "")
            subject = f"{text}\t{extract}" + (lines_before(message) if kind == "css" else "")
            for known_kind, pattern, reason in known:
                if known_kind in (kind, "both") and pattern.search(subject):
                    set_aside[reason] += 1
                    break
            else:
                file = unquote(message.get("url", "?")).removeprefix("file:")
                file = file.split(str(Path(site).resolve()) + "/", 1)[-1].split(site.rstrip("/") + "/", 1)[-1]
                # Quoted names differ from page to page: they are left out of the group's key.
                key = re.sub(r"“[^”]{0,200}”", "“…”", text) if kind == "html" else text
                groups[level][key].append((file, message.get("lastLine", 0), text, extract))
    for level in ("error", "warning"):
        for key, found in sorted(groups[level].items(), key=lambda item: (-len(item[1]), item[0])):
            print(f"{level}, {len(found)} times: {printable(found[0][2])}")
            for file, line, text, extract in found[:3]:
                print(f"  {printable(file)}:{line}: {printable(extract, 160)}")
    for reason, count in sorted(set_aside.items()):
        print(f"set aside, {count} times: {reason}")
    errors, warnings = (sum(map(len, groups[level].values())) for level in ("error", "warning"))
    print(f"nu: {pages} pages, {sheets} style sheets, {errors} errors, {warnings} warnings")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
