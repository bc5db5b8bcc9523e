//! Formats the progress of a search as one line of text.

use crate::search::Line;

use super::moves;

/// Returns depth, value, nodes, nodes per second and PV of an iteration, in fixed columns.
///
/// ```
/// use emilia::{board::Board, search::{Engine, Limits, Settings, Silent}, view::thinking};
/// let mut engine = Engine::new(Settings::default());
/// let line = engine.search(&Board::START, &Limits::depth(1), &mut Silent);
/// assert!(thinking(&line).starts_with("depth 1@73%"));
/// ```
pub fn thinking(line: &Line) -> String {
    let depth = if line.depth.is_solved() {
        line.depth.to_string()
    } else {
        format!("depth {}", line.depth)
    };
    format!(
        "{depth:<12} {:>6}  {:>6} nodes  {:>6}/s  {}",
        line.value.to_string(),
        count(line.nodes as f64),
        count(line.nps()),
        moves(&line.pv)
    )
}

/// Formats a count with three significant digits: `87`, `1.23 k`, `45.6 M`.
fn count(count: f64) -> String {
    let (scaled, unit) = match count {
        1e9.. => (count / 1e9, " G"),
        1e6.. => (count / 1e6, " M"),
        1e3.. => (count / 1e3, " k"),
        _ => return format!("{count:.0}"),
    };
    let decimals = match scaled {
        99.95.. => 0,
        9.995.. => 1,
        _ => 2,
    };
    format!("{scaled:.decimals$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts_have_three_significant_digits() {
        for (number, text) in [
            (0.0, "0"),
            (999.0, "999"),
            (1_000.0, "1.00 k"),
            (12_345.0, "12.3 k"),
            (999_400.0, "999 k"),
            (45_600_000.0, "45.6 M"),
            (1.5e10, "15.0 G"),
        ] {
            assert_eq!(count(number), text);
        }
    }
}
