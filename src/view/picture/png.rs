//! Pixels as PNG (ISO/IEC 15948).

use miniz_oxide::deflate::compress_to_vec_zlib;

/// What every file begins with.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Bytes of a pixel: red, green, blue, opacity.
const PIXEL: usize = 4;

/// The file of a picture so many pixels wide, row by row, each pixel four bytes: red, green, blue, opacity.
pub(super) fn png(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    /// 8 bits a channel, RGBA, and the only methods there are of compression, filters and order.
    const FORMAT: [u8; 5] = [8, 6, 0, 0, 0];
    /// What each row begins with. Filters are meant for photographs: here none of them saves more than a few percent.
    const UNFILTERED: u8 = 0;
    /// The usual compromise between size and time.
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
    // A picture of 4 GiB has no room in memory.
    file.extend((content.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(content);
    let sum = crc32(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// The checksum of a chunk: CRC-32, bit by bit.
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
    fn the_checksum_agrees_with_the_published_values() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b"IEND"), 0xAE42_6082);
    }
}
