"""What a page may hold: the rule of hostile/README.md ("What must hold", XSS)."""

import html
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import html5lib
from checklib import as_browser, leads_to_host, scheme_of, srcset_urls, walk
from selectolax.lexbor import LexborHTMLParser

BASE = "https://still.example/sub/"
ALLOWED_SCHEMES = {"http", "https", "mailto"}
URLS = {"href", "src", "action", "formaction", "poster", "data", "cite", "background", "xlink:href", "ping", "manifest",
        "longdesc", "usemap", "classid", "codebase", "archive", "profile", "icon", "dynsrc", "lowsrc", "xml:base",
        "from", "to", "values", "by"}


def elements_of(content):
    """(tag, attributes, inside a user's text, node) by Lexbor's parser."""
    for node, tag, attrs, inside in walk(LexborHTMLParser(content).root):
        yield tag, attrs, inside, node


def elements_by_html5lib(content):
    """The same by html5lib, a second parser; namespaced names in their HTML spelling."""
    document = html5lib.parse(content, treebuilder="etree", namespaceHTMLElements=False, transport_encoding="utf-8")
    stack = [(document, False)]
    while stack:
        element, inside = stack.pop()
        if not isinstance(element.tag, str):
            continue
        tag = re.sub(r"^\{[^}]*\}", "", element.tag)
        attrs = {re.sub(r"^\{http://www.w3.org/1999/xlink\}", "xlink:", k): v for k, v in element.attrib.items()}
        yield tag, attrs, inside, None
        below = inside or "e-content" in attrs.get("class", "").split()
        stack.extend((child, below) for child in reversed(element))


def class_kind(name):
    """A class without its numbers; the names of languages, which authors choose, are one kind."""
    if re.fullmatch(r"language-[A-Za-z0-9+#._-]{1,40}", name):
        return "language-x"
    return re.sub(r"\d+", "0", name)


class Vocabulary:
    """The elements, attributes and classes that clean builds of the same shape hold."""

    def __init__(self):
        self.pairs, self.classes = set(), set()

    def learn(self, elements, outside=True):
        for tag, attrs, inside, _ in elements:
            if not inside and not outside:
                continue
            self.pairs.add((tag, "", inside))
            for name in attrs:
                self.pairs.add((tag, name, inside))
            for name in attrs.get("class", "").split():
                self.classes.add((class_kind(name), inside))


def judge(elements, vocabulary, in_feed=False):
    """Findings of one page, or of HTML in a feed, as texts."""
    for tag, attrs, inside, node in elements:
        place = "in a user's text" if inside else "outside a user's text"
        if vocabulary and (tag, "", inside) not in vocabulary.pairs:
            yield f"element {tag} {place}, which a clean build has not"
        for name, value in attrs.items():
            lower = name.lower()
            if lower.startswith("on"):
                yield f"{tag} has {name}={value[:60]!r}"
            elif lower in ("style", "srcdoc"):
                yield f"{tag} has {name}={value[:60]!r}"
            elif vocabulary and (tag, name, inside) not in vocabulary.pairs and (tag, "", inside) in vocabulary.pairs:
                yield f"attribute {name} of {tag} {place}, which a clean build has not: {value[:60]!r}"
            if lower in URLS and not (lower in ("from", "to", "values", "by") and tag not in ("animate", "set")):
                yield from judge_url(tag, lower, value, in_feed)
            elif lower in ("srcset", "imagesrcset"):
                for url in srcset_urls(value):
                    yield from judge_url(tag, lower, url, in_feed)
        if vocabulary:
            for name in attrs.get("class", "").split():
                if (class_kind(name), inside) not in vocabulary.classes:
                    yield f"class {name[:40]!r} of {tag} {place}, which a clean build has not"
        if tag == "meta" and attrs.get("http-equiv", "").lower() == "refresh":
            target = re.sub(r"^[\s\d.]*[;,]?\s*(url\s*=\s*)?['\"]?", "", attrs.get("content", ""), flags=re.IGNORECASE)
            yield from judge_url(tag, "content", target)
        if tag == "script" and node is not None:
            yield from judge_script(attrs, node.text(deep=True))


def judge_url(tag, name, value, in_feed=False):
    url = as_browser(value)
    if leads_to_host(url):
        yield f"{tag} {name} leads to a host without a scheme: {value[:60]!r}"
    scheme = scheme_of(url)
    if scheme is not None and scheme not in ALLOWED_SCHEMES:
        yield f"{tag} {name} has the scheme {scheme}: {value[:60]!r}"
    if scheme is not None and tag in ("img", "script", "link", "source", "video", "audio", "iframe", "use", "image"):
        # Canonical addresses; in feeds, which hold absolute addresses, the site's pictures as well.
        if not (url.startswith(BASE) and (tag == "link" or in_feed)):
            yield f"{tag} {name} loads from elsewhere: {value[:60]!r}"


def judge_script(attrs, text):
    if "src" in attrs:
        return
    if "json" not in attrs.get("type", ""):
        yield f"inline script of type {attrs.get('type', '')!r}"
        return
    if "<" in text:
        yield "raw '<' in a JSON block"
    try:
        json.loads(text)
    except ValueError as error:
        yield f"JSON block does not parse: {error}"


def judge_xml(content, vocabulary):
    """A feed or sitemap parses; HTML carried in it obeys the same rule, with absolute URLs."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        yield "document type in an XML file"
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        yield f"XML does not parse: {error}"
        return
    for element in root.iter():
        if element.get("type") == "html":
            yield from judge_fragment("".join(element.itertext()), vocabulary)
        for name in ("href", "src", "uri"):
            if element.get(name):
                yield from judge_url("feed " + element.tag.split("}")[-1], name, element.get(name))
        if element.tag.endswith("}uri") and element.text:
            yield from judge_url("feed uri", "text", element.text)


def judge_fragment(markup, vocabulary):
    inside = Vocabulary()
    inside.pairs = {(tag, name, False) for tag, name, _ in vocabulary.pairs} | {(t, "", False) for t in ("html", "head", "body")}
    inside.classes = {(name, False) for name, _ in vocabulary.classes}
    for finding in judge(elements_of(markup.encode("utf-8", "replace")), inside, in_feed=True):
        yield "in a feed's HTML: " + finding


def judge_json(content, vocabulary):
    try:
        feed = json.loads(content)
    except ValueError as error:
        yield f"JSON does not parse: {error}"
        return
    if isinstance(feed, dict) and "items" in feed:
        for item in feed["items"]:
            yield from judge_fragment(item.get("content_html", "") or "", vocabulary)
            for name in ("url", "external_url", "image"):
                if item.get(name):
                    yield from judge_url("feed", name, item[name])
            for author in item.get("authors", []):
                for name in ("url", "avatar"):
                    if author.get(name):
                        yield from judge_url("feed author", name, author[name])


def visible(text):
    """Text without blanks, controls and replacement characters, to compare what is shown with what was given."""
    return "".join(c for c in text if c.isprintable() and not c.isspace() and c != "\ufffd")


def judge_title(path, payload):
    """Data is never a template or markup: the title stands in the h1 as it was given."""
    if not Path(path).exists():
        yield f"no page {Path(path).parent.name}: its record was not shown"
        return
    heading = LexborHTMLParser(Path(path).read_bytes()).css_first("h1")
    shown = visible(heading.text(deep=True)) if heading is not None else ""
    if visible(payload) and visible(payload) not in shown and visible(html.unescape(payload)) == visible(payload):
        yield f"title is shown as {shown[:80]!r}, not as given"
    elif visible(payload) and visible(payload) not in shown:
        yield f"title with character references is shown as {shown[:80]!r}, not as given"
