#!/usr/bin/env bash
# Applies each of the bugs in Bugs/ to a copy of the sources, one at a time, and checks that the simulation finds it: a
# simulation that finds nothing may check nothing. The copy is built once, which takes minutes; each bug then takes about half
# a minute.
#
# bugs.sh COPY [BUG...]: where the copy is made, and which bugs, by the names of their files in Bugs/; all of them unless some
# are named.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
copy=$(cd "$1" && pwd)
shift
# The same scenarios in each run, so that results can be compared.
export MOTION_TEST_SEED=${MOTION_TEST_SEED:-1}
# Only these tests are built, and the code that they need.
export MOTION_TESTS=SimulationTests
if [ $# -eq 0 ]; then
  for patch in "$root"/Tests/SimulationTests/Bugs/*.patch; do set -- "$@" "$(basename "$patch" .patch)"; done
fi
for name; do
  [ -f "$root/Tests/SimulationTests/Bugs/$name.patch" ] || { echo "no bug $name in Bugs/"; exit 2; }
done
# The copy may be inside the repository, and is not part of it.
export GIT_CEILING_DIRECTORIES=$(dirname "$copy")
# Overwrites the copy: a bug that an earlier run left there would be found with every other bug.
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
# A failure without a bug would count as the discovery of every bug.
build "without a bug"
run || { tail -20 run.log; echo "without a bug: the simulation fails, so a failure with a bug would prove nothing"; exit 1; }
for name; do
  patch=Tests/SimulationTests/Bugs/$name.patch
  git apply "$patch" || { echo "$name: the patch does not apply, because the sources have changed"; exit 1; }
  made=$patch
  build "$name"
  if run; then
    echo "$name: NOT FOUND"
    missed=$((missed + 1))
  else
    found=$(grep -o 'MOTION_SCENARIO=.*' run.log | head -1 || true)
    [ -n "$found" ] || { tail -20 run.log; echo "$name: the tests end, but no scenario failed"; exit 1; }
    echo "$name: $found"
  fi
  undo
done
[ "$missed" = 0 ] || { echo "$missed bugs were not found"; exit 1; }
