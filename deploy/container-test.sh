#!/usr/bin/env bash
# Builds the image of the Containerfile around a package and runs it: container-test.sh PACKAGE. `make container-test` calls it.
#
# Without a registry and without a daemon: buildah isolates by chroot alone, the Debian is the one that deb/test.sh has unpacked, and
# the package stands in for the stage that builds it. What the image itself says is what runs: its user, its entry point,
# its check of health.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
package=$(realpath "$1")

skip() {
  echo "container-test: SKIPPED: $1"
  # `make test-all` counts on it.
  [ -z "${MOTION_SKIP_FAILS:-}" ] && exit 0 || exit 1
}
fail() {
  echo "container-test: FAILED: $1"
  exit 1
}
[ "$(id -u)" = 0 ] || skip "images are built by root here"
command -v buildah > /dev/null || skip "there is no buildah (apt install buildah)"
[ -e .build/debian.tar ] || skip "there is no Debian to build on: make deb-test unpacks one"
# A process number 1 of its own: what it has started ends with it.
[ -n "${MOTIOND_INSIDE:-}" ] || exec env MOTIOND_INSIDE=1 unshare --mount --pid --fork --kill-child --mount-proc deploy/container-test.sh "$package"

work=$(mktemp -d)
build=(buildah --storage-driver vfs --root "$work/images" --runroot "$work/run")
trap '"${build[@]}" rm --all > /dev/null 2>&1 || true; rm -rf "$work"' EXIT
export BUILDAH_ISOLATION=chroot

echo "container-test: a Debian to build on"
base=$("${build[@]}" from scratch)
"${build[@]}" add --quiet "$base" .build/debian.tar / > /dev/null
"${build[@]}" commit --quiet "$base" localhost/debian > /dev/null
"${build[@]}" rm "$base" > /dev/null

echo "container-test: build"
mkdir -p "$work/build/motiond/.build/deb"
cp "$package" "$work/build/motiond/.build/deb/"
"${build[@]}" bud --format docker --build-arg DEBIAN=localhost/debian --build-context build="$work/build" \
  -f deploy/Containerfile -t localhost/motiond "$work/build" > "$work/log" 2>&1 || { tail -20 "$work/log"; fail "the image"; }
says() { "${build[@]}" inspect --type image --format "{{$1}}" localhost/motiond; }
[ "$(says .Docker.Config.User)" = motiond:motiond ] || fail "it does not run as its user"
says .Docker.Config.Volumes | grep -q '/run/motiond.*/var/lib/motiond' || fail "its volumes: $(says .Docker.Config.Volumes)"
says .Docker.Config.Healthcheck | grep -q 'CMD motionctl status' || fail "its check: $(says .Docker.Config.Healthcheck)"

echo "container-test: run"
box=$("${build[@]}" from localhost/motiond)
in_box() { "${build[@]}" run "$box" -- "$@"; }
in_box /usr/bin/motiond > "$work/daemon" 2>&1 &
for _ in $(seq 100); do
  if in_box motionctl status --timeout 2s > "$work/status" 2>&1; then break; fi
  sleep 0.2
done
in_box motionctl status --timeout 2s > "$work/status" 2>&1 || { cat "$work/daemon" "$work/status"; fail "its check of health"; }
[ "$(in_box id -un)" = motiond ] || fail "it runs as $(in_box id -un)"
in_box motionctl add Tween --to lamp property=opacity to=0.25 duration=100ms > /dev/null
for _ in $(seq 100); do
  if in_box motionctl list properties lamp --json | tr -d ' \n' | grep -q '"value":\[0.25\]'; then
    echo "container-test: passed"
    exit 0
  fi
  sleep 0.1
done
cat "$work/daemon"
fail "the tween in it"
