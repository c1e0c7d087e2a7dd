#!/usr/bin/env bash
# Fuzzes each parser for some seconds (libFuzzer, address sanitizer), from the fixtures and what it found before.
# usage: fuzz.sh SECONDS [TARGET …]     what it finds is left in .cache/fuzz/found/TARGET
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
targets=("$@")
((${#targets[@]})) ||
  targets=(json strings frontmatter markdown html dates mustache records harvest manifest)
echo "== building the fuzzed parsers"
build=(swift build --package-path Tests/Fuzz --scratch-path .build/fuzz -c release)
"${build[@]}" --product fuzz
program=$("${build[@]}" --show-bin-path)/fuzz
cache=.cache/fuzz
STILLFEED_FUZZ_FOLDER=$(mktemp -d)
export STILLFEED_FUZZ_FOLDER
trap 'rm -rf "$STILLFEED_FUZZ_FOLDER"' EXIT
python3 Tests/Fuzz/seeds.py "$cache/seeds"
STILLFEED_FUZZ_SEEDS=$cache/seeds "$program"
# Swift's own backtracer can't read memory under the sanitizer: it would outlive a crash and wait for ever.
export SWIFT_BACKTRACE=enable=no
failed=()
for target in "${targets[@]}"; do
  found=$cache/found/$target
  log=$cache/$target.log
  mkdir -p "$cache/corpus/$target" "$found"
  before=$(ls "$found")
  echo "== $target: $seconds s"
  # Into a file, so that nothing that a crash leaves behind can hold a pipe open.
  STILLFEED_FUZZ=$target "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$found/" \
    "$cache/corpus/$target" "$cache/seeds/$target" >"$log" 2>&1 </dev/null || failed+=("$target")
  grep -a '^stat::number\|^stat::slowest\|^stat::peak' "$log" || true
  grep -aE -m 1 -A 24 '^must hold|Fatal error|ERROR: ' "$log" || true
  for input in $(comm -13 <(echo "$before") <(ls "$found")); do echo "   input: $found/$input"; done
done
if ((${#failed[@]})); then
  printf 'fuzz: failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
