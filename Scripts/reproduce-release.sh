#!/usr/bin/env bash
# Builds one commit twice, each time as if on another machine, and compares the commands that come out.
# usage: reproduce-release.sh [COMMIT]     as root, some ten minutes; ends with status 0 if the bytes are equal
#
# Each build has a clone of its own at one fixed path in a file system of its own, an empty home folder and /tmp, and
# another host name, time zone, locale, umask and process numbers. The machine's toolchain, libraries, kernel and
# clock are the same for both, and so is the number of jobs: it goes into hashes that the compiler writes into the
# section .swift_modhash, though into no code. Debug information is left out: with it two builds differed in that
# section and in ids of Clang modules. The commands are left in .cache/release; "code" is the one to hand out.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "reproduce-release: mounting takes root" >&2; exit 2; }
commit=$(git rev-parse --verify "${1:-HEAD}^{commit}")
results=$PWD/.cache/release
rm -rf "$results"
mkdir -p "$results"
git clone -q --bare . "$results/repository"

build() { # NAME UMASK VARIABLES…: the command lands in $results/NAME
  local name=$1 mask=$2
  shift 2
  echo "== build $name: umask $mask, $*"
  mkdir "$results/$name"
  # shellcheck disable=SC2016  # expanded in there
  env "$@" HOME=/srv/home TMPDIR=/tmp unshare --mount --uts --ipc --pid --fork --mount-proc bash -euc '
    commit=$1 results=$2 name=$3
    hostname "$name"
    umask "$4"
    mount -t tmpfs -o size=4g,mode=755 build /srv
    mkdir -p /srv/stillfeed /srv/home /srv/results
    mount --bind "$results" /srv/results
    mount -t tmpfs -o size=2g,mode=1777 build /tmp
    git -c safe.directory="*" clone -q --no-local --no-checkout /srv/results/repository /srv/stillfeed
    cd /srv/stillfeed
    git checkout -q "$commit"
    # Headers have the same times in both.
    find . -path ./.git -prune -o -exec touch -h -d "$(git log -1 --format=@%ct)" {} +
    log=/srv/results/$name/log
    swift build -c release -debug-info-format none --product stillfeed -j 2 >"$log" 2>&1 || { tail -20 "$log"; exit 1; }
    cp "$(swift build -c release --show-bin-path)/stillfeed" "/srv/results/$name/stillfeed"
  ' build "$commit" "$results" "$name" "$mask"
  strip -R .note.gnu.build-id -o "$results/$name/stripped" "$results/$name/stillfeed"
  strip -R .note.gnu.build-id -R .swift_modhash -o "$results/$name/code" "$results/$name/stillfeed"
  (cd "$results/$name" && sha256sum stillfeed stripped code)
}

build one 022 TZ=UTC LC_ALL=C.UTF-8
build second 027 TZ=Asia/Taipei LC_ALL=C
for file in stillfeed stripped; do
  count=$({ cmp -l "$results/one/$file" "$results/second/$file" || true; } | wc -l)
  ((count == 0)) || echo "   $file differs in $count bytes"
done
# What a release hands out: it runs as the others do, and carries neither id.
if ! cmp "$results/one/code" "$results/second/code"; then
  echo "reproduce-release: the commands differ" >&2
  exit 1
fi
echo "reproduce-release: both builds of $commit are equal without build id and .swift_modhash"
