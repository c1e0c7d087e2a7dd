#!/usr/bin/env bash
# Installs the Debian packages that a build needs, and says which. As root it installs them; else it
# prints the one command to run. When all are there it is silent and touches no network.
# usage: setup.sh [--list|--runtime]     prints the packages, one a line: of a build, or of a machine that only runs
set -euo pipefail

packages=(
  # The libraries of Package.swift; docs/dependencies.md says what each is for.
  libcmark-dev libgumbo-dev libmicrohttpd-dev libsimdjson-dev libtomlplusplus-dev libutf8proc-dev
  libxxhash-dev libyaml-dev zlib1g-dev
  # Time zone rules; they are read when a site is built.
  tzdata
  # What SwiftPM finds libraries with, the linker, and the headers and start files of C and C++.
  binutils pkg-config libc6-dev libstdc++-12-dev
  # What the Swift toolchain itself links.
  libcurl4 libncurses6 libsqlite3-0 libxml2
)
# What the built command loads, beyond what any Debian has.
runtime=(libcmark0.30.2 libgumbo1 libmicrohttpd12 libsimdjson14 libutf8proc2 libxxhash0 libyaml-0-2 tzdata)
case ${1:-} in
  --list) printf '%s\n' "${packages[@]}"; exit ;;
  --runtime) printf '%s\n' "${runtime[@]}"; exit ;;
esac

if ! command -v swift >/dev/null; then
  echo "setup: there is no 'swift' on the PATH; Stillfeed needs Swift 6.2 or newer, from https://www.swift.org/install/" >&2
  exit 1
fi
if ! command -v dpkg-query >/dev/null; then
  echo "setup: this is no Debian; go on with what is here. Debian's names of what is needed: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null || true)
  grep -qx installed <<<"$state" || missing+=("$package")
done
((${#missing[@]})) || exit 0

install=(apt-get install -y --no-install-recommends "${missing[@]}")
if (($(id -u) != 0)); then
  echo "setup: missing Debian packages; run this, then the same again:" >&2
  echo "  sudo sh -c 'apt-get update && ${install[*]}'" >&2
  exit 1
fi
echo "setup: installing Debian packages: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
# A foreign source that doesn't answer is no reason to stop: the installation decides.
apt-get update -qq </dev/null || echo "setup: not every package list could be read" >&2
"${install[@]}" -qq </dev/null >/dev/null
