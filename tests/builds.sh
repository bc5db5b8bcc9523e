#!/usr/bin/env bash
# Builds Emilia for plain x86-64, x86-64-v3, x86-64-v4 and aarch64 and compares the node counts of the builds.
# Prints a table at the end. Exit code 1: two counts differ or a command failed. Exit code 2: a build failed.
#
#   tests/builds.sh                     all builds: minutes to compile, then about two minutes to run
#   tests/builds.sh aarch64             only the named builds: x86-64, x86-64-v3, x86-64-v4, aarch64
#   EMILIA_PROFILE=dev tests/builds.sh  with overflow checks and debug assertions
#
# Needs an x86-64 machine. The build for aarch64 needs `rustup target add aarch64-unknown-linux-gnu`.
# It also needs the Debian packages gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user.
# A build that this machine can neither make nor run is skipped with a message.
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

profile=${EMILIA_PROFILE:-release}
target=${CARGO_TARGET_DIR:-target}/builds
binaries=$target/binaries
[ $# -gt 0 ] || set -- x86-64 x86-64-v3 x86-64-v4 aarch64
mkdir -p "$binaries"

# Maximum nodes of a perft suite case. Keeps a run under emulation to seconds.
max_nodes=4000000

has() { command -v "$1" >/dev/null; }
can() { grep -qw "$1" /proc/cpuinfo; }
# Prints the reason why this machine cannot make or run the build NAME; prints nothing if it can.
lacks() {
    case $1 in
    x86-64) ;;
    x86-64-v3) can avx2 || has qemu-x86_64 || echo "this processor has no AVX2 and there is no qemu-x86_64" ;;
    # qemu emulates no AVX-512.
    x86-64-v4) can avx512vl || echo "this processor has no AVX-512" ;;
    aarch64)
        has aarch64-linux-gnu-gcc || echo "there is no aarch64-linux-gnu-gcc"
        has qemu-aarch64 || echo "there is no qemu-aarch64"
        rustc --target aarch64-unknown-linux-gnu --print target-libdir | xargs test -d ||
            echo "no standard library for aarch64-unknown-linux-gnu"
        ;;
    esac
}

for name; do
    case $name in
    x86-64 | x86-64-v3 | x86-64-v4 | aarch64) ;;
    *) echo "no such build: $name (expected x86-64, x86-64-v3, x86-64-v4 or aarch64)"; exit 2 ;;
    esac
done

# Makes the build NAME and copies its binary to $binaries.
build() {
    local triple=x86_64-unknown-linux-gnu flags="-C target-cpu=$1"
    if [ "$1" = aarch64 ]; then
        triple=aarch64-unknown-linux-gnu flags=""
    fi
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc RUSTFLAGS=$flags \
        cargo build --profile "$profile" --bin emilia --target "$triple" --target-dir "$target"
    cp "$target/$triple/${profile/%dev/debug}/emilia" "$binaries/$1"
}

# Prints the emulator command for the build NAME; prints nothing if the processor runs it.
runner() {
    case $1 in
    x86-64-v3) can avx2 || echo "qemu-x86_64 -cpu max" ;;
    aarch64) echo "qemu-aarch64 -L /usr/aarch64-linux-gnu" ;;
    esac
}

# Succeeds if the build NAME prints an error on a processor one level below its own, instead of an illegal instruction.
refuses_old_processors() {
    local processor answer code=0
    case $1 in
    x86-64-v3) processor=SandyBridge ;;
    # qemu's `max` processor has no AVX-512.
    x86-64-v4) processor=max ;;
    *) return 0 ;;
    esac
    has qemu-x86_64 || return 0
    answer=$(qemu-x86_64 -cpu $processor "$binaries/$1" --version 2>&1) || code=$?
    echo "$processor: $answer"
    [ $code = 2 ] && grep -q "this processor lacks" <<<"$answer"
}

# Usage: emilia NAME ARGUMENT... Runs the build NAME with the arguments.
emilia() {
    local name=$1
    shift
    $(runner "$name") "$binaries/$name" "$@"
}

# Prints the node counts of the build NAME, separated by tabs.
# Columns: two bench signatures, nodes of perft 10, passed cases of the perft suites, nodes of solving FFO 1-19.
counts() {
    local evaluation
    for evaluation in net classic; do
        emilia "$1" bench --eval $evaluation | awk 'END { printf "%s\t", $1 }' || return
    done
    emilia "$1" perft 10 | awk 'END { printf "%s\t", $3 }' || return
    emilia "$1" perft --suite perft/*.perft --max-nodes $max_nodes | awk 'END { printf "%s\t", $3 }' || return
    emilia "$1" solve tests/data/fforum-1-19.obf --threads 1 | awk -F '[ ,]+' 'END { print $8 }'
}

header=$'build\tsignature\tclassic\tperft 10\tsuites\tFFO #1-19\tseconds'
rows=$header
first=
verdict=0
for name; do
    reason=$(lacks "$name" | head -1)
    if [ -n "$reason" ]; then
        echo "skipped: $name: $reason"
        continue
    fi
    echo "== $name"
    build "$name" || exit 2
    if ! refuses_old_processors "$name"; then
        echo "$name: no error message on a processor without the required instructions"
        verdict=1
    fi
    start=$SECONDS
    if ! these=$(counts "$name"); then
        echo "$name: a command failed, or a count or score is wrong"
        verdict=1
    fi
    rows+=$'\n'"$name"$'\t'"$these"$'\t'"$((SECONDS - start))"
    first=${first:-$these}
    if [ "$these" != "$first" ]; then
        echo "$name: counts differ from the first build"
        verdict=1
    fi
done

[ -n "$first" ] || { echo "nothing was built"; exit 0; }
printf '\n'
column -t -s $'\t' <<<"$rows"
signature=$(sed -n 's/^pub const SIGNATURE: u64 = \([0-9_]*\);$/\1/p' src/core/search/bench.rs | tr -d _)
if [ "${first%%$'\t'*}" != "$signature" ]; then
    echo "the signature differs from SIGNATURE = $signature in src/core/search/bench.rs"
    verdict=1
fi
[ $verdict = 0 ] && echo "all equal"
exit $verdict
