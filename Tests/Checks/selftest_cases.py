"""The faults of selftest.py: (name, check, edits, part of the expected line; None: must pass)."""

SITE, FEEDS = "check_site.py", "feeds.py"
HOME, POST, STYLE = "index.html", "posts/hello/index.html", "assets/style.1a2b3c4d.css"
BODY = "<p>Body.</p>"


def body(name, markup, expected):
    return (name, SITE, [(POST, BODY, markup)], expected)


def feed(name, old, new, expected, file="feed.xml"):
    return (name, FEEDS, [(file, old, new)], expected)


def fake(check, fault, expected, *arguments):
    """A case for the checks that run the binary: a stand-in with the fault takes its place."""
    name = f"{check.split('.')[0]}: {fault or 'sound'} {' '.join(arguments[-2:])}"
    return (name, [check, "{nosite}", "{here}/selftest/fake_stillfeed.py", *arguments, f"FAULT={fault}"], [], expected)


def shot(name, file, old, new, expected):
    arguments = ["screenshots.py", "{out}", "--no-pictures", "--fast", "--pages", "index.html", "posts/hello/index.html"]
    return (f"screenshots: {name}", arguments, [(file, old, new)], expected)


SOUND = [
    ("the sound site", SITE, [], None),
    ("the sound site's feeds", FEEDS, [], None),
    ("the sound site's markup", "nu.sh", [], None),
    fake("reproducible.sh", "", None, "{here}/selftest/archive"),
    ("the sound site in the browser", ["screenshots.py", "{out}"], [], None),
    fake("xss.py", "", None, "--quick", "--limit", "6"),
    *[fake("hostile.py", "", None, "--section", section, "--only", only) for section, only in (
        ("json-suite", "n_array_extra"), ("json-own", "at 38"), ("threads", "comments, ring,"), ("links", ""), ("unicode-names", "as id"),
        ("paths", "each as id, author"), ("utf8", "each sample"),
    )],
    ("the sound site at its base path", [SITE, "--base-path", "/sub/"], [], None),
]

CASES = [
    body("dead link", '<a href="../nowhere/">x</a>', "posts/hello/index.html: a href '../nowhere/' leads to"),
    body("dead image", '<img src="../../media/no.png" alt="">', "img src"),
    body("dead srcset", '<img src="../../media/dot.svg" srcset="../../media/dot.svg 1x, no.png 2x" alt="">', "img srcset"),
    body("dead anchor", '<a href="#nobody">x</a>', "no anchor '#nobody'"),
    body("dead anchor elsewhere", '<a href="../gr%C3%BC%C3%9Fe/#nobody">x</a>', "no anchor '#nobody' in posts/grüße"),
    body("anchor of the wrong case", '<a href="#C-gr%C3%BC%C3%9Fe">x</a>', "no anchor '#C-grüße'"),
    body("svg anchor", '<svg><use href="../../media/dot.svg#no"/></svg>', "no anchor '#no'"),
    body("leaves the site", '<a href="../../../x">x</a>', "leaves the site"),
    body("folder without slash", '<a href="../hello">x</a>', "without its slash"),
    body("absolute link", '<a href="/sub/">x</a>', "is absolute"),
    body("not percent-encoded", '<a href="../grüße/">x</a>', "is not percent-encoded"),
    body("encoded separator", '<a href="..%2Fhello/">x</a>', "encoded separator"),
    body("backslash", '<a href="..\\hello/">x</a>', "holds a backslash"),
    body("remote image", '<img src="https://cdn.example/x.png" alt="">', "loads from another host"),
    body("remote srcset", '<img src="../../media/dot.svg" srcset="https://cdn.example/x.png 2x" alt="">', "another host"),
    body("no scheme", '<a href="//cdn.example/x">x</a>', "another host without a scheme"),
    body("no scheme, backslashes", '<a href="/\\cdn.example/x">x</a>', "another host without a scheme"),
    body("script scheme", '<a href="java&#10;script:alert(1)">x</a>', "has the scheme javascript"),
    body("data image", '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="">', "has the scheme data"),
    body("remote script", '<script src="https://cdn.example/x.js"></script>', "loads from another host"),
    body("inline script", "<script>1</script>", "inline script"),
    body("inline module", '<script type="module">1</script>', "inline script"),
    body("style element", "<style>p{}</style>", "style element"),
    body("style attribute", '<p style="color:red">x</p>', "attribute style"),
    body("handler", '<p onclick="x()">x</p>', "attribute onclick"),
    body("srcdoc", '<iframe srcdoc="x"></iframe>', "attribute srcdoc"),
    body("handler in svg", '<svg><g onload="x()"></g></svg>', "attribute onload"),
    body("handler in a template", '<template><p onclick="x()">x</p></template>', "attribute onclick"),
    body("image without alt", '<img src="../../media/dot.svg">', "img without alt"),
    body("id twice", '<p id="author">x</p>', "id 'author' is used twice"),
    body("id with a blank", '<p id="a b">x</p>', "holds blanks"),
    body("a user's h1", "<h1>x</h1>", "2 h1 elements"),
    body("a user's h2", "<h2>x</h2><h2>y</h2>", None),
    body("base element", '<base href="/">', "base element"),
    body("bad time", '<time datetime="2024-02-30T00:00:00Z">x</time>', "is not a valid date"),
    body("json block with a tag", '<script type="application/json">{"a":"<b"}</script>', "raw '<'"),
    ("a user's heading too high", SITE, [(POST, "<h3>Ho</h3>", "<h2>Ho</h2>")], "under an h2"),
    body("a user's heading skips a level", "<h3>x</h3>", "h3 in a user's text after h1"),
    ("level skipped", SITE, [(POST, '<h2 id="comments">Comments</h2>', '<h3 id="comments">Comments</h3>')], "h3 after h1"),
    ("no h1", SITE, [(POST, '<h1 class="p-name">Hello</h1>', "")], "0 h1 elements"),
    ("no lang", SITE, [(HOME, '<html lang="en">', "<html>")], "html without lang"),
    ("no main", SITE, [(HOME, "<main>", "<div>"), (HOME, "</main>", "</div>")], "0 main elements"),
    ("no title", SITE, [(HOME, "<title>Still</title>", "<title> </title>")], "no title"),
    ("title only in svg", SITE, [(HOME, "<title>Still</title>", ""), (HOME, "<main>", "<main><svg><title>x</title></svg>")], "no title"),
    ("no doctype", SITE, [(HOME, "<!doctype html>\n", "")], "no <!doctype html>"),
    ("no charset", SITE, [(HOME, '<meta charset="utf-8">\n', "")], "no <meta charset"),
    ("not UTF-8", SITE, [("x/index.html", None, b"<!doctype html><html lang=en><meta charset=utf-8><title>x\xff</title><main><h1>x</h1></main>")], "not UTF-8"),
    ("label without target", SITE, [(HOME, "<main>", '<main><label for="no">x</label>')], "which is no id here"),
    ("link without a name", SITE, [(HOME, "<main>", '<main><a href="./"></a>')], "a without a name"),
    ("JSON-LD broken", SITE, [(POST, '"@type":', '"@type"')], "does not parse"),
    ("JSON-LD without context", SITE, [(POST, '"@context"', '"context"')], "without @context"),
    ("own link absolute", SITE, [(HOME, 'href="posts/hello/"', 'href="https://still.example/sub/posts/hello/"')], "absolute link to this site"),
    ("canonical dead", SITE, [(POST, "sub/posts/hello/", "sub/posts/hallo/")], "leads to posts/hallo/index.html"),
    ("remote style sheet", SITE, [(HOME, "./assets/style.1a2b3c4d.css", "https://cdn.example/s.css")], "loads from another host"),
    ("preconnect", SITE, [(HOME, "<meta name", '<link rel="preconnect" href="https://cdn.example/"><meta name')], "loads from another host"),
    ("404 relative", SITE, [("404.html", '<a href="/sub/">', '<a href="./">')], "is relative on the page that answers"),
    ("404 outside the base", SITE, [("404.html", '<a href="/sub/">', '<a href="/">')], "is not under /sub/"),
    ("base path wrong", [SITE, "--base-path", "/other/"], [], "is not under /other/"),
    ("redirect dead", SITE, [("old/index.html", "url=../posts/hello/", "url=../posts/gone/")], "meta refresh"),
    ("file links", [SITE, "--file-links"], [], "names a folder, not a file"),
    ("use of another file", [SITE, "--file-links"], [(HOME, "<main>", '<main><svg><use href="media/dot.svg#dot"/></svg>')], "which browsers refuse"),
    ("no h-entry", SITE, [(POST, '<article class="h-entry">', "<article>")], "post page without h-entry"),
    ("no published", SITE, [(POST, "dt-published", "")], "h-entry without dt-published"),
    ("no published, by mf2", SITE, [(POST, "dt-published", "")], "mf2: h-entry without published"),
    ("no author", SITE, [(POST, "p-author", "")], "h-entry without p-author"),
    ("no content", SITE, [(POST, 'class="e-content" dir', "dir"), (POST, '<div class="e-content">', "<div>"), (POST, "p-name", ""), (POST, "p-name", "")], "h-entry without e-content"),
    ("style sheet dead", SITE, [(STYLE, "dot.svg", "gone.svg")], "which doesn't exist"),
    ("style sheet remote", SITE, [(STYLE, "../media/dot.svg", "https://cdn.example/x")], "style sheet refers to"),
    ("import remote", SITE, [(STYLE, ":root", '@import "//cdn.example/x.css"; :root')], "style sheet refers to"),
    ("name reserved", SITE, [("con/x.txt", None, "x")], "reserved on Windows"),
    ("name NFD", SITE, [("e\u0301.txt", None, "x")], "name is not NFC"),
    ("name long", SITE, [("a" * 201, None, "x")], "name of 201 bytes"),
    ("name with a line end", SITE, [("a\nb", None, "x")], "control or reserved"),
    ("names folded", SITE, [("strasse.txt", None, "x"), ("Straße.txt", None, "x")], "where case is folded"),
    # Feeds
    feed("no id", "<id>https://still.example/sub/</id>\n", "", "feed has 0 id elements"),
    feed("no id, by the grammar", "<id>https://still.example/sub/</id>\n", "", "atom.rng"),
    feed("two titles", "<title>Still</title>", "<title>a</title><title>b</title>", "2 title elements"),
    feed("entry without updated", "<updated>2024-05-17T10:00:00Z</updated>", "", "0 updated elements"),
    feed("date with a blank", "<updated>2024-05-17T10:00:00Z</updated>", "<updated>2024-05-17 10:00:00Z</updated>", "is not RFC 3339"),
    feed("date impossible", "<published>2024-05-17", "<published>2024-02-30", "is not RFC 3339"),
    feed("feed older than its entries", "<updated>2024-05-18T10:00:00Z</updated>", "<updated>2024-05-01T10:00:00Z</updated>", "older than its newest entry"),
    feed("entry id twice", "<id>https://still.example/sub/posts/hello/</id>", "<id>https://still.example/sub/posts/hello/#c-gr%C3%BC%C3%9Fe</id>", "stands twice"),
    feed("entry id relative", "<id>https://still.example/sub/posts/hello/</id>", "<id>posts/hello/</id>", "no absolute IRI"),
    feed("no author", "<author><name>Grace</name></author>", "", "has no author"),
    feed("author without a name", "<name>Grace</name>", "<name></name>", "author without a name"),
    feed("link dead", 'type="text/html" href="https://still.example/sub/posts/hello/" thr', 'type="text/html" href="https://still.example/sub/posts/gone/" thr', "leads to no file"),
    feed("link to no anchor", 'type="text/html" href="https://still.example/sub/posts/hello/#c-gr', 'type="text/html" href="https://still.example/sub/posts/hello/#c-no', "names no anchor"),
    feed("link relative", 'href="https://still.example/sub/posts/hello/" thr', 'href="posts/hello/" thr', "is not absolute"),
    feed("self elsewhere", 'href="https://still.example/sub/feed.xml"/>\n<link rel="alternate"', 'href="https://still.example/sub/feed.json"/>\n<link rel="alternate"', "self link names another file"),
    feed("no self", 'rel="self"', 'rel="related"', "no self link"),
    feed("reply without ref", 'ref="https://still.example/sub/posts/hello/" ', "", "in-reply-to without ref"),
    feed("unknown Atom element", "<category", "<image/><category", "atom.rng"),
    feed("script in content", "&lt;p&gt;Body", "&lt;img onerror=&quot;x&quot; src=&quot;https://a.example/&quot;&gt;Body", "has a script"),
    feed("relative in content", "&lt;p&gt;Body", "&lt;a href=&quot;x&quot;&gt;Body", "relative URL"),
    feed("not well-formed", "</entry>", "", "does not parse"),
    feed("document type", "<feed", "<!DOCTYPE feed [<!ENTITY a 'b'>]><feed", "document type"),
    feed("archive unmarked", "<fh:archive/>", "", "without fh:archive", "feed/archive/1.xml"),
    feed("archive without current", 'rel="current"', 'rel="related"', "without a current link", "feed/archive/1.xml"),
    feed("chain dead", "feed/archive/1.xml", "feed/archive/2.xml", "leads to no file"),
    feed("archive unreached", '<link rel="prev-archive" href="https://still.example/sub/feed/archive/1.xml"/>', "", "does not reach"),
    feed("archive ring", '<link rel="current"', '<link rel="prev-archive" href="https://still.example/sub/feed/archive/1.xml"/><link rel="current"', "is a ring", "feed/archive/1.xml"),
    feed("JSON version", "version/1.1", "version/1", "version is", "feed.json"),
    feed("JSON broken", '"items"', '"items', "does not parse", "feed.json"),
    feed("JSON id a number", '"id": "https://still.example/sub/posts/hello/"', '"id": 1', "id is no string", "feed.json"),
    feed("JSON no content", '"content_html"', '"content"', "neither content_html", "feed.json"),
    feed("JSON date", '"2024-05-17T10:00:00Z"', '"17 May"', "is not RFC 3339", "feed.json"),
    feed("JSON url dead", '"url": "https://still.example/sub/posts/hello/"', '"url": "https://still.example/sub/posts/no/"', "leads to no file", "feed.json"),
    feed("JSON author", '"authors": [{"name": "Ada"}],', '"author": {"name": "Ada"},', "version 1.0's", "feed.json"),
    feed("JSON tags", '["tea"]', '"tea"', "tags is no array", "feed.json"),
    feed("loc dead", "posts/hello/</loc>", "posts/gone/</loc>", "leads to no file", "sitemap.xml"),
    feed("loc elsewhere", "https://still.example/sub/posts/hello/</loc>", "https://other.example/</loc>", "is not under", "sitemap.xml"),
    feed("loc twice", "posts/hello/</loc>", "</loc>", "stands twice", "sitemap.xml"),
    feed("loc of a redirect", "posts/hello/</loc>", "old/</loc>", "is a redirect", "sitemap.xml"),
    feed("lastmod", "2024-05-17T10:00:00Z", "yesterday", "is no W3C date", "sitemap.xml"),
    feed("robots field", "Disallow:", "Deny: /", "unknown field", "robots.txt"),
    feed("robots sitemap", "sub/sitemap.xml", "sub/map.xml", "leads to no file", "robots.txt"),
    ("no sitemap", FEEDS, [("sitemap.xml", None, None)], "missing, though"),
    # The Nu checker
    ("nu: stray end tag", "nu.sh", [(POST, BODY, "</b><p>x")], "posts/hello/index.html"),
    ("nu: duplicate id", "nu.sh", [(POST, BODY, '<p id="author">x</p>')], "Duplicate ID"),
    ("nu: unknown property", "nu.sh", [(STYLE, "color: var", "colour: red; color: var")], "colour"),
    # The browser
    shot("too wide", HOME, "<main>", '<main><pre class="wide">' + "x" * 600 + "</pre>", "px wide in 390: pre.wide"),
    shot("script error", "assets/site.5e6f7a8b.js", "document", "nothing.at.all; document", "console: Uncaught ReferenceError"),
    shot("asks another host", "assets/site.5e6f7a8b.js", "document", "new Image().src = 'https://cdn.example/x.png'; document", "asks another host"),
    shot("faint text", STYLE, "body { color: var(--ink)", "body { color: light-dark(#888, #777)", "contrast 3.54 of 4.5"),
    shot("faint by opacity", STYLE, "h1::after", "h1 { opacity: .2 } h1::after", "of 3 in h1"),
    shot("faint in the dark", STYLE, "light-dark(#00409f, #9fc4ff)", "#00409f", "dark): contrast"),
    shot("small targets", STYLE, "nav a { display: inline-block; min-height: 24px; min-width: 24px;", "nav a { display: block; font-size: 10px; line-height: 1;", "target"),
    shot("bad declaration", STYLE, "a { color", "a { color: light-drak(#000, #fff); color", "does not know 'color: light-drak"),
    # Hostile texts, with a stand-in that has the fault
    *[fake("xss.py", fault, expected, "--quick", "--limit", "6", *more) for fault, expected, *more in (
        ("raw-author", "outside a user's text, which a clean build has not"),
        ("raw-attribute", "has onfocus=", "--only", "onfocus"),
        ("raw-url", "has the scheme javascript", "--only", "javascript:"),
        ("raw-jsonld", "raw '<' in a JSON block"),
        ("template", "not as given", "--only", "7*7"),
        ("stray", "around/stray.html"),
        ("crash", "ended by status -6", "--only", "svg"),
        ("refuse", "wrote no page"),
    )],
    # Reproducible builds
    *[fake("reproducible.sh", fault, expected, "{here}/selftest/archive") for fault, expected in (
        ("zone", "zone-Kolkata: the tree differs"), ("order", "the tree differs"), ("clock", "the tree differs"),
        ("folder", "the tree differs"), ("jobs-count", "jobs: the tree differs"), ("rewrite", "wrote files anew"),
        ("refuse", "build exited 1"),
    )],
    # Hostile archives
    *[fake("hostile.py", fault, expected, "--section", section, "--only", only) for fault, expected, section, only in (
        ("unnamed", "n_array_extra_close.json is not named", "json-suite", "n_array_extra"),
        ("unnamed", "m.jsonl is not named", "json-own", "at 38"),
        ("unnamed", "posts/x.md is not named", "front-matter", "posts invalid-utf8"),
        ("lose", "messages beside a bad one not shown", "json-own", "at 38"),
        ("lose", "comments not shown", "threads", "comments, ring,"),
        ("twice", "shown more than once", "threads", "chat, ring,"),
        ("crash", "ended by status -6", "json-own", "posts html_in_every"),
        ("slow", "took 5", "unicode-names", "marks as id"),
        ("greedy", "MB, over 512", "paths", "each as slug"),
        ("fold", "are one file where case is folded", "paths", "each as id, author"),
        ("follow", "holds a file from outside", "links", ""),
        ("stray", "changed", "links", ""), ("peek", "opened /etc/passwd", "paths", "each as topic"),
        ("refuse", "exit 1", "json-own", "posts bom.json"),
    )],
]
