//! `emilia hint`: the best moves of a position.

use std::io::{self, IsTerminal, Read, Write};

use serde::Serialize;

use super::games::{POSITION, game};
use super::json::{self, ScoredLine};
use super::options::{GlobalOptions, LevelOption, LimitOptions};
use super::terminal::{QuietKeys, width};
use super::thinking::{Thinking, UNTIL_KEY, depth, meaning};
use super::{Failure, Verdict, on_interrupt};
use crate::board::Position;
use crate::player::{Style, bounded};
use crate::search::{Line, Stop};
use crate::view::{Align, Table, moves, outcome, wrap};
use crate::work::spawn_thread;

/// What `emilia hint` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Without limits the search goes on until you press a key; where no terminal is at stdin, for a second.

{}

Kind 'hint': position, hints (best first: move, score for the side to move, depth, exact, line), nodes, seconds.

Examples:
  emilia hint f5d6c3
  emilia hint game.sgf:40 --count 10 --time 5
  emilia hint f5d6c3 --level 20 --json", json::ABOUT))]
pub(super) struct Args {
    #[arg(value_name = "POS", help = POSITION)]
    position: Vec<String>,

    /// How many moves
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=64))]
    count: u8,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    level: LevelOption,

    #[command(flatten)]
    limits: LimitOptions,
}

/// Prints the best moves.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let position = game(&args.position)?.position();
    let mut limits = args.limits.limits();
    let level = args.level.engine_only()?;
    level.apply(&mut limits, &mut Style::default());
    let until_key = !limits.is_bounded() && limits.exact.is_none() && io::stdin().is_terminal();
    if !until_key {
        limits = bounded(&limits);
    }
    let mut engine = global.engine()?;
    let (stop, interrupted) = (Stop::default(), Stop::default());
    engine.set_interrupt(stop.clone());
    let handles = (stop.clone(), interrupted.clone());
    on_interrupt(move || {
        handles.0.set();
        handles.1.set();
    })?;
    let mut search = engine.start(&position.board, usize::from(args.count), &limits);
    // The end of the input, with Ctrl-D or with the terminal, ends the search as a key does.
    let keys = until_key.then(|| {
        // Without it Ctrl-C ends the search.
        let _ = spawn_thread("reader", move || {
            let _ = io::stdin().lock().read(&mut [0]);
            stop.set();
        });
        QuietKeys::new(true)
    });
    let mut thinking = Thinking::new(if until_key { UNTIL_KEY } else { "" });
    while let Some(progress) = search.next_progress() {
        thinking.show(&progress);
    }
    let lines = search.wait();
    drop((thinking, keys));
    if args.json {
        json::write("hint", &Hint::new(&position, &lines), out)?;
    } else if position.is_over() {
        writeln!(out, "The game is over: {}.", outcome(&position))?;
    } else {
        let columns = io::stdout().is_terminal().then(width);
        write!(out, "{}", hints(&position, &lines, columns))?;
        let meaning = lines.iter().find_map(|line| meaning(line.depth));
        if let (Some(meaning), Some(columns)) = (meaning, columns) {
            writeln!(out, "{}", wrap(&format!("({meaning})"), columns, 0))?;
        }
    }
    Ok(if interrupted.is_set() {
        Verdict::Interrupted
    } else {
        Verdict::Yes
    })
}

#[derive(Serialize)]
struct Hint {
    position: String,
    hints: Vec<ScoredLine>,
    nodes: u64,
    seconds: f64,
}

impl Hint {
    fn new(position: &Position, lines: &[Line]) -> Hint {
        let best = lines.first();
        Hint {
            position: position.to_string(),
            hints: lines.iter().map(ScoredLine::from).collect(),
            nodes: best.map_or(0, |line| line.nodes),
            seconds: best.map_or(0.0, |line| line.elapsed.as_secs_f64()),
        }
    }
}

/// Where the width is not known, so many moves of a line are shown.
const SHOWN_MOVES: usize = 16;

/// The table of these lines, cut to so many columns.
pub(super) fn hints(position: &Position, lines: &[Line], columns: Option<usize>) -> String {
    let score = format!("discs for {}", position.mover);
    let mut table = Table::new([
        ("move", Align::Left),
        (&score, Align::Right),
        ("search", Align::Left),
        ("line", Align::Left),
    ]);
    for line in lines {
        let shown = match columns {
            Some(_) => &line.pv[..],
            None => &line.pv[..line.pv.len().min(SHOWN_MOVES)],
        };
        table.row([
            moves(&line.pv[..line.pv.len().min(1)]),
            line.value.to_string(),
            depth(line.depth),
            moves(shown),
        ]);
    }
    match columns {
        Some(columns) => table.cut(columns),
        None => table.to_string(),
    }
}
