#!/usr/bin/env bash
# run.sh SECONDS [TARGET…]: tries each target (or all) for so long with libFuzzer, from its corpus in the repository and what
# earlier runs have found, and says how it went. What breaks is kept, and how to repeat it is printed; the exit code is 1 then.
# run.sh --merge [TARGET…]: puts into the repository, of all that, what it takes to reach what was reached, and no more; and
# of that what is small, so that a repository can have it.
# run.sh --keep TARGET FILE NAME: adds one input to the corpus of a target.
# The corpus of each target is an archive, Fuzzing/Corpus/TARGET.tar.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=.build-fuzz/release/motion-fuzz
# Where everything goes that is found.
found=.build/fuzz
mode=$1
shift

# Unpacks the corpus of a target into $found/seeds/TARGET.
unpack() {
  rm -rf "$found/seeds/$1"
  mkdir -p "$found/seeds/$1"
  [ ! -f "Fuzzing/Corpus/$1.tar" ] || tar -xf "Fuzzing/Corpus/$1.tar" -C "$found/seeds/$1"
}

# Packs it again. The same files make the same archive.
pack() {
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 --format=ustar \
    -cf "Fuzzing/Corpus/$1.tar" -C "$found/seeds/$1" $(ls "$found/seeds/$1")
}

if [ "$mode" = --keep ]; then
  unpack "$1"
  cp "$2" "$found/seeds/$1/$3"
  pack "$1"
  exit 0
fi

targets=("$@")
mapfile -t all < <("$program" 2>&1 | tail -n +2)
[ ${#targets[@]} -gt 0 ] || targets=("${all[@]}")
for target in "${targets[@]}"; do
  [[ " ${all[*]} " == *" $target "* ]] || { echo "there is no target $target: ${all[*]}"; exit 2; }
done

# A message of 4 KiB says all kinds of things. Nothing of that length may take 10 s, which is 10,000 times what it takes, or
# 512 MiB at once; under the address sanitizer a process of ours has 200 MiB to begin with.
limits=(-max_len=4096 -timeout=10 -malloc_limit_mb=512 -rss_limit_mb=2048)

# Swift's own report of a crash would wait for a debugger; libFuzzer says all that is needed.
export SWIFT_BACKTRACE=enable=no

try() {
  local target=$1 log=$found/$1.log dictionary=()
  [ ! -f "Fuzzing/Dictionaries/$target.dict" ] || dictionary=("-dict=Fuzzing/Dictionaries/$target.dict")
  mkdir -p "$found/corpus/$target"
  unpack "$target"
  if "$program" "--target=$target" "${limits[@]}" "${dictionary[@]}" -max_total_time="$mode" -print_final_stats=1 \
    -artifact_prefix="$found/$target-" "$found/corpus/$target" "$found/seeds/$target" > "$log" 2>&1; then
    result=holds
  else
    result=BROKEN
  fi
  awk -v target="$target" -v result="$result" '
    / cov: [0-9]+ / { for (i = 1; i < NF; i++) { if ($i == "cov:") edges = $(i + 1); if ($i == "ft:") features = $(i + 1) } }
    /stat::number_of_executed_units/ { count = $2 }
    /stat::average_exec_per_sec/ { rate = $2 }
    /stat::peak_rss_mb/ { memory = $2 }
    END { printf "%-14s %-7s %10d %12d %8d %10d %8d\n", target, result, count, rate, edges, features, memory }' "$log"
  [ $result = holds ] || explain "$target" "$log"
}

explain() {
  grep -E 'Fatal error|Precondition|SUMMARY|ERROR' "$2" | cut -c 1-400 | sed 's/^/  /' || true
  local artifact
  artifact=$(grep -oE "Test unit written to .*" "$2" | tail -1 | cut -d ' ' -f 5)
  echo "  the whole story:  $2"
  [ -z "$artifact" ] || echo "  to repeat it:     SWIFT_BACKTRACE=enable=no $program --target=$1 $artifact"
}

# By which branches they take, not how often: that would be five times as many files.
merge() {
  local target=$1 into=$found/merged/$1
  unpack "$target"
  rm -rf "$into"
  mkdir -p "$into" "$found/corpus/$target"
  "$program" "--target=$target" "${limits[@]}" -set_cover_merge=1 -use_counters=0 -artifact_prefix="$found/$target-" \
    "$into" "$found/seeds/$target" "$found/corpus/$target" > "$found/$target.merge.log" 2>&1
  # What broke something once stays, under the name that says what.
  find "$found/seeds/$target" -type f ! -name 'broke-*' -delete
  cp "$into"/* "$found/seeds/$target/"
  pack "$target"
  printf '%-14s %5d files %8d bytes\n' "$target" "$(find "$found/seeds/$target" -type f | wc -l)" \
    "$(cat "$found/seeds/$target"/* | wc -c)"
}

mkdir -p "$found"
if [ "$mode" = --merge ]; then
  for target in "${targets[@]}"; do merge "$target"; done
  exit 0
fi
broken=0
printf '%-14s %-7s %10s %12s %8s %10s %8s\n' target result executions 'executions/s' edges features 'peak MiB'
for target in "${targets[@]}"; do
  try "$target"
  [ "$result" = holds ] || broken=1
done
exit $broken
