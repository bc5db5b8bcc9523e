//! `emilia train people`: fits the model of people to games and prints it.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use crate::cli::inputs::archives;
use crate::cli::options::ThreadsOption;
use crate::cli::{CommandResult, Failure, Verdict, interrupt_flag, print_to_stderr, refused};
use emilia_core::search::{Engine, Settings};
use emilia_player::people::Model;
use emilia_train::{
    PeopleFit, PeopleMoves, PeopleTerms, Prediction, best_of_depth, sample_people, search_people,
    share_not_best,
};
use emilia_view::{Align, ProgressBar, Table, width};

/// Hash size of a thread in MiB. The table is cleared for each position.
const HASH_MIB: usize = 1;

/// Arguments of `emilia train people`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Prints the temperatures and weights of the model. No file is written.

Example:
  emilia train people --data wthor/ --held-out WTH_2019.wtb")]
pub(super) struct Args {
    /// Files or folders of games of people, such as those of the WTHOR base
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// Files or folders of other games, to measure how well the model predicts their moves
    #[arg(long, value_name = "FILE", num_args = 1..)]
    held_out: Vec<PathBuf>,

    /// Number of games, drawn at random. One move of each stage of a game counts
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,

    /// Random seed of the games and moves
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    threads: ThreadsOption,
}

/// Searches the moves, fits the models, and prints their likelihoods and the table of the last.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let start = Instant::now();
    let settings = Settings::default().with_hash_mib(HASH_MIB);
    let mut engines = Engine::several(&settings, args.threads.or_cores().get())?;
    let interrupt = interrupt_flag()?;
    for engine in &mut engines {
        engine.set_interrupt(interrupt.clone());
    }
    let mut moves_of = |files: &[PathBuf]| {
        let (archives, _) = archives(files, args.threads.or_cores())?;
        let sampled = sample_people(&archives, args.games as usize, args.seed);
        if sampled.is_empty() {
            return Err(refused("the games have no moves with a choice"));
        }
        let bar = ProgressBar::new("moves");
        let done = |count| bar.update(count, sampled.len());
        Ok(search_people(&mut engines, &sampled, &done))
    };
    let fitted = moves_of(&args.data)?;
    let held_out = if args.held_out.is_empty() {
        Some(PeopleMoves::default())
    } else {
        moves_of(&args.held_out)?
    };
    let (Some(fitted), Some(held_out)) = (fitted, held_out) else {
        print_to_stderr(&"emilia: interrupted: nothing is fitted");
        return Ok(Verdict::Interrupted);
    };
    let fits = PeopleTerms::ALL.map(|terms| PeopleFit::of(&fitted, terms));
    writeln!(
        out,
        "{} moves of {} players, {:.1} s\n",
        fitted.moves.len(),
        fitted.players,
        start.elapsed().as_secs_f64()
    )?;
    if !held_out.moves.is_empty() {
        print_predictions(&fits, &fitted, &held_out, out)?;
    }
    let [.., fit] = &fits;
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

/// Prints how well the models predict the moves of the held-out games. The factor of a player is
/// fitted to half of the moves, and predicts the other half.
fn print_predictions(
    fits: &[PeopleFit; 4],
    fitted: &PeopleMoves,
    held_out: &PeopleMoves,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let [known, predicted] = &held_out.halves();
    let error = share_not_best(fitted);
    let [temperature, stages, players, at_once] = fits;
    let average = |fit: &PeopleFit| PeopleFit {
        model: fit.model,
        log_factors: vec![0.0; held_out.players],
    };
    let models = [
        ("one temperature", average(temperature)),
        ("temperature by stage", average(stages)),
        (
            "and a factor for each player",
            players.with_players_of(known),
        ),
        ("and the value at once", at_once.with_players_of(known)),
    ];
    let best = format!("best move of the search, another in {:.1} %", 100.0 * error);
    let mut rows = vec![
        ("any move", Prediction::default()),
        (best.as_str(), Prediction::default()),
    ];
    for one in &predicted.moves {
        let choice = &one.choice;
        let even = vec![1.0 / choice.candidates.len() as f64; choice.candidates.len()];
        rows[0].1.add(&even, one.played);
        rows[1].1.add(&best_of_depth(choice, error), one.played);
    }
    for (name, fit) in &models {
        let mut prediction = Prediction::default();
        for one in &predicted.moves {
            prediction.add(&fit.probabilities(one), one.played);
        }
        rows.push((name, prediction));
    }
    let mut table = Table::new([
        ("model", Align::Left),
        ("nats a move", Align::Right),
        ("mean probability", Align::Right),
    ]);
    for (name, prediction) in &rows {
        let nats = prediction.mean_nats();
        let probability = format!("{:.1} %", 100.0 * (-nats).exp());
        table.row([(*name).to_owned(), format!("{nats:.4}"), probability]);
    }
    writeln!(
        out,
        "{} held-out moves:\n{}",
        predicted.moves.len(),
        table.fitted(width())
    )?;
    let columns = ["predicted", "mean", "played", "candidates"];
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    let (_, last) = &rows[rows.len() - 1];
    for (index, bin) in last.bins.iter().enumerate() {
        let share = |sum: f64| format!("{:.1} %", 100.0 * sum / bin.candidates.max(1) as f64);
        table.row([
            format!("{}-{} %", 10 * index, 10 * index + 10),
            share(bin.predicted),
            share(bin.played as f64),
            bin.candidates.to_string(),
        ]);
    }
    writeln!(
        out,
        "calibration of the last model:\n{}",
        table.fitted(width())
    )?;
    writeln!(
        out,
        "exponent of the factor for values at once: {}",
        Model::GAMMA
    )?;
    Ok(())
}
