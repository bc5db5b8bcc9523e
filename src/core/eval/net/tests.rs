//! Network evaluation: symmetry, incremental updates, quantisation, and validation of files.

use super::file::{HEADER_BYTES, MAGIC_OF_WHOLE_ROWS, NetFile};
use super::shape::{EXTRAS, HIDDEN, OUTPUT_BUCKETS, PHASES, WIDTH};
use super::*;
use crate::eval::{WeightsError, checksum, checksum_after};

/// Returns random parameters of about the magnitude of trained parameters.
fn some_parameters(seed: u64) -> Parameters {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut numbers = |count: usize, most: f32| -> Vec<f32> {
        let number = || (random.f32() * 2.0 - 1.0) * most;
        std::iter::repeat_with(number).take(count).collect()
    };
    Parameters {
        rows: numbers(PHASES * reduced_index().count() * WIDTH, 0.2),
        extras: numbers(EXTRAS * WIDTH, 0.5),
        buckets: (0..OUTPUT_BUCKETS)
            .map(|_| OutputBucket {
                hidden: numbers(HIDDEN * WIDTH, 0.4),
                hidden_bias: numbers(HIDDEN, 0.4),
                output: numbers(HIDDEN, 0.5),
                skip: numbers(WIDTH, 0.1),
                bias: numbers(1, 0.1)[0],
            })
            .collect(),
        biases: numbers(BIASES, 0.1),
    }
}

fn net(parameters: &Parameters) -> Net {
    Net::new(Arc::new(parameters.quantised()))
}

#[test]
fn parameters_beyond_the_range_are_clamped() {
    for sign in [1.0, -1.0] {
        let mut parameters = some_parameters(6);
        parameters.rows.fill(sign * 1e9);
        parameters.extras.fill(sign * 1e9);
        for bucket in &mut parameters.buckets {
            for weights in [&mut bucket.hidden, &mut bucket.output, &mut bucket.skip] {
                weights.fill(1e9);
            }
            bucket.hidden_bias.fill(sign * 1e9);
            bucket.bias = sign * 1e9;
        }
        parameters.biases.fill(sign * 1e9);
        let best = Value::from_score(64 * sign as i32);
        assert_eq!(net(&parameters).evaluate(&Board::START), best);
    }
    // NaN weights give some value and do not panic.
    let mut parameters = some_parameters(6);
    parameters.rows.fill(f32::NAN);
    net(&parameters).evaluate(&Board::START);
}

/// Returns a copy of the file with `bytes` written at offset `at`, which lies after the pattern rows,
/// and with a correct checksum.
fn forged(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let rows = NetFile::read(file).unwrap().rows;
    let mut file = file.to_vec();
    file[at..][..bytes.len()].copy_from_slice(bytes);
    let others = &file[HEADER_BYTES + rows.len()..];
    let sum = checksum_after(checksum(&rows), others);
    file[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&sum.to_le_bytes());
    file
}

#[test]
fn truncated_and_altered_files_are_refused() {
    let file = some_parameters(7).pack();
    assert!(Parameters::from_bytes(&file).unwrap().pack() == file);
    let refused = |bytes: &[u8]| NetWeights::from_bytes(bytes).unwrap_err();
    for length in [0, 5, 8, 20, 34, 35, 100, file.len() / 2, file.len() - 1] {
        let error = refused(&file[..length]);
        assert_eq!(error, WeightsError::Truncated, "{length}");
    }
    for (at, error) in [
        (0, WeightsError::Foreign),
        (7, WeightsError::Version),
        (8, WeightsError::Features),
        (16, WeightsError::Shape),
        (20, WeightsError::Shape),
        (21, WeightsError::Unit),
        (26, WeightsError::Unit),
        (27, WeightsError::Altered),
        (35, WeightsError::Altered),
        (file.len() - 1, WeightsError::Altered),
    ] {
        let mut bytes = file.clone();
        bytes[at] ^= 0x55;
        assert_eq!(refused(&bytes), error, "byte {at}");
    }
    assert_eq!(refused(b"a letter to the editor"), WeightsError::Foreign);
    for rest in [&b"\0"[..], b"\n", &file] {
        assert_eq!(refused(&[&file, rest].concat()), WeightsError::Longer);
    }
}

#[test]
fn the_previous_version_has_whole_rows() {
    let parameters = some_parameters(7);
    let mut file = parameters.pack();
    let rows = NetFile::read(&file).unwrap().rows.into_owned();
    file[..8].copy_from_slice(&MAGIC_OF_WHOLE_ROWS);
    file[HEADER_BYTES..][..rows.len()].copy_from_slice(&rows);
    let weights = NetWeights::from_bytes(&file).unwrap();
    assert!(weights == parameters.quantised());
}

#[test]
fn parameters_that_could_overflow_are_refused() {
    let file = some_parameters(8).pack();
    // The file ends with the skip weights and the bias of the last output bucket, followed by the
    // output biases.
    let bias = file.len() - 4 * BIASES - 4;
    let skip = bias - 2;
    assert!(NetWeights::from_bytes(&forged(&file, skip, &8192_i16.to_le_bytes())).is_ok());
    for (at, bytes) in [
        (skip, &8193_i16.to_le_bytes()[..]),
        (skip, &i16::MIN.to_le_bytes()),
        (bias, &i32::MIN.to_le_bytes()),
        (bias, &i32::MAX.to_le_bytes()),
        (file.len() - 4, &i32::MAX.to_le_bytes()),
    ] {
        let error = NetWeights::from_bytes(&forged(&file, at, bytes)).unwrap_err();
        assert_eq!(error, WeightsError::Range, "{bytes:?}");
    }
}
