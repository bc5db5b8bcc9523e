//! `emilia hint`: prints the best moves of a position, using a MultiPV search.

use std::io::{self, IsTerminal, Write};

use super::book::write_book;
use super::inputs;
use super::options::{PeopleOption, SearchOptions, whole};
use super::{CommandResult, interrupt_flag, interrupted};
use crate::play::{ENDLESS, hints, watch};
use emilia_core::search::Line;
use emilia_games::input;
use emilia_player::limits_for_move;
use emilia_player::people::PeopleView;
use emilia_review::{HintedPosition, json};
use emilia_view::{outcome, width, wrapped};

/// Arguments of `emilia hint`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Without limits the search runs until Ctrl-C. If stdin is not a terminal, or for several positions, \
each search takes one second. Ctrl-C shows the last complete iteration of a search, with exit code \
130.

For files or -, the hints are for the last position of each game. An OBF position is a game \
without moves. A game that cannot be read is reported on stderr and left out, and the exit \
code is then 2. FILE:N names one game.

The depth 12@73% is a search 12 plies deep with forward pruning at 73 % confidence. Without a \
limit of time the first move is the one that genmove plays. With forward pruning, a move after it \
may have a higher score, and the other moves may depend on --count.

With --people all moves are searched, and the shares and losses follow from the scores shown.

Examples:
  emilia hint f5d6c3
  emilia hint game.sgf:1:40 --count 10 --time 5
  emilia hint f5d6c3d3c4 --depth 12 --people=h7
  emilia hint f5d6c3 --level 20 --json")]
pub(super) struct Args {
    #[arg(value_name = "POS", help = inputs::POSITION)]
    position: Vec<String>,

    /// Number of moves to show
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = whole::<u8>(1..=64))]
    count: u8,

    #[command(flatten)]
    people: PeopleOption,

    /// Print one line of JSON for each position (src/cli/JSON.md)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    search: SearchOptions,
}

/// Searches each position and prints its best moves, as a table or as JSON.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let games = input::placed_games(&args.position)?;
    let (all, is_several) = (games.len(), games.len() > 1);
    let (games, bad) = inputs::readable((1..).zip(games));
    let cut = inputs::warn_of(&games);
    let mut limits = args.search.search_limits()?;
    let is_endless = !limits.is_bounded() && limits.solve_from_empties.is_none();
    let mut note = ENDLESS;
    if !is_endless || is_several || !io::stdin().is_terminal() {
        (limits, note) = (limits_for_move(&limits), "");
    }
    let mut engine = args.search.engine()?;
    let stop = interrupt_flag()?;
    engine.set_interrupt(stop.clone());
    for (number, game) in games {
        let position = game.position();
        // A cleared hash table makes the result independent of earlier positions.
        engine.clear();
        let level = args.people.level(&position);
        let count = usize::from(args.count);
        let searched = level.map_or(count, |_| usize::MAX);
        let search = |count| -> io::Result<Vec<Line>> {
            let mut search = engine.start(&position.board, count, &limits)?;
            let last_iteration = watch(&mut search, note);
            let is_cut = stop.is_set();
            Ok(if is_cut {
                last_iteration
            } else {
                search.wait()
            })
        };
        // A search that reports several moves can find another best move than the search for one
        // move, with which the engine plays. The best move therefore comes from a separate search
        // for one move.
        let has_best = searched > 1 && limits.time.is_none() && note.is_empty();
        let best = if has_best { search(1)? } else { Vec::new() };
        let mut lines = search(searched)?;
        let is_cut = stop.is_set();
        // If the search for several moves was interrupted, only the best move is shown, because its
        // depth is complete.
        lines.retain(|line| {
            best.iter()
                .all(|best| !is_cut && best.pv.first() != line.pv.first())
        });
        lines.splice(0..0, best);
        let book = args.search.book().moves(&position.board)?;
        let evaluator = &engine.settings().evaluator;
        let has_all = !(is_cut && has_best);
        let people = (level.filter(|_| has_all))
            .map(|level| PeopleView::of_lines(&position, &lines, evaluator, level));
        lines.truncate(count);
        if args.json {
            let object = HintedPosition::new(&position, &lines, &book, people.as_ref());
            json::write("hint", &object, out)?;
        } else {
            if is_several {
                let gap = if number > 1 { "\n" } else { "" };
                writeln!(out, "{gap}{number}  {position}")?;
            }
            if position.is_over() {
                writeln!(out, "The game is over: {}.", outcome(&position))?;
            } else {
                write!(out, "{}", hints(&position, &lines, width()))?;
            }
            write_book(&book, out)?;
            if let Some(people) = &people {
                writeln!(out, "{}", wrapped(&people.to_string(), 0))?;
            }
        }
        out.flush()?;
        if is_cut {
            let what = "positions; the last complete iteration is shown";
            return Ok(interrupted(number - 1, all, what));
        }
    }
    inputs::unless_unread(bad, cut, all)
}
