#!/usr/bin/env bash
# What can be judged without building: layout and style of the Swift sources, syntax of the shell
# scripts, and that the built-in theme lists every file of Templates/.
set -euo pipefail
cd "$(dirname "$0")/.."
failures=0

swift format lint --strict --parallel --recursive Sources Tests Package.swift || failures=1

while IFS= read -r -d '' script; do
  bash -n "$script" || failures=1
done < <(git ls-files -z '*.sh' .ci/run)

if ! diff <(grep -o '^#embed "../../Templates/[^"]*' Sources/CTheme/theme.c | cut -d/ -f4-) \
  <(git ls-files Templates | cut -d/ -f2- | LC_ALL=C sort) >&2; then
  echo "Sources/CTheme/theme.c doesn't list the files of Templates/: run 'sh Sources/CTheme/embed.sh'" >&2
  failures=1
fi

((failures == 0)) || exit 1
echo "lint: nothing to say"
