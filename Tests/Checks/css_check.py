"""References of a style sheet: a small tokenizer for comments, strings and url()."""

import posixpath
import re
from pathlib import Path
from urllib.parse import unquote

TOKEN = re.compile(
    r"/\*.*?\*/"
    r"|url\(\s*(?P<bare>(?:[^'\"()\s\\]|\\.)*)\s*\)"
    r"|url\(\s*(?P<quote>['\"])(?P<quoted>(?:\\.|(?!(?P=quote)).)*)(?P=quote)[^)]*\)"
    r"|@import\s+(?P<mark>['\"])(?P<imported>(?:\\.|(?!(?P=mark)).)*)(?P=mark)"
    r"|(?P<other>['\"])(?:\\.|(?!(?P=other)).)*(?P=other)",
    re.IGNORECASE | re.DOTALL,
)


def references(text):
    """The URLs of url() and @import, in order."""
    for match in TOKEN.finditer(text):
        for name in ("bare", "quoted", "imported"):
            if match.group(name) is not None:
                yield re.sub(r"\\(.)", r"\1", match.group(name)).strip()


def problems(site, file, files):
    """Problems of one style sheet. `files` is the set of the site's paths."""
    text = (Path(site) / file).read_text("utf-8", "replace")
    if "\ufffd" in text:
        yield "not UTF-8"
    for url in references(text):
        if url.startswith("#"):
            continue
        if re.match(r"[a-z][a-z0-9+.-]*:|[/\\]", url, re.IGNORECASE):
            yield f"style sheet refers to '{url[:80]}', not to a file beside it"
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), unquote(re.split("[?#]", url)[0])))
        if path not in files:
            yield f"style sheet refers to '{url}', which doesn't exist"
