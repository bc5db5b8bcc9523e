//! Best moves that a search misses, and the techniques that cut them: `eval-test --explain`.

use std::io::Write;

use super::Failure;
use super::ablation::without_each;
use emilia_core::board::{Board, Move};
use emilia_core::search::{
    Engine, Limits, Line, Report, Selectivity, Settings, Silent, Techniques,
};
use emilia_review::EachLine;
use emilia_review::eval_test::{EvalTest, ScoredPosition};
use emilia_view::{Align, Table, moves, width};

/// Way to search, and its results. The first way is the search with all techniques.
#[derive(Default)]
struct Way {
    name: String,
    settings: Settings,
    best: u32,
    /// Number of best moves that the first way misses, and of those that only the first way finds.
    found: u32,
    lost: u32,
    nodes: u64,
    /// Number of best moves cut at a known node, and the sum of the plies left there.
    cuts: u32,
    plies: u32,
}

/// Searches each position to the greatest depth that `test` reaches before the end: with all
/// techniques, without one at a time, and with greater confidence. Where the first search misses
/// the best move and another finds it, names the node that cut it. Ends with a table of all ways.
pub(super) fn print(
    test: &EvalTest,
    positions: &[ScoredPosition],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut ways = ways(&test.settings);
    let mut engine = Engine::try_new(test.settings.clone())?;
    engine.set_interrupt(test.interrupt.clone());
    let (mut searched, mut missed, mut always_missed) = (0, 0, 0);
    for known in positions.iter().filter(|one| !one.moves.is_empty()) {
        let (board, scored) = (&known.position.board, &known.moves);
        let depth = depth_reached(&mut engine, board, test);
        let mut search = |settings: &Settings, board: &Board, depth| {
            search(
                &mut engine,
                settings,
                board,
                &Limits::depth(depth),
                &mut Silent,
            )
        };
        let lines = ways.iter().map(|way| search(&way.settings, board, depth));
        let lines: Vec<Line> = lines.collect();
        if test.interrupt.is_set() {
            break;
        }
        let found = |line: &Line| scored.iter().find(|&&(mv, _)| Some(mv) == line.best_move());
        let is_best = |line: &Line| found(line).is_some_and(|&(_, score)| score == known.label);
        let is_missed = !is_best(&lines[0]);
        searched += 1;
        missed += u32::from(is_missed);
        always_missed += u32::from(!lines.iter().any(is_best));
        if is_missed && let Some(&(mv, score)) = found(&lines[0]) {
            let (position, lost) = (known.position, (known.label - score).discs());
            writeln!(out, "{position}  depth {depth}: {mv} loses {lost} discs")?;
        }
        let all = ways[0].settings.clone();
        for (way, line) in ways.iter_mut().zip(&lines) {
            way.nodes += line.nodes;
            way.best += u32::from(is_best(line));
            way.lost += u32::from(!is_missed && !is_best(line));
            if is_missed && is_best(line) {
                way.found += 1;
                let mut search = |at: usize, board: &Board, depth| {
                    search([&all, &way.settings][at], board, depth)
                };
                let (path, cut) = cut(board, depth, [&lines[0], line], &mut search);
                way.cuts += u32::from(cut.is_some());
                way.plies += cut.unwrap_or(0);
                let plies = cut.map_or("?".to_owned(), |plies| plies.to_string());
                let (name, value, path) = (&way.name, line.value, moves(&path));
                writeln!(out, "  {name}: {value}, {plies} plies left after {path}")?;
            }
        }
        out.flush()?;
    }
    writeln!(out, "\n{}", table(&ways).fitted(width()))?;
    writeln!(
        out,
        "explain: {searched} positions, {missed} missed, {always_missed} by all\n"
    )?;
    Ok(())
}

/// Returns the table of all ways, in a row each.
fn table(ways: &[Way]) -> Table {
    let columns = "best,found,lost,nodes,cuts,plies left".split(',');
    let columns = columns.map(|name| (name, Align::Right));
    let mut table = Table::new([("search", Align::Left)].into_iter().chain(columns));
    for way in ways {
        let counts = [way.best, way.found, way.lost].map(|count| count.to_string());
        let plies = f64::from(way.plies) / f64::from(way.cuts.max(1));
        let rest = [
            way.nodes.to_string(),
            way.cuts.to_string(),
            format!("{plies:.1}"),
        ];
        table.row([way.name.clone()].into_iter().chain(counts).chain(rest));
    }
    table
}

/// Returns the ways to search.
fn ways(settings: &Settings) -> Vec<Way> {
    let way = |name, settings| Way {
        name,
        settings,
        ..Way::default()
    };
    let mut ways = vec![way("all".to_owned(), settings.clone())];
    let proved = Techniques::TABLE | Techniques::ETC | Techniques::STABILITY;
    for (name, techniques) in without_each(Techniques::FORWARD_PRUNING | proved) {
        ways.push(way(
            name,
            Settings {
                techniques,
                ..settings.clone()
            },
        ));
    }
    let all = Selectivity::ALL.into_iter();
    for level in all.filter(|&level| settings.selectivity < level && level < Selectivity::P100) {
        ways.push(way(
            format!("at {level}"),
            settings.clone().with_selectivity(level),
        ));
    }
    ways
}

/// Returns the depth of the last iteration of `test` before those that solve the position: a limit
/// of depth cannot repeat their selective stages.
fn depth_reached(engine: &mut Engine, board: &Board, test: &EvalTest) -> u32 {
    let (mut depth, empties) = (1, board.empty_count());
    let mut report = EachLine(|_, line: &Line| {
        let plies = Some(line.depth.plies(empties));
        depth = plies.filter(|&plies| plies < empties).unwrap_or(depth);
    });
    search(engine, &test.settings, board, &test.limits, &mut report);
    depth
}

/// Searches `board` with an empty table.
fn search(
    engine: &mut Engine,
    settings: &Settings,
    board: &Board,
    limits: &Limits,
    report: &mut dyn Report,
) -> Line {
    let configured = engine.configure(settings.clone());
    configured.expect("the size of the table stays the same");
    engine.clear();
    engine.search(board, limits, report)
}

/// Returns the moves to the node that cut the best move, and the plies left there.
///
/// Follows the best move of the search with the greater value, as long as the values of both
/// searches of the position after it lie on both sides of the smaller value at the root. Where the
/// first search, from the node as its root, agrees with the second, it cuts the node, or nodes
/// below it, in null windows only. The plies are `None` if instead the second search changes its
/// value, or if the values are equal at the root. `search` runs the first or the second search.
fn cut(
    board: &Board,
    mut depth: u32,
    lines: [&Line; 2],
    search: &mut dyn FnMut(usize, &Board, u32) -> Line,
) -> (Vec<Move>, Option<u32>) {
    let (mut board, mut path, mut lines) = (*board, Vec::new(), lines.map(Line::clone));
    // Twice the value that parts them, which lies between two values.
    let mut middle = 2 * lines[0].value.min(lines[1].value).units() + 1;
    while depth > 1 && lines[0].value != lines[1].value {
        let higher = usize::from(lines[1].value > lines[0].value);
        let Some(mv) = lines[higher].best_move() else {
            break;
        };
        path.push(mv);
        board = board.make(mv);
        depth -= u32::from(mv != Move::Pass);
        middle = -middle;
        lines = [0, 1].map(|at| search(at, &board, depth));
        // The greater value is the smaller one for the other side.
        let is_kept = |at: usize| (2 * lines[at].value.units() > middle) == (at != higher);
        match [is_kept(0), is_kept(1)] {
            [true, true] => {}
            [false, true] => return (path, Some(depth)),
            _ => break,
        }
    }
    (path, None)
}
