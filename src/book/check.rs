//! `check`: verifies a book, by the rules of its graph and by deeper searches.

use fastrand::Rng;

use super::entry::{Entry, SOLVED};
use super::file::BookFile;
use super::negamax::recompute;
use super::walk::walk;
use emilia_core::board::{Board, Color, Position};
use emilia_core::eval::Value;
use emilia_core::search::{Engine, Limits, Silent, StopFlag};
use emilia_files::FileError;

/// What [`check_graph`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Positions of the book.
    pub positions: u64,
    /// Links of all positions.
    pub links: u64,
    /// Positions with a leaf that is a move.
    pub leaves: u64,
    /// Positions whose entry breaks a rule.
    pub faults: u64,
    /// Positions whose value, bounds or lines are not those of their links and their leaf.
    pub stale: u64,
    /// The first fault, with its position.
    pub first: Option<String>,
}

/// A position of the book and the value of a deeper search.
#[derive(Clone, Copy, Debug)]
pub struct Searched {
    /// The position.
    pub board: Board,
    /// Its value in the book.
    pub book: Value,
    /// Its value by the deeper search.
    pub search: Value,
}

/// Checks the entries of all positions, their leaves, and what negamax gives them.
pub fn check_graph(book: &BookFile) -> Result<Checked, FileError> {
    let mut checked = Checked::default();
    walk(
        |empties| book.ply(empties),
        |board, entry, links| {
            checked.positions += 1;
            checked.links += links.len() as u64;
            checked.leaves += u64::from(entry.leaf.is_some());
            let mut new = *entry;
            recompute(board, &mut new, links);
            let is_link = (new.leaf != entry.leaf).then_some("has a leaf that is a link");
            let fault = entry.fault(board).or(is_link);
            let leaf = entry.leaf;
            let is_stale = Entry { leaf, ..new } != *entry;
            checked.faults += u64::from(fault.is_some());
            checked.stale += u64::from(is_stale);
            let stale = is_stale.then_some("has a value that is not that of its moves");
            if let Some(fault) = fault.or(stale) {
                let position = Position {
                    board: *board,
                    mover: Color::Black,
                };
                let first = &mut checked.first;
                first.get_or_insert_with(|| format!("{position} {fault}"));
            }
            Ok(*entry)
        },
    )?;
    Ok(checked)
}

/// Searches `count` positions drawn at random, `deeper` plies deeper than their level.
/// Solved positions are left out. Calls `report` after each search.
pub fn search_again(
    book: &BookFile,
    engine: &mut Engine,
    (count, deeper, seed): (usize, u8, u64),
    stop: &StopFlag,
    report: &mut dyn FnMut(usize),
) -> Result<Vec<Searched>, FileError> {
    let mut sample = Vec::new();
    for empties in 0..=Board::START.empty_count() {
        sample.extend(book.ply(empties)?);
    }
    sample.retain(|(_, entry)| entry.level < SOLVED);
    Rng::with_seed(seed).shuffle(&mut sample);
    sample.truncate(count);
    engine.set_interrupt(stop.clone());
    let mut searched = Vec::with_capacity(count);
    for (board, entry) in sample {
        engine.clear();
        let limits = Limits::depth((entry.level + deeper).into()).at_level();
        let search = engine.search(&board, &limits, &mut Silent).value;
        if stop.is_set() {
            break;
        }
        searched.push(Searched {
            board,
            book: entry.value,
            search,
        });
        report(searched.len());
    }
    Ok(searched)
}
