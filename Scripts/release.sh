#!/usr/bin/env bash
# Builds what is handed out: dist/stillfeed-VERSION-linux-MACHINE.tar.gz, and beside it with what it was built.
# usage: release.sh     from a checkout in which everything is committed; JOBS=N in the environment bounds the compilers
#
# One commit, toolchain and set of Debian packages give the same bytes, whatever the checkout's folder, the user, the
# number of jobs, the zone or the locale; reproduce-release.sh tries that. Hence the command goes without debug
# information, without the section .swift_modhash (hashes of modules that hold paths and the number of jobs; nothing
# reads them once linked) and without the build id, which is a hash over both.
set -euo pipefail
export LC_ALL=C TZ=UTC
cd "$(dirname "$0")/.."
if [ -n "$(git status --porcelain)" ]; then
  echo "release: some changes are in no commit: 'git status' lists them" >&2
  exit 1
fi
started=$SECONDS
scratch=.build/handed-out
rm -rf "$scratch" dist
mkdir -p "$scratch" dist
log=$scratch/log
build=(swift build -c release --scratch-path "$scratch" -debug-info-format none --product stillfeed ${JOBS:+-j "$JOBS"})
echo "== building the command anew (some minutes)"
"${build[@]}" >"$log" 2>&1 || { tail -40 "$log" >&2; exit 1; }
built=$("${build[@]}" --show-bin-path)/stillfeed
version=$("$built" --version)
name=stillfeed-${version#stillfeed }-linux-$(uname -m)
folder=$scratch/$name

mkdir -p "$folder/completions" "$folder/licenses"
strip -R .note.gnu.build-id -R .swift_modhash -o "$folder/stillfeed" "$built"
git archive HEAD README.md CHANGELOG.md LICENSE docs ':!docs/sample' | tar -x -C "$folder"
for shell in bash zsh fish; do
  "$folder/stillfeed" completion "$shell" >"$folder/completions/stillfeed.$shell"
done
# Of these two, code of headers is in the command; the others are shared libraries of the system.
for package in libsimdjson-dev libtomlplusplus-dev; do
  cp "/usr/share/doc/$package/copyright" "$folder/licenses/${package%-dev}.txt"
done

tar -c -C "$scratch" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
  --mtime="@$(git log -1 --format=%ct)" "$name" | gzip -n9 >"dist/$name.tar.gz"
{
  git log -1 --format='commit %H'
  echo "unstripped $(sha256sum <"$built" | cut -c1-64)"
  swift --version 2>/dev/null | head -1
  for package in $(Scripts/setup.sh --list); do
    dpkg-query -W -f '${Package} ${Version}\n' "$package" 2>/dev/null || true
  done
} >"dist/$name.buildinfo"
(cd dist && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
echo "release: dist/$name.tar.gz, $(stat -c %s "dist/$name.tar.gz") bytes, after $((SECONDS - started)) s"
