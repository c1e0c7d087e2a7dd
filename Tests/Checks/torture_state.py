"""The check of torture_build.py on a damaged `.stillfeed/`: whatever is in it, the tree is the clean one."""

import itertools
import os
import random
import re
import shutil

from torture_site import differences


class State:
    # A14: bytes flipped, files cut, of other versions, missing, or no files at all.
    def damaged_state(self):
        # About half of the rounds flip a bit.
        flips = 1000 if self.is_long else 50
        site = self.site()
        site.begin(self.old)
        site.build("-q")
        versions = itertools.cycle([(self.new, self.new_tree), (self.old, self.old_tree)])
        source = random.Random(14)
        kinds = {}
        # Every file in turn; of each one bytes anywhere, those of its head more often.
        for number in itertools.count():
            if kinds.get("flip", 0) == flips:
                break
            kind, path = self.damage(site, source, number)
            kinds[kind] = kinds.get(kind, 0) + 1
            files, wanted = next(versions) if number % 3 else (site.files, site.tree)
            what = f"{kind} of {path} ({number})"
            site.change(files)
            result = site.build("-q")
            if kind == "folder":
                # No file that a disk damaged: it is enough to say so.
                if result.returncode != 0 and path.encode() not in result.stderr:
                    self.fail(f"{what}: {result.returncode} {result.stderr.decode()}")
                shutil.rmtree(site.root / ".stillfeed" / path, ignore_errors=True)
                result = site.build("-q")
            if result.returncode != 0:
                self.fail(f"{what}: {result.returncode} {result.stderr.decode()}")
            if words := differences(wanted, site.tree):
                self.fail(f"{what}: {words}")
                site.begin(files)
            # So that the next damage is done to a state that is sound.
            site.build("-q")
        return "damaged state: " + ", ".join(f"{count} {kind}s" for kind, count in sorted(kinds.items()))

    @staticmethod
    def damage(site, source, number):
        folder = site.root / ".stillfeed"
        paths = sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink() and not p.name.startswith("lock"))
        path = paths[number % len(paths)]
        content = bytearray(path.read_bytes())
        kind = source.choice(["flip"] * 12 + ["cut"] * 4 + ["version", "version", "growth", "absence", "folder", "link"])
        head = re.search(rb"\d", content[:64])
        if kind == "version" and head:
            content[head.start()] = source.choice([b for b in b"0123456789" if b != content[head.start()]])
        elif kind == "cut":
            del content[source.randrange(len(content) + 1):]
        elif kind == "growth":
            content += bytes(source.randrange(256) for _ in range(source.choice([1, 8, 5000])))
        elif kind in ("absence", "folder", "link"):
            path.unlink()
            if kind == "folder":
                path.mkdir()
            elif kind == "link":
                os.symlink("/etc/passwd", path)
            return kind, path.name
        elif content:
            kind = "flip"
            end = len(content) if source.random() < 0.6 else min(len(content), 200)
            content[source.randrange(end)] ^= 1 << source.randrange(8)
        path.write_bytes(content)
        return kind, path.name
