//! Network evaluation: symmetry, incremental updates, quantisation, and validation of files.

use super::file::HEADER_BYTES;
use super::layout::{PADDED_WIDTH, Row};
use super::shape::{EXTRAS, HIDDEN, OUTPUT_BUCKETS, PHASES, WIDTH};
use super::*;
use crate::board::Symmetry;
use crate::board::testing::{boards_of_games, random_game};
use crate::eval::pattern::fitting::ReducedIndex;
use crate::eval::weights_file::{NET_WITHOUT_BIASES, WeightsError, WeightsKind};
use crate::files::checksum;

/// Returns random parameters of the size that training produces.
fn some_parameters(seed: u64) -> Parameters {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut numbers = |count: usize, most: f32| -> Vec<f32> {
        let number = || (random.f32() * 2.0 - 1.0) * most;
        std::iter::repeat_with(number).take(count).collect()
    };
    Parameters {
        rows: numbers(PHASES * configurations() * WIDTH, 0.2),
        extras: numbers(EXTRAS * WIDTH, 0.5),
        stacks: (0..OUTPUT_BUCKETS)
            .map(|_| Stack {
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

/// Returns the number of rows of each phase.
fn configurations() -> usize {
    ReducedIndex::<Full>::new().configurations()
}

fn net(parameters: &Parameters) -> Net {
    Net::new(Arc::new(parameters.quantised()))
}

#[test]
fn symmetric_images_have_the_same_value() {
    let net = net(&some_parameters(1));
    for board in boards_of_games(6, 3000) {
        for symmetry in Symmetry::all() {
            let image = symmetry.board(&board);
            assert_eq!(net.evaluate(&image), net.evaluate(&board), "{board:?}");
        }
    }
}

#[test]
fn incremental_values_equal_values_from_scratch() {
    let net = net(&some_parameters(2));
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..100 {
        let game: Vec<Board> = random_game(&mut random).collect();
        let mut state = net.state(&game[0]);
        for moved in game.windows(2) {
            let [parent, child] = moved else { continue };
            state = if parent.can_move() {
                net.after(&state, parent, child)
            } else {
                net.passed(&state)
            };
            let value = net.value(child, child.legal_moves(), &state);
            assert_eq!(value, net.evaluate(child), "{child:?}");
        }
    }
}

/// Returns the mean and maximum difference between integer and floating-point values, in discs.
fn differences(parameters: &Parameters) -> (f64, f64) {
    let net = net(parameters);
    let boards = boards_of_games(6, 3000);
    let differences = boards.iter().map(|board| {
        let exact = f64::from(parameters.value(board));
        (net.evaluate(board).discs() - exact).abs()
    });
    let (sum, most) = differences.fold((0.0, 0.0), |(sum, most): (f64, f64), difference| {
        (sum + difference, most.max(difference))
    });
    (sum / boards.len() as f64, most)
}

#[test]
fn quantised_values_are_near_floating_point_values() {
    let mut parameters = some_parameters(3);
    let (mean, most) = differences(&parameters);
    assert!(mean < 0.2 && most < 1.0, "{mean} {most}");
    // With rows in whole units only the quantisation of the layers remains.
    for weight in parameters.rows.iter_mut().chain(&mut parameters.extras) {
        *weight = (*weight * 512.0).round() / 512.0;
    }
    let (mean, most) = differences(&parameters);
    assert!(mean < 0.04 && most < 0.2, "{mean} {most}");
}

#[test]
fn values_differ_between_positions() {
    let net = net(&some_parameters(4));
    let values: std::collections::BTreeSet<Value> = boards_of_games(6, 1000)
        .iter()
        .map(|board| net.evaluate(board))
        .collect();
    assert!(values.len() > 300, "{}", values.len());
}

/// Returns the number in units of 2^-`bits`, rounded.
fn units(number: f32, bits: i32) -> i32 {
    (number * 2_f32.powi(bits)).round() as i32
}

fn has_rows(weights: &NetWeights, parameters: &Parameters) {
    let index = ReducedIndex::<Full>::new();
    let slots = |phase| {
        let first = phase * index.configurations();
        index.slots().map(move |slot| slot.map(|at| first + at))
    };
    let rows = weights.rows.iter().flat_map(|rows| rows.iter());
    for (row, slot) in rows.zip((0..PHASES).flat_map(slots)) {
        let Some(slot) = slot else { continue };
        let low = row
            .0
            .map(|word| i32::from(word & 0xFF) - i32::from(Row::LOW_BIAS));
        let high = row.0.map(|word| i32::from(word as i16 >> 8));
        let own: Vec<i32> = parameters.rows[slot * WIDTH..][..WIDTH]
            .iter()
            .map(|&weight| units(weight, 9))
            .collect();
        let rest = [0; PADDED_WIDTH - WIDTH];
        assert_eq!([low, high].concat(), [&own[..], &rest].concat(), "{slot}");
    }
}

#[test]
fn a_weights_file_holds_the_parameters_rounded_to_units() {
    let parameters = some_parameters(5);
    let weights = NetWeights::from_bytes(&parameters.pack()).unwrap();
    has_rows(&weights, &parameters);
    for (at, &weight) in parameters.extras.iter().enumerate() {
        let row = weights.extras[at / WIDTH].0;
        assert_eq!(i32::from(row[at % WIDTH]), units(weight, 9));
    }
    for (layers, stack) in weights.stacks.iter().zip(&parameters.stacks) {
        for (at, &weight) in stack.hidden.iter().enumerate() {
            let (neuron, sum) = (at / WIDTH, at % WIDTH);
            let hidden = layers.hidden[sum / 2][neuron][sum % 2];
            assert_eq!(i32::from(hidden), units(weight, 10));
        }
        for neuron in 0..HIDDEN {
            let bias = units(stack.hidden_bias[neuron], 19);
            assert_eq!(layers.hidden_bias[neuron], bias);
            assert_eq!(layers.output[neuron], units(stack.output[neuron], 10));
        }
        for (own, &weight) in layers.skip.iter().zip(&stack.skip) {
            assert_eq!(i32::from(*own), units(weight, 13));
        }
        assert_eq!(layers.bias, units(stack.bias, 22));
    }
    for (own, &bias) in weights.biases.iter().zip(&parameters.biases) {
        assert_eq!(*own, units(bias, 22));
    }
}

#[test]
fn parameters_beyond_the_range_are_clamped() {
    for sign in [1.0, -1.0] {
        let mut parameters = some_parameters(6);
        parameters.rows.fill(sign * 1e9);
        parameters.extras.fill(sign * 1e9);
        for stack in &mut parameters.stacks {
            for weights in [&mut stack.hidden, &mut stack.output, &mut stack.skip] {
                weights.fill(1e9);
            }
            stack.hidden_bias.fill(sign * 1e9);
            stack.bias = sign * 1e9;
        }
        parameters.biases.fill(sign * 1e9);
        let best = Value::from_score(64 * sign as i32);
        assert_eq!(net(&parameters).evaluate(&Board::START), best);
    }
}

#[test]
fn nan_parameters_do_not_panic() {
    let mut parameters = some_parameters(6);
    parameters.rows.fill(f32::NAN);
    net(&parameters).evaluate(&Board::START);
}

/// Returns a copy of the file with `bytes` written at offset `at`, and its checksum corrected.
fn forged(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at..][..bytes.len()].copy_from_slice(bytes);
    let sum = checksum(&file[HEADER_BYTES..]);
    file[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&sum.to_le_bytes());
    file
}

#[test]
fn truncated_and_altered_files_are_refused() {
    let file = some_parameters(7).pack();
    let refused = |bytes: &[u8]| NetWeights::from_bytes(bytes).unwrap_err();
    for length in [0, 5, 8, 20, 34, 35, 100, file.len() / 2, file.len() - 1] {
        assert_eq!(
            refused(&file[..length]),
            WeightsError::Truncated,
            "{length}"
        );
    }
    let altered = |at: usize| {
        let mut bytes = file.clone();
        bytes[at] ^= 0x55;
        refused(&bytes)
    };
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
        assert_eq!(altered(at), error, "byte {at}");
    }
    assert_eq!(
        refused(&WeightsKind::Pattern.magic()),
        WeightsError::OfPattern
    );
    assert_eq!(refused(b"a letter to the editor"), WeightsError::Foreign);
    for rest in [&b"\0"[..], b"\n", &file] {
        assert_eq!(refused(&[&file, rest].concat()), WeightsError::Longer);
    }
}

#[test]
fn the_previous_version_has_no_biases() {
    let mut parameters = some_parameters(7);
    let mut file = parameters.pack();
    file.truncate(file.len() - 4 * BIASES);
    let file = forged(&file, 0, &NET_WITHOUT_BIASES);
    parameters.biases.fill(0.0);
    let current = Parameters::from_bytes(&parameters.pack()).unwrap();
    assert!(Parameters::from_bytes(&file).unwrap() == current);
    let weights = NetWeights::from_bytes(&file).unwrap();
    assert_eq!(weights.biases, parameters.quantised().biases);
    let longer = [&file[..], &[0; 4 * BIASES]].concat();
    assert_eq!(NetWeights::from_bytes(&longer), Err(WeightsError::Longer));
}

#[test]
fn parameters_that_could_overflow_are_refused() {
    let file = some_parameters(8).pack();
    // The file ends with the skip weights and the bias of the last layers, and the biases.
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

#[test]
fn the_bias_of_a_number_of_empties_shifts_its_values_only() {
    let mut parameters = mobility();
    parameters.biases[bias(40)] = 2.0 / 32.0;
    let [level, shifted] = [mobility(), parameters].map(|parameters| net(&parameters));
    for board in boards_of_games(6, 500) {
        let shift = if board.empty_count() == 40 { 2 } else { 0 };
        let value = level.evaluate(&board) + Value::from_score(shift);
        assert_eq!(shifted.evaluate(&board), value, "{board:?}");
    }
}

/// Returns a network that evaluates the difference in mobility.
fn mobility() -> Parameters {
    let none = |count: usize| vec![0.0; count];
    let mut parameters = some_parameters(0);
    parameters.rows.fill(0.0);
    parameters.extras.fill(0.0);
    let moves = parameters.extras.chunks_mut(WIDTH).zip(0_u16..64);
    for (row, number) in moves {
        // The sum is 1 for 32 moves more than the opponent.
        let count = f32::from(number % 32) / 32.0;
        row[0] = if number < 32 { count } else { -count };
    }
    parameters.biases.fill(0.0);
    for stack in &mut parameters.stacks {
        *stack = Stack {
            hidden: none(HIDDEN * WIDTH),
            hidden_bias: none(HIDDEN),
            output: none(HIDDEN),
            skip: [&[1.0][..], &none(WIDTH - 1)].concat(),
            bias: 0.0,
        };
    }
    parameters
}

#[test]
fn a_network_can_count_moves() {
    let net = net(&mobility());
    for board in boards_of_games(6, 500) {
        let count = |board: &Board| board.legal_moves().count() as i32;
        let score = count(&board) - count(&board.pass());
        assert_eq!(net.evaluate(&board), Value::from_score(score), "{board:?}");
    }
}
