//! `emilia train`: fits the weights of the pattern evaluation, or what forward pruning goes by, to training games.

mod chart;
mod spread;

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::options::GlobalOptions;
use super::{Failure, Verdict};
use crate::eval::{
    Classic, Features, Incremental, Light, Pattern, PatternWeights, STAGES, checksum,
};
use crate::train::{Block, Checkpoint, Error, Fit, Fitted, Split, StageFit, read_games};
use crate::view::{Align, ProgressBar, Table};
use chart::chart;
use spread::SpreadOptions;

/// What `emilia train` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One game in twenty is held out: the errors printed are on positions of these. The same command gives the same weights to
the last bit, whatever the number of threads. Two sets of weights are fitted: those of the evaluation, and those of a light
one that orders moves in the second half of the game. A run that was ended goes on after the last stage it finished; until
the end that is kept beside the weights, in FILE.part.

Examples:
  emilia train --data games.bin --out weights.bin --svg errors.svg
  emilia train --data games.bin --fit-selectivity
  emilia play --weights weights.bin")]
pub(super) struct Args {
    /// Games of `emilia selfplay`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// Where the weights go
    #[arg(long, value_name = "FILE", required_unless_present = "fit_selectivity")]
    out: Option<PathBuf>,

    /// Which games are held out, or which positions are drawn
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Passes over the positions of each stage
    #[arg(long, value_name = "N", default_value_t = Fit::default().passes as u32, value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: u32,

    /// So many positions speak for a weight as loudly as the weight of the next stage, which it is drawn to
    #[arg(long, value_name = "N", default_value_t = Fit::default().ridge, value_parser = positive)]
    ridge: f32,

    /// How much a position counts in the stages beside its own, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = Fit::default().neighbours, value_parser = share)]
    neighbours: f32,

    /// Draw the errors by pass and by stage
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    spread: SpreadOptions,
}

/// Fits weights if they have a place to go to, otherwise the selectivity.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    match &args.out {
        Some(path) => fit_weights(args, path, global, out),
        None => spread::run(args, global, out),
    }
}

/// Fits, prints the errors, and writes the weights.
fn fit_weights(
    args: &Args,
    path: &Path,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let start = Instant::now();
    let (blocks, data) = read(&args.data)?;
    let games: usize = blocks.iter().map(|block| block.games.len()).sum();
    let split = Split::of_games(&blocks, args.seed);
    drop(blocks);
    writeln!(
        out,
        "{games} games, {} positions to learn from, {} held out",
        split.training.len(),
        split.held_out.len()
    )?;
    if split.bad > 0 {
        writeln!(out, "{} records are no games and were left out", split.bad)?;
    }
    out.flush()?;

    let stages = fit(args, path, global, data, &split, out)?;
    let file = PatternWeights::pack(&weights(&stages.full), &weights(&stages.light));
    let fitted = PatternWeights::from_bytes(&file).map_err(|error| {
        Failure::Input(format!("what was fitted is no file of weights: {error}"))
    })?;
    write_file(path, &file)?;
    fs::remove_file(part_of(path))?;

    let curve = learning_curve(&stages.full);
    let errors = StageErrors::of(&split, &Pattern::new(fitted.into()));
    writeln!(out, "\n{}", curve_table(&curve))?;
    writeln!(out, "{}", errors_table(&errors))?;
    if let Some(path) = &args.svg {
        write_file(path, chart(games, &split, &curve, &errors).as_bytes())?;
    }
    writeln!(
        out,
        "{} bytes of weights, {:.1} s",
        file.len(),
        start.elapsed().as_secs_f64()
    )?;
    Ok(Verdict::Yes)
}

/// The games of all files, and the checksum of the files.
fn read(paths: &[PathBuf]) -> Result<(Vec<Block>, u64), Failure> {
    let (mut blocks, mut sums) = (Vec::new(), Vec::new());
    for path in paths {
        let wrong = |what: String| Failure::Input(format!("games '{}': {what}", path.display()));
        let bytes = fs::read(path).map_err(|error| wrong(error.to_string()))?;
        let found =
            read_games(&bytes).map_err(|(at, error)| wrong(format!("at byte {at}: {error}")))?;
        blocks.extend(found);
        sums.extend(checksum(&bytes).to_le_bytes());
    }
    if blocks.is_empty() {
        return Err(Failure::Input(
            "there are no games to learn from".to_owned(),
        ));
    }
    Ok((blocks, checksum(&sums)))
}

fn weights(stages: &[StageFit]) -> Vec<Vec<f32>> {
    stages.iter().map(|stage| stage.weights.clone()).collect()
}

/// Fits what is not finished.
fn fit(
    args: &Args,
    path: &Path,
    global: &GlobalOptions,
    data: u64,
    split: &Split,
    out: &mut dyn Write,
) -> Result<Fitted, Failure> {
    let fit = Fit {
        ridge: args.ridge,
        passes: args.passes as usize,
        neighbours: args.neighbours,
    };
    let everything = format!(
        "{data} {} {fit:?} {}",
        args.seed,
        PatternWeights::feature_set()
    );
    let part = part_of(path);
    let wrong = |error| Failure::Input(format!("'{}': {error}", part.display()));
    let (mut checkpoint, finished) =
        Checkpoint::open(&part, checksum(everything.as_bytes())).map_err(wrong)?;
    if !finished.is_empty() {
        writeln!(
            out,
            "{} of {} stages are there already",
            finished.len(),
            Fit::STAGES
        )?;
        out.flush()?;
    }
    let bar = ProgressBar::new();
    fit.run(
        split,
        global.threads_or_cores(),
        finished,
        |stage| checkpoint.keep(stage),
        &|done, total| {
            bar.update(done, total);
        },
    )
    .map_err(wrong)
}

/// What is finished stands beside the weights until all is.
fn part_of(out: &Path) -> PathBuf {
    let mut name = OsString::from(out);
    name.push(".part");
    name.into()
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| Failure::Input(format!("'{}': {error}", path.display())))
}

/// The errors before the first pass and after each, over all stages: on positions learnt from and on those held out.
fn learning_curve(stages: &[StageFit]) -> Vec<[Error; 2]> {
    let passes = stages
        .iter()
        .map(|stage| stage.curve.len())
        .max()
        .unwrap_or(0);
    (0..passes)
        .map(|pass| {
            let mut errors = [Error::default(); 2];
            for stage in stages {
                // A stage that was done earlier keeps its last errors.
                if let Some(more) = stage.curve.get(pass).or(stage.curve.last()) {
                    errors = [errors[0].and(more[0]), errors[1].and(more[1])];
                }
            }
            errors
        })
        .collect()
}

/// The errors on the held-out positions of one stage.
#[derive(Clone, Copy, Debug, Default)]
struct StageErrors {
    pattern: Error,
    /// Of the light one, in the stages that it is for.
    light: Error,
    classic: Error,
    /// Of the one guess that is best on the positions learnt from.
    constant: Error,
}

impl StageErrors {
    /// For each stage.
    fn of(split: &Split, pattern: &Pattern) -> Vec<StageErrors> {
        (0..STAGES)
            .map(|stage| {
                let held_out = split.held_out.stage(stage);
                let guess = Error::best_guess(split.training.stage(stage));
                StageErrors {
                    pattern: Error::of_evaluator(held_out, pattern),
                    light: pattern
                        .light()
                        .filter(|_| stage >= Light::FIRST_STAGE)
                        .map_or_else(Error::default, |light| {
                            Error::of(held_out, |sample| light.evaluate(&sample.board).discs())
                        }),
                    classic: Error::of_evaluator(held_out, &Classic),
                    constant: Error::of(held_out, |_| guess),
                }
            })
            .collect()
    }

    fn and(&self, other: &StageErrors) -> StageErrors {
        StageErrors {
            pattern: self.pattern.and(other.pattern),
            light: self.light.and(other.light),
            classic: self.classic.and(other.classic),
            constant: self.constant.and(other.constant),
        }
    }
}

fn curve_table(curve: &[[Error; 2]]) -> Table {
    let mut table = Table::new([
        ("pass", Align::Right),
        ("RMSE learnt from", Align::Right),
        ("RMSE held out", Align::Right),
    ]);
    for (pass, errors) in curve.iter().enumerate() {
        let rmse = errors.map(|error| format!("{:.3}", error.rmse()));
        table.row([&[pass.to_string()][..], &rmse].concat());
    }
    table
}

fn errors_table(stages: &[StageErrors]) -> Table {
    let columns = [
        "discs", "held out", "MAE", "RMSE", "light", "RMSE", "classic", "RMSE", "constant", "RMSE",
    ];
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    let mut row = |name: String, errors: &StageErrors| {
        let mut cells = vec![name, format!("{:.0}", errors.pattern.count)];
        for error in [
            errors.pattern,
            errors.light,
            errors.classic,
            errors.constant,
        ] {
            cells.extend([error.mae(), error.rmse()].map(|discs| {
                if error.count > 0.0 {
                    format!("{discs:.2}")
                } else {
                    String::new()
                }
            }));
        }
        table.row(cells);
    };
    let mut all = StageErrors::default();
    for (stage, errors) in stages.iter().enumerate() {
        all = all.and(errors);
        if errors.pattern.count > 0.0 {
            row(format!("{}-{}", 4 + 2 * stage, 5 + 2 * stage), errors);
        }
    }
    row("all".to_owned(), &all);
    table
}

fn positive(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(number) if f32::is_finite(number) && number > 0.0 => Ok(number),
        _ => Err("expected a number above 0".to_owned()),
    }
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}
