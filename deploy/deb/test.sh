#!/usr/bin/env bash
# Tries the packages on a Debian that has nothing else: test.sh PACKAGE PYTHON_PACKAGE. `make deb-test` calls it.
#
# The smallest root that debootstrap makes, of the release that this machine runs, in namespaces of its own: what runs there
# ends with the test. What is unpacked is kept in .build/debian.tar; apt fetches what the package depends on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
package=$(realpath "$1") python=$(realpath "$2")

# Most of it is the Swift runtime, which is in the package once.
packed=$(($(stat -c %s "$package") / 1000000)) installed=$(($(dpkg-deb -f "$package" Installed-Size) / 1000))
echo "deb-test: $packed MB packed, $installed MB installed"
[ "$packed" -le 40 ] && [ "$installed" -le 130 ] || { echo "deb-test: at most 40 and 130 MB"; exit 1; }

skip() {
  echo "deb-test: SKIPPED: $1"
  # `make test-all` counts on it.
  [ -z "${MOTION_SKIP_FAILS:-}" ] && exit 0 || exit 1
}
[ "$(id -u)" = 0 ] || skip "unpacking a Debian needs root"
command -v debootstrap > /dev/null || skip "there is no debootstrap (apt install debootstrap)"
unshare --mount --pid --fork true 2> /dev/null || skip "no namespaces are to be had here"

base=.build/debian.tar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ! -e "$base" ]; then
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  debootstrap --variant=minbase "$release" "$work/base" > "$work/debootstrap.log" 2>&1 \
    || { tail -3 "$work/debootstrap.log"; skip "debootstrap could not fetch a Debian $release"; }
  tar -C "$work/base" -cf "$base.new" . && mv "$base.new" "$base"
  rm -rf "$work/base"
fi

root=$work/root
mkdir "$root"
tar -C "$root" -xf "$base"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Where this machine has its packages from, if that is not where everybody has.
[ ! -e /etc/apt/apt.conf.d/proxy.conf ] || cp /etc/apt/apt.conf.d/proxy.conf "$root/etc/apt/apt.conf.d/"
cp "$package" "$root/motiond.deb"
cp "$python" "$root/python3-motiond.deb"
cp deploy/deb/walk.sh "$root/walk.sh"

# The process that is number 1 there takes everything with it when it ends.
unshare --mount --pid --ipc --uts --fork --kill-child --mount-proc="$root/proc" \
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/nonexistent LANG=C.UTF-8 \
  http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" /bin/bash /walk.sh
