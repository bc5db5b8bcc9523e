//! Ablation of the search, part of `emilia compare`: its cost with one technique switched off.

use std::io::{self, Write};

use serde::Serialize;

use super::Failure;
use emilia_core::board::Board;
use emilia_core::eval::Value;
use emilia_core::search::{Engine, Limits, Line, Selectivity, Settings, Silent, Techniques};
use emilia_view::{Align, Columns};
use emilia_view::{width, wrapped};

/// Cost of a search.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// Techniques that are on or off.
    name: String,
    /// Value in discs.
    value: f64,
    nodes: u64,
    seconds: f64,
}

/// Searches `board` with all techniques, without each one, and without all, at full width.
/// Then searches it at the selectivity of `settings`, with and without each forward pruning.
/// Prints nodes and time of each search.
/// Returns whether all full-width values equal `expected`, and the rows. The selective values may
/// differ.
pub(super) fn print(
    board: &Board,
    depth: u32,
    settings: &Settings,
    expected: Value,
    out: &mut dyn Write,
) -> Result<(bool, Vec<Row>), Failure> {
    let search = |techniques, selectivity| -> Line {
        let settings = Settings {
            techniques,
            selectivity,
            ..settings.clone()
        };
        Engine::new(settings).search(board, &Limits::depth(depth), &mut Silent)
    };
    let columns = [
        ("techniques", Align::Left, 24),
        ("value", Align::Right, 6),
        ("nodes", Align::Right, 11),
        ("seconds", Align::Right, 8),
        ("of all on", Align::Right, 9),
    ];
    let columns = Columns::new(columns, width());
    let legend = "The search of the engine at full width, without one technique at a time, then at \
                  the selectivity given, without one forward pruning at a time; of all on: the \
                  share of the nodes with all techniques";
    writeln!(out, "\n{}\n", wrapped(legend, 0))?;
    writeln!(out, "{}", columns.heading())?;
    let mut rows = Vec::new();
    let mut print_row = |name: String, line: &Line, whole: u64| -> io::Result<()> {
        let cells = [
            name,
            line.value.to_string(),
            line.nodes.to_string(),
            format!("{:.3}", line.elapsed.as_secs_f64()),
            format!("{:.1} %", 100.0 * line.nodes as f64 / whole as f64),
        ];
        writeln!(out, "{}", columns.row(&cells))?;
        let [name, ..] = cells;
        rows.push(Row {
            name,
            value: line.value.discs(),
            nodes: line.nodes,
            seconds: line.elapsed.as_secs_f64(),
        });
        out.flush()
    };

    let all = Techniques::all();
    let proved = all - Techniques::FORWARD_PRUNING;
    let line = search(all, Selectivity::P100);
    let whole = line.nodes;
    print_row("all".to_owned(), &line, whole)?;
    let mut equal = line.value == expected;
    let none = ("- all of these".to_owned(), Techniques::empty());
    for (name, techniques) in without_each(proved).chain([none]) {
        let line = search(techniques, Selectivity::P100);
        print_row(name, &line, whole)?;
        equal &= line.value == expected;
    }
    let selectivity = settings.selectivity;
    if selectivity != Selectivity::P100 {
        let line = search(all, selectivity);
        let whole = line.nodes;
        print_row(format!("+ selectivity {selectivity}"), &line, whole)?;
        for (name, techniques) in without_each(Techniques::FORWARD_PRUNING) {
            print_row(name, &search(techniques, selectivity), whole)?;
        }
    }
    write!(out, "{}", columns.note())?;
    let verdict = match (equal, selectivity) {
        (false, _) => "THE VALUES DIFFER",
        (true, Selectivity::P100) => "all values equal",
        (true, _) => "all values equal, but values of the selective searches may differ",
    };
    writeln!(out, "{verdict}")?;
    Ok((equal, rows))
}

/// Returns all techniques but one, for each of `techniques`, with the name of the one.
fn without_each(techniques: Techniques) -> impl Iterator<Item = (String, Techniques)> {
    techniques.iter_names().map(|(name, technique)| {
        let name = name.to_ascii_lowercase().replace('_', " ");
        (format!("- {name}"), Techniques::all() - technique)
    })
}
