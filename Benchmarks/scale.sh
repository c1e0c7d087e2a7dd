#!/usr/bin/env bash
# Times builds of one chat of growing size on a memory file system, and prints a table: time and memory
# of a full build, of one in which nothing changed, and of one after one more message, next to `cp -r`.
# usage: scale.sh STILLFEED [MESSAGES…]     (default: 10000 100000 1000000)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
stillfeed=$(realpath "${1:?usage: scale.sh STILLFEED [MESSAGES…]}")
shift
sizes=("$@")
((${#sizes[@]})) || sizes=(10000 100000 1000000)
base=/dev/shm
[[ -w $base ]] || base=${TMPDIR:-/tmp}
work=$(mktemp -d "$base/stillfeed-scale.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

measure() { # COMMAND…: wall seconds, CPU seconds and peak MB, the best of three
  python3 - "$@" <<'P'
import os, subprocess, sys, time
best = None
for _ in range(3):
    if sys.argv[1]:
        subprocess.run(sys.argv[1], shell=True, check=True)
    start = time.perf_counter()
    child = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    if status:
        sys.exit("failed: " + " ".join(sys.argv[2:]))
    found = (wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
    best = min(best or found, found)
print(f"{best[0]:.3f} {best[1]:.3f} {best[2]:.0f}")
P
}

echo "| messages | files | MB out | full: s | CPU-s | MB | of cp -r | nothing changed: s | one more: s | files written |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for size in "${sizes[@]}"; do
  python3 "$here/generate.py" chat --posts 0 --messages "$size"
  build=("$stillfeed" build -C chat -o out --quiet)
  read -r wall cpu memory < <(measure "rm -rf out chat/.stillfeed" "${build[@]}")
  files=$(find out -type f | wc -l)
  bytes=$(du -sb out | cut -f1)
  read -r copy _ _ < <(measure "rm -rf copy" cp -r out copy)
  rm -rf copy
  read -r same _ _ < <(measure "" "${build[@]}")
  last=$(find chat/Content/channels/chat -name '*.jsonl' | sort | tail -1)
  line='{\"author\":\"person1\",\"date\":\"2099-01-01T00:00:00Z\",\"body\":\"One more.\"}'
  read -r more _ _ < <(measure "echo \"$line\" >>$last" "${build[@]}")
  echo '{"author":"person1","date":"2099-01-01T00:00:01Z","body":"And one."}' >>"$last"
  written=$("$stillfeed" build -C chat -o out --json 2>/dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["written"])')
  python3 -c "print('| $size | $files | %.0f | $wall | $cpu | $memory | %.1f | $same | $more | $written |' % ($bytes / 1e6, $wall / $copy))"
  rm -rf out chat
done
