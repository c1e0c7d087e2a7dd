"""One archive with one text in every field that a user can fill (for xss.py)."""

import base64

from buildlib import quoted

DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
BASE = "https://still.example/sub/"

# Everything that Markdown and the allow-list of the `html` format may write, so that a clean build shows it.
RICH_MARKDOWN = """# A
## B
### C
#### D
##### E
###### F

Text *em* **strong** `code` ~~gone~~ [link](https://example.org/ "title") <https://example.org/> https://example.org/a?b=c
someone@example.org [mail](mailto:someone@example.org) @ada ![dot](dot.png "title") ![far](https://example.org/x.png)

> quote

- a
- b

3. c
4. d

- loose

- list

```swift
code
```

    indented

---

line\\
break  
again
"""
RICH_HTML = """<h1>a</h1><h2 id=x class=y>b</h2><h3>c</h3><h4>c</h4><h5>c</h5><h6>c</h6><p dir=rtl lang=he title=t>p<br>q<wbr></p>
<ul type=a><li value=3>a</ul><ol start=3 reversed type=a><li>b</ol><dl><dt>a<dd>b</dl><blockquote cite="https://example.org/">q</blockquote>
<pre><code class=language-swift>x</code></pre><kbd>k</kbd><samp>s</samp><var>v</var><tt>t</tt>
<a href="https://example.org/" title=t rel=me target=_blank>l</a><a href="mailto:a@example.org">m</a><a href="#x">f</a><a href="/x">r</a><a name=n>n</a>
<img src=dot.png alt=a title=t width=1 height=1 srcset="dot.png 2x" loading=lazy><img src="https://example.org/a.png" alt=b><img alt=c><img>
<picture><source srcset=dot.png media="(min-width:1px)" type="image/png"><img src=dot.png alt=""></picture>
<video src=a.mp4 controls poster=dot.png width=1 height=1></video><audio src=a.mp3 controls></audio>
<table summary=s><caption>c</caption><colgroup><col span=1></colgroup><thead><tr><th scope=col colspan=2 rowspan=1 align=left>h</th></tr></thead>
<tbody><tr><td colspan=2 headers=h>d</td></tr></tbody><tfoot><tr><td>f</td></tr></tfoot></table>
<b>b</b><i>i</i><u>u</u><s>s</s><strike>s</strike><em>e</em><strong>s</strong><small>s</small><big>b</big><sub>s</sub><sup>s</sup><mark>m</mark>
<del datetime="2024-01-01" cite=x>d</del><ins datetime="2024-01-01">i</ins><abbr title=t>a</abbr><acronym title=t>a</acronym><cite>c</cite><dfn>d</dfn><q cite=x>q</q>
<time datetime="2024-01-01">t</time><bdi dir=auto>b</bdi><bdo dir=rtl>b</bdo><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby><span lang=fr>s</span><div>d</div><center>c</center><font color=red>f</font>
<details open><summary>s</summary>d</details><figure><img src=dot.png alt=""><figcaption>c</figcaption></figure><hr><section>s</section><article>a</article><aside>a</aside><header>h</header><footer>f</footer><nav>n</nav><main>m</main><address>a</address><hgroup><h2>h</h2></hgroup>
<svg><circle r=1 /></svg><math><mi>x</mi></math><form><input><button>b</button></form><label>l</label><meter value=1>m</meter><progress>p</progress>
"""


def is_file_name(text):
    try:
        return 0 < len(text.encode("utf-8")) <= 240 and "/" not in text and "\0" not in text and text not in (".", "..")
    except UnicodeEncodeError:
        return False


def write(case, text, other="plain"):
    """Fills the archive of `case`: `text` stands in every field. `other` chooses the further fields."""
    odd = other == "odd"
    case.write("stillfeed.yml", "\n".join([
        f"title: {quoted(text)}", f"baseURL: {quoted(BASE)}", "self:", f"  - {quoted(text)}", "  - p",
        *([f"language: {quoted(text)}", f"theme: {quoted(text)}"] if odd else ["language: en"]),
        f"description: {quoted(text)}", f"author: {quoted(text)}", f"{quoted(text)}: {quoted(text)}", "",
    ]))
    case.write("Content/media/dot.png", DOT)
    people = [
        {"id": "p", "name": text, "avatar": text, "url": text, "also": [text]},
        {"id": "q", "name": "Quinn", "avatar": "dot.png", "url": "https://example.org/q"},
        {"id": text, "name": text},
    ]
    if odd:
        case.write("Content/people/p.md", f"---\nname: {quoted(text)}\nurl: {quoted(text)}\navatar: {quoted(text)}\n---\n\n{text}\n")
    else:
        case.json("Content/people.json", people)

    media = [
        {"path": "dot.png", "alt": text, "title": text, "width": 1, "height": 1},
        {"path": text, "url": text, "type": text, "alt": text, "title": text},
        {"url": text, "type": "video/mp4", "title": text}, text,
    ]
    if is_file_name(text) and case.write(f"Content/media/{text}", DOT):
        media.append({"path": f"media/{text}"})
    reactions = [{"name": text, "count": 2, "by": [text, "p"]}]

    def answer(identity, form, **more):
        return {"id": identity, "author": text, "avatar": text, "date": "2024-05-17T11:00:00Z", "body": text,
                "format": form, "media": media, "reactions": reactions, "likes": 1,
                "source": {"platform": text, "id": text, "url": text}, **more}

    def comments():
        return [
            answer("c-1", "markdown", replies=[answer("c-2", "plain", author="p"), answer("c-3", "html", author="q")]),
            answer(text, "plain", parent="c-1"), answer("c-4", "plain", parent=text), answer("c-5", "plain", date=text),
        ]

    posts = [
        {"id": f"text-{form}", "slug": f"text-{form}", "author": text, "avatar": text, "date": "2024-05-17T10:00:00Z",
         "title": text, "body": text, "format": form, "tags": [text, "tea"], "summary": text, "topic": text,
         "media": media, "image": text, "likes": 3, "liked": True, "shares": 2, "reactions": reactions,
         "source": {"platform": text, "id": text, "url": text}, "comments": comments(), text: text, "extra": {text: text}}
        for form in ("markdown", "plain", "html")
    ]
    posts += [
        {"id": text, "slug": text, "author": "p", "date": text, "updated": text, "title": "structural", "body": text,
         "aliases": [text], "tags": text, "likes": text, "format": text, "image": "dot.png"},
        {"id": "untitled", "author": "q", "date": "2024-05-18T10:00:00Z", "body": text, "sensitive": text},
        {"id": "deleted", "author": text, "date": "2024-05-19T10:00:00Z", "body": text, "deleted": True},
        {"id": "rich-1", "author": "q", "date": "2024-05-01T10:00:00Z", "body": RICH_MARKDOWN, "comments": [
            {"id": "r-1", "author": "p", "body": RICH_MARKDOWN}, {"id": "r-2", "author": "p", "body": RICH_HTML, "format": "html"}]},
        {"id": "rich-2", "author": "q", "date": "2024-05-02T10:00:00Z", "body": RICH_HTML, "format": "html"},
    ]
    case.json("Content/posts/all.json", posts)
    keys = [f"title: {quoted(text)}", f"author: {quoted(text)}", f"tags: [{quoted(text)}]", f"categories: [{quoted(text)}]",
            f"summary: {quoted(text)}", f"description: {quoted(text)}", f"image: {quoted(text)}", f"{quoted(text)}: {quoted(text)}"]
    case.write("Content/posts/yaml.md", "---\ndate: 2024-05-10\n" + "\n".join(keys) + f"\nlayout: {quoted(text)}\n---\n\n{text}\n")
    toml = [key.replace(": ", " = ", 1) if not key.startswith('"') else f"{quoted(text)} = {quoted(text)}" for key in keys]
    case.write("Content/posts/toml.md", "+++\ndate = 2024-05-11\n" + "\n".join(toml) + f"\n+++\n\n{text}\n")
    case.write("Content/posts/bare.md", text)
    case.write("Content/posts/aliased.md", f"---\ndate: 2024-05-12\nslug: {quoted(text)}\nurl: {quoted(text)}\naliases: [{quoted(text)}]\n---\nx\n")
    case.write("Content/pages/about.md", f"---\ntitle: {quoted(text)}\ndescription: {quoted(text)}\n---\n\n{text}\n")
    case.json("Content/comments/text-plain.json", [answer("c-9", "markdown")])
    if is_file_name(text):
        case.write(f"Content/posts/{text}.md", f"---\ndate: 2024-05-13\n---\n\n{text}\n")
        case.write(f"Content/pages/{text}.md", text)
        case.write(f"Content/static/{text}.txt", "x")
        case.lines(f"Content/channels/{text}/m.jsonl", [{"id": "m", "author": text, "date": "2024-05-17T10:00:00Z", "body": text}])
    for view in ("chat", "board", "topics"):
        case.write(f"Content/channels/{view}/channel.yml",
                   f"title: {quoted(text)}\ndescription: {quoted(text)}\nview: {view}\n" + (f"pages: {quoted(text)}\n" if odd else ""))
        messages = [
            {"id": f"{form}", "author": text, "avatar": text, "date": "2024-05-17T10:00:00Z", "body": text, "format": form,
             "topic": text, "title": text, "media": media, "reactions": reactions, "pinned": True,
             "source": {"platform": text, "id": text, "url": text}}
            for form in ("markdown", "plain", "html")
        ]
        messages += [
            {"id": "reply", "author": "p", "date": "2024-05-17T10:01:00Z", "body": text, "replyTo": "plain"},
            {"id": text, "author": "q", "date": "2024-05-17T10:02:00Z", "body": "by id", "topic": "t"},
            {"id": "to", "author": "p", "date": "2024-05-18T10:02:00Z", "body": "to id", "replyTo": text},
            {"id": "undated", "author": "p", "date": text, "body": text, "topic": {"id": text, "title": text}},
            {"id": "gone", "author": text, "date": "2024-05-18T10:03:00Z", "body": text, "deleted": True},
            {"id": "rich", "author": "q", "date": "2024-05-18T10:04:00Z", "body": RICH_MARKDOWN, "replyTo": "reply"},
            {"id": "rich2", "author": "q", "date": "2024-05-18T10:05:00Z", "body": RICH_HTML, "format": "html", "replyTo": "nobody"},
        ]
        case.lines(f"Content/channels/{view}/m.jsonl", messages)
