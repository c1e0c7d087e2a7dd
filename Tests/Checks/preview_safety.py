"""The cases of preview_load.py on what the preview may give away: paths that lead out, and headers."""

import json
import os
import socket
from pathlib import Path

from torturelib import HERE

CANARY = b"CANARY-NEVER-SERVED"
TYPES = {
    "index.html": "text/html; charset=utf-8", "feed.xml": "application/atom+xml", "feed.json": "application/feed+json",
    "sitemap.xml": "application/xml", "robots.txt": "text/plain; charset=utf-8", "media/inert.svg": "image/svg+xml",
    "media/x.png": "image/png", "assets/style": "text/css; charset=utf-8", "assets/site": "text/javascript; charset=utf-8",
    # What a browser would run is text in the site itself.
    **{f"media/x.{kind}.txt": "text/plain; charset=utf-8" for kind in ("svg", "html", "xml", "js")},
}


def raw(server, request):
    """The whole answer as bytes; what was there when the connection broke."""
    data = b""
    try:
        with server.connect(5) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            while block := connection.recv(1 << 16):
                data += block
    except OSError:
        pass
    return data


def paths(run):
    """Every target of the corpus, sent as it is; canaries above and beside the site, and links that leave it."""
    server = run.server()
    site = Path(server.folder) / ".stillfeed/preview/site"
    for place in (Path(server.folder), site.parent, site.parent.parent):
        (place / "canary.txt").write_bytes(CANARY)
    outside = site.parent / "out-evil"
    outside.mkdir(exist_ok=True)
    (outside / "canary.txt").write_bytes(CANARY)
    links = {"link-to-etc": "/etc", "link-to-parent": "..", "outside-link": "../out-evil", "link-loop": "link-loop",
             "canary.txt": "../canary.txt"}
    for name, target in links.items():
        os.symlink(target, site / name)
    os.mkfifo(site / "fifo")
    (site / ".env").write_bytes(CANARY)
    try:
        lines = (HERE.parent / "Fixtures/hostile/http-paths.txt").read_text("utf-8").splitlines()
        for line in lines:
            target = json.loads(line).encode("latin-1", "replace")
            answer = raw(server, b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            head = answer.partition(b"\r\n\r\n")[0]
            assert CANARY not in answer and b"root:x:0" not in answer, (target, answer[-80:])
            for field in head.split(b"\r\n"):
                if field.lower().startswith(b"location:"):
                    to = field[9:].strip()
                    assert to.startswith(b"/") and not to.startswith((b"//", b"/\\")), (target, to)
        assert server.ask()[0] == 200
    finally:
        for name in (*links, "fifo", ".env"):
            (site / name).unlink()
    return f"{len(lines)} targets, nothing from outside the site"


def headers(run):
    """The headers of each kind of file, and of refusals."""
    folder = Path(run.folder)
    (folder / "Content/media").mkdir(exist_ok=True)
    media = [name.partition("/")[2].removesuffix(".txt") for name in TYPES if name.startswith("media/")]
    for name in media:
        script = "" if name.startswith("inert") else "<script>alert(1)</script>"
        (folder / "Content/media" / name).write_text(f"<svg xmlns='http://www.w3.org/2000/svg'>{script}<g></g></svg>")
    (folder / "Content/posts/media.md").write_text(
        f"---\nauthor: Ada\ndate: 2024-05-30\nmedia: {json.dumps(media)}\n---\nMedia.\n")
    server = run.server("--base-url", "http://127.0.0.1/")
    site = folder / ".stillfeed/preview/site"
    found = sorted(str(p.relative_to(site)) for p in site.rglob("*") if p.is_file() and not p.name.startswith("."))
    policies = set()
    for path in found:
        answer = raw(server, f"GET /{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        lines = answer.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        fields = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:])}
        if path.endswith("/index.html") and " 30" in lines[0]:
            continue
        assert fields.get("x-content-type-options") == "nosniff", (path, lines)
        wanted = next((t for name, t in TYPES.items() if path == name or (name.startswith("assets/") and path.startswith(name))), None)
        assert fields.get("content-type") and (wanted is None or fields["content-type"] == wanted), (path, lines)
        assert not any(name.startswith("access-control") for name in fields), (path, lines)
        policy = fields.get("content-security-policy", "")
        policies.add(policy)
        assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0] and "default-src" in policy, (path, policy)
        if path.endswith(".svg"):
            assert "sandbox" in policy and "default-src 'none'" in policy, (path, policy)
    missing = [name for name in TYPES if not any(p == name or (name.startswith("assets/") and p.startswith(name)) for p in found)]
    assert not missing, f"not in the site: {missing}"
    for request in (b"GET /nowhere HTTP/1.1\r\nHost: localhost", b"POST / HTTP/1.1\r\nHost: localhost", b"GET / HTTP/1.1\r\nHost: evil.example"):
        answer = raw(server, request + b"\r\nConnection: close\r\n\r\n")
        assert b"nosniff" in answer and answer.startswith(b"HTTP/1.1 4"), answer[:200]
    (folder / "Content/posts/media.md").unlink()
    return f"{len(found)} files and 3 refusals, {len(policies)} policies"
