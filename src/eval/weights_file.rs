//! What files of weights have in common: how they begin, and why one cannot be used.

use std::fmt;
use std::io;
use std::path::Path;

use crate::files::{self, FileError, MIB};

/// The evaluation that weights are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pattern,
    Net,
}

/// The largest file that is read: the weights in the binary are 4 and 13 MB.
const LARGEST: u64 = 64 * MIB;

/// Why a file cannot be used for weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadWeights {
    /// It does not begin like one.
    Foreign,
    /// It is for the pattern evaluation.
    OfPattern,
    /// It is for the network.
    OfNet,
    /// It is of an older or a newer version.
    Version,
    /// It is for other patterns or stages.
    Features,
    /// It is for a network of another shape.
    Shape,
    /// Its weights are in another unit.
    Unit,
    /// It ends too early.
    Truncated,
    /// Its bytes are not those that were written.
    Altered,
    /// Something follows its end.
    Longer,
    /// A weight is larger than any may be.
    Range,
}

impl fmt::Display for BadWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadWeights::Foreign => "this is no file of weights",
            BadWeights::OfPattern => {
                "these are weights of the pattern evaluation, which go with eval pattern"
            }
            BadWeights::OfNet => "these are weights of the network, which go with eval net",
            BadWeights::Version => "these weights are of another version of the file",
            BadWeights::Features => {
                "these weights belong to other patterns than those of this program"
            }
            BadWeights::Shape => {
                "these weights belong to a network of another shape than that of this program"
            }
            BadWeights::Unit => "these weights are in another unit than those of this program",
            BadWeights::Truncated => "the file of weights is cut off",
            BadWeights::Altered => "the file of weights is damaged",
            BadWeights::Longer => "something follows the end of the weights",
            BadWeights::Range => "one of these weights is larger than weights may be",
        })
    }
}

impl std::error::Error for BadWeights {}

impl Kind {
    /// How a file begins; the last digit is the version.
    pub(super) const fn magic(self) -> [u8; 8] {
        match self {
            Kind::Pattern => *b"EmiliaW2",
            Kind::Net => *b"EmiliaN2",
        }
    }

    /// Whether a file is of this kind, in whatever version.
    fn has(self, magic: [u8; 8]) -> bool {
        let [own @ .., _] = self.magic();
        magic.starts_with(&own)
    }

    /// Refuses a file that does not begin like one of this kind and of the present version.
    pub(super) fn check(self, file: &[u8]) -> Result<(), BadWeights> {
        match file.first_chunk() {
            Some(&magic) if magic == self.magic() => Ok(()),
            Some(&magic) if self.has(magic) => Err(BadWeights::Version),
            Some(&magic) if Kind::Pattern.has(magic) => Err(BadWeights::OfPattern),
            Some(&magic) if Kind::Net.has(magic) => Err(BadWeights::OfNet),
            None if self.magic().starts_with(file) => Err(BadWeights::Truncated),
            _ => Err(BadWeights::Foreign),
        }
    }
}

/// The weights in the file at `path`, as `from_bytes` makes them of its bytes.
pub(super) fn read<W>(
    path: &Path,
    from_bytes: impl Fn(&[u8]) -> Result<W, BadWeights>,
) -> io::Result<W> {
    let file = files::read(path, LARGEST).map_err(FileError::into_error)?;
    from_bytes(&file).map_err(|bad| io::Error::new(io::ErrorKind::InvalidData, bad))
}
