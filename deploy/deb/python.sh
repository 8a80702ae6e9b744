#!/usr/bin/env bash
# Builds python3-motiond_VERSION_all.deb, the client and the executors in Python: python.sh INTO. `make deb` calls it.
#
# It needs nothing that was built. The same sources give the same bytes, as build.sh has it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
into=$(realpath -m "$1")
export SOURCE_DATE_EPOCH LC_ALL=C
umask 022

version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' python/motiond/_version.py)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
packages=$root/usr/lib/python3/dist-packages
doc=$root/usr/share/doc/python3-motiond

(cd python && find motiond -type f ! -name '*.pyc') | while read -r file; do
  install -D -m 644 "python/$file" "$packages/$file"
done
# What pip and importlib.metadata ask for.
install -D -m 644 /dev/stdin "$packages/motiond-$version.dist-info/METADATA" <<EOF
Metadata-Version: 2.1
Name: motiond
Version: $version
Summary: Client and executors for motiond, a motion server
License: Apache-2.0
Requires-Python: >=3.11
EOF
for file in python/examples/*.py; do install -D -m 644 "$file" "$doc/examples/$(basename "$file")"; done
install -D -m 644 docs/python.md "$doc/python.md"
install -D -m 644 deploy/deb/copyright "$doc/copyright"
sed -e "s/^motiond (/python3-motiond (/" -e "s/@VERSION@/$version/" -e "s/@DATE@/$(date -R -u -d "@$SOURCE_DATE_EPOCH")/" \
  -e 's,/usr/share/doc/motiond/NEWS.md.gz,the changelog of the package motiond,' deploy/deb/changelog > "$doc/changelog"
gzip -9n "$doc/changelog"
mkdir -p "$root/usr/share/lintian/overrides"
sed -n 's/^motiond: bogus/python3-&/p' deploy/deb/lintian-overrides > "$root/usr/share/lintian/overrides/python3-motiond"

mkdir -p "$root/DEBIAN"
size=$(du -k -s --apparent-size --exclude=DEBIAN "$root" | cut -f1)
cat > "$root/DEBIAN/control" <<EOF
Package: python3-motiond
Source: motiond
Version: $version
Architecture: all
Maintainer: The motiond authors <motiond@localhost.localdomain>
Installed-Size: $size
Depends: python3 (>= 3.11), python3-numpy, python3-protobuf, python3-zmq
Recommends: motiond
Section: python
Priority: optional
Description: client and executors for motiond, a motion server
 Programs in Python commit transactions to motiond, watch values as arrays
 of whole frames, and move properties themselves: an executor is a function
 of a plan and a frame, or of columns for many targets at once.
 .
 This package holds the module motiond with its types.
EOF
# The modules are compiled for the interpreters that are there, and what was compiled goes first.
install -m 755 /dev/stdin "$root/DEBIAN/postinst" <<'EOF'
#!/bin/sh
set -e
if command -v py3compile > /dev/null; then py3compile -p python3-motiond; fi
EOF
install -m 755 /dev/stdin "$root/DEBIAN/prerm" <<'EOF'
#!/bin/sh
set -e
if command -v py3clean > /dev/null; then py3clean -p python3-motiond; fi
EOF
(cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
chmod 644 "$root"/DEBIAN/{control,md5sums}

mkdir -p "$into"
dpkg-deb --root-owner-group -Zxz -z1 --threads-max=1 --build "$root" "$into/python3-motiond_${version}_all.deb"
