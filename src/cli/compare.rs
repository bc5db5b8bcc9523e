//! `emilia compare`: compares the textbook algorithms on one position.

use std::io::Write;
use std::time::Instant;

use clap::ValueEnum;

use super::inputs::{POSITION, position};
use super::options::{EngineOptions, parser};
use super::{CommandResult, Failure, Verdict, ablation, refused};
use emilia_player::options::DEPTH;
use emilia_textbook::{Algorithm, Counts, Game, Othello, Rules, TicTacToe, Trace, Tree};
use emilia_view::{Align, Columns};
use emilia_view::{width, wrapped};

/// Arguments of `emilia compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  emilia compare --depth 8 f5d6c3d3c4
  emilia compare --game tictactoe --size 4
  emilia compare --game tree '[[-5, 1, -7], [3, -9, x]]'

A tree is a nested list. Its root is a Max node, or a Min node after the word min. x is a leaf \
whose value should have no effect.

In Othello a second table is an ablation of the engine's search: the nodes with each technique \
off. It is at full width (--selectivity 100), where no technique changes the value. Its last row \
is at the selectivity given.")]
pub(super) struct Args {
    /// Depth of the search
    /// [default: 6, in tic-tac-toe the deepest with at most ten million leaves by minimax]
    #[arg(long, value_name = DEPTH.unit, value_parser = parser(&DEPTH))]
    depth: Option<u32>,

    /// Game to search: othello, with the static evaluation at the leaves, tictactoe, where a row of
    /// --size wins, at most of four, or tree, a nested list instead of POS
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
    engine: EngineOptions,
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
    let evaluator = args.engine.evaluator();
    let depth = args.depth.unwrap_or(6);
    let heading = format!(
        "othello, depth {depth}, {} evaluation, values in discs for {}",
        evaluator.name(),
        position.mover
    );
    writeln!(out, "{}", wrapped(&heading, 2))?;
    writeln!(out, "{position}\n")?;
    let root = Othello::new(position.board, &*evaluator);
    let (value, verdict) = compare(&root, depth, args.no_minimax, out)?;
    let settings = args
        .engine
        .settings()
        .with_threads(args.engine.threads.or_one());
    let equal = ablation::print(&position.board, depth, &settings, value, out)?;
    Ok(if equal { verdict } else { Verdict::No })
}

fn tic_tac_toe(args: &Args, out: &mut dyn Write) -> CommandResult {
    if !args.position.is_empty() {
        bail!(
            "position '{}': tic-tac-toe begins with the empty board, expected none",
            args.position.join(" ")
        );
    }
    let size = args.size.unwrap_or(3);
    let row = Rules::default_row(size);
    let rules = Rules::new(size, row).map_err(refused)?;
    let depth = args.depth.unwrap_or_else(|| affordable_depth(size * size));
    let heading = format!(
        "tic-tac-toe {size}×{size}, {row} in a row, depth {depth}; a win of the first player is \
         worth {}, a draw 0",
        Rules::WIN
    );
    writeln!(out, "{}\n", wrapped(&heading, 2))?;
    let (_, verdict) = compare(&TicTacToe::new(&rules), depth, args.no_minimax, out)?;
    Ok(verdict)
}

/// Returns the greatest depth at which a game of filling cells has at most ten million leaves.
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
    let tree: Tree = text
        .parse()
        .map_err(|error| refused(format!("tree: {error}")))?;
    writeln!(out, "{tree}\n")?;
    let (_, verdict) = compare(&tree.root(), tree.height(), args.no_minimax, out)?;
    print_trace(&tree, out)?;
    print_unknown(&tree, out)?;
    Ok(verdict)
}

/// Prints the leaves that alpha-beta visits, and its cut-offs.
fn print_trace(tree: &Tree, out: &mut dyn Write) -> Result<(), Failure> {
    let mut trace = Trace::default();
    Algorithm::FailSoft.run(&tree.root(), tree.height(), &mut trace);
    let (nodes, leaves): (Vec<_>, Vec<_>) = trace
        .leaves
        .iter()
        .map(|(node, value)| (node.clone(), value.to_string()))
        .unzip();
    let leaves = format!("alpha-beta visits the leaves {}", leaves.join(", "));
    writeln!(out, "\n{}", wrapped(&leaves, 2))?;
    for (node, cut) in &trace.cuts {
        writeln!(out, "  node {node}: {cut}")?;
    }
    if !trace.cuts.is_empty() {
        writeln!(out, "  tree as searched: {}", tree.showing(&nodes))?;
    }
    Ok(())
}

/// Prints whether the value of leaves written `x` affects the root.
/// The root value is monotone in each leaf, so two values of `x` suffice.
fn print_unknown(tree: &Tree, out: &mut dyn Write) -> Result<(), Failure> {
    if !tree.has_unknown() {
        return Ok(());
    }
    let [low, high] = [-Tree::MAX_LEAF, Tree::MAX_LEAF].map(|unknown| {
        let tree = tree.clone().with_unknown(unknown);
        Algorithm::FailSoft.run(&tree.root(), tree.height(), &mut ())
    });
    if low == high {
        writeln!(out, "x does not matter: the root is worth {low}")?;
    } else {
        writeln!(
            out,
            "x matters: the root is worth {low} to {high}; here x is 0"
        )?;
    }
    Ok(())
}

/// Runs the algorithms in order and prints a row of each as soon as it is ready.
/// Returns the value of the first, and `Yes` if all values are equal.
fn compare<G: Game>(
    root: &G,
    depth: u32,
    no_minimax: bool,
    out: &mut dyn Write,
) -> Result<(G::Value, Verdict), Failure> {
    let of_whole = if no_minimax {
        "of 1st row"
    } else {
        "of minimax"
    };
    let columns = [
        ("algorithm", Align::Left, 24),
        ("value", Align::Right, 6),
        ("nodes", Align::Right, 11),
        ("leaves", Align::Right, 11),
        (of_whole, Align::Right, 10),
        ("seconds", Align::Right, 8),
        ("alpha cuts", Align::Right, 10),
        ("beta cuts", Align::Right, 10),
    ];
    let columns = Columns::new(columns, width());
    let legend = format!(
        "nodes: positions visited; leaves: positions evaluated; {of_whole}: share of the nodes; \
         alpha and beta cuts: Min and Max nodes whose remaining moves are skipped"
    );
    writeln!(out, "{}\n\n{}", wrapped(&legend, 0), columns.heading())?;
    let mut first = None;
    let mut equal = true;
    for (name, algorithm) in Algorithm::PLAIN.into_iter().chain(Algorithm::LADDER) {
        if no_minimax && matches!(algorithm, Algorithm::Minimax | Algorithm::Negamax) {
            continue;
        }
        let (mut counts, start) = (Counts::default(), Instant::now());
        let value = algorithm.run(root, depth, &mut counts);
        let seconds = start.elapsed().as_secs_f64();
        let (of_first, whole) = *first.get_or_insert((value, counts.nodes));
        equal &= value == of_first;
        let share = 100.0 * counts.nodes as f64 / whole as f64;
        let cells = [
            name.to_owned(),
            value.to_string(),
            counts.nodes.to_string(),
            counts.leaves.to_string(),
            format!("{share:.3} %"),
            format!("{seconds:.4}"),
            counts.alpha_cuts.to_string(),
            counts.beta_cuts.to_string(),
        ];
        writeln!(out, "{}", columns.row(cells))?;
        out.flush()?;
    }
    write!(out, "{}", columns.note())?;
    let verdict = if equal {
        "all values equal"
    } else {
        "THE VALUES DIFFER"
    };
    writeln!(out, "{verdict}")?;
    let (value, _) = first.expect("some algorithm has run");
    Ok((value, Verdict::of(equal)))
}
