//! Files of packed weights: a weights file whose tables are replaced by an arithmetic code.
//!
//! All numbers are little-endian. A file has the magic bytes (8), the first and the last bytes of
//! the weights file, each after its length (4 bytes), and the number of tables (1).
//! Then come planes (1), records (4) and columns (1) of each table, and the arithmetic code.

use miniz_oxide::deflate::compress_to_vec;

use super::coder::Decoder;
use super::filter::MAX_COLUMNS;
use super::table::{self, Shape};

/// The first bytes of packed weights. The last of them is the format version.
pub const MAGIC: [u8; 8] = *b"EmiliaP2";

/// The first bytes of pattern weights, whose words are deflated. Net weights are plain bytes.
pub const PATTERN_MAGIC: &[u8] = b"EmiliaW";

/// Deflate level of pattern weights.
const LEVEL: u8 = 7;

/// Returns the weights file that `packed` holds, and the numbers of its tables.
/// Returns `None` if `packed` is damaged.
pub fn unpack(packed: &[u8]) -> Option<(Vec<u8>, Vec<Vec<i16>>)> {
    let mut rest = packed.strip_prefix(&MAGIC)?;
    let [head, tail] = [bytes(&mut rest)?, bytes(&mut rest)?];
    let count = array::<1>(&mut rest)?[0];
    let shapes: Option<Vec<Shape>> = (0..count).map(|_| shape(&mut rest)).collect();
    let mut coder = Decoder::new(rest);
    let tables: Vec<Vec<i16>> = shapes?
        .iter()
        .map(|shape| {
            let mut numbers = vec![0; shape.count()];
            table::code(&mut coder, *shape, &mut numbers);
            if head.starts_with(PATTERN_MAGIC) {
                by_column(*shape, &numbers)
            } else {
                numbers
            }
        })
        .collect();
    let numbers = tables.iter().flatten();
    let data = if head.starts_with(PATTERN_MAGIC) {
        let words = numbers.map(|&number| (number << 1 ^ number >> 15).to_le_bytes());
        let (low, high): (Vec<u8>, Vec<u8>) = words.map(|[low, high]| (low, high)).unzip();
        compress_to_vec(&[low, high].concat(), LEVEL)
    } else {
        numbers.map(|&number| number as u8).collect()
    };
    Some(([head, &data, tail].concat(), tables))
}

/// The numbers of `table` by column, the last column first, as in files of pattern weights.
fn by_column(shape: Shape, table: &[i16]) -> Vec<i16> {
    let columns = (0..shape.columns).rev();
    columns
        .flat_map(|column| table.iter().skip(column).step_by(shape.columns))
        .copied()
        .collect()
}

/// Takes the next `N` bytes.
fn array<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*bytes)
}

/// Takes bytes that follow their length.
fn bytes<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = u32::from_le_bytes(array(rest)?);
    let (bytes, after) = rest.split_at_checked(length as usize)?;
    *rest = after;
    Some(bytes)
}

/// Takes the shape of a table.
fn shape(rest: &mut &[u8]) -> Option<Shape> {
    let shape = Shape {
        planes: array::<1>(rest)?[0].into(),
        records: u32::from_le_bytes(array(rest)?) as usize,
        columns: array::<1>(rest)?[0].into(),
    };
    (1..=MAX_COLUMNS).contains(&shape.columns).then_some(shape)
}
