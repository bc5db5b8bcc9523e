//! `emilia train`: fits the net, the light weights, the error model of ProbCut, or the model of
//! people to data. [`emilia_train`] contains the algorithms.
//!
//! `weights` contains the parts common to `net` and `light`: options, data and report.

mod level;
mod light;
mod net;

mod people;
mod selectivity;
mod weights;

use std::io::Write;

use clap::Subcommand;

use super::CommandResult;

/// Arguments of `emilia train`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: TrainCommand,
}

#[derive(Debug, Subcommand)]
enum TrainCommand {
    /// Train the net by stochastic gradient descent
    Net(net::Args),
    /// Set the output biases of a net from games that it has played
    Level(level::Args),
    /// Fit the light weights, which order moves in endings, by least squares
    Light(light::Args),
    /// Fit the error model of ProbCut to shallow and deep searches
    Selectivity(selectivity::Args),
    /// Fit the model of how people choose moves
    People(people::Args),
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    match &args.command {
        TrainCommand::Net(args) => net::run(args, out),
        TrainCommand::Level(args) => level::run(args, out),
        TrainCommand::Light(args) => light::run(args, out),
        TrainCommand::Selectivity(args) => selectivity::run(args, out),
        TrainCommand::People(args) => people::run(args, out),
    }
}
