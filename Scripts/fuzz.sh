#!/usr/bin/env bash
# Fuzzes each parser for some seconds (libFuzzer, address sanitizer), from the fixtures and what it found before.
# usage: fuzz.sh SECONDS [TARGET …]     what it finds is left in .cache/fuzz/found/TARGET
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
targets=("$@")
((${#targets[@]})) || targets=(json strings frontmatter markdown html dates mustache)
echo "== building the fuzzed parsers"
build=(swift build --package-path Tests/Fuzz --scratch-path .build/fuzz -c release)
"${build[@]}" --product fuzz
program=$("${build[@]}" --show-bin-path)/fuzz
cache=.cache/fuzz
python3 Tests/Fuzz/seeds.py "$cache/seeds"
failed=()
for target in "${targets[@]}"; do
  mkdir -p "$cache/corpus/$target" "$cache/found/$target"
  echo "== $target: $seconds s"
  STILLFEED_FUZZ=$target "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$cache/found/$target/" \
    "$cache/corpus/$target" "$cache/seeds/$target" 2>&1 |
    grep -v '^INFO\|^###### \|^"\|^stat::new\|^stat::average' | tail -40 || failed+=("$target")
done
if ((${#failed[@]})); then
  printf 'fuzz: failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
