"""What the checks share: the Python environment, the report, the site's files, a walk over a page."""

import os
import sys
from collections import Counter
from multiprocessing import get_context
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CACHE = Path(os.environ.get("STILLFEED_CHECKS_CACHE", ROOT / ".cache" / "checks"))
FIXTURES = HERE.parent / "Fixtures"


def enter_environment():
    """Goes on in the environment that setup.sh made. Call before importing third-party modules."""
    python = CACHE / "venv" / "bin" / "python"
    if Path(sys.prefix) == CACHE / "venv":
        return
    if not python.exists():
        sys.exit("checks: no environment yet; run Tests/Checks/setup.sh")
    sys.stdout.flush()
    os.execv(python, [str(python), *sys.argv])


class Report:
    """Problems as `file: problem` lines on standard output, a summary at the end."""

    def __init__(self, what, most_alike=20):
        self.what, self.most_alike = what, most_alike
        self.problems = 0
        self.notes = 0
        self._alike = Counter()

    def add(self, file, problem, kind=None):
        self.problems += 1
        kind = kind or problem
        self._alike[kind] += 1
        if self._alike[kind] <= self.most_alike:
            print(f"{printable(file)}: {printable(problem)}")
        elif self._alike[kind] == self.most_alike + 1:
            print(f"… more of: {printable(kind)}")

    def note(self, text):
        self.notes += 1
        print(f"note: {printable(text)}")

    def finish(self, counted=""):
        print(f"{self.what}: {counted + ', ' if counted else ''}{self.problems} problems")
        sys.stdout.flush()
        return 1 if self.problems else 0


def printable(text, most=400):
    """Text that is safe to print in a log: one line, no control characters, no lone surrogates."""
    text = str(text)
    if len(text) > most:
        text = text[: most - 1] + "…"
    out = []
    for c in text:
        if c.isprintable():
            out.append(c)
        else:
            out.append(c.encode("unicode_escape", "surrogatepass").decode("ascii"))
    return "".join(out)


def site_files(site):
    """Paths relative to the site, with slashes; names that are not UTF-8 hold lone surrogates."""
    site = str(site)
    found = []
    stack = [""]
    while stack:
        folder = stack.pop()
        with os.scandir(os.path.join(site, folder)) as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    stack.append(path)
                else:
                    found.append(path)
    found.sort(key=os.fsencode)
    return found


def in_parallel(function, items, workers=2, chunk=None):
    """Results in the order of the items; workers are forked and see the caller's globals."""
    items = list(items)
    if len(items) < 16 or workers < 2:
        yield from map(function, items)
        return
    chunk = chunk or max(1, min(64, len(items) // (4 * workers)))
    with get_context("fork").Pool(workers) as pool:
        yield from pool.imap(function, items, chunksize=chunk)


def attributes(node):
    """Attributes with None read as the empty string."""
    return {k: v if v is not None else "" for k, v in node.attributes.items()}


def walk(root):
    """Elements in document order as (node, tag, attributes, is inside a user's text).

    A user's text is what stands inside an element of class e-content, that element left out.
    """
    stack = [(root, False)]
    while stack:
        node, inside = stack.pop()
        if not node.is_element_node:
            continue
        attrs = attributes(node)
        yield node, node.tag, attrs, inside
        below = inside or "e-content" in attrs.get("class", "").split()
        children = []
        child = node.first_child if node.tag != "template" else template_content(node)
        while child is not None:
            if child.is_element_node:
                children.append((child, below))
            child = child.next
        stack.extend(reversed(children))


def template_content(node):
    """The first child of a template's content, which is no part of the tree."""
    fragments = node.template_fragments()
    return fragments[0].first_child if fragments else None


def as_browser(url):
    """What a browser reads of a URL attribute: tabs and line ends dropped, C0 and blanks trimmed."""
    url = url.replace("\t", "").replace("\n", "").replace("\r", "")
    trim = "".join(map(chr, range(0x21)))
    return url.strip(trim)


def scheme_of(url):
    """The scheme in lower case, or None for a relative URL. Expects as_browser's form."""
    head, colon, _ = url.partition(":")
    if colon and head and head[0].isascii() and head[0].isalpha():
        if all(c.isascii() and (c.isalnum() or c in "+-.") for c in head):
            return head.lower()
    return None


def leads_to_host(url):
    """True for //host and its spellings with backslashes."""
    return len(url) >= 2 and url[0] in "/\\" and url[1] in "/\\"


def srcset_urls(value):
    """URLs of a srcset attribute (HTML, section 'Parsing a srcset attribute')."""
    urls, at, end = [], 0, len(value)
    blank = " \t\n\f\r"
    while at < end:
        while at < end and (value[at] in blank or value[at] == ","):
            at += 1
        start = at
        while at < end and value[at] not in blank:
            at += 1
        url = value[start:at]
        if not url:
            break
        if url.endswith(","):
            urls.append(url.rstrip(","))
            continue
        urls.append(url)
        depth = 0
        while at < end and (depth or value[at] != ","):
            depth += {"(": 1, ")": -1}.get(value[at], 0)
            at += 1
    return urls
