"""The checks of torture_edit.py on missing rights, failing output and hostile paths."""

import json
import os
import shutil
import subprocess

from torture_edit_cases import COMMANDS, FILES
from torturelib import HERE, NOBODY, strace
from watchlib import WATCHED, opened_elsewhere


class Paths:
    # A7: missing rights; A8: standard output that fails.
    def rights_and_output(self):
        root = self.archive()
        old = self.state(root)
        if self.is_privileged():
            nobody = NOBODY
            for name, command in COMMANDS.items():
                result = self.run(command, root, nobody)
                if not 0 < result.returncode < 128 or str(root).encode() not in result.stderr:
                    self.fail(f"{name} without rights: {result.returncode} {result.stderr}")
            (root / ".stillfeed").mkdir(exist_ok=True)
            os.chmod(root / ".stillfeed", 0o777)
            for name, command in COMMANDS.items():
                result = self.run(command, root, nobody)
                if not 0 < result.returncode < 128 or b"Content/" not in result.stderr:
                    self.fail(f"{name} without rights: {result.returncode} {result.stderr}")
            if self.state(root, True) != old:
                self.fail("a command without rights changed something")
        with open("/dev/full", "w") as full:
            words = self.words(["edit", "posts/rain", "--like", "--json"], root)
            status = subprocess.run(words, stdout=full, stderr=subprocess.DEVNULL).returncode
            if not 0 < status < 128:
                self.fail(f"a full standard output gave {status}")
        closed = subprocess.run(
            ["sh", "-c", '"$@" >&-', "sh", *self.words(["edit", "posts/rain", "--tag", "x"], root)],
            stderr=subprocess.DEVNULL)
        if closed.returncode > 127:
            self.fail("a closed standard output killed it")
        if b"x" not in (root / "Content/posts/2024-01-01-rain.md").read_bytes().split(b"---")[1]:
            self.fail("with standard output closed the edit is lost")
        shutil.rmtree(root)
        return "missing rights and a failing standard output"

    # A5: what the system doesn't tell of is not taken for missing, and so never written over.
    def unseen_files(self):
        cases = [
            (["init", "ROOT"], "stillfeed.yml"), (["theme", "eject", "post"], "Templates/post.mustache"),
            (["add", "person", "eve"], "Content/people.yml"), (["add", "channel", "gb"], "Content/channels/gb/channel.yml"),
            (["add", "comment", "--on", "rain", "--author", "ada", "x"], "Content/comments/rain.jsonl"),
        ]
        for command, path in cases:
            root = self.archive()
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text("title: mine\n" if path.endswith(".yml") else "\n")
            if command[0] == "init":
                shutil.rmtree(root / "Content")
            old = self.state(root)
            result = self.run(command, root, strace("newfstatat", "error=EIO", [str(root / path)]))
            if not 0 < result.returncode < 128 or b"Input/output error" not in result.stderr:
                self.fail(f"{command}, of {path} the system doesn't tell: {result.returncode} {result.stderr.decode()}")
            if self.state(root)[path] != old[path]:
                self.fail(f"{command}, of {path} the system doesn't tell: written over")
            shutil.rmtree(root)
        return f"{len(cases)} commands on a file that can't be looked at"

    # B4: hostile paths as arguments.
    def hostile_arguments(self):
        lines = (HERE.parent / "Fixtures/hostile/paths.txt").read_text("utf-8").split("\n")
        # No argument holds a NUL byte; half surrogates are bytes that are not UTF-8.
        paths = [json.loads(line).replace("\0", "\\0") for line in lines if line]
        paths += ["..", "../canary", "/etc/passwd", "posts/../../canary/x", "a\nb", "-x"]
        if not self.is_long:
            paths = paths[::max(1, len(paths) // 20)]
        outside = self.base / "outside"
        canary = outside / "canary"
        canary.mkdir(parents=True)
        (canary / "x").write_text("canary")
        root = outside / "site"
        runs = 0
        for path in paths:
            if root.exists():
                shutil.rmtree(root)
            for name, text in FILES.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            text = os.fsdecode(path.encode("utf-8", "surrogatepass"))
            for command in (
                ["add", "message", "--author=ada", f"--to={text}", "x"],
                ["add", "comment", "--author=ada", f"--on={text}", "x"],
                ["add", "post", "--author=ada", f"--slug={text}", "x"],
                ["add", "post", "--author=ada", f"--title={text}", "x"],
                ["add", "post", f"--author={text}", f"--attach={root}/{text}", "x"],
                ["add", "channel", "--", text],
                ["add", "person", "--", text],
                ["edit", "--body=x", "--", text],
                ["delete", "--yes", "--", text],
                ["delete", "--yes", "--", f"posts/{text}"],
            ):
                runs += 1
                log = self.base / "opened"
                result = self.run(command, root, ["strace", "-f", "-qq", "-y", "-s", "4096", "-o", str(log), "-e", f"trace={WATCHED}"])
                if not 0 <= result.returncode < 128:
                    self.fail(f"{command}: {result.returncode} {result.stderr}")
                # What is to be attached may stand anywhere.
                attached = [os.path.realpath(w.removeprefix("--attach=")) for w in command if w.startswith("--attach=")]
                if elsewhere := opened_elsewhere(log.read_text("utf-8", "replace"), [root, *attached], root):
                    self.fail(f"{command} opened {elsewhere}")
                around = {str(p.relative_to(outside)) for p in outside.rglob("*")
                          if not str(p).startswith(str(root) + "/")}
                if around != {"canary", "canary/x", "site"}:
                    self.fail(f"{command} wrote outside: {around}")
                beside = {p.name for p in root.iterdir()}
                if not beside <= {".stillfeed", "Content", "attach.png", "stillfeed.yml"}:
                    self.fail(f"{command} wrote beside the content: {beside}")
            if (canary / "x").read_text() != "canary":
                self.fail(f"{path!r} changed the canary")
        return f"{runs} commands with {len(paths)} hostile paths"
