//! Which processors this build is for. A build outside the project's folder does not read its cargo configuration and is
//! for every processor, which nobody would know.

use std::io::{self, IsTerminal};
use std::sync::LazyLock;

use super::say_on_stderr;

/// The level of x86-64 whose instructions this build uses (x86-64 psABI), or that it is for another architecture.
const TARGET: &str = if cfg!(not(target_arch = "x86_64")) {
    "portable"
} else if cfg!(not(target_feature = "avx2")) {
    "x86-64"
} else if cfg!(not(target_feature = "avx512vl")) {
    "x86-64-v3"
} else {
    "x86-64-v4"
};

/// The version, and what this build is for.
pub(super) static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} ({TARGET})", env!("CARGO_PKG_VERSION")));

/// Tells the log what this build is for, and how to get a faster one.
pub(super) fn log() {
    log::info!("version {}", *VERSION);
    if let Some(sentence) = faster_build() {
        log::info!("{sentence}");
    }
}

/// Says on the terminal how to get a faster build, if this processor can run one.
pub(super) fn say_if_slow() {
    if let Some(sentence) = faster_build().filter(|_| io::stderr().is_terminal()) {
        say_on_stderr(&sentence);
    }
}

/// How to get a faster build, if this processor can run one.
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
