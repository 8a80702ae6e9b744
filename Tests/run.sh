#!/usr/bin/env bash
# run.sh TESTS PYTHON: runs the tests that `make test` has built. TESTS is the executable that holds them. PYTHON is an
# interpreter with the Python package, whose tests run after most of the others.
#
# Each test target, and each suite of the tests of whole programs, is a process of its own, and some of these run side by
# side. The suites that measure time (`TimedTests`) run alone, at the end, and only if everything else passed. The last line
# is the closing line of a run that failed, or of the last run.
set -uo pipefail
tests=$1
python=$2
# The summary finds failures by their text, so no colours.
export NO_COLOR=1
options=(--testing-library swift-testing --no-parallel)
# Tests of whole programs mostly wait, so there are more processes than cores. Of those that compute there is one less than
# cores as long as others run, and it gives way to them: they would miss their times.
processes=$(($(nproc) + 2))
computing=$(($(nproc) > 1 ? $(nproc) - 1 : 1))

output=$(mktemp -d)
# What the worker's end of the link does in random schedules; the tests in Python repeat it.
export MOTION_LINK_TRACES=$output/traces MOTION_LINK_SCHEDULES=100
mkdir "$MOTION_LINK_TRACES"
declare -A running=() computes=()
trap '[ ${#running[@]} = 0 ] || kill "${!running[@]}" 2> /dev/null; rm -rf "$output"' EXIT

list=$("$tests" "${options[@]}" --list-tests 2> /dev/null) || { echo "the tests cannot be listed: $tests"; exit 1; }
# The longest first, or the others would wait for them at the end.
busy=() waiting=()
for target in Simulation MotionCore MotionWire Fuzz; do busy+=("^${target}Tests\\."); done
while read -r filter; do
  [[ " ${busy[*]} ${waiting[*]} " == *" $filter "* ]] || waiting+=("$filter")
done < <(
  echo '^DistributedTests\.DistributedTests/RandomCommandsTests/'
  sed -nE 's|^(DistributedTests)\.(DistributedTests/\w+/).*|^\1\\.\2|p; /^DistributedTests/! s|^(\w+)\..*|^\1\\.|p' <<< "$list"
)

failed=()
number=0
# start NICENESS FILTER: runs the tests of a filter.
start() {
  number=$((number + 1))
  nice -n "$1" "$tests" "${options[@]}" --filter "$2" > "$output/$number" 2>&1 &
  running[$!]=$output/$number
}
while [ ${#busy[@]} -gt 0 ] || [ ${#waiting[@]} -gt 0 ] || [ ${#running[@]} -gt 0 ]; do
  while [ ${#running[@]} -lt $processes ]; do
    most=$computing
    [ ${#waiting[@]} -gt 0 ] || most=$processes
    if [ ${#busy[@]} -gt 0 ] && [ ${#computes[@]} -lt $most ]; then
      start 10 "${busy[0]}"
      computes[$!]=1
      busy=("${busy[@]:1}")
    elif [ ${#waiting[@]} -gt 0 ]; then
      start 0 "${waiting[0]}"
      waiting=("${waiting[@]:1}")
    else
      break
    fi
  done
  wait -n -p pid "${!running[@]}"
  status=$?
  if [ $status = 0 ]; then cat "${running[$pid]}"; else failed+=("${running[$pid]}"); fi
  unset "running[$pid]" "computes[$pid]"
done
if [ ${#failed[@]} -gt 0 ]; then
  cat "${failed[@]}"
  exit 1
fi
# A test that no filter selects would never run.
timed='^DistributedTests\.TimedTests/'
listed=$(grep -c '^\w*Tests\.' <<< "$list")
ran=$(sed -nE 's/^.*Test run with ([0-9]+) tests?.*/\1/p' "$output"/[0-9]* | awk '{ sum += $1 } END { print sum + 0 }')
alone=$(grep -c "$timed" <<< "$list")
if [ $((ran + alone)) != "$listed" ]; then
  echo "$listed tests are listed, and $ran ran besides the $alone that run alone: some suite has no filter in $0"
  exit 1
fi
# They mostly wait.
(cd "$(dirname "$0")/../python" && "$python" -m pytest -q -p no:cacheprovider -n $(($(nproc) + 1)) 2>&1) || exit 1
"$tests" "${options[@]}" --filter "$timed" 2>&1
