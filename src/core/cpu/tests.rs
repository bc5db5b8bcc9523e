//! Tests of the feature check with recorded CPUID words of other processors.

use super::{FEATURES, Words, is_supported, missing};

/// Returns the names of the features whose bit is 0 in `words`, as if the build used all features.
fn missing_names(words: Words) -> Vec<&'static str> {
    let all = FEATURES.map(|(name, word, bit, _)| (name, word, bit, true));
    missing(&all, &words).collect()
}

#[test]
fn each_missing_feature_is_named() {
    // The words are from a Xeon Skylake-SP (2017), a Haswell (2013), and an Ivy Bridge (2012), all by
    // Intel. A Core 2 (2006) has none of the features.
    assert!(missing_names([0xD39F_FFFB, 0x21]).is_empty());
    assert_eq!(missing_names([0x0000_27AB, 0x21]), ["AVX512VL"]);
    assert_eq!(
        missing_names([0x0000_0281, 0x01]),
        ["AVX2", "BMI2", "AVX512VL", "LZCNT"]
    );
    assert_eq!(missing_names([0, 0]).len(), FEATURES.len());
}

#[test]
fn test_machine_is_supported() {
    assert!(is_supported(|_| {}));
}
