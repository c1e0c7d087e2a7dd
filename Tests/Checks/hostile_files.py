"""Files for hostile.py: attachments, files of other formats under every name, and what is no regular file."""

import os
import socket

from checklib import FIXTURES
from hostile_cases import Trial
from hostile_judge import distinct_names, exactly_once, counted, named

ATTACHMENTS = FIXTURES / "hostile" / "attachments"
# Further folders of files, given by --files.
given = []


def attachments(long):
    """Each as an attachment, a picture, an avatar, and a file of the static folder."""
    for path in sorted(ATTACHMENTS.iterdir()):

        def prepare(case, path=path):
            name, content = path.name, path.read_bytes()
            case.write(f"Content/media/{name}", content)
            case.write(f"Content/static/{name}", content)
            case.json("Content/people.json", [{"id": "a", "name": "A", "avatar": name}])
            case.json("Content/posts/p.json", [
                {"id": "p", "author": "a", "date": "2024-05-03", "body": f"K1K ![x]({name}) [y]({name})", "image": name,
                 "media": [name, {"path": name, "type": "image/png"}]}])
            case.lines("Content/channels/hostile/m.jsonl", [{"id": "m", "author": "a", "body": f"![x]({name})", "media": [name]}])

        def judge(case, result):
            yield from exactly_once(counted(case, r"posts/p/index\.html"), ["K1K"], "posts")
            yield from distinct_names(case)

        yield Trial(path.name, prepare, judge)


def files(long):
    """Each in every folder of an archive, under its own name and under those of the formats that are read there."""
    folders = [ATTACHMENTS, *given]
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):

        def prepare(case, path=path):
            content = path.read_bytes()
            for folder in ("posts", "pages", "people", "comments", "channels/hostile", "media", "static"):
                for name in (path.name, "x.json", "x.jsonl", "x.md", "x.yml", "x.html"):
                    case.write(f"Content/{folder}/{name}", content)
            case.write("Content/channels/hostile/channel.yml", content)
            case.write("Content/comments/good-1.json", content)

        yield Trial(f"{path.parent.name}/{path.name}", prepare)
        for where in ("stillfeed.yml", "Templates/post.mustache"):
            yield Trial(f"{path.parent.name}/{path.name} as {where}", lambda case, w=where, p=path: case.write(w, p.read_bytes()),
                        exits=(0, 1), good=False)


def links(long):
    """Links, pipes, sockets, devices and unreadable names in the content folder (RELIABILITY B11)."""

    def prepare(case):
        content = case.content
        (content / "posts").mkdir(exist_ok=True)
        (content / "media").mkdir(exist_ok=True)
        os.symlink("/etc", content / "posts" / "etc")
        os.symlink("/etc/passwd", content / "posts" / "passwd.md")
        os.symlink("../../../archive-evil/canary.md", content / "posts" / "canary.md")
        os.symlink("loop-b", content / "posts" / "loop-a")
        os.symlink("loop-a", content / "posts" / "loop-b")
        os.symlink(".", content / "posts" / "self")
        os.symlink("/etc/passwd", content / "media" / "pic.png")
        os.symlink("/etc", content / "channels" / "etc")
        os.mkfifo(content / "posts" / "x.json.pipe")
        os.mkfifo(content / "posts" / "fifo.md")
        bind(content / "posts" / "socket.md")
        bind(content / "media" / "socket.png")
        if os.geteuid() == 0:
            # Endless, were it read.
            os.mknod(content / "posts" / "zero.md", 0o020666, os.makedev(1, 5))
            os.mknod(content / "media" / "zero.png", 0o020666, os.makedev(1, 5))
        os.mkfifo(content / "media" / "fifo.png")
        case.write(b"Content/posts/bad-\xff.md", b"---\ntitle: x\n---\nx\n")
        case.json("Content/posts/p.json", [
            {"id": "p", "body": "K1K ![x](pic.png)", "image": "pic.png",
             "media": ["passwd.md", "etc/passwd", "zero.png", "fifo.png", "socket.png"]}])

    def judge(case, result):
        for path in case.out.rglob("*"):
            if path.is_symlink():
                yield f"a link in the output: {path.relative_to(case.out)}"
            elif not path.is_file() and not path.is_dir():
                yield f"no file in the output: {path.relative_to(case.out)}"
            elif path.is_file() and any(w in path.read_bytes() for w in (b"root:x:0", b"CANARY-NEVER-SHOWN")):
                yield f"{path.relative_to(case.out)} holds a file from outside the archive"
        for name in ("fifo.md", "passwd.md", "socket.md", *(["zero.md", "zero.png"] if os.geteuid() == 0 else [])):
            yield from named(result, name)
        yield from exactly_once(counted(case, r"posts/p/index\.html"), ["K1K"], "posts")

    yield Trial("links, pipes, sockets, devices, loops", prepare, judge, watched=True)

    def unreadable(case):
        case.write("Content/posts/unreadable.md", "x")
        os.chmod(case.content / "posts" / "unreadable.md", 0)

    # Not a fault of the archive: nothing is built that would show it as if the file weren't there.
    yield Trial("a file without rights", unreadable, exits=(1,))


def bind(path):
    """A socket at a path, of whatever length."""
    here = os.getcwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as stream:
            stream.bind(path.name)
    finally:
        os.chdir(here)


SECTIONS = {"attachments": attachments, "files": files, "links": links}
