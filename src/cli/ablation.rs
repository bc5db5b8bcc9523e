//! Ablation of the search, part of `emilia compare`: its cost with one technique switched off.

use std::io::Write;

use super::Failure;
use emilia_core::board::Board;
use emilia_core::eval::Value;
use emilia_core::search::{Engine, Limits, Line, Selectivity, Settings, Silent, Techniques};
use emilia_view::{Align, Columns};
use emilia_view::{width, wrapped};

/// Searches `board` with all techniques, without each one, and without all, at full width.
/// A last search uses the selectivity of `settings`. Prints nodes and time of each.
/// Returns whether all full-width values equal `expected`. The selective one may differ.
pub(super) fn print(
    board: &Board,
    depth: u32,
    settings: &Settings,
    expected: Value,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
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
    let legend = "The search of the engine at full width, without one technique at a time; of all \
                  on: the share of the nodes of its first row";
    writeln!(out, "\n{}\n", wrapped(legend, 0))?;
    writeln!(out, "{}", columns.heading())?;
    let mut whole = None;
    let mut print_row = |name: &str, line: &Line| {
        let whole = *whole.get_or_insert(line.nodes);
        let cells = [
            name.to_owned(),
            line.value.to_string(),
            line.nodes.to_string(),
            format!("{:.3}", line.elapsed.as_secs_f64()),
            format!("{:.1} %", 100.0 * line.nodes as f64 / whole as f64),
        ];
        writeln!(out, "{}", columns.row(cells)).and_then(|()| out.flush())
    };

    let mut equal = true;
    for (name, techniques) in switched_off() {
        let line = search(techniques, Selectivity::P100);
        print_row(&name, &line)?;
        equal &= line.value == expected;
    }
    let selectivity = settings.selectivity;
    if selectivity != Selectivity::P100 {
        let line = search(Techniques::all(), selectivity);
        print_row(&format!("+ selectivity {selectivity}"), &line)?;
    }
    write!(out, "{}", columns.note())?;
    let verdict = match (equal, selectivity) {
        (false, _) => "THE VALUES DIFFER",
        (true, Selectivity::P100) => "all values equal",
        (true, _) => "all values equal, but that of the selective search may not be",
    };
    writeln!(out, "{verdict}")?;
    Ok(equal)
}

/// Returns named sets: all techniques, all but one for each, and none.
fn switched_off() -> impl Iterator<Item = (String, Techniques)> {
    let all = Techniques::all();
    let single = all.iter_names().map(move |(name, technique)| {
        let name = name.to_ascii_lowercase().replace('_', " ");
        (format!("- {name}"), all - technique)
    });
    [("all".to_owned(), all)]
        .into_iter()
        .chain(single)
        .chain([("- all of these".to_owned(), Techniques::empty())])
}
