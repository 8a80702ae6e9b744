#!/usr/bin/env bash
# Walks through "On several machines" of deploy/README.md, word for word: walk.sh BIN PLUGINS.
#
# Each machine of the text is a namespace of networks and mounts with an address of its own, joined by one cable each to a
# switch. What is run is the text: every block that begins with "# on NAME" runs on that machine, in order. What a machine
# has and a namespace has not (systemctl, systemd-run, sudo, scp) stands in below and does what it would.
set -euo pipefail
bin=$(realpath "$1")
plugins=$(realpath "$2")
text=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../README.md")

# In namespaces of our own: the cables, and whatever runs, go with them.
if [ -z "${MOTIOND_WALK:-}" ]; then
  exec env MOTIOND_WALK=1 unshare --net --mount --pid --fork --kill-child --mount-proc "${BASH_SOURCE[0]}" "$bin" "$plugins"
fi
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
fail() {
  echo "walk: FAILED: $1"
  for log in "$work"/*/log; do [ ! -s "$log" ] || { echo "--- $log"; tail -20 "$log"; }; done
  exit 1
}

names=(stage desk mover)
ip link add name switch type bridge
ip link set switch up
ip link set lo up
mkdir "$work/tools"
printf '127.0.0.1 localhost\n' > "$work/hosts"
for number in "${!names[@]}"; do printf '10.77.0.%s %s\n' "$((number + 1))" "${names[number]}" >> "$work/hosts"; done

# As sudo, without another user: everybody here is root.
cat > "$work/tools/sudo" << 'SUDO'
#!/bin/bash
while [ $# -gt 0 ]; do
  case "$1" in -u) shift 2 ;; *) break ;; esac
done
exec "$@"
SUDO
# As systemctl, for the one unit there is: the environment is that of the unit.
cat > "$work/tools/systemctl" << 'SYSTEMCTL'
#!/bin/bash
set -e
[ "$2" = motiond ]
main=$(cat "$MACHINE/pid" 2> /dev/null || true)
case "$1" in
reload) kill -HUP "$main" ;;
restart)
  if [ -n "$main" ]; then
    kill -TERM "$main"
    while kill -0 "$main" 2> /dev/null; do sleep 0.05; done
  fi
  setsid motiond >> "$MACHINE/log" 2>&1 < /dev/null &
  echo $! > "$MACHINE/pid"
  for _ in $(seq 200); do
    if motionctl status --runtime-dir /run/motiond > /dev/null 2>&1; then exit 0; fi
    sleep 0.05
  done
  exit 1
  ;;
*) exit 2 ;;
esac
SYSTEMCTL
# As scp, between folders of people.
cat > "$work/tools/scp" << 'SCP'
#!/bin/bash
set -e
machines=$(dirname "$MACHINE")
place() {
  case "$1" in
  *:/*) echo "/proc/$(cat "$machines/${1%%:*}/holder")/root${1#*:}" ;;
  *:*) echo "$machines/${1%%:*}/desk/${1#*:}" ;;
  *) echo "$1" ;;
  esac
}
from=$(place "$1")
into=$(place "$2")
exec cp --preserve=mode "$from" "$into"
SCP
# As systemd-run for the person who is there: the program goes on behind the one that started it.
cat > "$work/tools/systemd-run" << 'SYSTEMDRUN'
#!/bin/bash
while [[ "${1:-}" == --* ]]; do
  case "$1" in --unit) shift 2 ;; *) shift ;; esac
done
setsid "$@" >> "$MACHINE/log" 2>&1 < /dev/null &
SYSTEMDRUN
chmod +x "$work/tools/"*

for number in "${!names[@]}"; do
  name=${names[number]}
  mkdir -p "$work/$name/desk"
  unshare --net --mount bash -ec '
    mkdir -p /etc/motiond /var/lib/motiond /run/motiond /usr/lib/motiond/plugins
    mount --bind "$1" /usr/lib/motiond/plugins
    for place in /etc/motiond /var/lib/motiond /run/motiond; do mount -t tmpfs -o mode=700 tmpfs "$place"; done
    mount --bind "$0" /etc/hosts
    ip link set lo up
    exec sleep infinity' "$work/hosts" "$plugins" &
  echo $! > "$work/$name/holder"
  holder=$!
  for _ in $(seq 100); do
    [ "$(cat "/proc/$holder/comm")" = sleep ] && break
    sleep 0.05
  done
  ip link add "cable$number" type veth peer name cable netns "$holder"
  ip link set "cable$number" master switch up
  nsenter --target "$holder" --net ip address add "10.77.0.$((number + 1))/24" dev cable
  nsenter --target "$holder" --net ip link set cable up
done

# on MACHINE SCRIPT: runs a block there, in that machine's folder of people. What it says is kept, and shown if it fails.
on() {
  nsenter --target "$(cat "$work/$1/holder")" --net --mount --wd="$work/$1/desk" \
    env -i PATH="$work/tools:$bin:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/nonexistent LANG=C.UTF-8 MACHINE="$work/$1" \
    MOTIOND_RUNTIME_DIR=/run/motiond MOTIOND_STATE_DIR=/var/lib/motiond \
    bash -euo pipefail -c "$2" > "$work/$1/said" 2>&1 < /dev/null
}

# The blocks of the chapter, one to a file.
awk -v into="$work/block" '
  /^## / { inside = ($0 == "## On several machines") }
  /^```/ { if (open) { open = 0; close(file) } else if (inside && $0 == "```sh") { open = 1; file = sprintf("%s%02d", into, ++count) }; next }
  open { print > file }' "$text"
ls "$work"/block* > /dev/null 2>&1 || fail "the chapter has no blocks"

count=0
for block in "$work"/block*; do
  first=$(head -1 "$block")
  [[ "$first" =~ ^#\ on\ ([a-z]+)(:\ (this\ is\ refused))?$ ]] || fail "a block begins with \"$first\""
  name=${BASH_REMATCH[1]}
  refused=${BASH_REMATCH[3]:-}
  if on "$name" "$(cat "$block")"; then result=done; else result=refused; fi
  if { [ -n "$refused" ] && [ $result = done ]; } || { [ -z "$refused" ] && [ $result = refused ]; }; then
    cat "$block" "$work/$name/said"
    fail "block $((count + 1)) was $result"
  fi
  count=$((count + 1))
done
echo "walk: $count blocks on ${#names[@]} machines"
