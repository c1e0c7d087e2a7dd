#!/usr/bin/env bash
# The Nu HTML checker over all pages and style sheets of a built site, in two starts of Java.
# usage: nu.sh SITE [--no-css]
# Groups errors and warnings by message; reports known to be false stand in nu_known.tsv with a reason.
# Exits 1 on an error, 0 with warnings only.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${STILLFEED_CHECKS_CACHE:-$here/../../.cache/checks}
site=${1:?usage: nu.sh SITE [--no-css]}
jar=$(find "$cache/venv" -name vnu.jar -print -quit 2>/dev/null || true)
[[ -n $jar ]] || { echo "nu.sh: no vnu.jar yet; run Tests/Checks/setup.sh" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nu() { java -Xss8m -jar "$jar" --exit-zero-always --format json "$@" </dev/null; }
pages=$(find "$site" -name '*.html' | wc -l)
((pages)) || { echo "nu.sh: no pages in $site" >&2; exit 2; }
# Comments and messages are articles without a heading of their own: the warning comes once for each of
# them, so it is left out at the source, where it costs nothing.
nu --skip-non-html --filterpattern '.*Article lacks heading.*' "$site" 2>"$work/html.json"
sheets=0
if [[ ${2:-} != --no-css ]]; then
  mapfile -d '' -t files < <(find "$site" -name '*.css' -print0 | sort -z)
  sheets=${#files[@]}
  if ((sheets)); then nu --css "${files[@]}" 2>"$work/css.json"; fi
fi
exec python3 "$here/nu_report.py" "$site" "$pages" "$sheets" "$work"/*.json
