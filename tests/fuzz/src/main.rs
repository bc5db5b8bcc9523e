//! Program of the fuzzer. `EMILIA_TARGET` names the target, whose law is in `src/laws`.

#![no_main]

mod laws;

use std::sync::LazyLock;

/// Law of the target.
static LAW: LazyLock<laws::Law> = LazyLock::new(|| {
    let name = std::env::var("EMILIA_TARGET").expect("EMILIA_TARGET names a target");
    let mut targets = laws::TARGETS.into_iter();
    let target = targets.find(|&(target, _)| target == name);
    target.expect("one of the targets").1
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| LAW(bytes));
