#!/usr/bin/env bash
# Builds the release of one commit twice, each time in a fresh container, compares the bytes, and tries it in a third.
# usage: reproduce-release.sh [COMMIT]     as root, some fifteen minutes and 3 GB; status 0 if the bytes are equal
#
# The two differ in user, host name, folder of the clone, home folder, time zone, locale, umask, process numbers and the
# number of jobs. They share what containers.sh names, and Debian's packages as they stand that day. Once the packages
# are in, a container has no network. What was built is left in .cache/containers/shared.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "reproduce-release: containers take root" >&2; exit 2; }
# shellcheck source=Scripts/containers.sh
. Scripts/containers.sh
commit=$(git rev-parse --verify "${1:-HEAD}^{commit}")
rm -rf --one-file-system "$shared"
mkdir -p "$shared"
git clone -q --bare . "$shared/repository"
git -C "$shared/repository" update-ref refs/heads/wanted "$commit"
git -C "$shared/repository" bundle create -q "$shared/bundle" wanted
rm -rf "$shared/repository"
cp Scripts/setup.sh Scripts/try-release.sh "$shared/"

build() { # NAME USER UMASK VARIABLES…: the archive lands in $shared/NAME
  local name=$1 user=$2 mask=$3 started=$SECONDS
  shift 3
  make_container "$name"
  in_container "$name" --swift HOME=/tmp DEBIAN_FRONTEND=noninteractive bash -euc '
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends git make >/dev/null
    bash /srv/shared/setup.sh
    mkdir "/srv/$1" "/srv/shared/$1"
    chown "$2:$2" "/srv/$1" "/srv/shared/$1"
  ' packages "$name" "$user" 2>"$shared/$name.log" || { tail -20 "$shared/$name.log" >&2; return 1; }
  echo "== build $name: user $user, umask $mask, $*, after $((SECONDS - started)) s"
  in_container "$name" --swift --offline --as "$user" HOME="/srv/$name" "$@" bash -euc '
    umask "$2"
    git clone -q -b wanted /srv/shared/bundle "/srv/$1/stillfeed"
    cd "/srv/$1/stillfeed"
    make release
    cp dist/* "/srv/shared/$1/"
  ' build "$name" "$mask"
}

build one 0 022 JOBS=2 TZ=UTC LC_ALL=C.UTF-8
build second 4711 027 JOBS=3 TZ=Asia/Taipei LC_ALL=C
cd "$shared"
archive=$(cd one && echo *.tar.gz)
diff one/*.buildinfo second/*.buildinfo || true
if ! cmp "one/$archive" "second/$archive"; then
  echo "reproduce-release: the archives differ" >&2
  exit 1
fi
echo "reproduce-release: both builds of $commit are equal"

make_container user
# shellcheck disable=SC2046  # one package a word
in_container user DEBIAN_FRONTEND=noninteractive sh -euc '
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "$@" >/dev/null
' packages curl $(./setup.sh --runtime) 2>user.log || { tail -20 user.log >&2; exit 1; }
in_container user --as 1000 HOME=/tmp LC_ALL=C.UTF-8 bash /srv/shared/try-release.sh "/srv/shared/one/$archive"
rm -rf --one-file-system "$containers"/{one,second,user}
