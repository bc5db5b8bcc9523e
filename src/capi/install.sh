#!/bin/sh
# Builds the C library and installs it with its header and the file of pkg-config: src/capi/install.sh PREFIX
set -eu
[ $# -eq 1 ] || { echo "usage: src/capi/install.sh PREFIX" >&2; exit 1; }
mkdir -p "$1/lib/pkgconfig" "$1/include"
prefix=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
cargo build --release --locked -p emilia-capi
built=${CARGO_TARGET_DIR:-target}/release
case $(uname -s) in
    Darwin) library=libemilia.dylib ;;
    MINGW* | MSYS*) library=emilia.dll ;;
    *) library=libemilia.so ;;
esac
cp "$built/$library" "$prefix/lib"
cp src/capi/emilia.h "$prefix/include"
cat >"$prefix/lib/pkgconfig/emilia.pc" <<END
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: emilia
Description: An Othello engine
Version: $(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
Libs: -L\${libdir} -Wl,-rpath,\${libdir} -lemilia
Cflags: -I\${includedir}
END
