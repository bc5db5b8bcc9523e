//! The decision, for processors that are not at hand.

use super::{FEATURES, Feature, Registers, Word, is_supported, missing};

/// Every feature there is, as if the build assumed all of them.
fn all_assumed() -> Vec<Feature> {
    FEATURES
        .iter()
        .map(|feature| Feature {
            assumed: true,
            ..*feature
        })
        .collect()
}

fn names(features: &[Feature], registers: &Registers) -> Vec<&'static str> {
    missing(features, registers)
        .map(|feature| feature.name)
        .collect()
}

/// An Intel Haswell of 2013, the first x86-64-v3.
const HASWELL: Registers = Registers {
    leaf1_ecx: 0x7FFA_FBFF,
    leaf7_ebx: 0x0000_27AB,
    extended_ecx: 0x0000_0021,
    saved_by_os: 0b111,
};

/// An Intel Xeon (Skylake) of 2017, the first x86-64-v4.
const SKYLAKE_SP: Registers = Registers {
    leaf7_ebx: 0xD39F_FFFB,
    saved_by_os: 0xE7,
    ..HASWELL
};

#[test]
fn the_first_x86_64_v4_processor_lacks_nothing_and_the_first_v3_processor_avx_512() {
    assert!(names(&all_assumed(), &SKYLAKE_SP).is_empty());
    assert_eq!(
        names(&all_assumed(), &HASWELL),
        [
            "ZMM registers saved by the system",
            "AVX512F",
            "AVX512DQ",
            "AVX512CD",
            "AVX512BW",
            "AVX512VL"
        ]
    );
}

#[test]
fn each_missing_bit_is_named() {
    let features = all_assumed();
    for feature in &features {
        let mut registers = SKYLAKE_SP;
        let word = match feature.word {
            Word::Leaf1Ecx => &mut registers.leaf1_ecx,
            Word::Leaf7Ebx => &mut registers.leaf7_ebx,
            Word::ExtendedEcx => &mut registers.extended_ecx,
            Word::SavedByOs => &mut registers.saved_by_os,
        };
        *word &= !feature.bits;
        assert_eq!(names(&features, &registers), [feature.name]);
    }
}

#[test]
fn the_system_must_save_both_halves_of_the_ymm_registers() {
    for saved_by_os in [0xE0, 0xE1, 0xE3, 0xE5] {
        let registers = Registers {
            saved_by_os,
            ..SKYLAKE_SP
        };
        assert_eq!(
            names(&all_assumed(), &registers),
            ["YMM registers saved by the system"]
        );
    }
}

#[test]
fn what_the_build_does_not_use_is_not_asked_for() {
    let unused: Vec<Feature> = all_assumed()
        .into_iter()
        .map(|feature| Feature {
            assumed: false,
            ..feature
        })
        .collect();
    assert!(names(&unused, &Registers::default()).is_empty());
}

#[test]
fn the_processor_that_runs_the_tests_is_supported() {
    assert!(is_supported(|_| {}));
}
