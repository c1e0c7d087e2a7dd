#!/usr/bin/env bash
# Builds the sample archive in several ways and lets Tests/Checks judge what was written.
# usage: checks.sh STILLFEED [FOLDER]     the sites are left in FOLDER (default: .build/checks)
set -euo pipefail
cd "$(dirname "$0")/.."
stillfeed=$(realpath "$1")
sites=${2:-.build/checks}
Tests/Checks/setup.sh
python=${STILLFEED_CHECKS_CACHE:-.cache/checks}/venv/bin/python
rm -rf "$sites"
mkdir -p "$sites"
failed=()

check() { # NAME COMMAND…
  local name=$1 started=$SECONDS
  shift
  echo "== $name"
  "$@" </dev/null || failed+=("$name")
  echo "   $((SECONDS - started)) s"
}
site() { # NAME OPTIONS…
  local name=$1
  shift
  echo "== build $name: $*"
  "$stillfeed" build -C . -o "$sites/$name" --no-color --quiet "$@" </dev/null || failed+=("build $name")
}

base=https://slow-walkers.example.org
site pretty --base-url $base/
site subpath --base-url $base/archive/
site explicit --links explicit
site friends --audience friends --base-url $base/
check "links and pages" "$python" Tests/Checks/check_site.py "$sites/pretty"
check "links and pages under a subpath" "$python" Tests/Checks/check_site.py "$sites/subpath" --base-path /archive/
check "links and pages from a disk" "$python" Tests/Checks/check_site.py "$sites/explicit" --file-links
check "links and pages for friends" "$python" Tests/Checks/check_site.py "$sites/friends"
check "HTML and CSS" Tests/Checks/nu.sh "$sites/pretty"
check "feeds" "$python" Tests/Checks/feeds.py "$sites/pretty"
check "the documented format" "$python" Tests/Checks/documented.py "$stillfeed"
check "same input, same bytes" Tests/Checks/reproducible.sh "$stillfeed" . --base-url $base/
check "incremental equals clean" python3 Tests/Checks/incremental.py "$stillfeed" --sequences 20
check "shards" Tests/Checks/shards.sh "$stillfeed" . --base-url $base/
check "posts of other generators" "$python" Tests/Checks/corpus_sites.py "$stillfeed"
check "payloads" "$python" Tests/Checks/xss.py "$stillfeed"
check "hostile archives" "$python" Tests/Checks/hostile.py "$stillfeed"
check "the preview in a browser" "$python" Tests/Checks/live_reload.py "$stillfeed"
# Its other cases measure times, which a busy machine can't keep.
for name in hosts malformed signals; do
  check "the preview: $name" "$python" Tests/Checks/preview_load.py "$stillfeed" --only $name --mutations 2000
done

if ((${#failed[@]})); then
  printf 'checks: failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
echo "checks: all passed"
