#!/usr/bin/env bash
# Runs the tests that `make test` has built: run.sh TESTS, the executable that holds them.
#
# Suites that measure no time run first, in two processes side by side. The tests of whole programs measure frames, so they run
# alone, afterwards, and only if the others passed. The last line is the closing line of the run that failed, or of the last run.
set -uo pipefail
tests=$1
run() { "$tests" --testing-library swift-testing --no-parallel "$@" 2>&1; }

# These take about half of the time that all but the programs' tests take.
first='^(SimulationTests|MotionJournalTests|FuzzTests|MotionCoreTests)\.'
programs='^DistributedTests\.'

beside=$(mktemp)
other=
trap '[ -z "$other" ] || kill "$other" 2> /dev/null; rm -f "$beside"' EXIT
"$tests" --testing-library swift-testing --no-parallel --filter "$first" > "$beside" 2>&1 &
other=$!
run --skip "$first" --skip "$programs"
status=$?
wait "$other"
besides=$?
other=
[ "$status" != 0 ] && [ "$besides" = 0 ] || cat "$beside"
[ "$status" = 0 ] && [ "$besides" = 0 ] || exit 1
run --filter "$programs"
