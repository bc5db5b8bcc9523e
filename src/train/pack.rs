//! Packs a weights file, for the library to embed:
//! `cargo run --release -p emilia-train --example pack -- new.weights src/core/eval/weights.packed`.
//!
//! Files of self-play games after the two arguments make the packed file of a net smaller: rows
//! that positions of the games rarely use are rounded towards their predictions.

use std::error::Error;
use std::ops::Range;
use std::{env, fs};

use emilia_core::board::Board;
use emilia_core::eval::net::{PHASES, WIDTH, phase};
use emilia_core::eval::packed::coder::{Coder, MIN_RANGE, part};
use emilia_core::eval::packed::file::{self, MAGIC, PATTERN_MAGIC};
use emilia_core::eval::packed::table::{self, Shape};
use emilia_core::eval::{Features, Full, Light, ReducedIndex, checksum};
use emilia_train::{TrainingGame, read_games};
use miniz_oxide::inflate::decompress_to_vec;

/// Bytes before the tables of pattern weights and of net weights.
const PATTERN_HEAD: usize = 28;
const NET_HEAD: usize = 35;

/// Bytes of the head of net weights that hold the checksum of the parameters.
const NET_CHECKSUM: Range<usize> = NET_HEAD - 8..NET_HEAD;

/// Bound on the squared change of a rounded weight, times the uses of its row.
const MAX_CHANGE: f64 = 30.0;

/// Bound on the change of a weight in rows that are hardly used.
const MAX_TOLERANCE: f64 = 8.0;

/// Random seed of the count of uses.
const SEED: u64 = 1;

/// Largest number of random plies from a position of a game to the position that is counted.
const MAX_RANDOM_PLIES: u32 = 3;

/// Encodes bits into an arithmetic code.
#[derive(Debug)]
struct Encoder {
    /// The interval of numbers that the bits encoded so far leave: the last bytes of its first
    /// number, which follow `bytes`, and its size.
    low: u32,
    range: u32,
    bytes: Vec<u8>,
    /// Greatest change of a number, by record. Numbers of further records are coded as they are.
    tolerances: Vec<u32>,
}

impl Encoder {
    /// An encoder that appends to `bytes`.
    fn new(bytes: Vec<u8>, tolerances: Vec<u32>) -> Encoder {
        Encoder {
            low: 0,
            range: u32::MAX,
            bytes,
            tolerances,
        }
    }

    /// Adds 1 to the bytes, as to one number.
    fn carry(&mut self) {
        for byte in self.bytes.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte > 0 {
                break;
            }
        }
    }
}

impl Coder for Encoder {
    fn code(&mut self, bit: bool, one: u16) -> bool {
        let part = part(self.range, one);
        if bit {
            self.range = part;
        } else {
            let (low, is_over) = self.low.overflowing_add(part);
            if is_over {
                self.carry();
            }
            self.low = low;
            self.range -= part;
        }
        while self.range < MIN_RANGE {
            self.bytes.push((self.low >> 24) as u8);
            self.low <<= 8;
            self.range <<= 8;
        }
        bit
    }

    fn choose(&self, record: usize, number: i32, shorter: [i32; 2]) -> i32 {
        let tolerance = self.tolerances.get(record).copied().unwrap_or(0);
        let close =
            |other: &i32| number.abs_diff(*other) <= tolerance && i8::try_from(*other).is_ok();
        shorter.into_iter().find(close).unwrap_or(number)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [from, to, games @ ..] = &arguments[..] else {
        return Err("expected a weights file and the packed file to write".into());
    };
    let mut weights = fs::read(from)?;
    if !games.is_empty() {
        let files: Vec<_> = games.iter().map(Into::into).collect();
        let uses = count_row_uses(&read_games(&files)?);
        weights = rounded(&weights, &uses).ok_or("expected weights of a net to round")?;
    }
    let packed = pack(&weights).ok_or("expected weights of the shape that this program has")?;
    // Compares packed files instead of weights files, because deflate can compress the same
    // words to different bytes.
    let unpacked = file::unpack(&packed).and_then(|(unpacked, _)| pack(&unpacked));
    if unpacked.as_deref() != Some(&packed) {
        return Err("the packed weights do not unpack to the same weights".into());
    }
    fs::write(to, &packed)?;
    let sizes = [weights.len(), packed.len()];
    println!("{from}: {} bytes packed to {}", sizes[0], sizes[1]);
    Ok(())
}

/// Rounds pattern rows of a net towards their predictions, the less the more `uses` they have.
/// Returns `None` for other weights.
fn rounded(weights: &[u8], uses: &[u32]) -> Option<Vec<u8>> {
    let mut weights = weights.to_vec();
    let rows = weights.get_mut(NET_HEAD..NET_HEAD + net_shape().count())?;
    let tolerance = |&uses: &u32| (MAX_CHANGE / f64::from(uses)).sqrt().min(MAX_TOLERANCE) as u32;
    let mut numbers: Vec<i16> = rows.iter().map(|&byte| i16::from(byte as i8)).collect();
    let mut encoder = Encoder::new(Vec::new(), uses.iter().map(tolerance).collect());
    table::code(&mut encoder, net_shape(), &mut numbers);
    for (byte, number) in rows.iter_mut().zip(numbers) {
        *byte = number as u8;
    }
    let sum = checksum(&weights[NET_HEAD..]).to_le_bytes();
    weights[NET_CHECKSUM].copy_from_slice(&sum);
    Some(weights)
}

/// Counts the uses of each pattern row of the net, by phase, then by reduced index.
///
/// Counts a position a few random plies after each position of `games`, because the leaves of a
/// search are rarely positions of good play.
fn count_row_uses(games: &[TrainingGame]) -> Vec<u32> {
    let index = ReducedIndex::<Full>::new();
    let of_phase = index.configurations();
    let mut uses = vec![0; PHASES * of_phase];
    let mut random = fastrand::Rng::with_seed(SEED);
    for ply in games.iter().filter_map(TrainingGame::plies).flatten() {
        let plies = random.u32(0..=MAX_RANDOM_PLIES);
        let board = (0..plies).fold(ply.board, |board, _| play_randomly(board, &mut random));
        let first = phase(board.empty_count()) * of_phase;
        for &row in &index.row(&board)[..Full::INSTANCES] {
            uses[first + row as usize] += 1;
        }
    }
    uses
}

/// Plays a random legal move, or returns `board` if there is none.
fn play_randomly(board: Board, random: &mut fastrand::Rng) -> Board {
    let moves: Vec<_> = board.legal_moves().squares().collect();
    let chosen = random.choice(moves);
    chosen.map_or(board, |square| board.play(square))
}

/// Packs `weights`, or returns `None` if their size is that of other shapes.
fn pack(weights: &[u8]) -> Option<Vec<u8>> {
    let is_pattern = weights.starts_with(PATTERN_MAGIC);
    let (head, data) =
        weights.split_at_checked(if is_pattern { PATTERN_HEAD } else { NET_HEAD })?;
    let (shapes, numbers, tail) = if is_pattern {
        let words = decompress_to_vec(data).ok()?;
        let (low, high) = words.split_at(words.len() / 2);
        let words = low.iter().zip(high);
        let words = words.map(|(&low, &high)| u16::from_le_bytes([low, high]));
        let numbers = words.map(|word| (word >> 1) as i16 ^ -((word & 1) as i16));
        let shapes = vec![pattern_shape::<Full>(), pattern_shape::<Light>()];
        (shapes, numbers.collect(), &[][..])
    } else {
        let (rows, tail) = data.split_at_checked(net_shape().count())?;
        let numbers = rows.iter().map(|&byte| i16::from(byte as i8));
        (vec![net_shape()], numbers.collect(), tail)
    };
    let numbers: Vec<i16> = numbers;
    let mut rest = &numbers[..];
    if rest.len() != shapes.iter().map(|shape| shape.count()).sum::<usize>() {
        return None;
    }
    let mut packed = MAGIC.to_vec();
    for part in [head, tail] {
        packed.extend((part.len() as u32).to_le_bytes());
        packed.extend(part);
    }
    packed.push(shapes.len() as u8);
    for shape in &shapes {
        packed.push(shape.planes as u8);
        packed.extend((shape.records as u32).to_le_bytes());
        packed.push(shape.columns as u8);
    }
    let mut encoder = Encoder::new(packed, Vec::new());
    for shape in shapes {
        let (table, after) = rest.split_at(shape.count());
        rest = after;
        let mut table = if is_pattern {
            by_record(shape, table)
        } else {
            table.to_vec()
        };
        table::code(&mut encoder, shape, &mut table);
    }
    let mut packed = encoder.bytes;
    packed.extend(encoder.low.to_be_bytes());
    Some(packed)
}

/// Shape of a table of pattern weights: stages as columns, from the last to the first.
fn pattern_shape<F: Features>() -> Shape {
    Shape {
        planes: 1,
        records: ReducedIndex::<F>::new().count(),
        columns: F::STAGES,
    }
}

/// Shape of the table of net weights: game phases, configurations, entries of the accumulator.
fn net_shape() -> Shape {
    Shape {
        planes: PHASES,
        records: ReducedIndex::<Full>::new().configurations(),
        columns: WIDTH,
    }
}

/// Transposes a table. `columns` is one column after another. The result is one record after another,
/// with the columns in reverse order: the last stage first.
fn by_record(shape: Shape, columns: &[i16]) -> Vec<i16> {
    let records = 0..shape.records;
    records
        .flat_map(|record| columns.iter().skip(record).step_by(shape.records).rev())
        .copied()
        .collect()
}
