#!/usr/bin/env bash
# python-workers.sh TESTS PYTHON FILTER: runs tests of whole programs with workers in Python in the place of those in
# Swift: the plugins tween and unruly. TESTS is the executable that holds the tests, PYTHON an interpreter with the Python
# package. MOTION_BIN is the folder of the built programs.
set -euo pipefail
tests=$1 python=$2 filter=$3
cd "$(dirname "$0")/.."
folder=$(mktemp -d -p "$MOTION_BIN" python-workers.XXXXXX)
trap 'rm -rf "$folder"' EXIT
# The folder that the tests take programs from. Hard links: motiond refuses symbolic ones.
find "$MOTION_BIN/" -maxdepth 1 -type f -perm -u+x -exec ln -t "$folder" {} +
for program in tween unruly; do
  rm "$folder/$program"
  {
    echo "#!$python"
    echo "import sys; sys.path.insert(0, '$PWD/python'); SWIFT = '$MOTION_BIN/$program'"
    cat "Tests/Fixtures/PythonWorkers/$program.py"
  } > "$folder/$program"
  chmod 755 "$folder/$program"
done
MOTION_BIN=$folder NO_COLOR=1 "$tests" --testing-library swift-testing --no-parallel --filter "$filter"
