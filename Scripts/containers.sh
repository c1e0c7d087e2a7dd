# For sourcing: containers out of Debian's own parts (debootstrap, unshare, pivot_root). It takes root, and no engine.
# Each has a file system of its own and, while something runs in it, mounts, a host name and process numbers of its
# own. Of the machine it sees the kernel, the clock, the folder /srv/shared and, if asked for, the Swift toolchain.
containers=$PWD/.cache/containers
shared=$containers/shared
packages=$containers/packages

# make_container NAME: a new Debian 12, from the mirror that this machine's apt uses. Packages are kept for the next.
make_container() {
  local root=$containers/$1 mirror
  echo "== a new container: $1"
  if ! command -v debootstrap >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap >/dev/null
  fi
  mirror=$(apt-get indextargets --format '$(REPO_URI)' \
    'Codename: bookworm' 'Component: main' 'Identifier: Packages' | head -1)
  rm -rf --one-file-system "$root"
  mkdir -p "$root" "$shared" "$packages"
  debootstrap --variant=minbase --cache-dir="$packages" bookworm "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 ||
    { tail -20 "$root.log" >&2; return 1; }
}

# in_container NAME [--swift] [--offline] [--as USER] [VARIABLE=…] COMMAND…
# The toolchain stands at one path, read-only. The environment holds PATH and those variables.
in_container() {
  local name=$1 namespaces=(--mount --uts --ipc --pid) toolchain='' user=()
  shift
  while true; do
    case $1 in
      --swift) toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")") ;;
      --offline) namespaces+=(--net) ;;
      --as) user=(setpriv --reuid "$2" --regid "$2" --clear-groups); shift ;;
      *) break ;;
    esac
    shift
  done
  # shellcheck disable=SC2016  # expanded in there
  unshare "${namespaces[@]}" --fork --kill-child bash -euc '
    root=$1 shared=$2 packages=$3 toolchain=$4
    shift 4
    hostname "${root##*/}"
    mount --bind "$root" "$root"
    cd "$root"
    mkdir -p machine opt/swift/usr srv/shared
    mount --bind "$shared" srv/shared
    mount --bind "$packages" var/cache/apt/archives
    [ -z "$toolchain" ] || mount --bind -o ro "$toolchain" opt/swift/usr
    mount -t proc proc proc
    mount -t sysfs -o ro sysfs sys
    mount -t tmpfs -o size=4g,mode=1777 tmpfs tmp
    pivot_root . machine
    cd /
    umount -l /machine
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/swift/usr/bin "$@"
  ' in_container "$containers/$name" "$shared" "$packages" "$toolchain" "${user[@]}" env "$@"
}
