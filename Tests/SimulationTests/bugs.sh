#!/usr/bin/env bash
# Makes each of the bugs in Bugs/ in a copy of the sources, one at a time, and sees that the simulation finds it: a simulation
# that finds nothing may be one that looks at nothing. The copy is built once, which takes minutes; then it is half a minute
# for each.
#
# bugs.sh COPY [BUG...]: where the copy is made, and which bugs, by the names of their files in Bugs/; all of them unless some
# are named.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
copy=$(cd "$1" && pwd)
shift
# The same scenarios for everybody, so that what is found can be written down (docs/simulation.md).
export MOTION_TEST_SEED=${MOTION_TEST_SEED:-1}
# Of the tests it takes these alone, and what they need.
export MOTION_TESTS=SimulationTests
if [ $# -eq 0 ]; then
  for patch in "$root"/Tests/SimulationTests/Bugs/*.patch; do set -- "$@" "$(basename "$patch" .patch)"; done
fi
for name; do
  [ -f "$root/Tests/SimulationTests/Bugs/$name.patch" ] || { echo "there is no bug $name in Bugs/"; exit 2; }
done
# The copy lies in the repository, perhaps, and is none of it.
export GIT_CEILING_DIRECTORIES=$(dirname "$copy")
# Whatever is in the copy: a bug that was left there would be found as every other.
(cd "$root" && git ls-files -z | xargs -0 cp --parents --preserve=timestamps -t "$copy")
cd "$copy"
made=
undo() {
  [ -z "$made" ] || git apply --reverse "$made"
  made=
}
trap undo EXIT
trap 'exit 130' INT TERM HUP
missed=0
build() {
  swift build --product motiondPackageTests > build.log 2>&1 || { tail -20 build.log; echo "$1: it does not compile"; exit 1; }
}
run() { swift test --skip-build --disable-xctest --filter promisesHoldInEveryScenario > run.log 2>&1; }
# What fails without any bug fails with each, and would be taken for it.
build "without a bug"
run || { tail -20 run.log; echo "without a bug: it fails as well, so that nothing is found by failing"; exit 1; }
for name; do
  patch=Tests/SimulationTests/Bugs/$name.patch
  git apply "$patch" || { echo "$name: the sources have changed, and it cannot be made in them"; exit 1; }
  made=$patch
  build "$name"
  if run; then
    echo "$name: NOT FOUND"
    missed=$((missed + 1))
  else
    found=$(grep -o 'MOTION_SCENARIO=.*' run.log | head -1 || true)
    [ -n "$found" ] || { tail -20 run.log; echo "$name: the tests end, and not by a scenario"; exit 1; }
    echo "$name: $found"
  fi
  undo
done
[ "$missed" = 0 ] || { echo "$missed were not found"; exit 1; }
