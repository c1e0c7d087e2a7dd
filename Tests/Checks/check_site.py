#!/usr/bin/env python3
"""Checks every page, style sheet and name of a built site, without any of the generator's own code.

usage: check_site.py SITE [--base-path /sub/] [--base-url URL] [--file-links] [--workers N] [--microformats N]

Links, images, assets and anchors resolve; nothing comes from another host; no inline script or style;
headings, ids, times, JSON-LD and microformats are sound; names are portable. Prints `file: problem`
lines and a summary; exits 1 when there is a problem. Unreachable pages are notes.
"""

import argparse
import sys
import unicodedata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checklib import Report, enter_environment, in_parallel, site_files  # noqa: E402

enter_environment()
import css_check  # noqa: E402
import page_check  # noqa: E402

RESERVED = {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"} | {
    f"{n}{d}" for n in ("com", "lpt") for d in "0123456789¹²³"
}


def check_names(files, report):
    """Names that every file system keeps apart and a web server can serve."""
    folded = {}
    parts = set()
    for file in files:
        path = ""
        for part in file.split("/"):
            path = f"{path}/{part}" if path else part
            parts.add(path)
    for path in sorted(parts):
        name = path.rsplit("/", 1)[-1]
        try:
            size = len(name.encode("utf-8"))
        except UnicodeEncodeError:
            report.add(path, "name is not UTF-8")
            continue
        if size > 200:
            report.add(path, f"name of {size} bytes, over 200")
        if name != unicodedata.normalize("NFC", name):
            report.add(path, "name is not NFC")
        if any(unicodedata.category(c) == "Cc" or c in '<>:"\\|?*' for c in name):
            report.add(path, "name holds a control or reserved character")
        if name[-1] in ". ":
            report.add(path, "name ends in a dot or blank")
        if name.split(".")[0].rstrip(" ").lower() in RESERVED:
            report.add(path, "name is reserved on Windows")
        key = unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
        if key in folded:
            report.add(path, f"name equals '{folded[key]}' where case is folded")
        folded[key] = path


def check_anchors(facts, texts, report):
    """Fragments name an id of their page (or of an SVG file)."""
    for page in facts:
        for target, fragment in page.anchors:
            if target.endswith(".svg"):
                content = texts.setdefault(target, page_check.read_text(target))
                found = f'id="{fragment}"' in content or f"id='{fragment}'" in content
            elif target in page_check.ids_of:
                found = fragment in page_check.ids_of[target]
            else:
                continue
            if not found:
                report.add(page.file, f"no anchor '#{fragment}' in {target}", f"no anchor in {target}")


def note_unreachable(facts, report):
    links = {page.file: page.targets for page in facts}
    seen, stack = set(), [f for f in ("index.html", "404.html") if f in links]
    while stack:
        file = stack.pop()
        if file not in seen:
            seen.add(file)
            stack.extend(t for t in links.get(file, ()) if t in links and t not in seen)
    redirects = {page.file for page in facts if page.redirects}
    lost = sorted(set(links) - seen - redirects)
    if lost:
        report.note(f"{len(lost)} pages no link leads to, such as {', '.join(lost[:5])}")


def check_microformats(site, pages, report):
    """An independent microformats2 parser over a sample of post pages."""
    import mf2py

    for file in pages:
        found = mf2py.parse(doc=(Path(site) / file).read_text("utf-8", "replace"), url="https://site.example/" + file)
        entries = [item for item in found["items"] if "h-entry" in item["type"]]
        if not entries:
            report.add(file, "mf2: no h-entry at the top of a post page")
            continue
        properties = entries[0]["properties"]
        undated = "undated" in (Path(site) / file).read_text("utf-8", "replace")
        for needed in ("author", "published", "content", "url"):
            if needed not in properties and not (needed == "published" and undated):
                # A post may be nothing but a title or a picture.
                titled = "name" in properties and (Path(site) / file).read_text("utf-8", "replace").count("p-name")
                if not (needed == "content" and ("photo" in properties or titled)):
                    report.add(file, f"mf2: h-entry without {needed}")
        for author in properties.get("author", []):
            if not isinstance(author, dict) or not author["properties"].get("name"):
                report.add(file, "mf2: author is no h-card with a name")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("site")
    arguments.add_argument("--base-path", default=None, help="path of the site, for 404.html")
    arguments.add_argument("--base-url", default=None, help="base URL; read from index.html when absent")
    arguments.add_argument("--file-links", action="store_true", help="each link must name a file")
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--microformats", type=int, default=25, metavar="N", help="post pages read by mf2py")
    options = arguments.parse_args()

    report = Report("check_site")
    files = site_files(options.site)
    pages = [f for f in files if f.endswith((".html", ".htm"))]
    if not pages:
        report.add(options.site, "no pages")
        return report.finish()
    check_names(files, report)
    page_check.prepare(options.site, files, options.base_path, options.base_url, options.file_links)
    facts = list(in_parallel(page_check.check_page, pages, options.workers))
    page_check.ids_of = {page.file: page.ids for page in facts}
    for page in facts:
        for problem, kind in page.problems:
            report.add(page.file, problem, kind)
    check_anchors(facts, {}, report)
    note_unreachable(facts, report)
    for file in files:
        if file.endswith(".css"):
            for problem in css_check.problems(options.site, file, page_check.all_files):
                report.add(file, problem)
    posts = [p.file for p in facts if page_check.is_post_page(p.file) and not p.redirects]
    step = max(1, len(posts) // max(1, options.microformats))
    check_microformats(options.site, posts[::step][: options.microformats], report)
    links = sum(page.links for page in facts)
    return report.finish(f"{len(pages)} pages, {len(files)} files, {links} links")


if __name__ == "__main__":
    sys.exit(main())
