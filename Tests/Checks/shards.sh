#!/usr/bin/env bash
# Builds an archive whole and in shards, one after another, at once, and over an older site: the same bytes.
# usage: shards.sh STILLFEED ARCHIVE [OPTIONS…]     with GNU parallel on the PATH it runs the shards
set -euo pipefail
stillfeed=$(realpath "$1")
archive=$(realpath "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$archive/Content" "$work/Content"
for name in stillfeed.yml Templates; do
  [[ -e $archive/$name ]] && cp -r "$archive/$name" "$work/$name"
done
problems=0
same() { # NAME FOLDER
  if diff -r "$work/whole" "$2" >/dev/null; then echo "  $1: the same"; else
    echo "  $1: differs" >&2
    diff -rq "$work/whole" "$2" | head -5 >&2
    problems=$((problems + 1))
  fi
}
build() { "$stillfeed" build -C "$work" --quiet "$@"; }
build -o "$work/whole" "$@"
for count in 1 3 7; do
  for ((number = count; number >= 1; number--)); do
    build -o "$work/shards-$count" --shard $number/$count "$@"
  done
  same "$count shards, one after another" "$work/shards-$count"
done
if command -v parallel >/dev/null; then
  parallel --will-cite -j4 "$stillfeed" build -C "$work" --quiet -o "$work/parallel" "$@" --shard {}/8 ::: 1 2 3 4 5 6 7 8
else
  for number in 1 2 3 4 5 6 7 8; do build -o "$work/parallel" "$@" --shard $number/8 & done
  wait
fi
same "8 shards at once" "$work/parallel"
# A change: what the shards wrote and nobody plans any more goes, each shard's own.
post=$(find "$work/Content/posts" -type f | sort | head -1)
rm "$post"
rm -r "$work/whole"
build -o "$work/whole" "$@"
for number in 1 2 3; do build -o "$work/shards-3" --shard $number/3 "$@"; done
rm -rf "$work/whole/media" "$work/shards-3/media"
same "3 shards after a post was deleted" "$work/shards-3"
for wrong in 0/3 4/3 x 1 1/0 -1/2; do
  if build -o "$work/wrong" --shard "$wrong" 2>/dev/null; then
    echo "  '--shard $wrong' was taken" >&2
    problems=$((problems + 1))
  fi
done
echo "shards: $problems problems"
((problems == 0))
