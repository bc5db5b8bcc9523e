//! `emilia openings`: draws openings of a given length and score, and prints one opening a line.

use std::io::Write;
use std::ops::RangeInclusive;

use super::options::whole;
use super::{CommandResult, Verdict, interrupt_flag};
use emilia_arena::{parse_plies, parse_score};
use emilia_core::board::{Position, Transcript};
use emilia_core::search::Settings;
use emilia_games::{Game, opening_moves, openings_like};
use emilia_player::{RandomOpenings, SCORE_DEPTH};
use emilia_view::ProgressBar;

/// Arguments of `emilia openings`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each line has the moves, a tab, and the score in discs for Black by a search of depth 14. No two \
lead to the same position up to symmetry. `match --openings FILE` reads the list, and \
`match --openings random:12,score=-1..1` draws its own.

Examples:
  emilia openings --plies 8-20 --score -2..2 --count 500 >even.txt
  emilia openings --named Tiger --plies 12 --score -4..4")]
pub(crate) struct Args {
    /// Number of plies, N or MIN-MAX. Each opening draws its own
    #[arg(long, value_name = "PLIES", default_value = "8-20", value_parser = parse_plies)]
    plies: RangeInclusive<u32>,

    /// Score in discs for Black
    #[arg(long, value_name = "A..B", default_value = "-2..2", value_parser = parse_score)]
    #[arg(allow_hyphen_values = true)]
    score: RangeInclusive<i32>,

    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<usize>(1..=1_000_000))]
    count: usize,

    /// Opening with which all of them begin, such as Tiger
    #[arg(long, value_name = "NAME", value_parser = named)]
    named: Option<Transcript>,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Parses the name of an opening, and returns its moves.
fn named(name: &str) -> Result<Transcript, String> {
    opening_moves(name).ok_or_else(|| match &openings_like(name)[..] {
        [] => "expected the name of an opening, such as Tiger".to_owned(),
        names => format!(
            "expected the name of an opening, such as {}",
            names.join(", ")
        ),
    })
}

/// Prints the openings as they are found.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let named = args.named.clone();
    let beginning = named.unwrap_or(Transcript::new(Position::START));
    let (known, most) = (beginning.moves.len(), *args.plies.end());
    if known > most as usize {
        bail!("--named: this opening has {known} plies already (expected --plies {known} or more)");
    }
    let openings = RandomOpenings {
        plies: args.plies.clone(),
        score: Some(args.score.clone()),
        beginning,
    };
    let (interrupted, bar) = (interrupt_flag()?, ProgressBar::new("openings"));
    let mut random = fastrand::Rng::with_seed(args.seed);
    let mut scorer = openings.scorer(Settings::default())?;
    let mut found = openings.draw(&mut random, &mut scorer).take(args.count);
    let seed = args.seed;
    write!(out, "# {openings}, seed {seed}")?;
    if let Some(opening) = Game::from(&openings.beginning).opening() {
        write!(out, ", {}", opening.name)?;
    }
    writeln!(out, "; scores for Black by a search of depth {SCORE_DEPTH}")?;
    for number in 1..=args.count {
        let Some((opening, score)) = found.next() else {
            let found = number - 1;
            bail!(
                "only {found} openings of this length and score were found (expected {})",
                args.count
            );
        };
        let discs = score.unwrap_or_default();
        bar.suspend(|| writeln!(out, "{opening}\t{discs:+.1}"))?;
        bar.update(number, args.count);
        if interrupted.is_set() {
            return Ok(Verdict::Interrupted);
        }
    }
    Ok(Verdict::Yes)
}
