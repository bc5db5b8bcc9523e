//! `emilia train people`: fits the model of people to games and prints it.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use crate::cli::inputs::archives;
use crate::cli::options::{ThreadsOption, whole};
use crate::cli::{CommandResult, Verdict, refused};
use emilia_core::search::{Engine, Settings};
use emilia_train::{PeopleFit, PeopleMoves, sample_people, search_people};
use emilia_view::ProgressBar;

/// Hash size of a thread in MiB. It is small, because the table is cleared for each position.
const HASH_MIB: usize = 1;

/// Arguments of `emilia train people`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Prints the temperatures and weights of the model. No file is written.

Example:
  emilia train people --data wthor/ --held-out WTH_2019.wtb")]
pub(super) struct Args {
    /// Files or folders of games of people, such as the WTHOR base
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// Files or folders of other games, to measure how well the model predicts their moves
    #[arg(long, value_name = "FILE", num_args = 1..)]
    held_out: Vec<PathBuf>,

    /// Number of games, drawn at random. One move of each stage of a game counts
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    #[arg(value_parser = whole::<u32>(1..=10_000_000))]
    games: u32,

    /// Random seed of the games and moves
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    threads: ThreadsOption,
}

/// Searches the moves and fits the model. Prints the model and the likelihood of the held-out
/// moves.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let start = Instant::now();
    let settings = Settings::default().with_hash_mib(HASH_MIB);
    let mut engines = Engine::several(&settings, args.threads.threads_or_cores().get())?;
    let mut moves_of = |files: &[PathBuf]| {
        let (archives, _) = archives(files, args.threads.threads_or_cores())?;
        let sampled = sample_people(&archives, args.games as usize, args.seed);
        if sampled.is_empty() {
            return Err(refused("the games have no moves with a choice"));
        }
        let bar = ProgressBar::new("moves");
        let done = |count| bar.update(count, sampled.len());
        Ok(search_people(&mut engines, &sampled, &done))
    };
    let fitted = moves_of(&args.data)?;
    let held_out = match args.held_out[..] {
        [] => PeopleMoves::default(),
        _ => moves_of(&args.held_out)?,
    };
    let fit = PeopleFit::of(&fitted);
    writeln!(
        out,
        "{} moves of {} players, {:.1} s\n",
        fitted.moves.len(),
        fitted.players,
        start.elapsed().as_secs_f64()
    )?;
    let (predicted, nats) = fit.predict(&held_out);
    if predicted > 0 {
        let [model, even] = nats.map(|nats| (nats, 100.0 * (-nats).exp()));
        writeln!(
            out,
            "{predicted} held-out moves: {:.4} nats a move, mean probability {:.1} %\n\
             any move is equally likely: {:.4} nats a move, mean probability {:.1} %\n",
            model.0, model.1, even.0, even.1
        )?;
    }
    let squares = fit.log_factors.iter().map(|factor| factor * factor);
    let sigma = (squares.sum::<f64>() / fitted.players.max(1) as f64).sqrt();
    writeln!(
        out,
        "standard deviation of the logarithm of a player's factor: {sigma:.3}\n\n\
         temperatures: {:.2?},\nweights: {:.3?},",
        fit.model.temperatures, fit.model.weights
    )?;
    Ok(Verdict::Yes)
}
