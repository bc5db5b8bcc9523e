//! Instruction set of this build, for the version text and for warnings.
//! A build outside the project's folder ignores the project's cargo configuration.
//! Such a build uses only the instructions of every x86-64 processor and is therefore slower.

use std::io::{self, IsTerminal};
use std::sync::LazyLock;

use super::print_to_stderr;

/// x86-64 level of this build (x86-64 psABI), or `portable` on other architectures.
const TARGET: &str = if cfg!(not(target_arch = "x86_64")) {
    "portable"
} else if cfg!(not(target_feature = "avx2")) {
    "x86-64"
} else if cfg!(not(target_feature = "avx512vl")) {
    "x86-64-v3"
} else {
    "x86-64-v4"
};

/// Version with the instruction set of this build.
pub(super) static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} ({TARGET})", env!("CARGO_PKG_VERSION")));

/// Logs the version, and how to get a faster build.
pub(super) fn log() {
    log::info!("version {}", *VERSION);
    if let Some(sentence) = faster_build() {
        log::info!("{sentence}");
    }
}

/// Prints how to get a faster build if stderr is a terminal and the processor supports one.
pub(super) fn say_if_slow() {
    if let Some(sentence) = faster_build().filter(|_| io::stderr().is_terminal()) {
        print_to_stderr(&sentence);
    }
}

/// Returns advice for a faster build if this processor supports one.
fn faster_build() -> Option<&'static str> {
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
    if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("bmi2") {
        return Some(
            "this build is for every x86-64 processor; for a faster one: \
             RUSTFLAGS=\"-C target-cpu=x86-64-v3\" cargo install --path .",
        );
    }
    None
}
