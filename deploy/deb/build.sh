#!/usr/bin/env bash
# Builds motiond_VERSION_ARCHITECTURE.deb out of what `make build` left: build.sh INTO. `make deb` calls it.
#
# The same programs give the same bytes: times are those of SOURCE_DATE_EPOCH, owners are root, nothing is dated otherwise.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
into=$(realpath -m "$1")
export SOURCE_DATE_EPOCH LC_ALL=C
# As Debian's own builders have it, whoever builds: 0755 and 0644.
umask 022

version=$(.build/release/motiond --version)
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

make --no-print-directory install DESTDIR="$root" PREFIX=/usr > /dev/null

# What people may change is kept when the package is upgraded.
install -D -m 644 deploy/motiond.yaml "$root/etc/motiond/motiond.yaml"
rm "$root/usr/share/doc/motiond/examples/motiond.yaml"

doc=$root/usr/share/doc/motiond
install -D -m 644 deploy/deb/copyright "$doc/copyright"
cp CHANGELOG.md "$doc/NEWS.md"
cp deploy/README.md "$doc/README.md"
sed -e "s/@VERSION@/$version/" -e "s/@DATE@/$(date -R -u -d "@$SOURCE_DATE_EPOCH")/" deploy/deb/changelog > "$doc/changelog"
# Without the name and time that gzip would keep.
gzip -9n "$doc/changelog" "$doc/NEWS.md" "$root"/usr/share/man/man*/*
install -D -m 644 deploy/deb/lintian-overrides "$root/usr/share/lintian/overrides/motiond"

mapfile -t programs < <(find "$root/usr/bin" "$root/usr/lib/motiond" -type f \( -perm -u+x -o -name '*.so' \) | sort)
# dpkg-shlibdeps reads which packages hold the libraries that the programs are linked with, and from which version on they
# have the symbols that are used. It wants to stand beside a source package.
mkdir -p "$work/source/debian"
printf 'Source: motiond\n\nPackage: motiond\nArchitecture: any\n' > "$work/source/debian/control"
# The libraries of Swift come with this package.
depends=$(cd "$work/source" && dpkg-shlibdeps -O -l"$root/usr/lib/motiond" -l"$root/usr/lib/motiond/swift" --ignore-missing-info "${programs[@]/#/-e}" \
  2> "$work/shlibdeps" | sed -n 's/^shlibs:Depends=//p') \
  || { cat "$work/shlibdeps" >&2; exit 1; }

mkdir -p "$root/DEBIAN"
size=$(du -k -s --apparent-size --exclude=DEBIAN "$root" | cut -f1)
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@DEPENDS@/$depends/" -e "s/@SIZE@/$size/" \
  deploy/deb/control > "$root/DEBIAN/control"
echo /etc/motiond/motiond.yaml > "$root/DEBIAN/conffiles"
for script in postinst prerm postrm; do install -m 755 "deploy/deb/$script" "$root/DEBIAN/$script"; done
(cd "$root" && find . -path ./DEBIAN -prune -o -path ./etc -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) \
  > "$root/DEBIAN/md5sums"
chmod 644 "$root"/DEBIAN/{control,conffiles,md5sums}

mkdir -p "$into"
# Level 1: 9 % larger than by default in a fifth of the time. One thread: how many there are would change the bytes.
dpkg-deb --root-owner-group -Zxz -z1 --threads-max=1 --build "$root" "$into/motiond_${version}_${architecture}.deb"
