//! The search with one of its techniques switched off at a time: what each of them saves. Part of `emilia compare`.

use std::io::Write;

use super::Failure;
use crate::board::Board;
use crate::eval::Value;
use crate::search::{Engine, Limits, Line, Settings, Silent, Techniques};

/// Searches `board` to `depth` with everything on, with everything off, and with each technique off, and prints the nodes
/// and the time of each. Returns whether all values are equal to `expected`.
pub(super) fn print(
    board: &Board,
    depth: u32,
    settings: &Settings,
    expected: Value,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let search = |techniques| -> Line {
        let settings = Settings {
            techniques,
            ..settings.clone()
        };
        Engine::new(settings).search(board, &Limits::depth(depth), &mut Silent)
    };
    let all = Techniques::all();
    let single = all.iter_names().map(|(name, technique)| {
        (
            format!("- {}", name.to_ascii_lowercase().replace('_', " ")),
            all - technique,
        )
    });
    let rows = [("the search of play".to_owned(), all)]
        .into_iter()
        .chain(single)
        .chain([("- all of these".to_owned(), Techniques::empty())]);

    writeln!(
        out,
        "\n{:25} {:>8} {:>12} {:>9} {:>11}",
        "technique off", "value", "nodes", "seconds", "of all on"
    )?;
    let mut whole = None;
    let mut equal = true;
    for (name, techniques) in rows {
        let line = search(techniques);
        let whole = *whole.get_or_insert(line.nodes);
        equal &= line.value == expected;
        writeln!(
            out,
            "{name:25} {:>8} {:>12} {:>9.3} {:>10.1} %",
            line.value,
            line.nodes,
            line.elapsed.as_secs_f64(),
            100.0 * line.nodes as f64 / whole as f64,
        )?;
    }
    writeln!(
        out,
        "{}",
        if equal {
            "all values equal"
        } else {
            "THE VALUES DIFFER"
        }
    )?;
    Ok(equal)
}
