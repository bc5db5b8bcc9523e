//! Law of packed files: each is unpacked within a limit, or refused with a sentence.

use std::path::Path;

use emilia_files::{MIB, unpack};

use super::assert_sentence;

/// Unpacks the bytes, to at most 1 MiB.
pub(super) fn law(bytes: &[u8]) {
    match unpack(Path::new("bytes"), bytes.to_vec(), MIB) {
        Ok(files) => {
            let size: usize = files.iter().map(|file| file.bytes.len()).sum();
            assert!(size as u64 <= MIB.max(bytes.len() as u64));
        }
        Err(error) => assert_sentence(&error),
    }
}
