//! Packs a weights file, for the library to embed:
//! `cargo run --release --example pack -- new.weights src/eval/weights.packed`.

use std::error::Error;
use std::{env, fs};

use coder::{Coder, Interval};
use file::{MAGIC, PATTERN_MAGIC};
use miniz_oxide::inflate::decompress_to_vec;
use table::Shape;

mod coder;
mod file;
mod mixer;
mod table;

/// Bytes before the tables of pattern weights and of net weights.
const PATTERN_HEAD: usize = 28;
const NET_HEAD: usize = 35;

/// The tables of pattern weights, full and light: stages as columns, from the last to the first.
const PATTERN_SHAPES: [Shape; 2] = [
    Shape {
        planes: 1,
        records: 203_367,
        columns: 30,
    },
    Shape {
        planes: 1,
        records: 98_935,
        columns: 15,
    },
];

/// The table of net weights: game phases, configurations and entries of the accumulator.
const NET_SHAPE: Shape = Shape {
    planes: 2,
    records: 203_301,
    columns: 32,
};

/// Encodes bits into an arithmetic code.
#[derive(Debug)]
struct Encoder {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Coder for Encoder {
    fn code(&mut self, bit: bool, one: u32) -> bool {
        let middle = self.interval.middle(one);
        self.interval.keep(bit, middle);
        while let Some(byte) = self.interval.settled_byte() {
            self.bytes.push(byte);
        }
        bit
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [from, to] = &arguments[..] else {
        return Err("expected two arguments: a weights file and the packed file to write".into());
    };
    let weights = fs::read(from)?;
    let packed = pack(&weights).ok_or("expected weights of the shape that this program has")?;
    // Compares packed files instead of weights files, because deflate can compress the same
    // words to different bytes.
    let unpacked = file::unpack(&packed).and_then(|(unpacked, _)| pack(&unpacked));
    if unpacked.as_deref() != Some(&packed) {
        return Err("the packed weights do not unpack to the same weights".into());
    }
    fs::write(to, &packed)?;
    println!(
        "{}: {} bytes packed to {}",
        from,
        weights.len(),
        packed.len()
    );
    Ok(())
}

/// Packs `weights`, or returns `None` if their size is that of other shapes.
fn pack(weights: &[u8]) -> Option<Vec<u8>> {
    let is_pattern = weights.starts_with(PATTERN_MAGIC);
    let (head, data) =
        weights.split_at_checked(if is_pattern { PATTERN_HEAD } else { NET_HEAD })?;
    let (shapes, numbers, tail) = if is_pattern {
        let words = decompress_to_vec(data).ok()?;
        let (low, high) = words.split_at(words.len() / 2);
        let words = low
            .iter()
            .zip(high)
            .map(|(&low, &high)| u16::from_le_bytes([low, high]));
        let numbers: Vec<i16> = words
            .map(|word| (word >> 1) as i16 ^ -((word & 1) as i16))
            .collect();
        (&PATTERN_SHAPES[..], numbers, &[][..])
    } else {
        let (rows, tail) = data.split_at_checked(NET_SHAPE.len())?;
        let numbers = rows.iter().map(|&byte| i16::from(byte as i8)).collect();
        (&[NET_SHAPE][..], numbers, tail)
    };
    if numbers.len() != shapes.iter().map(|shape| shape.len()).sum::<usize>() {
        return None;
    }
    let mut packed = MAGIC.to_vec();
    for part in [head, tail] {
        packed.extend((part.len() as u32).to_le_bytes());
        packed.extend(part);
    }
    packed.push(shapes.len() as u8);
    for shape in shapes {
        packed.push(shape.planes as u8);
        packed.extend((shape.records as u32).to_le_bytes());
        packed.push(shape.columns as u8);
    }
    let mut encoder = Encoder {
        interval: Interval::ALL,
        bytes: packed,
    };
    let mut rest = &numbers[..];
    for shape in shapes {
        let (table, after) = rest.split_at(shape.len());
        rest = after;
        let mut table = if is_pattern {
            by_record(*shape, table)
        } else {
            table.to_vec()
        };
        table::code(&mut encoder, *shape, &mut table);
    }
    let mut packed = encoder.bytes;
    packed.extend(encoder.interval.middle(1 << 15).to_be_bytes());
    Some(packed)
}

/// The numbers of `columns`, the last column first, by record.
fn by_record(shape: Shape, columns: &[i16]) -> Vec<i16> {
    let records = 0..shape.records;
    records
        .flat_map(|record| columns.iter().skip(record).step_by(shape.records).rev())
        .copied()
        .collect()
}
