#!/usr/bin/env bash
# Gives installed programs the Swift runtime that they share: runtime.sh PREFIX. `make install` calls it.
#
# The libraries are those that the programs in .build/linked are linked with, once for all programs, in
# PREFIX/lib/motiond/swift. The programs find them there, and libmotion.so in PREFIX/lib/motiond, so neither Swift nor a
# path of its own is needed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
prefix=$1
command -v patchelf > /dev/null || { echo "patchelf is needed: run make setup first" >&2; exit 1; }

mapfile -t programs < <(find "$prefix"/bin/{motiond,motionctl,motion-gateway,motion-studio} "$prefix/lib/motiond/plugins" \
  -type f -perm -u+x)
for program in "${programs[@]}"; do
  # From the program's folder to lib/motiond.
  case $program in
    "$prefix"/bin/*) path='$ORIGIN/../lib/motiond' ;;
    *) path='$ORIGIN/../..' ;;
  esac
  patchelf --set-rpath "$path:$path/swift" "$program"
done
patchelf --set-rpath '$ORIGIN/swift' "$prefix/lib/motiond/libmotion.so"
ldd .build/linked/* > .build/linked.txt
# Each library of Swift lies in the folder of its core.
folder=$(dirname "$(sed -n 's/.*libswiftCore\.so => \(.*\) (.*/\1/p' .build/linked.txt | head -1)")
[ -f "$folder/libswiftCore.so" ] || { echo "the Swift runtime of .build/linked is not found: run make build" >&2; exit 1; }
rm -rf "$prefix/lib/motiond/swift"
sed -n "s|.* => \($folder/.*\) (.*|\1|p" .build/linked.txt | sort -u \
  | xargs install -D -m 644 --strip -t "$prefix/lib/motiond/swift"
rm .build/linked.txt
