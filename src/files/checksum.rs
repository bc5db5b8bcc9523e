//! A checksum that tells altered bytes from whole ones.

/// The sum of no bytes.
pub(crate) const NO_BYTES: u64 = 0xCBF2_9CE4_8422_2325;

/// FNV-1a of 64 bits (Fowler, Noll and Vo 1991): finds torn and altered files; no defence against malice.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    checksum_after(NO_BYTES, bytes)
}

/// The checksum of bytes whose sum is known and of these behind them.
pub(crate) fn checksum_after(sum: u64, bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0100_0000_01B3;
    bytes.iter().fold(sum, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_published_values() {
        assert_eq!(checksum(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(checksum(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_F739_67E8);
        assert_eq!(
            checksum_after(checksum(b"foo"), b"bar"),
            checksum(b"foobar")
        );
    }
}
