//! Checksum that detects truncated and altered files.

/// Checksum of the empty byte string: the start value for [`checksum_after`].
pub const NO_BYTES: u64 = 0xCBF2_9CE4_8422_2325;

/// Returns the 64-bit FNV-1a checksum (Fowler, Noll and Vo 1991).
/// FNV-1a detects accidental changes, but not deliberate changes.
pub fn checksum(bytes: &[u8]) -> u64 {
    checksum_after(NO_BYTES, bytes)
}

/// Continues a checksum. `sum` is the checksum of the bytes before `bytes`. Returns the checksum of
/// all bytes together.
pub fn checksum_after(sum: u64, bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0100_0000_01B3;
    bytes.iter().fold(sum, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_equal_the_published_values() {
        assert_eq!(checksum(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(checksum(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_F739_67E8);
        assert_eq!(
            checksum_after(checksum(b"foo"), b"bar"),
            checksum(b"foobar")
        );
    }
}
