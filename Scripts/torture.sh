#!/usr/bin/env bash
# Breaks off add, edit and delete at their system calls, and lets many run at once.
# usage: torture.sh STILLFEED [--long]
set -euo pipefail
cd "$(dirname "$0")/.."
stillfeed=$(realpath "$1")
shift
if ! command -v strace >/dev/null || ! command -v python3 >/dev/null; then
  if [ "$(id -u)" = 0 ]; then
    echo "== installing strace and python3"
    apt-get update -qq && apt-get install -y -qq --no-install-recommends strace python3 >/dev/null
  else
    echo "strace or python3 is missing: sudo apt-get install strace python3" >&2
    exit 1
  fi
fi
echo "== torture: edits"
python3 Tests/Checks/torture_edit.py "$stillfeed" "$@"
