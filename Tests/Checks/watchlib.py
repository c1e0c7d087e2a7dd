"""Which files a command opened or changed, from a log of strace."""

import os
import re

OPENING = ("open", "openat", "openat2", "creat")
CHANGING = ("mkdir", "mkdirat", "rename", "renameat", "renameat2", "unlink", "unlinkat", "link", "linkat", "symlink",
            "symlinkat", "truncate", "rmdir")
# For `strace -f -y -s 4096 -e trace=…`.
WATCHED = ",".join(OPENING + CHANGING)
# What the runtime and the loader open for themselves.
SYSTEM = re.compile(
    r"/etc/(ld\.so\.cache|localtime|locale\.alias|ssl/openssl\.cnf)|(/usr(/local)?)?/lib(64)?/.+|/usr/share/zoneinfo/.+"
    r"|/proc/\d+/(maps|cmdline|stat|cgroup)|/proc/sys/vm/overcommit_memory|/sys/devices/system/cpu/\w+|/dev/null|/dev/urandom")


def opened_elsewhere(log, folders, base):
    """Paths that a command opened outside `folders`, or made, renamed or removed there.

    The folders that lead to `base` may be opened as folders. `log` is the text of the log.
    """
    inside = [os.fspath(folder) for folder in folders]
    found = set()
    for line in log.splitlines():
        call = re.match(r"(?:\d+\s+)?(\w+)\((.*)\) += (-?\d+)(?:<(.*)>)?", line)
        if not call or call[3].startswith("-"):
            continue
        opens = call[1] in OPENING
        if opens:
            paths = [call[4] or ""]
        else:
            parts = re.findall(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"', call[2])
            paths = [os.path.normpath(os.path.join(folder or "/", name)) for folder, name in parts]
        for path in paths:
            is_above = opens and "O_DIRECTORY" in call[2] and (os.fspath(base) + "/").startswith(path.rstrip("/") + "/")
            is_system = opens and SYSTEM.fullmatch(path)
            if not is_above and not is_system and not any(path == at or path.startswith(at + "/") for at in inside):
                found.add(path)
    return sorted(found)
