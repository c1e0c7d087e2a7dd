#!/usr/bin/env bash
# Tests what docs/reliability.md promises: runs that are broken off, fail or crowd, bad clients, large archives.
# usage: torture.sh STILLFEED [--long]     about five minutes; with --long all figures of the table, hours of it
set -euo pipefail
cd "$(dirname "$0")/.."
stillfeed=$(realpath "$1")
shift
packages=()
for pair in strace:strace python3:python3 ss:iproute2 faketime:faketime setpriv:util-linux; do
  command -v "${pair%%:*}" >/dev/null || packages+=("${pair#*:}")
done
if ((${#packages[@]})); then
  if [ "$(id -u)" = 0 ]; then
    echo "== installing ${packages[*]}"
    apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
  else
    echo "missing: run sudo apt-get install ${packages[*]}" >&2
    exit 1
  fi
fi
failed=()
check() { # NAME COMMAND…
  local name=$1 started=$SECONDS
  shift
  echo "== torture: $name"
  "$@" </dev/null || failed+=("$name")
  echo "   $((SECONDS - started)) s"
}

check "edits" python3 Tests/Checks/torture_edit.py "$stillfeed" "$@"
check "builds" python3 Tests/Checks/torture_build.py "$stillfeed" "$@"
check "clock, zone, locale, folder, jobs" Tests/Checks/reproducible.sh "$stillfeed" . --base-url https://example.org/
check "large archives" python3 Tests/Checks/torture_large.py "$stillfeed" "$@"
check "the preview" python3 Tests/Checks/preview_load.py "$stillfeed" "$@"
sequences=50
[[ ${1:-} == --long ]] && sequences=500
check "incremental equals clean" python3 Tests/Checks/incremental.py "$stillfeed" --sequences $sequences --seed 1000
if [[ ${1:-} == --long ]]; then
  Tests/Checks/setup.sh
  python=${STILLFEED_CHECKS_CACHE:-.cache/checks}/venv/bin/python
  check "hostile archives" "$python" Tests/Checks/hostile.py "$stillfeed" --long
fi

if ((${#failed[@]})); then
  printf 'torture: failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
echo "torture: all held"
