//! Tests of the feature check with recorded registers of other processors.

use super::{FEATURES, Feature, Registers, Word, is_supported, missing};

/// Returns the names of the features that these registers lack, if the build uses all.
fn missing_names(registers: &Registers) -> Vec<&'static str> {
    let all = FEATURES.iter().map(|feature| Feature {
        assumed: true,
        ..*feature
    });
    let all: Vec<Feature> = all.collect();
    let names = missing(&all, registers).map(|feature| feature.name);
    names.collect()
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
    assert!(missing_names(&SKYLAKE_SP).is_empty());
    assert_eq!(
        missing_names(&HASWELL).join(", "),
        "ZMM registers saved by the system, AVX512F, AVX512DQ, AVX512CD, AVX512BW, AVX512VL"
    );
}

#[test]
fn each_missing_feature_is_named() {
    for feature in &FEATURES {
        let mut registers = SKYLAKE_SP;
        let word = match feature.word {
            Word::Leaf1Ecx => &mut registers.leaf1_ecx,
            Word::Leaf7Ebx => &mut registers.leaf7_ebx,
            Word::ExtendedEcx => &mut registers.extended_ecx,
            Word::SavedByOs => &mut registers.saved_by_os,
        };
        *word &= !feature.bits;
        assert_eq!(missing_names(&registers), [feature.name]);
    }
    // Both halves of the YMM registers must be saved.
    for saved_by_os in [0xE0, 0xE1, 0xE3, 0xE5] {
        let registers = Registers {
            saved_by_os,
            ..SKYLAKE_SP
        };
        assert_eq!(
            missing_names(&registers),
            ["YMM registers saved by the system"]
        );
    }
}

#[test]
fn test_machine_is_supported() {
    assert!(is_supported(|_| {}));
}
