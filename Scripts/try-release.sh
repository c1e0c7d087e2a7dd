#!/usr/bin/env bash
# Does what a new user does with a release: unpacks it, begins an archive, adds to it, builds it, looks at the preview.
# usage: try-release.sh ARCHIVE.tar.gz     needs curl, and the packages of 'setup.sh --runtime'
set -euo pipefail
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
tar -xzf "$1" -C "$room"
cd "$room"
stillfeed=$(echo "$room"/stillfeed-*/stillfeed)
"$stillfeed" --version
"$stillfeed" init my-archive >/dev/null
cd my-archive
"$stillfeed" add message --to guestbook --author ada "I was here, too."
"$stillfeed" build --strict
grep -q "I was here, too." Site/channels/guestbook/index.html

"$stillfeed" serve >"$room/preview" 2>&1 &
preview=$!
address=''
for _ in {1..100}; do
  address=$(grep -ao 'http://[0-9.:]*/' "$room/preview" | head -1) || true
  [ -z "$address" ] || break
  sleep 0.1
done
curl -sS --fail --noproxy '*' "${address}channels/guestbook/" | grep -q "I was here, too."
kill -TERM "$preview"
wait "$preview"
echo "try-release: it runs without the toolchain"
