//! Check at start-up that the processor has the instruction sets that this build uses.
//! An old processor then gets an error message instead of an illegal instruction.
//!
//! The compiler may use instructions of these sets in any function, even in this file.
//! This file therefore avoids constructs that often compile to such instructions: formatting,
//! collections, copies of large values.
//! `.ci/full` runs the binary on an emulated old processor.

#![allow(unsafe_code, reason = "CPUID intrinsics")]

#[cfg(test)]
mod tests;

use std::arch::x86_64::{__cpuid, __cpuid_count};
use std::hint::black_box;

/// CPUID words: EBX of leaf 7, and ECX of leaf `8000_0001`. The word of a missing leaf is 0.
type Words = [u32; 2];

/// An instruction set: its name, the index of its word in [`Words`], the mask of its bit in that
/// word, and whether this build uses the instruction set.
type Feature = (&'static str, usize, u32, bool);

/// The features to check. A processor that has these also has the other features of x86-64-v3 or
/// x86-64-v4.
/// LZCNT is checked because a processor without it executes BSR instead, which has other results.
///
/// Source of the bits: Intel 64 and IA-32 Software Developer's Manual, volume 2A.
static FEATURES: [Feature; 4] = [
    ("AVX2", 0, 1 << 5, cfg!(target_feature = "avx2")),
    ("BMI2", 0, 1 << 8, cfg!(target_feature = "bmi2")),
    ("AVX512VL", 0, 1 << 31, cfg!(target_feature = "avx512vl")),
    ("LZCNT", 1, 1 << 5, cfg!(target_feature = "lzcnt")),
];

// `unused_unsafe`: newer compilers treat CPUID as safe, older compilers require the `unsafe` block.
#[allow(unused_unsafe)]
#[inline(never)]
fn read() -> Words {
    let mut words = [0; 2];
    // SAFETY: every x86-64 processor has CPUID. Only leaves up to the highest one are read.
    unsafe {
        if __cpuid(0).eax >= 7 {
            words[0] = __cpuid_count(7, 0).ebx;
        }
        if __cpuid(0x8000_0000).eax > 0x8000_0000 {
            words[1] = __cpuid(0x8000_0001).ecx;
        }
    }
    words
}

/// Yields the names of the features that the build uses but whose bit is 0 in `words`.
fn missing<'a>(features: &'a [Feature], words: &'a Words) -> impl Iterator<Item = &'static str> {
    let lacks = |&&(_, word, bit, is_used): &&Feature| {
        // The black box prevents the compiler from using a vector register or ANDN (BMI1) here.
        is_used && black_box(words[word] & bit) == 0
    };
    features.iter().filter(lacks).map(|feature| feature.0)
}

/// Returns whether the processor supports this build.
///
/// If the processor does not support this build, `say` receives the error message in pieces.
#[inline(never)]
pub fn is_supported(say: fn(&str)) -> bool {
    let words = read();
    let mut supported = true;
    for name in missing(&FEATURES, &words) {
        say(if supported {
            "emilia: this processor lacks "
        } else {
            ", "
        });
        say(name);
        supported = false;
    }
    if !supported {
        say("; for a build that runs on every x86-64 processor: ");
        say("RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n");
    }
    supported
}
