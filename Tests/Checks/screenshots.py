#!/usr/bin/env python3
"""Looks at pages of a built site with Chromium: pictures, overflow, console errors, contrast, targets.

usage: screenshots.py SITE OUTDIR [--pages PATH …] [--url BASE] [--widths 390 1280] [--no-pictures] [--fast]

Without --pages it takes the largest page of each kind (start, post, channel, bucket, topic, person, tag, …).
Pages are opened from file://, or from BASE when a server serves SITE. Pictures are
OUTDIR/PAGE.WIDTH.SCHEME.png, and OUTDIR/PAGE.pdf as printed. Style sheets' declarations are shown to
Chromium's parser. Prints `file: problem` lines; exits 1 on a problem.
"""

import argparse
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import Browser, BrowserError  # noqa: E402
from checklib import HERE, Report, site_files  # noqa: E402

KINDS = [
    r"index\.html", r"page/\d+/index\.html", r"posts/[^/]+/index\.html", r"posts/[^/]+/\d+/index\.html",
    r"posts/[^/]+/thread/[^/]+/index\.html", r"channels/index\.html", r"channels/[^/]+/\d{4}/.*index\.html",
    r"channels/[^/]+/(newest|oldest)/(.*)index\.html", r"channels/[^/]+/topics/[^/]+/index\.html", r"people/index\.html",
    r"people/[^/]+/index\.html", r"tags/index\.html", r"tags/[^/]+/index\.html", r"timeline/index\.html",
    r"timeline/\d{4}/\d\d/index\.html", r"search/index\.html", r"statistics/index\.html", r"[^/]+/index\.html",
]
# Declarations that another engine or a newer Chromium knows, and that cost nothing elsewhere.
PROGRESSIVE = {
    "hanging-punctuation", "text-autospace", "text-spacing-trim", "text-box", "text-box-trim", "text-box-edge", "line-clamp",
    "-webkit-text-size-adjust", "-moz-text-size-adjust", "text-size-adjust", "-moz-osx-font-smoothing", "-webkit-overflow-scrolling",
    "interpolate-size", "-webkit-hyphens", "color-adjust", "scrollbar-color", "scrollbar-width", "field-sizing",
}
DESCRIPTORS = {"src", "font-display", "unicode-range", "syntax", "inherits", "initial-value", "system", "symbols", "suffix",
               "prefix", "size", "size-adjust", "ascent-override", "descent-override", "line-gap-override", "navigation", "marks"}


def pages_of(site):
    """The largest page of each kind, and the front page of every channel (at most six)."""
    files = [f for f in site_files(site) if f.endswith(".html") and f != "404.html"]
    chosen, rest = [], set(files)
    for kind in KINDS:
        found = [f for f in rest if re.fullmatch(kind, f) and not is_redirect(site, f)]
        rest.difference_update(found)
        if found:
            chosen.append(max(found, key=lambda f: (os.path.getsize(os.path.join(site, f)), f)))
    channels = [f for f in files if re.fullmatch(r"channels/[^/]+/index\.html", f)]
    return list(dict.fromkeys(chosen + channels[:6]))


def is_redirect(site, file):
    with open(os.path.join(site, file), "rb") as stream:
        return b'http-equiv="refresh"' in stream.read(2048)


def declarations(text):
    """(property, value) pairs of a style sheet, custom properties left out."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    for name, value in re.findall(r"(?<=[{;\s])([a-z-]+)\s*:\s*([^;{}]+?)\s*(?=[;}])", text):
        if not name.startswith("--") and name not in DESCRIPTORS | PROGRESSIVE:
            yield name, re.sub(r"\s*!important$", "", value)


def check_styles(browser, site, report):
    pairs, where = [], []
    for file in site_files(site):
        if file.endswith(".css"):
            for pair in dict.fromkeys(declarations((Path(site) / file).read_text("utf-8", "replace"))):
                pairs.append(list(pair))
                where.append(file)
    answers = browser.evaluate(f"{json.dumps(pairs)}.map(([name, value]) => CSS.supports(name, value))") if pairs else []
    for (name, value), file, known in zip(pairs, where, answers):
        if not known:
            report.add(file, f"Chromium does not know '{name}: {value}'")


def look(browser, url, page, width, options, report):
    """One page at one width, light and dark. Returns the lowest contrast met."""
    lowest, unknown = 99.0, 0
    for scheme in ("light", "dark"):
        browser.view(width, 844 if width < 600 else 900, scheme)
        browser.open(url, settle=0.05 if options.fast else 0.15)
        where = f"{page} ({width} px, {scheme})"
        found = browser.evaluate((HERE / "audit.js").read_text("utf-8"))
        if found["overflow"]:
            over = found["overflow"]
            report.add(where, f"{over['scroll']} px wide in {over['width']}: {', '.join(over['wide'])}", "too wide")
        for text in found["contrast"]:
            report.add(where, f"contrast {text['ratio']:.2f} of {text['needed']} in {text['name']}: {text['text']}",
                       f"contrast in {text['name']}")
        if scheme == "light":
            for target in found["targets"]:
                report.add(where, f"target {target['width']} by {target['height']} px, near {target['near']}: {target['name']} {target['text']}",
                           f"small target {target['name']}")
        lowest, unknown = min(lowest, found["lowest"]), unknown + found["unknown"]
        for complaint in browser.complaints():
            report.add(where, f"console: {complaint}", complaint)
        if not options.no_pictures:
            name = re.sub(r"(^|/)index\.html$", "", page).replace("/", "-") or "start"
            name = name.encode()[:150].decode("utf-8", "ignore")
            browser.screenshot(Path(options.out) / f"{name}.{width}.{scheme}.png", width)
            if width == max(options.widths) and scheme == "light":
                browser.view(width, 900, scheme, media="print")
                if browser.pdf(Path(options.out) / f"{name}.pdf") < 1000:
                    report.add(page, "prints to an empty PDF")
    return lowest, unknown


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("site")
    arguments.add_argument("out")
    arguments.add_argument("--pages", nargs="*", help="paths within the site, such as posts/hello/index.html")
    arguments.add_argument("--url", help="where SITE is served, such as http://127.0.0.1:8080/")
    arguments.add_argument("--widths", nargs="*", type=int, default=[390, 1280])
    arguments.add_argument("--no-pictures", action="store_true", help="checks only")
    arguments.add_argument("--fast", action="store_true", help="do not wait for late scripts")
    options = arguments.parse_args()
    site = os.path.abspath(options.site)
    Path(options.out).mkdir(parents=True, exist_ok=True)
    report = Report("screenshots", most_alike=4)
    pages = options.pages or pages_of(site)
    lowest, unknown = 99.0, 0
    with Browser() as browser:
        check_styles(browser, site, report)
        for page in pages:
            path = page + "index.html" if page == "" or page.endswith("/") else page
            if not os.path.exists(os.path.join(site, path)):
                report.add(path, "no such page")
                continue
            if options.url:
                url = options.url.rstrip("/") + "/" + quote(re.sub(r"(^|/)index\.html$", r"\1", path))
            else:
                url = "file://" + quote(os.path.join(site, path))
            for width in options.widths:
                try:
                    low, skipped = look(browser, url, path, width, options, report)
                    lowest, unknown = min(lowest, low), unknown + skipped
                except BrowserError as error:
                    report.add(path, f"could not be looked at: {error}")
    print(f"lowest contrast {lowest:.2f}; {unknown} texts over pictures were not judged")
    return report.finish(f"{len(pages)} pages, {len(options.widths)} widths, light and dark")


if __name__ == "__main__":
    sys.exit(main())
