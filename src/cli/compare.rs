//! `emilia compare`: compares the textbook algorithms on one position.

use std::io::Write;
use std::time::Instant;

use clap::ValueEnum;

use super::inputs::{POSITION, position};
use super::interruptible_bar;
use super::options::{EvaluationOptions, whole};
use super::{CommandResult, Verdict, refused};
use emilia_player::options::MAX_DEPTH;
use emilia_textbook::{
    Algorithm, Counts, Game, Othello, Rules, TicTacToe, Tree, principal_variation,
};
use emilia_view::{Align, Columns, width, wrapped};

/// Example of a command with a tree, for the error message when the tree is missing.
const TREE: &str = "emilia compare --game tree '[[-5, 1, -7], [3, -9, x]]'";

/// Arguments of `emilia compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  emilia compare --depth 8 f5d6c3d3c4
  emilia compare --game tictactoe --size 4
  emilia compare --game tictactoe b2 a1 c1 --depth 2
  emilia compare --game tree '[[-5, 1, -7], [3, -9, x]]'
  emilia compare --game tree 'worst 3 3'

A tree is a nested list. Its root is a Max node, or a Min node after the word min. x is a leaf \
whose value should have no effect. A number before a list is the static value of its node, which \
the static order uses. In place of the list, 'best 3 4' is a uniform tree of 3 moves and height \
4 whose best moves come first, 'worst 3 4' has them last, and 'random 3 4 7' shuffles them by the \
seed 7. The Learn page of 'emilia gui' draws such trees and shows each step.")]
pub(super) struct Args {
    /// Depth of the search
    /// [default: 10, in tic-tac-toe the deepest with at most ten million leaves by minimax]
    #[arg(long, value_name = "PLIES", value_parser = whole(1..=MAX_DEPTH))]
    depth: Option<u32>,

    /// Game to search: othello, with the static evaluation at the leaves, tictactoe, where a row of
    /// --size wins, at most of four, after moves such as b2 a1, or tree, a nested list instead of
    /// POS
    #[arg(long, value_name = "NAME", value_enum, default_value_t = GameName::Othello)]
    game: GameName,

    /// Tic-tac-toe: width and height of the board, 3 to 8 [default: 3]
    #[arg(long, value_name = "M")]
    size: Option<u32>,

    /// Skip minimax and negamax, which visit every node
    #[arg(long)]
    no_minimax: bool,

    #[arg(value_name = "POS", help = POSITION)]
    position: Vec<String>,

    #[command(flatten)]
    evaluation: EvaluationOptions,
}

/// Game by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GameName {
    Othello,
    #[value(name = "tictactoe", alias = "tic-tac-toe")]
    TicTacToe,
    Tree,
}

/// Runs all algorithms on the position and prints the table.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    if args.game != GameName::TicTacToe && args.size.is_some() {
        bail!("--size is for --game tictactoe");
    }
    match args.game {
        GameName::Othello => othello(args, out),
        GameName::TicTacToe => tic_tac_toe(args, out),
        GameName::Tree => tree(args, out),
    }
}

fn othello(args: &Args, out: &mut dyn Write) -> CommandResult {
    let position = position(&args.position)?;
    let evaluator = args.evaluation.settings().evaluator;
    let depth = args.depth.unwrap_or(10);
    let root = Othello::new(position.board, &*evaluator);
    let heading = format!(
        "othello, depth {depth}, {} evaluation, values in discs for {}",
        evaluator.name(),
        position.mover
    );
    writeln!(out, "{}", wrapped(&heading, 2))?;
    writeln!(out, "{position}\n")?;
    compare(&root, depth, args.no_minimax, out)
}

fn tic_tac_toe(args: &Args, out: &mut dyn Write) -> CommandResult {
    let size = args.size.unwrap_or(3);
    let row = Rules::default_row(size);
    let rules = Rules::new(size, row).map_err(refused)?;
    let moves = args.position.join(" ");
    let wrong = |error| refused(format!("moves of tic-tac-toe: {error}"));
    let root = TicTacToe::new(&rules).after(&moves).map_err(wrong)?;
    let cells = root.cells();
    let empty = cells.matches('-').count() as u32;
    let depth = args.depth.unwrap_or_else(|| affordable_depth(empty));
    let mut heading = format!(
        "tic-tac-toe {size}×{size}, {row} in a row, depth {depth}; a win of the first player is \
         worth {}, a draw 0",
        Rules::WIN
    );
    if depth < empty {
        heading += ", and an unfinished game at this depth the number of lines in which the first \
                    player can still win, minus those of the second";
    }
    writeln!(out, "{}", wrapped(&heading, 2))?;
    for row in cells.as_bytes().chunks(size as usize) {
        writeln!(out, "{}", String::from_utf8_lossy(row))?;
    }
    writeln!(out)?;
    compare(&root, depth, args.no_minimax, out)
}

/// Returns the greatest depth at which minimax visits at most ten million leaves of tic-tac-toe.
fn affordable_depth(cells: u32) -> u32 {
    let mut lines = 1;
    let mut depth = 0;
    while depth < cells && lines * u64::from(cells - depth) <= 10_000_000 {
        lines *= u64::from(cells - depth);
        depth += 1;
    }
    depth
}

fn tree(args: &Args, out: &mut dyn Write) -> CommandResult {
    if args.depth.is_some() {
        bail!("--depth: a tree is searched to its leaves, expected none");
    }
    let text = args.position.join(" ");
    if text.is_empty() {
        bail!("--game tree: expected a list, as in {TREE}");
    }
    let tree: Tree = text
        .parse()
        .map_err(|error| refused(format!("tree: {error}")))?;
    writeln!(out, "{tree}\n")?;
    compare(&tree.root(), tree.height(), args.no_minimax, out)
}

/// Runs the algorithms in order, and prints the row of each algorithm as soon as it is ready. Then
/// prints the principal variation. The verdict is `Yes` if all algorithms found the same value.
fn compare<G: Game>(root: &G, depth: u32, no_minimax: bool, out: &mut dyn Write) -> CommandResult {
    let columns = [
        ("algorithm", Align::Left, 23),
        ("value", Align::Right, 6),
        ("nodes", Align::Right, 9),
        ("leaves", Align::Right, 9),
        ("share", Align::Right, 7),
        ("seconds", Align::Right, 8),
        ("cuts", Align::Right, 6),
    ];
    let columns = Columns::new(columns, width());
    let whole = if no_minimax {
        "the first row"
    } else {
        "minimax"
    };
    let bar = interruptible_bar("algorithms")?;
    let legend = format!(
        "nodes: positions visited; leaves: positions evaluated; share: of the nodes of {whole}; \
         cuts: nodes whose remaining moves are skipped"
    );
    writeln!(out, "{}\n\n{}", wrapped(&legend, 0), columns.heading())?;
    let mut values: Vec<G::Value> = Vec::new();
    let mut first_nodes = None;
    for (index, (_, name, algorithm)) in Algorithm::ALL.into_iter().enumerate() {
        bar.update(index, Algorithm::ALL.len());
        if no_minimax && matches!(algorithm, Algorithm::Minimax | Algorithm::Negamax) {
            continue;
        }
        let (mut counts, start) = (Counts::default(), Instant::now());
        let value = algorithm.run(root, depth, &mut counts);
        let seconds = start.elapsed().as_secs_f64();
        let whole = *first_nodes.get_or_insert(counts.nodes);
        let share = 100.0 * counts.nodes as f64 / whole as f64;
        let places = if share < 10.0 { 3 } else { 1 };
        let cells = [
            name.to_owned(),
            value.to_string(),
            counts.nodes.to_string(),
            counts.leaves.to_string(),
            format!("{share:.places$} %"),
            format!("{seconds:.4}"),
            (counts.alpha_cuts + counts.beta_cuts).to_string(),
        ];
        bar.suspend(|| writeln!(out, "{}", columns.row(cells)))?;
        out.flush()?;
        values.push(value);
    }
    drop(bar);
    write!(out, "{}", columns.note())?;
    let mut position = root.clone();
    let mut line = "principal variation:".to_owned();
    for mv in principal_variation(root, depth) {
        line.extend([" ", &position.name(mv)]);
        position = position.play(mv);
    }
    writeln!(out, "{}", wrapped(&line, 2))?;
    let is_equal = values.iter().all(|value| *value == values[0]);
    let verdict = ["THE VALUES DIFFER", "all values equal"][usize::from(is_equal)];
    writeln!(out, "{verdict}")?;
    Ok(Verdict::of(is_equal))
}
