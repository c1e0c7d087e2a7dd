#!/usr/bin/env bash
# Same input, same bytes: builds one archive in several circumstances and compares the trees.
# usage: reproducible.sh STILLFEED ARCHIVE [build options…]
# Varied: -j1 and -j2, time zone, locale, current folder, the order in which files were created, their
# times, the clock (when faketime is there), hash seeds, a second build over the first, and one after the
# state was deleted. Nothing is written into ARCHIVE: each build has a copy.
set -euo pipefail
(($# >= 2)) || { echo "usage: reproducible.sh STILLFEED ARCHIVE [build options…]" >&2; exit 2; }
stillfeed=$(realpath "$1")
archive=$(realpath "$2")
shift 2
# A memory file system lists files in the order of their creation, so the order can be varied there.
room=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1 || echo 0)
((room > 4000000)) && export TMPDIR=/dev/shm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
builds=0

copy() { # NAME ORDER: the archive without its state and output, created in the given order
  local target=$work/$1/archive
  mkdir -p "$target"
  (cd "$archive" && find . \( -path ./.stillfeed -o -path ./.git -o -path ./.build -o -path ./.cache -o -path ./Site \) -prune -o \
    \( -type f -o -type l \) -print0) >"$work/list"
  case $2 in
    sorted) sort -z "$work/list" ;;
    reversed) sort -zr "$work/list" ;;
    shuffled) shuf -z --random-source=<(yes) "$work/list" ;;
  esac >"$work/ordered"
  (cd "$archive" && tar --no-recursion --null -T "$work/ordered" -cf -) | tar -xf - -C "$target"
}

build() { # NAME VARIABLES… -- OPTIONS…
  local name=$1
  shift
  local variables=()
  while [[ $1 != -- ]]; do variables+=("$1"); shift; done
  shift
  builds=$((builds + 1))
  local status=0
  env "${variables[@]}" "${runner[@]}" "$stillfeed" build -C "$work/$name/archive" -o "$work/$name/out" --no-color "${options[@]}" "$@" \
    </dev/null >"$work/$name/stdout" 2>"$work/$name/stderr" || status=$?
  if ((status)); then
    echo "$name: build exited $status: $(tail -3 "$work/$name/stderr")"
    failures=$((failures + 1))
  fi
}

compare() { # NAME AGAINST
  if ! diff -r --no-dereference "$work/$2/out" "$work/$1/out" >"$work/diff" 2>&1; then
    echo "$1: the tree differs from $2's:"
    head -20 "$work/diff" | cut -c1-300 | sed "s|$work/||g; s/^/  /"
    failures=$((failures + 1))
  fi
}

options=("$@")
runner=()
for name in plain; do
  copy $name sorted
  build $name LC_ALL=C TZ=UTC -- -j1
done
if ! [[ -d $work/plain/out ]]; then echo "reproducible: no output to compare"; exit 1; fi
files=$(find "$work/plain/out" -type f | wc -l)
copy jobs sorted
build jobs LC_ALL=C TZ=UTC -- -j2
compare jobs plain
copy jobs-many sorted
build jobs-many LC_ALL=C TZ=UTC -- -j7
compare jobs-many plain
for zone in Pacific/Apia Asia/Kolkata America/New_York Australia/Lord_Howe Africa/Casablanca Europe/Dublin; do
  copy "zone-${zone#*/}" sorted
  build "zone-${zone#*/}" LC_ALL=C TZ=$zone -- -j2
  compare "zone-${zone#*/}" plain
done
for locale in tr_TR.UTF-8 ar_SA.UTF-8 C.UTF-8; do
  copy "locale-$locale" sorted
  build "locale-$locale" LC_ALL=$locale LANG=$locale TZ=UTC -- -j2
  compare "locale-$locale" plain
done
for order in reversed shuffled; do
  copy $order $order
  # Other times of the files, too: half old, half in the future.
  find "$work/$order/archive" -type f -exec touch -h -d '1970-01-01 00:00:00 UTC' {} +
  if [[ $order == shuffled ]]; then find "$work/$order/archive" -type f -exec touch -h -d '2100-01-01' {} +; fi
  build $order LC_ALL=C TZ=UTC -- -j2
  compare $order plain
done
copy folder sorted
(cd "$work/folder/archive" && env LC_ALL=C TZ=UTC "$stillfeed" build --no-color -o ../out "${options[@]}" </dev/null >"$work/folder/stdout" 2>"$work/folder/stderr") ||
  { echo "folder: build exited $?: $(tail -3 "$work/folder/stderr")"; failures=$((failures + 1)); }
builds=$((builds + 1))
compare folder plain
copy seeds sorted
build seeds LC_ALL=C TZ=UTC SWIFT_DETERMINISTIC_HASHING=1 HOME=/nonexistent USER=someone HOSTNAME=elsewhere -- -j2
compare seeds plain
if command -v faketime >/dev/null; then
  for shift in -10y +10y; do
    copy "clock$shift" sorted
    runner=(faketime -f "$shift")
    build "clock$shift" LC_ALL=C TZ=UTC -- -j2
    runner=()
    compare "clock$shift" plain
  done
else
  echo "note: no faketime, the clock was not varied"
fi
# Over its own output: nothing may change, not even a time. Then without the state.
find "$work/jobs/out" -type f -printf '%P %T@ %i\n' | sort >"$work/before"
build jobs LC_ALL=C TZ=UTC -- -j1
find "$work/jobs/out" -type f -printf '%P %T@ %i\n' | sort >"$work/after"
compare jobs plain
if ! cmp -s "$work/before" "$work/after"; then
  echo "jobs: a second build wrote files anew: $(diff "$work/before" "$work/after" | grep -c '^>') of $files"
  failures=$((failures + 1))
fi
rm -rf "$work/jobs/archive/.stillfeed"
build jobs LC_ALL=C TZ=UTC -- -j2
compare jobs plain
# Paths of the machine in the output would give the builder away, and differ elsewhere.
if grep -rlF -e "$work" -e "$archive" "$work/plain/out" >"$work/leaks" 2>/dev/null; then
  echo "plain: the output names a folder of this machine: $(head -3 "$work/leaks" | sed "s|$work/plain/out/||" | tr '\n' ' ')"
  failures=$((failures + 1))
fi
echo "reproducible: $builds builds of $files files, $failures problems"
((failures == 0))
