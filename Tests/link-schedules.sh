#!/usr/bin/env bash
# link-schedules.sh TESTS PYTHON COUNT: so many random schedules of the worker link, played by the Swift machine and
# repeated by the Python machine: each message and state must be the same. TESTS is the executable that holds the tests,
# PYTHON an interpreter with the Python package. A schedule takes some 30 kB, so they are played in parts.
set -euo pipefail
tests=$1 python=$2 count=$3
part=1000
cd "$(dirname "$0")/.."
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
export NO_COLOR=1

# play NUMBER SCHEDULES: one part.
play() {
  local folder=$output/$1
  mkdir "$folder"
  if MOTION_LINK_TRACES=$folder MOTION_LINK_SCHEDULES=$2 \
    "$tests" --testing-library swift-testing --filter LinkTraceTests > "$folder/log" 2>&1 &&
    (cd python && MOTION_LINK_TRACES=$folder "$python" -m pytest -q -p no:cacheprovider tests/test_link_traces.py) \
      >> "$folder/log" 2>&1; then
    rm -rf "$folder"
  else
    cat "$folder/log"
    return 1
  fi
}
export -f play
export output tests python
seq 0 $part $((count - 1)) | xargs -P "$(nproc)" -I{} bash -c \
  "play {} \$(($count - {} < $part ? $count - {} : $part))"
echo "$count schedules agree"
