//! `emilia train selectivity`: fits the error model of ProbCut and prints it.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use crate::cli::options::EngineOptions;
use crate::cli::{CommandResult, Failure, Verdict, interrupt_flag, print_to_stderr, refused};
use emilia_core::search::{Engine, Selectivity};
use emilia_train::{Bin, ErrorModelFit, read_games, sample_positions, search_all};
use emilia_view::{Align, ProgressBar, Table, width};

/// Default hash size of a thread in MiB. The table is cleared for each position.
const HASH_MIB: usize = 16;

/// Arguments of `emilia train selectivity`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Prints the coefficients of the error model of the evaluation of --eval or --weights.

Examples:
  emilia train selectivity --data 1.games
  emilia train selectivity --data 1.games --eval pattern --positions 3000")]
pub(super) struct Args {
    /// Games of `emilia selfplay`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// Number of positions, at most one from each game
    #[arg(long, value_name = "N", default_value_t = 2000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,

    /// Depth of the deepest search, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,

    /// Random seed of the sampled positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Searches the positions, fits the model, and prints the measured σ and the coefficients.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let start = Instant::now();
    let games = read_games(&args.data)?;
    let boards = sample_positions(&games, args.positions as usize, args.seed);
    drop(games);
    let settings = (args.engine)
        .settings_with_hash(HASH_MIB)
        .with_selectivity(Selectivity::P100);
    let interrupt = interrupt_flag()?;
    let threads = args.engine.threads.or_cores().get().min(boards.len());
    let mut engines = Engine::several(&settings, threads)?;
    for engine in &mut engines {
        engine.set_interrupt(interrupt.clone());
    }
    let bar = ProgressBar::new("positions");
    let done = |count| bar.update(count, boards.len());
    let searched = search_all(&mut engines, &boards, args.depth, &done);
    drop(bar);
    let Some(searched) = searched else {
        print_to_stderr(&"emilia: interrupted: nothing is fitted");
        return Ok(Verdict::Interrupted);
    };
    let fit = ErrorModelFit::of(&searched).map_err(|error| {
        refused(format!(
            "{} positions searched {} plies deep: {error}",
            searched.len(),
            args.depth
        ))
    })?;
    let (midgame, endgame) = fit.pairs();
    writeln!(
        out,
        "{} positions, {midgame} pairs of searches, {endgame} of a search and a final score, \
         {:.1} s\n",
        searched.len(),
        start.elapsed().as_secs_f64()
    )?;
    print(&fit, args.depth, out)?;
    Ok(Verdict::Yes)
}

/// Prints some bins, and the coefficients as Rust source.
fn print(fit: &ErrorModelFit, depth: u32, out: &mut dyn Write) -> Result<(), Failure> {
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
    for bin in &fit.midgame {
        if [18, 30, 42].contains(&bin.empties) && bin.deep.is_some_and(|d| shown.contains(&d)) {
            table.row(row(bin, 4, &fit.model.midgame));
        }
    }
    for bin in &fit.endgame {
        if [12, 16, 20].contains(&bin.empties) && bin.shallow.is_multiple_of(2) {
            table.row(row(bin, 1, &fit.model.endgame));
        }
    }
    let (midgame, endgame) = fit.rms_residuals();
    writeln!(
        out,
        "{}\nRMS of the residuals of ln σ: midgame {midgame:.3}, endgame {endgame:.3}\n\n\
         midgame: {:.3?},\nendgame: {:.3?},",
        table.fitted(width()),
        fit.model.midgame,
        fit.model.endgame
    )?;
    Ok(())
}

/// Returns the row of a bin that covers `width` numbers of empties.
fn row<const N: usize>(bin: &Bin<N>, width: u32, coefficients: &[f32; N]) -> [String; 6] {
    let empties = match width {
        1 => bin.empties.to_string(),
        _ => format!("{}-{}", bin.empties, bin.empties + width - 1),
    };
    [
        empties,
        bin.shallow.to_string(),
        bin.deep
            .map_or_else(|| "end".to_owned(), |deep| deep.to_string()),
        bin.pairs.to_string(),
        format!("{:.2}", bin.measured),
        format!("{:.2}", bin.fitted(coefficients)),
    ]
}
