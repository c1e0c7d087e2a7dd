#!/usr/bin/env bash
# Times builds of generated archives on a memory file system: cold, again with nothing changed, and
# after one more entry; next to `cp -r` of the output, and next to Hugo if there is one on the PATH.
# usage: run.sh STILLFEED [POSTS] [MESSAGES]     (default: 10000 posts with 60000 comments, 100000 messages)
# Prints the median of five runs and the peak of memory.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
stillfeed=$(realpath "${1:?usage: run.sh STILLFEED [POSTS] [MESSAGES]}")
posts=${2:-10000}
messages=${3:-100000}
command -v python3 >/dev/null || { echo "bench: needs python3" >&2; exit 1; }
base=/dev/shm
[[ -w $base ]] || base=${TMPDIR:-/tmp}
work=$(mktemp -d "$base/stillfeed-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

measure() { # NAME PREPARE COMMAND: the median of five runs, and the most memory of any
  python3 - "$@" <<'P'
import os, statistics, subprocess, sys, time
name, prepare, command = sys.argv[1:4]
times, peak = [], 0
for _ in range(5):
    subprocess.run(prepare, shell=True, check=True)
    start = time.perf_counter()
    child = subprocess.Popen(["sh", "-c", "exec " + command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    times.append(time.perf_counter() - start)
    peak = max(peak, usage.ru_maxrss)
    if status:
        sys.exit(f"{name}: exited {os.waitstatus_to_exitcode(status)}")
print(f"  {name:<34} {statistics.median(times):8.3f} s {peak / 1024:8.0f} MB", flush=True)
P
}

hugo=$(command -v hugo || true)
python3 "$here/generate.py" feed --posts "$posts" ${hugo:+--hugo hugo}
echo "$posts posts, $((posts * 6)) comments:"
measure "stillfeed, cold" "rm -rf out feed/.stillfeed" "$stillfeed build -C feed -o out --quiet"
measure "cp -r of its output" "rm -rf copy" "cp -r out copy"
measure "stillfeed, nothing changed" true "$stillfeed build -C feed -o out --quiet"
line='{"author":"person1","date":"2030-01-01T00:00:00Z","body":"One more."}'
measure "stillfeed, one more comment" "echo '$line' >> feed/Content/comments/post-000000.jsonl" \
  "$stillfeed build -C feed -o out --quiet"
if [[ -n $hugo ]]; then
  measure "$(hugo version | cut -d' ' -f1-2 | cut -d- -f1), cold" "rm -rf hugo/public" "hugo --quiet -s hugo"
fi
rm -rf out copy feed hugo

python3 "$here/generate.py" chat --posts 0 --messages "$messages"
echo "$messages messages:"
measure "stillfeed, cold" "rm -rf out chat/.stillfeed" "$stillfeed build -C chat -o out --quiet"
measure "cp -r of its output" "rm -rf copy" "cp -r out copy"
measure "stillfeed, nothing changed" true "$stillfeed build -C chat -o out --quiet"
measure "stillfeed, one more message" "echo '$line' >> chat/Content/channels/chat/0000.jsonl" \
  "$stillfeed build -C chat -o out --quiet"

if [[ -x $(dirname "$stillfeed")/micro ]]; then
  echo "hot paths by themselves:"
  "$(dirname "$stillfeed")/micro"
fi
