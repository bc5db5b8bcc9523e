//! Random numbers determined by a seed and a job number, independent of threads and order.

/// Mixes a seed and a job number into an independent seed, by `SplitMix64` (Steele et al. 2014).
pub(super) fn split_mix64(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
