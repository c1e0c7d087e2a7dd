"""Everything check_site.py asks of one page. Workers are forked after prepare()."""

import json
import os
import re
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes, urlsplit

from checklib import as_browser, attributes, leads_to_host, scheme_of, srcset_urls, walk
from datetimes import is_valid_datetime
from selectolax.lexbor import LexborHTMLParser

site_folder = ""
all_files = frozenset()
all_folders = frozenset()
base_path = None
base_url = None
file_links = False
ids_of = {}

# Attributes that hold a URL: loaded by the page, or followed or kept for information only.
LOADED = {"src", "poster", "data", "background", "manifest", "code", "archive", "classid", "icon"}
FOLLOWED = {"href", "cite", "action", "formaction", "longdesc", "xlink:href", "ping", "profile"}
FREE_RELS = {
    "canonical", "alternate", "me", "author", "license", "prev", "next", "self", "shortlink", "up", "home", "first",
    "last", "current", "search", "archives", "prev-archive", "next-archive", "webmention", "hub", "bookmark", "help",
    "contents", "index", "start", "privacy-policy", "terms-of-service",
}
SCRIPT_TYPES = re.compile(
    r"^(module|importmap|speculationrules|(text|application)/(x-)?(java|ecma|j|live)script[\d.]*)$", re.IGNORECASE
)
DATA_TYPES = re.compile(r"^[a-z]+/[a-z0-9.+-]+$", re.IGNORECASE)
REFERENCES = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-details",
              "aria-flowto", "aria-activedescendant", "headers", "list", "form", "popovertarget", "itemref")


@dataclass
class Facts:
    file: str
    problems: list = field(default_factory=list)
    ids: set = field(default_factory=set)
    anchors: set = field(default_factory=set)
    targets: set = field(default_factory=set)
    links: int = 0
    redirects: bool = False
    inside: bool = False  # the node at hand stands in a user's text

    def add(self, problem, kind=None):
        self.problems.append((problem, kind or problem))


def prepare(site, files, path, url, explicit):
    """Sets what every worker knows. The base URL comes from index.html's canonical link when not given."""
    global site_folder, all_files, all_folders, base_path, base_url, file_links
    site_folder, all_files, file_links = str(site), frozenset(files), explicit
    folders = {""}
    for file in files:
        while "/" in file:
            file = file.rsplit("/", 1)[0]
            folders.add(file)
    all_folders = frozenset(folders)
    base_url = url
    if base_url is None and "index.html" in all_files:
        head = LexborHTMLParser(read_bytes("index.html"))
        link = head.css_first('link[rel~="canonical"]')
        if link is not None:
            base_url = attributes(link).get("href") or None
            if base_url and base_url.endswith("index.html"):
                base_url = base_url[: -len("index.html")]
    base_path = path
    if base_path is None:
        base_path = urlsplit(base_url).path if base_url else "/"
    if not base_path.endswith("/"):
        base_path += "/"


def read_bytes(file):
    with open(os.path.join(site_folder, file), "rb") as stream:
        return stream.read()


def read_text(file):
    return read_bytes(file).decode("utf-8", "replace")


def is_post_page(file):
    parts = file.split("/")
    return len(parts) == 3 and parts[0] == "posts" and parts[2] == "index.html"


def decode(text):
    """Percent-decoded text; None when it is not UTF-8."""
    try:
        return unquote_to_bytes(text.encode("utf-8", "surrogatepass")).decode("utf-8")
    except UnicodeDecodeError:
        return None


def resolve(facts, url, what, must_be_file=True):
    """Follows an internal URL and notes its problems. Returns the target file or None."""
    rest, _, fragment = url.partition("#")
    path, _, _ = rest.partition("?")
    facts.links += 1
    if path == "":
        target = facts.file
    else:
        if path.startswith("/"):
            if facts.file != "404.html":
                facts.add(f"{what} '{url}' is absolute", f"{what} is absolute")
                return None
            if not (path + "/").startswith(base_path):
                facts.add(f"{what} '{url}' is not under {base_path}")
                return None
            parts = path[len(base_path):].split("/")
            folder = []
        else:
            if facts.file == "404.html":
                facts.add(f"{what} '{url}' is relative on the page that answers for any path")
                return None
            parts = path.split("/")
            folder = facts.file.split("/")[:-1]
        if "\\" in path:
            facts.add(f"{what} '{url}' holds a backslash")
            return None
        for number, part in enumerate(parts):
            name = decode(part)
            if name is None:
                facts.add(f"{what} '{url}' is not UTF-8 when decoded")
                return None
            if "/" in name or "\0" in name:
                facts.add(f"{what} '{url}' holds an encoded separator")
                return None
            if name == "..":
                if not folder:
                    facts.add(f"{what} '{url}' leaves the site", f"{what} leaves the site")
                    return None
                folder.pop()
            elif name not in ("", "."):
                folder.append(name)
            elif name == "" and number + 1 < len(parts):
                facts.add(f"{what} '{url}' holds an empty segment")
        target = "/".join(folder)
        names_folder = decode(parts[-1]) in ("", ".", "..") or target == ""
        if re.search(r"[^\x21-\x7e]", path):
            facts.add(f"{what} '{url}' is not percent-encoded", f"{what} is not percent-encoded")
        if names_folder or target in all_folders:
            if not names_folder:
                facts.add(f"{what} '{url}' names a folder without its slash", f"{what} names a folder without slash")
            elif file_links and must_be_file:
                facts.add(f"{what} '{url}' names a folder, not a file", f"{what} names a folder, not a file")
            target = f"{target}/index.html" if target else "index.html"
        if target not in all_files:
            facts.add(f"{what} '{url}' leads to {target}, which doesn't exist", f"{what} is dead")
            return None
    facts.targets.add(target)
    if fragment:
        name = decode(fragment)
        if name is None:
            facts.add(f"{what} '{url}': the anchor is not UTF-8 when decoded")
        elif name.lower() != "top" and not name.startswith(":~:"):
            facts.anchors.add((target, name))
    return target


def check_url(facts, tag, name, raw, attrs):
    """One URL attribute: same host for what is loaded, resolvable for what is internal."""
    what = f"{tag} {name}"
    url = as_browser(raw)
    if url != raw:
        facts.add(f"{what} {raw!r} holds blanks or line ends at its edges", f"{what} holds blanks")
    scheme = scheme_of(url)
    rels = set(attrs.get("rel", "").lower().split())
    leads_out = tag in ("a", "area") or name == "cite" or (tag == "link" and rels and rels <= FREE_RELS)
    if leads_to_host(url):
        facts.add(f"{what} '{url}' names another host without a scheme")
    elif scheme is None:
        resolve(facts, url, what)
        if file_links and tag == "use" and not url.startswith("#"):
            facts.add(f"{what} '{url}' loads from another file, which browsers refuse on file://", "use of another file")
    elif scheme in ("http", "https") and leads_out:
        if base_url and url.startswith(base_url) and tag == "link":
            inner = Facts("index.html")
            resolve(inner, url[len(base_url):] or "", what, must_be_file=False)
            for problem, kind in inner.problems:
                facts.add(problem, kind)
        elif base_url and url.startswith(base_url) and name == "href" and not facts.inside:
            facts.add(f"{what} '{url}' is an absolute link to this site", f"{what} is an absolute internal link")
        try:
            urlsplit(url)
        except ValueError:
            facts.add(f"{what} '{url}' is no URL")
    elif scheme == "mailto" and tag in ("a", "area"):
        pass
    elif scheme in ("http", "https"):
        facts.add(f"{what} '{url}' loads from another host", f"{what} loads from another host")
    else:
        facts.add(f"{what} '{url}' has the scheme {scheme}", f"{what} has the scheme {scheme}")


def has_name(node, attrs):
    """True when a link or button has a name for a screen reader."""
    if attrs.get("aria-label", "").strip() or attrs.get("aria-labelledby") or attrs.get("title", "").strip():
        return True
    if node.text(deep=True).strip():
        return True
    for image in node.css("img, svg, [aria-label]"):
        inner = attributes(image)
        if inner.get("alt", "").strip() or inner.get("aria-label", "").strip():
            return True
        if image.tag == "svg" and image.css_first("title") is not None:
            return True
    return False


def check_script(facts, node, attrs):
    kind = attrs.get("type", "").strip()
    if "src" in attrs:
        return
    if kind == "" or SCRIPT_TYPES.match(kind) or not DATA_TYPES.match(kind):
        facts.add("inline script")
        return
    text = node.text(deep=True)
    if "json" in kind.lower():
        if "<" in text:
            facts.add(f"raw '<' in a {kind} block")
        try:
            data = json.loads(text)
        except ValueError as error:
            facts.add(f"{kind} block does not parse: {error}", f"{kind} block does not parse")
            return
        if kind.lower() == "application/ld+json":
            for thing in data if isinstance(data, list) else [data]:
                if not isinstance(thing, dict) or "@context" not in thing:
                    facts.add("JSON-LD without @context")
                elif "@type" not in thing and "@graph" not in thing:
                    facts.add("JSON-LD without @type")


def check_headings(facts, headings):
    """No level is skipped in the theme's own outline; a user's headings stand below their entry's."""
    previous = outer = 1
    for level, inside in headings:
        if inside:
            if level <= outer < 6:
                facts.add(f"h{level} in a user's text under an h{outer}", "a user's heading is not below its entry's")
            elif level > previous + 1:
                facts.add(f"h{level} in a user's text after h{previous}", "a user's heading skips a level")
            previous = level
        else:
            if level > previous + 1:
                facts.add(f"h{level} after h{previous}", "heading level skipped")
            previous = outer = level


def check_post(facts, first, file):
    """The h-entry of a post page (microformats2)."""
    if first is None:
        facts.add("post page without h-entry")
        return
    have = {c for node in first.css("[class]") for c in attributes(node)["class"].split()}
    undated = "undated" in (attributes(first).get("class", "") + " " + " ".join(have))
    for needed in ("p-author", "h-card", "u-url") + (() if undated else ("dt-published",)):
        if needed not in have:
            facts.add(f"h-entry without {needed}")
    # A post may be nothing but a title.
    if not have & {"e-content", "u-photo", "u-video", "u-audio", "p-name"}:
        facts.add("h-entry without e-content")


def check_page(file):
    """All problems of one page, with its ids and what it leads to."""
    facts = Facts(file)
    content = read_bytes(file)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        facts.add("not UTF-8")
    if not content[:64].lower().lstrip().startswith(b"<!doctype html>"):
        facts.add("no <!doctype html>")
    if not re.search(rb"<meta\s+charset=[\"']?utf-8", content[:1024], re.IGNORECASE):
        facts.add("no <meta charset=utf-8> in the first 1,024 bytes")
    root = LexborHTMLParser(content).root
    headings, mains, references, names = [], 0, [], []
    first_entry, title, ones = None, None, 0
    for node, tag, attrs, inside in walk(root):
        facts.inside = inside
        identity = attrs.get("id")
        if identity is not None:
            if identity in facts.ids:
                facts.add(f"id '{identity}' is used twice", "an id is used twice")
            if identity == "" or re.search(r"\s", identity):
                facts.add(f"id '{identity}' is empty or holds blanks", "id is empty or holds blanks")
            facts.ids.add(identity)
        for name, value in attrs.items():
            lower = name.lower()
            if lower.startswith("on"):
                facts.add(f"{tag} has the attribute {name}")
            elif lower in ("style", "srcdoc"):
                facts.add(f"{tag} has the attribute {name}")
            elif lower in LOADED or lower in FOLLOWED:
                check_url(facts, tag, lower, value, attrs)
            elif lower in ("srcset", "imagesrcset"):
                for url in srcset_urls(value):
                    check_url(facts, tag, lower, url, attrs)
            elif lower in REFERENCES:
                references.append((tag, lower, value))
        if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
            headings.append((int(tag[1]), inside))
            ones += tag == "h1"
            if not node.text(deep=True).strip() and node.css_first("img[alt]") is None and not inside:
                facts.add(f"empty {tag}")
        elif tag in ("a", "button"):
            if (tag == "button" or "href" in attrs) and not has_name(node, attrs) and not inside:
                facts.add(f"{tag} without a name: {attrs.get('href', attrs.get('class', ''))}", f"{tag} without a name")
            if tag == "a" and "name" in attrs:
                names.append(attrs["name"])
        elif tag == "img":
            if "alt" not in attrs:
                facts.add("img without alt")
            if not attrs.get("src", "").strip():
                facts.add("img without src")
        elif tag == "script":
            check_script(facts, node, attrs)
        elif tag == "style":
            facts.add("style element")
        elif tag == "base":
            facts.add("base element")
        elif tag == "time":
            value = attrs.get("datetime", node.text(deep=True).strip())
            if not is_valid_datetime(value):
                facts.add(f"time '{value}' is not a valid date and time", "time is not valid")
        elif tag == "main":
            mains += "hidden" not in attrs
        elif tag == "title" and title is None and node.parent is not None and node.parent.tag == "head":
            title = node.text(deep=True).strip()
        elif tag == "html":
            if not attrs.get("lang", "").strip():
                facts.add("html without lang")
        elif tag == "meta":
            check_meta(facts, attrs)
        elif tag in ("iframe", "object", "embed", "frame", "applet", "font", "center", "marquee", "blink"):
            facts.add(f"{tag} element")
        if first_entry is None and "h-entry" in attrs.get("class", "").split():
            first_entry = node
    facts.ids.update(names)
    for tag, name, value in references:
        for identity in value.split():
            if identity not in facts.ids:
                facts.add(f"{tag} {name} names '{identity}', which is no id here", f"{tag} {name} names no id")
    if not title:
        facts.add("no title")
    if not facts.redirects:
        if ones != 1:
            facts.add(f"{ones} h1 elements")
        if mains != 1:
            facts.add(f"{mains} main elements")
        check_headings(facts, headings)
        if is_post_page(file):
            check_post(facts, first_entry, file)
    return facts


def check_meta(facts, attrs):
    """Redirects resolve; pictures for sharing stand in the site."""
    if attrs.get("http-equiv", "").lower() == "refresh":
        facts.redirects = True
        match = re.match(r"\s*\d+(?:\.\d*)?\s*[;,]?\s*(?:url\s*=\s*)?['\"]?(.*?)['\"]?\s*$", attrs.get("content", ""), re.I | re.S)
        if match and match.group(1):
            check_url(facts, "meta", "refresh", match.group(1), attrs)
    kind = attrs.get("property", attrs.get("name", "")).lower()
    if kind in ("og:image", "og:url", "og:audio", "og:video", "twitter:image"):
        url = attrs.get("content", "")
        if not base_url or not url.startswith(base_url):
            facts.add(f"{kind} '{url}' is not under the base URL", f"{kind} is not under the base URL")
        else:
            inner = Facts("index.html")
            resolve(inner, url[len(base_url):], kind, must_be_file=False)
            for problem, known in inner.problems:
                facts.add(problem, known)
