//! Display of a search: its progress on the terminal, and its result as a table of hints.

use std::io::{self, Write};

use emilia_core::board::Position;
use emilia_core::search::{Line, Report, SearchHandle};
use emilia_view::{Align, SearchStatus, Table, cut, moves, status_width};

/// Columns of a status line that are reserved for the elapsed time.
pub(crate) const TIME_WIDTH: usize = 12;

/// Maximum number of status lines, so that they fit on a terminal.
const MAX_SHOWN: usize = 10;

/// Note below the status lines of a search without limits.
pub(crate) const ENDLESS: &str = "Ctrl-C ends the search.";

/// Waits for the end of a search and returns the search lines of its last complete iteration: the
/// best moves, each with value and PV. Meanwhile shows its progress on stderr: a status line for
/// each of the best moves, and `note` below them. If stderr is not a terminal, prints only the
/// note.
pub(crate) fn watch(search: &mut SearchHandle, note: &str) -> Vec<Line> {
    let status = SearchStatus::new();
    status.begin(note);
    if status.is_hidden() && !note.is_empty() {
        // If stderr cannot be written, the search still runs.
        let _ = writeln!(io::stderr(), "{note}");
    }
    let mut lines: Vec<Line> = Vec::new();
    while let Some(progress) = search.next_progress() {
        lines.progress(progress.multi_pv, &progress.line);
        let width = status_width().saturating_sub(TIME_WIDTH);
        let best = lines.iter().take(MAX_SHOWN);
        let shown = best.map(|line| cut(&line.to_string(), width).to_owned() + "\n");
        status.set_message((shown.collect::<String>() + note).trim_end());
    }
    lines
}

/// Formats `lines` as a table at most `columns` wide, with the scores for the side to move.
pub(crate) fn hints(position: &Position, lines: &[Line], columns: usize) -> String {
    let score = format!("discs for {}", position.mover);
    let mut table = Table::new([
        ("move", Align::Left),
        (&score, Align::Right),
        ("search", Align::Left),
        ("line", Align::Line),
    ]);
    for line in lines {
        table.row([
            moves(&line.pv[..line.pv.len().min(1)]),
            line.value.to_string(),
            line.depth.in_words(),
            moves(&line.pv),
        ]);
    }
    table.fitted(columns)
}
