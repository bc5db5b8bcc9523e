//! `emilia train --fit-selectivity`: how far shallow searches are from deep ones, fitted and shown.

use std::io::Write;
use std::time::Instant;

use super::read::read_games;
use super::{Args, Failure, GlobalOptions, Verdict};
use crate::cli::{on_interrupt, say_on_stderr};
use crate::search::{Engine, Selectivity, Settings};
use crate::train::{Cell, SpreadFit, draw_positions, search_all};
use crate::view::{Align, ProgressBar, Table};
use crate::work::Stop;

/// The table of a thread where no size is given, in MiB: it is emptied for each position.
const HASH_MIB: u32 = 16;

/// Deepest search where nothing is said, in plies.
const DEFAULT_DEPTH: u32 = 10;

/// Positions where nothing is said.
const DEFAULT_POSITIONS: u32 = 2000;

/// What the fit takes beside the games and the seed.
#[derive(Debug, clap::Args)]
pub(super) struct SpreadOptions {
    /// Fit how far shallow searches are from deep ones, which forward pruning goes by, in place of weights
    #[arg(long, conflicts_with_all = ["out", "lambda", "passes", "ridge", "prior", "neighbours", "svg"])]
    fit_selectivity: bool,

    /// Positions for --fit-selectivity, one a game
    #[arg(long, value_name = "N", default_value_t = DEFAULT_POSITIONS, requires = "fit_selectivity", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,

    /// Deepest search of --fit-selectivity, in plies
    #[arg(long, value_name = "PLIES", default_value_t = DEFAULT_DEPTH, requires = "fit_selectivity", value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
}

/// Searches the positions, fits, and prints what was measured and the coefficients.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let start = Instant::now();
    let games = read_games(&args.data)?;
    let boards = draw_positions(&games, args.spread.positions as usize, args.seed);
    drop(games);
    let settings = Settings {
        selectivity: Selectivity::P100,
        ..global.settings_with_hash(HASH_MIB)
    };
    let interrupt = Stop::default();
    let handle = interrupt.clone();
    on_interrupt(move || handle.set())?;
    let threads = global.threads_or_cores().get().min(boards.len());
    let mut engines = Engine::several(&settings, threads)?;
    for engine in &mut engines {
        engine.set_interrupt(interrupt.clone());
    }
    let bar = ProgressBar::new("positions");
    let done = |count| bar.update(count, boards.len());
    let searched = search_all(&mut engines, &boards, args.spread.depth, &done);
    drop(bar);
    let Some(searched) = searched else {
        say_on_stderr(&"emilia: interrupted: nothing is fitted");
        return Ok(Verdict::Interrupted);
    };
    let fit = SpreadFit::of(&searched).map_err(|error| {
        Failure::Input(format!(
            "{} positions searched {} plies deep: {error}",
            searched.len(),
            args.spread.depth
        ))
    })?;
    let (midgame, endgame) = fit.pairs();
    writeln!(
        out,
        "{} positions, {midgame} pairs of searches, {endgame} of a search and a final score, {:.1} s\n",
        searched.len(),
        start.elapsed().as_secs_f64()
    )?;
    print(&fit, args.spread.depth, out)?;
    Ok(Verdict::Yes)
}

fn print(fit: &SpreadFit, depth: u32, out: &mut dyn Write) -> Result<(), Failure> {
    let columns = [
        "empties",
        "shallow",
        "deep",
        "pairs",
        "measured",
        "fitted σ",
    ];
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    let shown = [depth, depth.saturating_sub(2)];
    for cell in &fit.midgame {
        if [18, 30, 42].contains(&cell.empties) && cell.deep.is_some_and(|d| shown.contains(&d)) {
            table.row(row(cell, 4, &fit.spread.midgame));
        }
    }
    for cell in &fit.endgame {
        if [12, 16, 20].contains(&cell.empties) && cell.shallow.is_multiple_of(2) {
            table.row(row(cell, 1, &fit.spread.endgame));
        }
    }
    let (midgame, endgame) = fit.residuals();
    writeln!(
        out,
        "{table}\nrms of what is left of ln σ: midgame {midgame:.3}, endgame {endgame:.3}\n\n\
         midgame: {:.3?},\nendgame: {:.3?},",
        fit.spread.midgame, fit.spread.endgame
    )?;
    Ok(())
}

/// A cell whose positions have up to `group` numbers of empty squares.
fn row<const N: usize>(cell: &Cell<N>, group: u32, coefficients: &[f32; N]) -> [String; 6] {
    let empties = match group {
        1 => cell.empties.to_string(),
        _ => format!("{}-{}", cell.empties, cell.empties + group - 1),
    };
    [
        empties,
        cell.shallow.to_string(),
        cell.deep
            .map_or_else(|| "end".to_owned(), |deep| deep.to_string()),
        cell.pairs.to_string(),
        format!("{:.2}", cell.measured),
        format!("{:.2}", cell.fitted(coefficients)),
    ]
}
