#!/usr/bin/env bash
# Boots a small Debian with the systemd of its release and tries the service in it: boot.sh PACKAGE. `make deb-test` calls it.
#
# systemd is number 1 of a process namespace with a root of its own, which is all that it needs: the unit that is tried is the real one, with
# its sandbox, watchdog and log. Everything ends with the namespace.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
package=$(realpath "$1")

skip() {
  echo "boot-test: SKIPPED: $1"
  # `make test-all` counts on it.
  [ -z "${MOTION_SKIP_FAILS:-}" ] && exit 0 || exit 1
}
[ "$(id -u)" = 0 ] || skip "booting needs root"
[ -e .build/debian.tar ] || skip "there is no Debian to boot: deb/test.sh unpacks one"
[ -d /sys/fs/cgroup/systemd ] || [ -e /sys/fs/cgroup/cgroup.controllers ] || skip "systemd finds no cgroups here"

work=$(mktemp -d)
machine=
# Number 1 takes all others with it, and the mounts go with their namespace.
end() {
  [ -z "$machine" ] || kill -KILL "$machine" 2> /dev/null || true
  wait 2> /dev/null || true
  rm -rf --one-file-system "$work"
}
trap end EXIT
root=$work/root
mkdir "$root"
tar -C "$root" -xf .build/debian.tar
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/motiond.deb"
cp deploy/deb/boot-walk.sh "$root/walk.sh"
cp deploy/realtime.conf "$root/realtime.conf"

say() { echo "boot-test: $*"; }
say "a Debian with systemd"
unshare --mount --pid --ipc --uts --fork --kill-child --mount-proc="$root/proc" chroot "$root" /usr/bin/env -i \
  PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive http_proxy="${http_proxy:-}" /bin/bash -ec '
    apt-get -q update
    apt-get -q install --yes --no-install-recommends systemd systemd-sysv dbus curl procps util-linux' \
  > "$work/log" 2>&1 || { tail -3 "$work/log"; skip "apt could not fetch systemd"; }

# Not chroot: a sandbox is a root of its own, for which systemd has to be at the root of its mounts.
boot='
  root=$1
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -t sysfs sysfs "$root/sys"
  mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
  for place in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs "$root/$place"; done
  chmod 1777 "$root/tmp"
  for node in null zero full random urandom tty; do
    touch "$root/dev/$node"
    mount --bind "/dev/$node" "$root/dev/$node"
  done
  mkdir "$root/dev/pts" "$root/dev/shm" "$root/old"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"
  mount -t tmpfs tmpfs "$root/dev/shm"
  cd "$root"
  pivot_root . old
  exec chroot . /bin/sh -ec "cd /; umount -l /old; rmdir /old
    exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system"'
unshare --mount --pid --ipc --uts --cgroup --fork --kill-child bash -ec "$boot" boot "$root" > "$work/console" 2>&1 &
machine=$!
inside() { nsenter --target "$init" --mount --pid --ipc --uts --cgroup --root env -C / "$@"; }
state=
for _ in $(seq 300); do
  init=$(pgrep -P "$machine" || true)
  state=$([ -z "$init" ] || inside systemctl is-system-running 2> /dev/null || true)
  case "$state" in running | degraded) break ;; esac
  sleep 0.1
done
case "$state" in running | degraded) ;; *) skip "systemd does not boot here: ${state:-no process}" ;; esac
inside env PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive /bin/bash /walk.sh
