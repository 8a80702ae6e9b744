#!/usr/bin/env bash
# Links programs again, so that what several of them hold is there once: link.sh INTO PROGRAM... `make build` calls it.
#
# SwiftPM links every program of a package on its own, so that each plugin has 12 MB of the same code. The object files of
# two or more programs become INTO/libmotion.so; INTO/PROGRAM is made of the others, and finds the library beside it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
into=$1 new=$1.new
shift
lists=("${@/#/.build/release/}")
rm -rf "$new"
mkdir -p "$new"
cat "${lists[@]/%/.product/Objects.LinkFileList}" | sort | uniq -d > "$new/shared"
# Functions of the library call each other as in a program. The addresses of data are as everywhere: a type has one.
swiftc -emit-library -o "$new/libmotion.so" -module-name motion -Xlinker -soname=libmotion.so \
  -Xlinker --gc-sections -Xlinker -Bsymbolic-functions "@$new/shared"
for program in "$@"; do
  grep -vxFf "$new/shared" ".build/release/$program.product/Objects.LinkFileList" > "$new/own"
  # Each program's entry has a name of its own, as SwiftPM gives it for the tests.
  swiftc -emit-executable -o "$new/$program" -Xlinker --gc-sections -Xlinker --defsym \
    -Xlinker "main=${program//-/_}_main" -Xlinker '-rpath=$ORIGIN' "@$new/own" -L "$new" -lmotion
done
rm "$new/shared" "$new/own"
# All of them or none: `make install` takes what is there.
rm -rf "$into"
mv "$new" "$into"
