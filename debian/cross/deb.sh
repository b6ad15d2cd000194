#!/bin/bash
# `make deb ARCH=arm64` on an amd64 machine: builds the programs with Debian's own Swift, and makes the packages of them.
# usage: deb.sh VERSION PROGRAM...
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(dpkg --print-architecture)" = amd64 ] || { echo 'building for arm64 needs an amd64 or an arm64 machine' >&2; exit 1; }
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null || { echo 'please run as root: Debian roots are made and entered' >&2; exit 1; }
    exec sudo --preserve-env=SOURCE_DATE_EPOCH,ADHAND_CROSS,COMPILER_ARCHIVE,XDG_CACHE_HOME "$0" "$@"
fi
. debian/cross/roots.sh
version=$1
shift
built=.build-arm64/release

cross_root compiler
cross_root sysroot

# The Swift SDK describes to the compiler where the arm64 files are.
sdk=$cross/compiler/sdk/arm64.artifactbundle
mkdir -p "$sdk/arm64"
cat > "$sdk/info.json" <<'JSON'
{"schemaVersion": "1.0", "artifacts": {"arm64": {"type": "swiftSDK", "version": "1", "variants": [{"path": "arm64"}]}}}
JSON
cat > "$sdk/arm64/swift-sdk.json" <<'JSON'
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {"sdkRootPath": "/sysroot",
    "swiftResourcesPath": "/sysroot/usr/lib/swift", "swiftStaticResourcesPath": "/sysroot/usr/lib/swift_static",
    "toolsetPaths": ["toolset.json"]}}}
JSON
cat > "$sdk/arm64/toolset.json" <<'JSON'
{"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-use-ld=bfd", "-tools-directory", "/usr/aarch64-linux-gnu/bin"]}}
JSON
in_root compiler 'clang --target=aarch64-unknown-linux-gnu --sysroot=/sysroot -O2 -Wall -Wno-builtin-requires-header \
    -c debian/cross/older_glibc.c -o /sdk/older_glibc.o'

in_root compiler "export PKG_CONFIG_LIBDIR=/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:/sysroot/usr/share/pkgconfig
    make build SWIFT=debian/cross/swift RELEASE=$built"
Tests/package/hardening.py "${@/#/$built/}"

debian/changelog.sh "$version" > debian/changelog.new && mv debian/changelog.new debian/changelog
mkdir -p dist
# -d skips the build dependencies, which would be those of this root; "make build" has checked its own.
in_root sysroot "export BUILT=$built EMULATOR=qemu-aarch64-static
    export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig
    dpkg-buildpackage -aarm64 -d --build=binary --no-sign --buildinfo-file=dist/adhand_arm64.buildinfo --buildinfo-option=-udist \
        --changes-file=dist/adhand_arm64.changes --changes-option=-udist
    lintian --fail-on error,warning dist/*_${version}_arm64.deb"
# The build ran as root, so the files are given to the owner of the checkout.
chown -R --reference=Makefile dist debian .build-arm64
ls -l dist/*_"$version"_arm64.deb
