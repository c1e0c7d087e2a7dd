#!/usr/bin/env bash
# Installs what the checks need: Debian packages (as root, else prints the one command) and a Python
# environment in .cache/checks/venv with the pinned packages of requirements.txt. A second run does
# nothing. `setup.sh --no-packages` leaves Debian packages alone.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${STILLFEED_CHECKS_CACHE:-$root/.cache/checks}

packages=()
need() { # COMMAND-OR-FILE PACKAGE
  if [[ $1 == /* ]]; then [[ -e $1 ]] || packages+=("$2"); else command -v "$1" >/dev/null || packages+=("$2"); fi
}
need python3 python3
python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3-venv)
need chromium chromium
need java default-jre-headless
need xmllint libxml2-utils
need /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc fonts-noto-cjk

if ((${#packages[@]})) && [[ ${1:-} != --no-packages ]]; then
  command=(apt-get install -y --no-install-recommends "${packages[@]}")
  if [[ $(id -u) == 0 ]]; then
    echo "checks: installing Debian packages: ${packages[*]}" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq </dev/null
    "${command[@]}" -qq </dev/null >/dev/null
  else
    echo "checks: missing Debian packages; run: sudo ${command[*]}" >&2
    exit 1
  fi
fi

stamp=$(sha256sum "$here/requirements.txt" | cut -d' ' -f1)
if [[ -x $cache/venv/bin/python && $(cat "$cache/stamp" 2>/dev/null) == "$stamp" ]]; then exit 0; fi
echo "checks: installing Python packages of Tests/Checks/requirements.txt into ${cache#"$root"/}/venv" >&2
mkdir -p "$cache"
rm -rf "$cache/venv" "$cache/stamp"
python3 -m venv "$cache/venv"
"$cache/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-deps \
  -r "$here/requirements.txt" </dev/null
echo "$stamp" >"$cache/stamp"
