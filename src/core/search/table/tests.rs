//! Tests of the transposition table: bounds, replacement, clearing, and torn entries.

use super::*;
use crate::board::Bitboard;
use crate::board::testing::rounds;

const WINDOW: Window = Window {
    alpha: Value::ZERO,
    beta: Value::UNIT,
};

/// Table size in MiB. 0 means a single bucket, for Miri, which would take a minute to fill 1 MiB.
const MIB: usize = if cfg!(miri) { 0 } else { 1 };

fn units(value: i32) -> Value {
    Value::from_units(value)
}

fn plies(depth: u32) -> Draft {
    Draft {
        depth,
        selectivity: Selectivity::P100,
    }
}

/// Returns a random board. It is not a legal position, and it is unlikely to repeat.
fn random_board(random: &mut fastrand::Rng) -> Board {
    Board {
        player: Bitboard(random.u64(..)),
        opponent: Bitboard::EMPTY,
    }
}

#[test]
fn bounds_narrow_at_equal_depth_and_are_replaced_at_another() {
    let table = TranspositionTable::new(MIB).unwrap();
    let board = Board::START;
    assert!(table.probe(&board).entry().is_none());
    table.probe(&board).store(plies(5), WINDOW, units(7), Some(Square::D3));
    let window = Window::null_above(units(40), Value::UNIT);
    table.probe(&board).store(plies(5), window, units(30), Some(Square::C4));
    let entry = table.probe(&board).entry().unwrap();
    let bounds = |entry: TableEntry, depth| entry.bounds(plies(depth));
    assert_eq!(bounds(entry, 5), [units(7), units(30)]);
    assert_eq!(bounds(entry, 6), [Value::MIN, Value::MAX]);
    assert_eq!(entry.moves, [Some(Square::C4), Some(Square::D3)]);
    let window = Window::new(units(0), units(9));
    table.probe(&board).store(plies(6), window, units(3), None);
    let entry = table.probe(&board).entry().unwrap();
    assert_eq!(bounds(entry, 6), [units(3), units(3)]);
    assert_eq!(entry.moves, [Some(Square::C4), Some(Square::D3)]);
}

#[test]
fn a_result_serves_searches_of_equal_or_lower_confidence_only() {
    let table = TranspositionTable::new(MIB).unwrap();
    let at = |selectivity| Draft {
        depth: 8,
        selectivity,
    };
    let store = |selectivity, value| {
        table.probe(&Board::START).store(at(selectivity), WINDOW, units(value), None);
    };
    store(Selectivity::P87, 50);
    let entry = table.probe(&Board::START).entry().unwrap();
    assert_eq!(entry.bounds(at(Selectivity::P73))[0], units(50));
    assert_eq!(entry.bounds(at(Selectivity::P87))[0], units(50));
    assert_eq!(entry.bounds(at(Selectivity::P95))[0], Value::MIN);
    store(Selectivity::P100, 20);
    store(Selectivity::P73, 60);
    let entry = table.probe(&Board::START).entry().unwrap();
    assert_eq!(entry.bounds(at(Selectivity::P100))[0], units(20));
}

#[test]
fn contradictory_bounds_are_replaced_by_the_newer_ones() {
    let table = TranspositionTable::new(MIB).unwrap();
    table.probe(&Board::START).store(plies(5), WINDOW, units(9), None);
    let window = Window::null_above(units(4), Value::UNIT);
    table.probe(&Board::START).store(plies(5), window, units(2), None);
    let entry = table.probe(&Board::START).entry().unwrap();
    assert_eq!((entry.lower, entry.upper), (Value::MIN.units() as i16, 2));
}

#[test]
fn packed_entries_round_trip() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..rounds(10_000, 10) {
        let mut square = || Square::new(random.u8(0..=64));
        let moves = [square(), square()];
        let entry = TableEntry {
            lower: random.i16(-2048..=2048),
            upper: random.i16(-2048..=2048),
            draft: Draft {
                depth: random.u32(0..=Draft::TO_THE_END),
                selectivity: *random.choice(&Selectivity::ALL).unwrap(),
            },
            generation: random.u8(1..),
            moves,
        };
        assert_eq!(TableEntry::unpack(entry.pack()), entry);
    }
}

#[test]
fn a_slot_never_written_is_that_of_a_new_table_and_replaced_first() {
    let table = TranspositionTable::new(1).unwrap();
    let word = |atomic: &AtomicU64| atomic.load(Relaxed);
    let words = |slot: &Slot| [&slot.player, &slot.opponent, &slot.data].map(word);
    let mut slots = table.buckets().iter().flatten();
    assert!(slots.all(|slot| words(slot) == words(&Slot::default())));
    let entry = Slot::default().load();
    assert_eq!((entry.generation, entry.draft.depth), (0, 0));
    assert!(Slot::default().load_for(&Board::START).is_none());
}

#[test]
fn a_mixture_of_two_writes_matches_no_board() {
    let mut random = fastrand::Rng::with_seed(6);
    let word = |atomic: &AtomicU64| atomic.load(Relaxed);
    for _ in 0..rounds(10_000, 10) {
        let boards = [(); 2].map(|()| random_board(&mut random));
        let slots = [0, 1].map(|index: usize| {
            let slot = Slot::default();
            let entry = TableEntry {
                lower: index as i16,
                upper: 1,
                draft: plies(4),
                generation: 1,
                moves: [None; 2],
            };
            slot.save(&boards[index], entry);
            slot
        });
        for mixture in 1..7 {
            let from = |bit: usize| -> &Slot { &slots[mixture >> bit & 1] };
            let mixed = Slot {
                player: word(&from(0).player).into(),
                opponent: word(&from(1).opponent).into(),
                data: word(&from(2).data).into(),
            };
            let mut found = boards.iter().map(|board| mixed.load_for(board));
            assert!(found.all(|entry| entry.is_none()));
        }
        let mut whole = slots.iter().zip(&boards);
        assert!(whole.all(|(slot, board)| slot.load_for(board).is_some()));
    }
}

#[test]
fn a_full_bucket_keeps_the_current_search_and_greater_depth() {
    let mut table = TranspositionTable::new(0).unwrap();
    assert_eq!(table.buckets().len(), 1);
    let child = |square| Board::START.play(square);
    table.probe(&Board::START).store(plies(9), WINDOW, units(1), None);
    table.new_generation();
    for (depth, square) in [(4, Square::D3), (3, Square::C4), (2, Square::F5)] {
        table.probe(&child(square)).store(plies(depth), WINDOW, units(1), None);
    }
    assert!(table.probe(&Board::START).entry().is_some());
    table.probe(&child(Square::E6)).store(plies(1), WINDOW, units(1), None);
    assert!(
        table.probe(&Board::START).entry().is_none(),
        "entries of earlier searches are replaced first"
    );
    let grandchild = child(Square::E6).play(Square::F6);
    table.probe(&grandchild).store(plies(5), WINDOW, units(1), None);
    assert!(
        table.probe(&child(Square::E6)).entry().is_none(),
        "the entry of least draft is replaced next"
    );
    assert!(table.probe(&child(Square::D3)).entry().is_some());
    table.clear();
    assert!(table.probe(&child(Square::D3)).entry().is_none());
}

#[test]
fn a_cleared_table_is_empty_after_few_or_many_writes() {
    let mut table = TranspositionTable::new(MIB).unwrap();
    let mut random = fastrand::Rng::with_seed(4);
    for stores in [1, 5, 1000, rounds(100_000, 100)] {
        for _ in 0..stores {
            let board = random_board(&mut random);
            table.probe(&board).store(plies(1), WINDOW, units(1), None);
        }
        table.clear();
        let mut slots = table.buckets().iter().flatten();
        assert!(slots.all(|slot| slot.load().generation == 0), "{stores}");
        assert!(!table.written.iter().any(|written| written.load(Relaxed)));
    }
}

#[test]
fn a_resident_table_keeps_its_entries() {
    let mut table = TranspositionTable::new(MIB).unwrap();
    let mut random = fastrand::Rng::with_seed(6);
    let boards: Vec<Board> = std::iter::repeat_with(|| random_board(&mut random))
        .take(50)
        .collect();
    for board in &boards {
        table.probe(&board).store(plies(1), WINDOW, units(1), None);
    }
    let calls = std::cell::Cell::new(0);
    table.make_resident(|| calls.replace(calls.get() + 1) < 2);
    let asked = 2 * TranspositionTable::PAGE * TranspositionTable::PAGES_AT_ONCE;
    assert_eq!(table.resident, asked.min(table.buckets().len()));
    table.make_resident(|| true);
    assert_eq!(table.resident, table.buckets().len());
    assert!(boards.iter().all(|board| table.probe(board).entry().is_some()));
    table.clear();
    assert!(boards.iter().all(|board| table.probe(board).entry().is_none()));
}
