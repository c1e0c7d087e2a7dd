#!/usr/bin/env bash
# Builds the tests and runs them. Swift Testing prints every argument of every case, hostile ones too
# (some ten megabytes): that goes to .build/test.log, and only failures and the closing lines are shown.
# usage: test.sh [options of swift test: --filter JSONTests]
set -euo pipefail
cd "$(dirname "$0")/.."
log=.build/test.log
started=$SECONDS

echo "== building the tests (the first time takes some minutes)"
swift build --build-tests
echo "== testing after $((SECONDS - started)) s; all output goes to $log"
status=0
swift test --skip-build "$@" >"$log" 2>&1 </dev/null || status=$?
grep -av '^✘ Test run with' "$log" | grep -aE '^✘|^error:|Fatal error|^\*\*\* ' | cut -c1-400 | head -100 || true
# After a crash its thread comes last, so that it is seen where only the end of what this prints is kept.
crash() { grep -aE -m 1 -A 24 '^Thread .* crashed:' "$log" || tail -n 20 "$log"; }
grep -aE '^(✔|✘) Test run with' "$log" || { echo "The tests ended early:"; crash | cut -c1-400; status=1; }
echo "== $((SECONDS - started)) s"
exit "$status"
