#!/usr/bin/env bash
# Tests the motion of a show: plays it, and compares every frame with a golden recording.
#
# motion-test.sh SHOW GOLDEN [FRAMES]: SHOW is a transaction file, GOLDEN a recording that an earlier run has made. Without
# GOLDEN the recording becomes it; look at it (motionctl draw --recording GOLDEN) before you keep it. If the motion differs,
# the exit code is 1, GOLDEN.svg has a picture of both courses, and GOLDEN.new the new recording.
#
# Time is paused, and the frames are stepped: how fast the machine is makes no difference. motiond and motionctl are those in
# PATH. Plans that a worker fulfils begin in the frame in which the worker serves, so compare shows of springs and moves.
set -euo pipefail
show=$1 golden=$2 frames=${3:-600}
folder=$(mktemp -d)
daemon=
finish() {
  [ -z "$daemon" ] || { kill "$daemon" 2> /dev/null && wait "$daemon"; } || true
  rm -rf "$folder"
}
trap finish EXIT
export MOTIOND_RUNTIME_DIR=$folder/run
motiond --state-dir "$folder/state" --journal none --record "$folder/new.mcap" > "$folder/log" 2>&1 &
daemon=$!
until [ -S "$MOTIOND_RUNTIME_DIR/client/control.ipc" ]; do
  kill -0 "$daemon" 2> /dev/null || { cat "$folder/log"; exit 1; }
  sleep 0.05
done
motionctl pause > /dev/null
motionctl commit "$show" > /dev/null
motionctl step "$frames" > /dev/null
kill "$daemon"
wait "$daemon"
daemon=
if [ ! -e "$golden" ]; then
  mv "$folder/new.mcap" "$golden"
  echo "$golden: recorded $frames frames"
  exit
fi
motionctl diff "$golden" "$folder/new.mcap" --tolerance 1e-9 --svg "$golden.svg" && exit
cp "$folder/new.mcap" "$golden.new"
exit 1
