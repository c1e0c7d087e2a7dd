#!/usr/bin/env python3
"""Checks the feeds, the sitemap and robots.txt of a built site.

usage: feeds.py SITE [--base-url URL] [--no-schema]

Atom: RFC 4287 (also by schemas/atom.rng when xmllint is there), threading RFC 4685, archives RFC 5005.
JSON Feed 1.1. Sitemaps: the protocol of sitemaps.org. Prints `file: problem` lines; exits 1 on a problem.
"""

import argparse
import html
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import unquote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checklib import HERE, Report, attributes, enter_environment, site_files  # noqa: E402

enter_environment()
from datetimes import is_rfc3339, is_valid_datetime  # noqa: E402
from selectolax.lexbor import LexborHTMLParser  # noqa: E402

ATOM = "{http://www.w3.org/2005/Atom}"
THREAD = "{http://purl.org/syndication/thread/1.0}"
HISTORY = "{http://purl.org/syndication/history/1.0}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ABSOLUTE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Site:
    """The built site's files, and where a URL under its base leads."""

    def __init__(self, folder, base, report):
        self.folder, self.report = Path(folder), report
        self.files = frozenset(site_files(folder))
        self.base = base
        self.anchors = {}

    def file_of(self, url):
        """The file that an absolute URL of this site names; None elsewhere; False when it doesn't exist."""
        if not self.base or not url.startswith(self.base):
            return None
        path = unquote(re.split("[?#]", url[len(self.base):])[0])
        if path == "" or path.endswith("/"):
            path += "index.html"
        return path if path in self.files else False

    def has_anchor(self, url):
        """True when the URL's fragment, if any, is an id of its page."""
        _, _, fragment = url.partition("#")
        file = self.file_of(url)
        if not fragment or not file:
            return True
        if file not in self.anchors:
            text = (self.folder / file).read_text("utf-8", "replace")
            ids = re.findall(r"""\sid=(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", text)
            self.anchors[file] = {html.unescape(a or b or c) for a, b, c in ids}
        return unquote(fragment) in self.anchors[file]

    def check(self, file, url, what, absolute=True):
        """One URL of a feed: absolute, ASCII, and existing when it is under the base."""
        parts = urlsplit(url)
        if absolute and not parts.scheme:
            self.report.add(file, f"{what} '{url}' is not absolute", f"{what} is not absolute")
        elif parts.scheme and parts.scheme not in ("http", "https", "mailto", "tag", "urn"):
            self.report.add(file, f"{what} '{url}' has the scheme {parts.scheme}")
        if re.search(r"[^\x21-\x7e]", url):
            self.report.add(file, f"{what} '{url}' is not percent-encoded", f"{what} is not percent-encoded")
        if self.file_of(url) is False:
            self.report.add(file, f"{what} '{url}' leads to no file", f"{what} leads to no file")
        elif not self.has_anchor(url):
            self.report.add(file, f"{what} '{url}' names no anchor of its page", f"{what} names no anchor")


def parse_xml(site, file):
    """The root of an XML file without a document type, else None after a report."""
    content = (site.folder / file).read_bytes()
    if b"<!DOCTYPE" in content[:2048] or b"<!ENTITY" in content:
        site.report.add(file, "has a document type")
        return None
    try:
        return ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        site.report.add(file, f"does not parse: {error}", "does not parse")
        return None


def text_of(element, name):
    child = element.find(ATOM + name)
    return "".join(child.itertext()) if child is not None else None


def links_of(element):
    return [(link.get("rel", "alternate"), link.get("href", ""), link) for link in element.findall(ATOM + "link")]


def check_content(site, file, element, what):
    """Escaped HTML in a feed has absolute URLs only (no xml:base is written) and no script."""
    if element is None or element.get("type", "text") != "html":
        return
    markup = "".join(element.itertext())
    check_markup(site.report, file, what, markup)


def check_markup(report, file, what, markup):
    """HTML in a feed, parsed: what text looks like markup is text."""
    for node in LexborHTMLParser(markup).root.css("*"):
        attrs = attributes(node)
        for name in ("href", "src", "poster"):
            url = attrs.get(name, "").strip()
            if url and not ABSOLUTE.match(url):
                report.add(file, f"{what} has the relative URL '{url}'", f"{what} has relative URLs")
            elif url.lower().startswith("javascript:"):
                report.add(file, f"{what} has a script")
        if node.tag == "script" or any(name.startswith("on") for name in attrs):
            report.add(file, f"{what} has a script")


def check_atom(site, file):
    """One Atom document. Returns (feed element, ids of its entries)."""
    report = site.report
    feed = parse_xml(site, file)
    if feed is None or feed.tag != ATOM + "feed":
        if feed is not None:
            report.add(file, f"root is {feed.tag}, not an Atom feed")
        return None, []
    for name in ("id", "title", "updated"):
        if len(feed.findall(ATOM + name)) != 1:
            report.add(file, f"feed has {len(feed.findall(ATOM + name))} {name} elements")
    feed_has_author = feed.find(ATOM + "author") is not None
    links = links_of(feed)
    if not any(rel == "self" for rel, _, _ in links):
        report.add(file, "feed has no self link")
    for rel, href, _ in links:
        site.check(file, href, f"feed link rel={rel}")
        if rel == "self" and site.file_of(href) not in (None, False, file):
            report.add(file, f"self link names another file, '{href}'")
    alternates = [(link.get("type"), link.get("hreflang")) for rel, _, link in links if rel == "alternate"]
    if len(alternates) != len(set(alternates)):
        report.add(file, "two alternate links of one type")
    if not is_rfc3339(text_of(feed, "updated") or ""):
        report.add(file, f"feed updated '{text_of(feed, 'updated')}' is not RFC 3339")
    ids, newest = [], ""
    for entry in feed.findall(ATOM + "entry"):
        identity = (text_of(entry, "id") or "").strip()
        where = f"entry '{identity or '?'}'"
        ids.append(identity)
        if not urlsplit(identity).scheme:
            report.add(file, f"{where}: id is no absolute IRI", "entry id is no absolute IRI")
        for name in ("id", "title", "updated"):
            if len(entry.findall(ATOM + name)) != 1:
                report.add(file, f"{where} has {len(entry.findall(ATOM + name))} {name} elements", f"entry {name} count")
        for name in ("updated", "published"):
            value = text_of(entry, name)
            if value is not None and not is_rfc3339(value):
                report.add(file, f"{where}: {name} '{value}' is not RFC 3339", f"entry {name} is not RFC 3339")
        newest = max(newest, as_utc(text_of(entry, "updated") or ""))
        authors = entry.findall(ATOM + "author") or (feed.findall(ATOM + "author") if feed_has_author else [])
        if not authors:
            report.add(file, f"{where} has no author, nor has the feed", "entry has no author")
        for author in authors:
            if not (text_of(author, "name") or "").strip():
                report.add(file, f"{where}: author without a name", "author without a name")
        entry_links = links_of(entry)
        content = entry.find(ATOM + "content")
        if content is None and not any(rel == "alternate" for rel, _, _ in entry_links):
            report.add(file, f"{where} has neither content nor an alternate link", "entry without content or link")
        if content is not None and content.get("src") and entry.find(ATOM + "summary") is None:
            report.add(file, f"{where}: content by src without a summary")
        for rel, href, _ in entry_links:
            site.check(file, href, f"entry link rel={rel}")
        for reply in entry.findall(THREAD + "in-reply-to"):
            if not reply.get("ref"):
                report.add(file, f"{where}: in-reply-to without ref")
            if reply.get("href"):
                site.check(file, reply.get("href"), "in-reply-to href")
            if reply.get("ref") == identity:
                report.add(file, f"{where} is in reply to itself")
        check_content(site, file, content, "content")
        check_content(site, file, entry.find(ATOM + "summary"), "summary")
    for identity in sorted({i for i in ids if ids.count(i) > 1} if len(ids) < 1000 else ()):
        report.add(file, f"id '{identity}' stands twice", "entry id stands twice")
    if len(ids) != len(set(ids)) and len(ids) >= 1000:
        report.add(file, "entry ids stand twice")
    if ids and newest and as_utc(text_of(feed, "updated") or "") < newest:
        report.add(file, f"feed updated {text_of(feed, 'updated')} is older than its newest entry")
    return feed, ids


def as_utc(text):
    """A sortable form of an RFC 3339 date."""
    try:
        moment = datetime.fromisoformat(re.sub(r"\.\d+", "", text).replace("Z", "+00:00"))
        return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S").rjust(20, "0")
    except (ValueError, OverflowError):
        return ""


def check_archives(site, feeds):
    """RFC 5005: the chain of prev-archive links from each feed ends, marks its archives, repeats no entry."""
    for start, (feed, ids) in sorted(feeds.items()):
        if feed is None or feed.find(HISTORY + "archive") is not None:
            continue
        seen, at, path = {}, start, []
        while True:
            path.append(at)
            document, entries = feeds.get(at, (None, []))
            if document is None:
                site.report.add(start, f"the archive chain leads to {at}, which is no feed")
                break
            for identity in entries:
                if identity in seen and seen[identity] != at and start not in (at, seen[identity]):
                    site.report.add(at, f"entry '{identity}' stands in {seen[identity]} too", "entry in two archives")
                seen[identity] = at
            previous = [href for rel, href, _ in links_of(document) if rel == "prev-archive"]
            if at != start:
                if document.find(HISTORY + "archive") is None:
                    site.report.add(at, "archive document without fh:archive")
                if not any(rel == "current" for rel, _, _ in links_of(document)):
                    site.report.add(at, "archive document without a current link")
            if not previous:
                break
            if len(previous) > 1:
                site.report.add(at, "two prev-archive links")
            after, at = at, site.file_of(previous[0])
            if not at:
                site.report.add(after, f"prev-archive '{previous[0]}' leads to no file of the site")
                break
            if at in path:
                site.report.add(at, "the archive chain is a ring")
                break
            onward = [href for rel, href, _ in links_of(feeds.get(at, (None, []))[0]) if rel == "next-archive"] \
                if feeds.get(at, (None, []))[0] is not None else []
            if after != start and onward and site.file_of(onward[0]) != after:
                site.report.add(at, f"next-archive '{onward[0]}' is not {after}")
    chained = {f for f in feeds if f.startswith("feed/archive/")}
    if chained and "feed.xml" in feeds:
        at, reached = "feed.xml", set()
        while at and at not in reached:
            reached.add(at)
            document = feeds.get(at, (None, []))[0]
            previous = [h for r, h, _ in links_of(document) if r == "prev-archive"] if document is not None else []
            at = site.file_of(previous[0]) if previous else None
        for file in sorted(chained - reached):
            site.report.add(file, "archive document that the chain from feed.xml does not reach")


def check_json_feed(site, file):
    """JSON Feed 1.1 (jsonfeed.org/version/1.1)."""
    report = site.report
    try:
        feed = json.loads((site.folder / file).read_text("utf-8"))
    except (ValueError, UnicodeDecodeError) as error:
        report.add(file, f"does not parse: {error}", "does not parse")
        return
    if not isinstance(feed, dict):
        report.add(file, "is no object")
        return
    if feed.get("version") != "https://jsonfeed.org/version/1.1":
        report.add(file, f"version is {feed.get('version')!r}")
    if not isinstance(feed.get("title"), str) or not feed["title"]:
        report.add(file, "no title")
    for name in ("home_page_url", "feed_url", "next_url", "icon", "favicon"):
        if name in feed:
            if isinstance(feed[name], str):
                site.check(file, feed[name], name)
            else:
                report.add(file, f"{name} is no string")
    if "feed_url" in feed and site.file_of(str(feed["feed_url"])) not in (None, False, file):
        report.add(file, f"feed_url names another file, '{feed['feed_url']}'")
    check_authors(report, file, feed, "feed")
    items, ids = feed.get("items"), set()
    if not isinstance(items, list):
        report.add(file, "items is no array")
        return
    for item in items:
        if not isinstance(item, dict):
            report.add(file, "an item is no object")
            continue
        identity = item.get("id")
        where = f"item {identity!r}"
        if not isinstance(identity, str) or not identity:
            report.add(file, f"{where}: id is no string", "item id is no string")
        if identity in ids:
            report.add(file, f"{where} stands twice", "item stands twice")
        ids.add(identity)
        if not isinstance(item.get("content_html"), str) and not isinstance(item.get("content_text"), str):
            report.add(file, f"{where} has neither content_html nor content_text", "item without content")
        for name in ("url", "external_url", "image", "banner_image"):
            if name in item:
                if isinstance(item[name], str):
                    site.check(file, item[name], f"item {name}")
                else:
                    report.add(file, f"{where}: {name} is no string")
        for name in ("date_published", "date_modified"):
            if name in item and not (isinstance(item[name], str) and is_rfc3339(item[name])):
                report.add(file, f"{where}: {name} {item[name]!r} is not RFC 3339", f"item {name} is not RFC 3339")
        for name in ("title", "summary", "language", "content_html", "content_text"):
            if name in item and not isinstance(item[name], str):
                report.add(file, f"{where}: {name} is no string")
        if "tags" in item and not (isinstance(item["tags"], list) and all(isinstance(t, str) for t in item["tags"])):
            report.add(file, f"{where}: tags is no array of strings")
        for attachment in item.get("attachments", []):
            if not isinstance(attachment.get("url"), str) or "/" not in str(attachment.get("mime_type", "")):
                report.add(file, f"{where}: attachment without url and mime_type")
            else:
                site.check(file, attachment["url"], "attachment url")
        check_authors(report, file, item, where)
        check_markup(report, file, f"{where}: content_html", item.get("content_html") or "")


def check_authors(report, file, thing, where):
    if "author" in thing:
        report.add(file, f"{where}: author is version 1.0's; 1.1 has authors", "author is version 1.0's")
    authors = thing.get("authors", [])
    if not isinstance(authors, list):
        report.add(file, f"{where}: authors is no array")
        return
    for author in authors:
        if not isinstance(author, dict) or not any(author.get(n) for n in ("name", "url", "avatar")):
            report.add(file, f"{where}: author without name, url or avatar")


def check_sitemaps(site):
    """sitemap.xml, or an index of several. Every page that asks to be found is in it."""
    report = site.report
    if "sitemap.xml" not in site.files:
        if site.base:
            report.add("sitemap.xml", "missing, though the site has a base URL")
        return
    locations, queue, done = [], ["sitemap.xml"], set()
    while queue:
        file = queue.pop()
        done.add(file)
        root = parse_xml(site, file)
        if root is None:
            continue
        size = (site.folder / file).stat().st_size
        if size > 50_000_000:
            report.add(file, f"{size} bytes, over 50 MB")
        if root.tag not in (SITEMAP + "urlset", SITEMAP + "sitemapindex"):
            report.add(file, f"root is {root.tag}")
            continue
        if len(root) > 50_000:
            report.add(file, f"{len(root)} URLs, over 50,000")
        for child in root:
            loc = (child.findtext(SITEMAP + "loc") or "").strip()
            if not loc:
                report.add(file, "an entry without loc")
                continue
            if len(loc) >= 2048:
                report.add(file, f"loc of {len(loc)} characters")
            modified = child.findtext(SITEMAP + "lastmod")
            if modified is not None and not (is_valid_datetime(modified) and re.match(r"\d{4}(-\d\d(-\d\d)?)?($|T)", modified)):
                report.add(file, f"lastmod '{modified}' is no W3C date", "lastmod is no W3C date")
            if "#" in loc:
                report.add(file, f"loc '{loc}' has a fragment", "loc has a fragment")
            site.check(file, loc, "loc")
            target = site.file_of(loc)
            if target is None:
                report.add(file, f"loc '{loc}' is not under {site.base}", "loc is not under the base URL")
            elif root.tag == SITEMAP + "sitemapindex":
                if target and target not in done:
                    queue.append(target)
            else:
                locations.append(loc)
                if target:
                    head = (site.folder / target).read_bytes()[:4096]
                    if re.search(rb"<meta[^>]+(http-equiv=[\"']?refresh|content=[\"']?noindex)", head, re.IGNORECASE):
                        report.add(file, f"loc '{loc}' is a redirect or asks not to be indexed", "loc not to be indexed")
    if len(locations) != len(set(locations)):
        report.add("sitemap.xml", "a loc stands twice")


def check_robots(site):
    """robots.txt: known fields, a group before its rules, an absolute sitemap that exists."""
    report = site.report
    if "robots.txt" not in site.files:
        report.add("robots.txt", "missing")
        return
    text = (site.folder / "robots.txt").read_text("utf-8", "replace")
    grouped = False
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, colon, value = line.partition(":")
        name, value = name.strip().lower(), value.strip()
        if not colon or name not in ("user-agent", "allow", "disallow", "sitemap", "crawl-delay"):
            report.add("robots.txt", f"line {number}: unknown field '{name}'")
        elif name == "user-agent":
            grouped = True
        elif name == "sitemap":
            site.check("robots.txt", value, "sitemap")
        elif not grouped:
            report.add("robots.txt", f"line {number}: {name} before any user-agent")
        elif name in ("allow", "disallow") and value and value[0] not in "/*":
            report.add("robots.txt", f"line {number}: path '{value}' does not begin with a slash")


def check_schema(site, files):
    """The RELAX NG grammar, by xmllint."""
    for start in range(0, len(files), 200):
        batch = [str(site.folder / f) for f in files[start:start + 200]]
        result = subprocess.run(
            ["xmllint", "--noout", "--nonet", "--relaxng", str(HERE / "schemas" / "atom.rng"), *batch],
            capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )
        for line in result.stderr.splitlines():
            if not line.endswith(" validates") and "Relax-NG validity error" in line:
                file, _, rest = line.partition(": ")
                site.report.add(file.replace(str(site.folder) + "/", ""), f"atom.rng: {rest}", rest)


def guess_base(folder):
    """The base URL from index.html's canonical link."""
    index = Path(folder) / "index.html"
    if not index.exists():
        return None
    text = index.read_text("utf-8", "replace")
    for tag in re.findall(r"<link\b[^>]*>", text):
        if re.search(r"rel=[\"']?canonical", tag):
            found = re.search(r"href=[\"']?([^\"'\s>]+)", tag)
            if found:
                    return re.sub(r"index\.html$", "", html.unescape(found.group(1)))
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("site")
    arguments.add_argument("--base-url", help="read from index.html's canonical link when absent")
    arguments.add_argument("--no-schema", action="store_true", help="leave out xmllint")
    options = arguments.parse_args()
    report = Report("feeds")
    base = options.base_url or guess_base(options.site)
    if base and not base.endswith("/"):
        base += "/"
    site = Site(options.site, base, report)
    atom, feeds, json_feeds = [], {}, []
    for file in sorted(site.files):
        if file.endswith(".xml") and not re.fullmatch(r"sitemap[^/]*\.xml", file):
            if b"http://www.w3.org/2005/Atom" in (site.folder / file).read_bytes()[:2048]:
                atom.append(file)
                feeds[file] = check_atom(site, file)
            elif re.search(r"(^|/)feed(/|\.xml$)", file):
                report.add(file, "is no Atom feed")
        elif file.endswith(".json") and re.search(r"(^|/)feed\.json$", file):
            json_feeds.append(file)
            check_json_feed(site, file)
    if base and "feed.xml" not in site.files and any(f.startswith("posts/") for f in site.files):
        report.add("feed.xml", "missing, though the site has posts and a base URL")
    if not base and (atom or json_feeds or "sitemap.xml" in site.files):
        report.add("index.html", "feeds or a sitemap without a base URL")
    check_archives(site, feeds)
    check_sitemaps(site)
    check_robots(site)
    if not options.no_schema and atom:
        if shutil.which("xmllint"):
            check_schema(site, atom)
        else:
            report.note("no xmllint: atom.rng was not applied")
    return report.finish(f"{len(atom)} Atom, {len(json_feeds)} JSON feeds")


if __name__ == "__main__":
    sys.exit(main())
