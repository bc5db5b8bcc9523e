//! The binary on older processors, emulated by `qemu-x86_64` (Debian package `qemu-user`).
//!
//! Without that program the tests print a note and pass.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::io;
use std::process::{Command, Output};

/// Runs `emilia --version` on the emulated `processor`; `None` if qemu is not installed.
fn version_on(processor: &str) -> Option<Output> {
    let run = Command::new("qemu-x86_64")
        .args(["-cpu", processor, env!("CARGO_BIN_EXE_emilia"), "--version"])
        .output();
    match run {
        Ok(output) => Some(output),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            eprintln!("skipped: qemu-x86_64 is not installed");
            None
        }
        Err(error) => panic!("qemu-x86_64: {error}"),
    }
}

#[test]
fn a_processor_without_avx2_gets_an_error_and_exit_code_2() {
    for processor in ["qemu64", "Nehalem", "SandyBridge"] {
        let Some(output) = version_on(processor) else {
            return;
        };
        if cfg!(target_feature = "avx2") {
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{processor}: {stderr}");
            assert!(output.stdout.is_empty());
            assert!(stderr.contains("emilia: this processor lacks"), "{stderr}");
            assert!(stderr.contains("AVX2"), "{stderr}");
            assert!(stderr.contains("-C target-cpu=x86-64"), "{stderr}");
        } else {
            assert!(output.status.success(), "{processor}");
        }
    }
}

#[test]
fn a_processor_with_avx2_runs_the_binary() {
    let Some(output) = version_on("max") else {
        return;
    };
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("emilia "));
}
