//! Encoder of pixels as a PNG file (ISO/IEC 15948).
//! Compression is that of `miniz_oxide`.

use miniz_oxide::deflate::compress_to_vec_zlib;

/// Signature at the start of every PNG file.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Bytes per pixel: red, green, blue, alpha.
const PIXEL: usize = 4;

/// Encodes an image of `width` × `height` pixels, row by row, four bytes (RGBA) per pixel.
pub(super) fn png(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    /// Header fields: 8 bits a channel, RGBA, standard compression and filters, not interlaced.
    const FORMAT: [u8; 5] = [8, 6, 0, 0, 0];
    /// Filter type of each row: none. Filters save only a few percent on such drawings.
    const UNFILTERED: u8 = 0;
    /// Compression level, 0 to 10.
    const LEVEL: u8 = 6;
    let row = width as usize * PIXEL;
    let rows: Vec<[&[u8]; 2]> = pixels
        .chunks_exact(row.max(1))
        .map(|row| [&[UNFILTERED], row])
        .collect();
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &FORMAT].concat();
    let mut file = SIGNATURE.to_vec();
    add_chunk(&mut file, *b"IHDR", &header);
    add_chunk(
        &mut file,
        *b"IDAT",
        &compress_to_vec_zlib(&rows.concat().concat(), LEVEL),
    );
    add_chunk(&mut file, *b"IEND", &[]);
    file
}

fn add_chunk(file: &mut Vec<u8>, name: [u8; 4], content: &[u8]) {
    // The length fits in 32 bits: images of 4 GiB do not occur.
    file.extend((content.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(content);
    let sum = crc32(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// Returns the CRC-32 of a chunk, computed bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            (sum >> 1) ^ (POLYNOMIAL * (sum & 1))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc32_agrees_with_published_values() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b"IEND"), 0xAE42_6082);
    }
}
