//! Tests of the feature check with recorded registers of other processors.

use super::{FEATURES, Feature, Registers, Word, is_supported, missing};

/// Returns all features, marked as used by the build.
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

/// Registers of an Intel Haswell (2013), the first x86-64-v3 processor.
const HASWELL: Registers = Registers {
    leaf1_ecx: 0x7FFA_FBFF,
    leaf7_ebx: 0x0000_27AB,
    extended_ecx: 0x0000_0021,
    saved_by_os: 0b111,
};

/// Registers of an Intel Xeon Skylake-SP (2017), the first x86-64-v4 processor.
const SKYLAKE_SP: Registers = Registers {
    leaf7_ebx: 0xD39F_FFFB,
    saved_by_os: 0xE7,
    ..HASWELL
};

#[test]
fn skylake_lacks_nothing_and_haswell_lacks_avx512() {
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
fn each_missing_feature_is_named() {
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
fn both_halves_of_ymm_registers_must_be_saved() {
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
fn test_machine_is_supported() {
    assert!(is_supported(|_| {}));
}
