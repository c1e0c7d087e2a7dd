"""The checks of torture_build.py on rights, standard streams, and many runs at once."""

import os
import random
import shutil
import signal
import subprocess
import threading
import time

from torture_site import differences, read_tree
from torturelib import NOBODY

ODD = b'{"id":"ok","author":"ada","date":1704067200,"body":"fine"}\n{"id":"bad","body":\n' * 3


class Crowd:
    # A7: what may not be read or written is named, and the rest stays as it was.
    def rights(self):
        if not self.is_privileged():
            return "SKIPPED: missing rights, which take root and setpriv to have"
        site, count = self.site(), 0
        unreadable = ["Content/channels/chat/a.jsonl", "Content/channels/list", "Content/posts/2024-01-06-post-5.md",
                      "Content/media/a.txt", "Content/people.yml", "Content/channels/board/channel.yml",
                      "Content/static/CNAME", "Content/comments", "stillfeed.yml", "Content"]
        for path in unreadable:
            self.own(site)
            os.chmod(site.root / path, 0)
            self.refused(f"unreadable {path}", site, path.encode())
            count += 1
        unwritable = {
            "a read-only output": lambda: lock_up(site.out),
            "a read-only page": lambda: lock_up(site.out / "posts"),
            "a read-only state folder": lambda: lock_up(site.root / ".stillfeed"),
        }
        for name, prepare in unwritable.items():
            self.own(site)
            prepare()
            self.refused(name, site, str(site.root).encode())
            count += 1
        self.own(site)
        page = site.out / "index.html"
        if subprocess.run(["chattr", "+i", str(page)], capture_output=True).returncode == 0:
            result = site.build()
            subprocess.run(["chattr", "-i", str(page)], check=True)
            self.judge_refusal("a page that can't be changed", site, str(page).encode(), result)
            count += 1
        for name, path in (("the output is a file", "file"), ("the output lies below a file", "file/x/y"),
                           ("nothing may be made beside it", "locked/out")):
            self.own(site)
            (site.root / "file").write_text("a file")
            (site.root / "locked").mkdir()
            os.chmod(site.root / "locked", 0o555)
            self.refused(name, site, path.split("/")[0].encode(), ["-o", str(site.root / path)])
            if (site.root / "file").read_text() != "a file" or any((site.root / "locked").iterdir()):
                self.fail(f"{name}: something was written")
            count += 1
        return f"{count} builds without rights"

    def own(self, site):
        """A site of the old version, to be built anew, that belongs to nobody."""
        site.begin(self.old)
        site.build("-q")
        site.change(self.new)
        give_away(site.root)

    def refused(self, what, site, named, options=()):
        self.judge_refusal(what, site, named, site.build(*options, before=NOBODY))

    def judge_refusal(self, what, site, named, result):
        if not 0 < result.returncode < 128 or named not in result.stderr:
            self.fail(f"{what}: {result.returncode} {result.stderr.decode()}")
        give_away(site.root)
        for path in site.root.rglob("*"):
            if not path.is_symlink() and path.stat().st_mode & 0o700 != 0o700:
                os.chmod(path, 0o700)
        tree = site.tree
        torn = [p for p, found in tree.items() if found not in (self.old_tree.get(p), self.new_tree.get(p))]
        if torn or (self.old_tree.keys() & self.new_tree.keys()) - tree.keys():
            self.fail(f"{what}: the site isn't whole: {torn[:5]}")
        # Attachments and static files are opened only when the pages are there.
        is_late = "media" in what or "static" in what
        if what.startswith("unreadable") and tree != self.old_tree and not is_late:
            self.fail(f"{what}: the site was changed: {differences(self.old_tree, tree)}")
        if not site.has_content():
            self.fail(f"{what}: the archive itself was changed")

    # A8: standard output and error.
    def streams(self):
        odd = self.new | {"Content/channels/odd/a.jsonl": ODD}
        wanted = self.clean(odd)
        site = self.site()
        shell = {
            'exec "$@" --json >/dev/full': range(1, 128), 'exec "$@" --json >&-': range(1, 128),
            # Its words go to standard error.
            'exec "$@" >/dev/full': [0], 'exec "$@" >&-': [0], 'exec "$@" 2>&-': [0], 'exec "$@" 2>/dev/full': [0],
            'exec "$@" <&- >&- 2>&-': [0], 'exec "$@" --json <&- 2>&-': [0],
        }
        for command, statuses in shell.items():
            site.begin(odd)
            result = self.execute(["sh", "-c", command, "sh", *site.words()])
            if result.returncode not in statuses:
                self.fail(f"{command}: {result.returncode} {result.stderr}")
            if words := differences(wanted, site.tree):
                self.fail(f"{command}: {words}")
            if not site.has_content():
                self.fail(f"{command}: the archive itself was changed")
        site.begin(self.new)
        listing = [self.binary, "-C", str(site.root), "list"]
        for command, statuses in {'exec "$@" >/dev/full': range(1, 128), 'exec "$@" --json >/dev/full': range(1, 128)}.items():
            result = self.execute(["sh", "-c", command, "sh", *listing])
            if result.returncode not in statuses or b"No space left" not in result.stderr:
                self.fail(f"list: {command}: {result.returncode} {result.stderr}")
        result = self.execute(["bash", "-o", "pipefail", "-c", '"$@" | head -1; echo "${PIPESTATUS[0]}"', "sh", *listing])
        if result.stdout.splitlines()[-1] != b"0" or result.stderr:
            self.fail(f"list | head: {result.stdout[-20:]} {result.stderr}")
        return f"{len(shell) + 3} runs with a failing or missing stream"

    # A10: eight builds, edits and a preview at once.
    def crowd(self):
        rounds, refused, edits = 100 if self.is_long else 6, [], []
        site = self.site()
        site.begin(self.new)
        serve = subprocess.Popen(
            [self.binary, "serve", "-C", str(site.root), "--port", "0", "-q"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            for number in range(rounds):
                self.one_round(site, number, refused, edits)
                self.follows(serve, site)
        finally:
            serve.send_signal(signal.SIGTERM)
            try:
                status = serve.wait(5)
            except subprocess.TimeoutExpired:
                serve.kill()
                status = "none, it had to be killed"
            if status != 0:
                self.fail(f"serve ended with {status}: {serve.stderr.read()[-500:]}")
            serve.stderr.close()
        return f"{rounds} rounds of eight builds, {len(edits)} edits and a preview; {len(refused)} gave way to another run"

    def one_round(self, site, number, refused, edits):
        stop = threading.Event()

        def edit():
            while not stop.is_set():
                entry = random.choice(["channels/board#m-b2", "channels/chat#m-c7", "posts/post-4"])
                result = self.execute([self.binary, "-C", str(site.root), "edit", entry, "--body", f"Round {number}, {len(edits)}"])
                edits.append(result.returncode)
                if result.returncode != 0:
                    self.fail(f"an edit was refused: {result.stderr.decode()}")

        editor = threading.Thread(target=edit)
        editor.start()
        builds = [subprocess.Popen(site.words("-q"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                  for _ in range(8)]
        # One that is killed while it has the lock must not block the others.
        time.sleep(random.uniform(0, 0.05))
        killed = random.choice(builds)
        killed.kill()
        for build in builds:
            try:
                _, words = build.communicate(timeout=90)
            except subprocess.TimeoutExpired:
                build.kill()
                self.fail("a build of a crowd doesn't end")
                continue
            if build.returncode != 0 and build is not killed:
                refused.append(build.returncode)
                if build.returncode != 1 or b"nother" not in words:
                    self.fail(f"a build of a crowd ended with {build.returncode}: {words.decode()}")
        stop.set()
        editor.join()
        site.files = {path: (site.root / path).read_bytes() for path in site.files}
        result = site.build()
        self.wanted = self.clean(site.files)
        if result.returncode != 0 or (words := differences(self.wanted, site.tree)):
            self.fail(f"round {number}: the last tree isn't clean: {result.stderr.decode()} {differences(self.wanted, site.tree)}")
        if left := [p for p in site.leftovers() if "preview" not in p]:
            self.fail(f"round {number}: left behind {left}")

    def follows(self, serve, site):
        """The preview shows what is there, soon after."""
        end = time.monotonic() + 10
        shown = site.root / ".stillfeed/preview/site"
        while words := differences(self.wanted, read_tree(shown)):
            if time.monotonic() > end or serve.poll() is not None:
                self.fail(f"the preview doesn't follow: {words}")
                return
            time.sleep(0.05)


def give_away(folder):
    for path, folders, names in os.walk(folder):
        os.chown(path, 65534, 65534)
        for name in names:
            os.chown(os.path.join(path, name), 65534, 65534, follow_symlinks=False)


def lock_up(folder):
    """Root's, and for reading only."""
    for path, _, names in os.walk(folder):
        for name in [path] + [os.path.join(path, name) for name in names]:
            os.chown(name, 0, 0)
            os.chmod(name, 0o555 if os.path.isdir(name) else 0o444)
