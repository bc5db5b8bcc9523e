//! Common parts of files of weights: magic bytes and errors.

use std::fmt;

/// The evaluation that a file of weights belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WeightsKind {
    Pattern,
    Net,
}

/// Magic bytes of nets whose pattern rows are neither split nor differences.
pub(super) const NET_OF_WHOLE_ROWS: [u8; 8] = *b"EmiliaN3";

/// Why a file of weights cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file does not begin with the magic bytes of a file of weights.
    Foreign,
    /// The weights are for the pattern evaluation.
    OfPattern,
    /// The weights are for the network.
    OfNet,
    /// The file has another format version.
    Version,
    /// The weights are for other patterns or stages.
    Features,
    /// The weights are for a network of another shape.
    Shape,
    /// The weights are in another unit.
    Unit,
    /// The file ends too early.
    Truncated,
    /// The checksum or the compressed data is wrong.
    Altered,
    /// The file has extra bytes at its end.
    Longer,
    /// A weight is out of range.
    Range,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WeightsError::Foreign => "this is not a file of weights",
            WeightsError::OfPattern => {
                "these weights are for the pattern evaluation (expected a file of the network)"
            }
            WeightsError::OfNet => {
                "these weights are for the network (expected a file of the pattern evaluation)"
            }
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

impl WeightsKind {
    /// The first bytes of a file. The last of them is the format version.
    pub(super) const fn magic(self) -> [u8; 8] {
        match self {
            WeightsKind::Pattern => *b"EmiliaW2",
            WeightsKind::Net => *b"EmiliaN4",
        }
    }

    /// Returns whether the magic bytes belong to this kind, in any version.
    fn has(self, magic: [u8; 8]) -> bool {
        let [own @ .., _] = self.magic();
        magic.starts_with(&own)
    }

    /// Checks that `file` starts with the magic bytes of this kind and of a version that is read.
    pub(super) fn check(self, file: &[u8]) -> Result<(), WeightsError> {
        match file.first_chunk() {
            Some(&magic) if magic == self.magic() => Ok(()),
            Some(&NET_OF_WHOLE_ROWS) if self == WeightsKind::Net => Ok(()),
            Some(&magic) if self.has(magic) => Err(WeightsError::Version),
            Some(&magic) if WeightsKind::Pattern.has(magic) => Err(WeightsError::OfPattern),
            Some(&magic) if WeightsKind::Net.has(magic) => Err(WeightsError::OfNet),
            None if self.magic().starts_with(file) => Err(WeightsError::Truncated),
            _ => Err(WeightsError::Foreign),
        }
    }
}
