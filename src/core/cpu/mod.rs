//! Checks at start-up that the processor has every instruction set that this build uses.
//! An old processor then gets an error message instead of an illegal instruction.
//!
//! The compiler may use those instructions in any function, even in this file.
//! The code here therefore avoids constructs that the compiler turns into them: formatting,
//! collections, copies of large values.
//! `.ci/full` runs the binary on an emulated old processor.
//!
//! Reading order:
//! - [`is_supported`]: the check, called first by `main` and by `emilia_new`.
//! - `FEATURES`: the instruction sets and their CPUID bits.
//! - `Registers::read`: executes CPUID and XGETBV.

#[cfg(test)]
mod tests;

use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
use std::hint::black_box;

/// Feature words of the processor (CPUID) and of the operating system (XCR0).
#[derive(Clone, Copy, Debug, Default)]
struct Registers {
    /// CPUID leaf 1, ECX.
    leaf1_ecx: u32,
    /// CPUID leaf 7, EBX.
    leaf7_ebx: u32,
    /// CPUID leaf `8000_0001`, ECX.
    extended_ecx: u32,
    /// Low half of XCR0: the register sets that the operating system saves on a context switch.
    saved_by_os: u32,
}

/// Selects the word of [`Registers`] that holds a feature's bits.
#[derive(Clone, Copy, Debug)]
enum Word {
    Leaf1Ecx,
    Leaf7Ebx,
    ExtendedEcx,
    SavedByOs,
}

/// An instruction set, or the operating system's support for its registers.
#[derive(Debug)]
struct Feature {
    name: &'static str,
    word: Word,
    /// The bits of the word that must all be set.
    bits: u32,
    /// Whether this build uses the feature.
    assumed: bool,
}

/// Builds a [`Feature`] from its displayed name, word, bits, and `target_feature` name.
macro_rules! feature {
    ($name:literal, $word:ident, $bits:expr, $target_feature:literal) => {
        Feature {
            name: $name,
            word: Word::$word,
            bits: $bits,
            assumed: cfg!(target_feature = $target_feature),
        }
    };
}

/// The features that x86-64-v2, x86-64-v3 and x86-64-v4 add to plain x86-64.
///
/// Source of the CPUID bits: Intel 64 and IA-32 Software Developer's Manual, volume 2A.
/// Source of the XCR0 bits: the same manual, volume 1, section 13.3.
static FEATURES: [Feature; 22] = [
    feature!("SSE3", Leaf1Ecx, 1 << 0, "sse3"),
    feature!("SSSE3", Leaf1Ecx, 1 << 9, "ssse3"),
    feature!("SSE4.1", Leaf1Ecx, 1 << 19, "sse4.1"),
    feature!("SSE4.2", Leaf1Ecx, 1 << 20, "sse4.2"),
    feature!("POPCNT", Leaf1Ecx, 1 << 23, "popcnt"),
    feature!("CMPXCHG16B", Leaf1Ecx, 1 << 13, "cmpxchg16b"),
    feature!("OSXSAVE", Leaf1Ecx, 1 << 27, "avx"),
    feature!("YMM registers saved by the system", SavedByOs, 0b110, "avx"),
    feature!("AVX", Leaf1Ecx, 1 << 28, "avx"),
    feature!("AVX2", Leaf7Ebx, 1 << 5, "avx2"),
    feature!("BMI1", Leaf7Ebx, 1 << 3, "bmi1"),
    feature!("BMI2", Leaf7Ebx, 1 << 8, "bmi2"),
    feature!("F16C", Leaf1Ecx, 1 << 29, "f16c"),
    feature!("FMA", Leaf1Ecx, 1 << 12, "fma"),
    feature!("LZCNT", ExtendedEcx, 1 << 5, "lzcnt"),
    feature!("MOVBE", Leaf1Ecx, 1 << 22, "movbe"),
    feature!(
        "ZMM registers saved by the system",
        SavedByOs,
        0b1110_0000,
        "avx512f"
    ),
    feature!("AVX512F", Leaf7Ebx, 1 << 16, "avx512f"),
    feature!("AVX512DQ", Leaf7Ebx, 1 << 17, "avx512dq"),
    feature!("AVX512CD", Leaf7Ebx, 1 << 28, "avx512cd"),
    feature!("AVX512BW", Leaf7Ebx, 1 << 30, "avx512bw"),
    feature!("AVX512VL", Leaf7Ebx, 1 << 31, "avx512vl"),
];

impl Registers {
    /// Reads the feature words. Words that the processor does not have are 0.
    // `unused_unsafe`: newer compilers treat CPUID as safe, older ones require the block.
    #[allow(unused_unsafe)]
    #[inline(never)]
    fn read() -> Registers {
        const OSXSAVE: u32 = 1 << 27;
        let mut registers = Registers::default();
        // SAFETY: every x86-64 processor has CPUID. Only leaves up to the highest one are read.
        // XGETBV exists when OSXSAVE is set.
        unsafe {
            let highest = __cpuid(0).eax;
            registers.leaf1_ecx = __cpuid(1).ecx;
            if highest >= 7 {
                registers.leaf7_ebx = __cpuid_count(7, 0).ebx;
            }
            if __cpuid(0x8000_0000).eax > 0x8000_0000 {
                registers.extended_ecx = __cpuid(0x8000_0001).ecx;
            }
            if registers.leaf1_ecx & OSXSAVE != 0 {
                registers.saved_by_os = _xgetbv(0) as u32;
            }
        }
        registers
    }

    fn word(&self, word: Word) -> u32 {
        match word {
            Word::Leaf1Ecx => self.leaf1_ecx,
            Word::Leaf7Ebx => self.leaf7_ebx,
            Word::ExtendedEcx => self.extended_ecx,
            Word::SavedByOs => self.saved_by_os,
        }
    }
}

/// Yields the features that the build uses and `registers` lack.
fn missing<'a>(
    features: &'a [Feature],
    registers: &Registers,
) -> impl Iterator<Item = &'a Feature> {
    features.iter().filter(move |feature| {
        // The black box prevents the compiler from using a vector register or ANDN (BMI1) here.
        let found = black_box(registers.word(feature.word) & feature.bits);
        feature.assumed && found != feature.bits
    })
}

/// Returns whether the processor supports this build.
///
/// If not, `say` receives the error message in pieces.
#[inline(never)]
pub fn is_supported(say: fn(&str)) -> bool {
    let registers = Registers::read();
    let mut supported = true;
    for feature in missing(&FEATURES, &registers) {
        say(if supported {
            "emilia: this processor lacks "
        } else {
            ", "
        });
        say(feature.name);
        supported = false;
    }
    if !supported {
        say("; for a build that runs on every x86-64 processor: ");
        say("RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n");
    }
    supported
}
