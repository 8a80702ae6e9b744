#!/usr/bin/env bash
# Makes each of the bugs in Bugs/ in a copy of the sources, one at a time, and sees that the simulation finds it: a simulation
# that finds nothing may be one that looks at nothing. Takes a minute or two for each.
#
# bugs.sh COPY [PATCH...]: where the copy is made, and which bugs; all of them unless some are named.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
copy=$1 && shift
[ $# -gt 0 ] || set -- "$root"/Tests/SimulationTests/Bugs/*.patch
mkdir -p "$copy"
(cd "$root" && git ls-files -z | xargs -0 cp --parents --preserve=timestamps --update -t "$copy")
cd "$copy"
missed=0
for patch; do
  name=$(basename "$patch" .patch)
  patch --quiet --strip=1 < "$patch"
  swift build --build-tests > build.log 2>&1 || { tail -20 build.log; echo "$name: it does not compile"; exit 1; }
  if swift test --skip-build --disable-xctest --filter promisesHoldInEveryScenario > run.log 2>&1; then
    echo "$name: NOT FOUND"
    missed=$((missed + 1))
  else
    echo "$name: $(grep -o 'MOTION_SCENARIO=.*' run.log | head -1)"
  fi
  patch --quiet --strip=1 --reverse < "$patch"
done
[ "$missed" = 0 ] || { echo "$missed were not found"; exit 1; }
