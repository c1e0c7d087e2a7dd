#!/usr/bin/env python3
"""Holds `stillfeed build` to what docs/reliability.md promises of builds.

usage: torture_build.py [STILLFEED_BINARY] [--long] [--only NAME]

kill_at_calls      killed at a system call; the next build gives the clean tree
signals_at_random  KILL, TERM, INT and HUP at random times
errors_at_calls    a system call fails with EIO, ENOSPC, EDQUOT, EINTR, EAGAIN, or writes one byte
full_disk          file systems with from 5% to all of the room that is needed
few_descriptors    prlimit --nofile from 7 to 256: from 32 on it builds, below it does or says why not
rights             unreadable files, an output that can't be written, is a file, or holds a fixed page
streams            standard output and error full, closed or ended early
crowd              eight builds, edits and a preview at once, in rounds
damaged_state      bytes of .stillfeed/ flipped, files of it cut, of other versions, or not files at all

"Clean" is the tree of a build into an empty folder. Needs strace, setpriv, and root for mounting; what
can't be done here is said. The short run takes about two minutes. Exit status 0 if all held.
"""

from torture_crowd import Crowd
from torture_faults import Faults
from torture_site import Site, content
from torture_state import State
from torturelib import Torture, run


class BuildTorture(Torture, Faults, Crowd, State):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        messages = 2000 if self.is_long else 300
        self.old, self.new = content("old", messages), content("new", messages)
        self.old_tree, self.new_tree = self.clean(self.old), self.clean(self.new)

    def site(self, root=None):
        self.number += 1
        return Site(self, root or self.base / f"s{self.number}")

    def clean(self, files):
        """The tree of a build into an empty folder."""
        site = self.site()
        site.begin(files)
        result = site.build()
        if result.returncode != 0 or not site.tree:
            self.fail(f"a plain build ended with {result.returncode}: {result.stderr.decode()}")
        self.known_paths = [str(path)[len(str(site.root)):].lstrip("/") for path in site.paths()]
        return site.tree


if __name__ == "__main__":
    run(__doc__, BuildTorture, ["kill_at_calls", "signals_at_random", "errors_at_calls", "full_disk", "few_descriptors",
                                "rights", "streams", "crowd", "damaged_state"])
