//! Errors of files of weights.

use std::fmt;

/// Why a file of weights cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file does not begin with the magic bytes of a net.
    Foreign,
    /// The file has a format version that this program does not read.
    Version,
    /// The weights are for other patterns than this program has.
    Features,
    /// The weights are for a network of another shape than this program has.
    Shape,
    /// The weights are in another unit than this program uses.
    Unit,
    /// The file ends too early.
    Truncated,
    /// The checksum is wrong.
    Altered,
    /// The file has extra bytes at its end.
    Longer,
    /// A weight is out of range.
    Range,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WeightsError::Foreign => "this is not a file of a net ('emilia train net' makes one)",
            WeightsError::Version => {
                "the file of weights has a format version that this program does not read"
            }
            WeightsError::Features => "these weights are for other patterns than this program has",
            WeightsError::Shape => {
                "these weights are for a network of another shape than this program has"
            }
            WeightsError::Unit => "these weights are in another unit than this program uses",
            WeightsError::Truncated => "the file of weights is truncated",
            WeightsError::Altered => "the file of weights is damaged",
            WeightsError::Longer => "the file of weights has extra bytes at its end",
            WeightsError::Range => "a weight in the file is out of range",
        })
    }
}

impl std::error::Error for WeightsError {}
