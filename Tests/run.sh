#!/usr/bin/env bash
# Runs the tests that `make test` has built: run.sh TESTS, the executable that holds them.
#
# Suites that measure no time run first, in two processes side by side. The tests of whole programs measure frames, so they run
# alone, afterwards, and only if the others passed. The last line is the closing line of the run that failed, or of the last run.
set -uo pipefail
tests=$1
# Nor are lines coloured, or who reads them would not find what failed.
export NO_COLOR=1
options=(--testing-library swift-testing --no-parallel)

# These take about half of the time that all but the programs' tests take.
first='^(SimulationTests|MotionJournalTests|FuzzTests|MotionCoreTests)\.'
programs='^DistributedTests\.'

beside=$(mktemp)
other=
trap '[ -z "$other" ] || kill "$other" 2> /dev/null; rm -f "$beside"' EXIT
"$tests" "${options[@]}" --filter "$first" > "$beside" 2>&1 &
other=$!
"$tests" "${options[@]}" --skip "$first" --skip "$programs" 2>&1
status=$?
wait "$other"
besides=$?
other=
[ "$status" != 0 ] && [ "$besides" = 0 ] || cat "$beside"
[ "$status" = 0 ] && [ "$besides" = 0 ] || exit 1
"$tests" "${options[@]}" --filter "$programs" 2>&1
