//! Best moves that a search misses, and the techniques that cut them: `eval-test --explain`.

use std::io::Write;

use super::Failure;
use super::ablation::without_each;
use emilia_core::board::{Board, Move};
use emilia_core::search::{
    Engine, Limits, Line, Report, Selectivity, Settings, Silent, Techniques,
};
use emilia_core::work;
use emilia_review::EachLine;
use emilia_review::eval_test::{EvalTest, ScoredPosition};
use emilia_view::{Align, ProgressBar, Table, moves, width};

/// Largest number of plies left at a cut, in the columns of the table.
const PLIES_LEFT: [(&str, u32); 5] = [
    ("1-3", 3),
    ("4-6", 6),
    ("7-9", 9),
    ("10-12", 12),
    ("13-", u32::MAX),
];

/// Searches of a position to the same depth: first with all techniques, then each other way.
struct Replay {
    searches: Vec<Replayed>,
    /// If all techniques miss the best move: a line for the position, then one for each way that
    /// finds it.
    text: Vec<String>,
}

struct Replayed {
    is_best: bool,
    nodes: u64,
    /// Plies left at the node that cut the best move.
    cut: Option<u32>,
}

/// Searches each position to the greatest depth that `test` reaches before the end: with all techniques, without one
/// at a time, and with greater confidence. Where only the first search misses the best move, names
/// the node that cut it. Ends with a table of all ways.
pub(super) fn print(
    test: &EvalTest,
    positions: &[ScoredPosition],
    threads: usize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let ways = ways(&test.settings);
    let positions: Vec<_> = positions
        .iter()
        .filter(|one| !one.moves.is_empty())
        .collect();
    let mut engines = Engine::several(&test.settings, threads.min(positions.len()))?;
    for engine in &mut engines {
        engine.set_interrupt(test.interrupt.clone());
    }
    let bar = ProgressBar::new("positions");
    let done = |count| bar.update(count, positions.len());
    let replays = work::parallel_map(
        "search",
        &mut engines,
        &positions,
        &done,
        |engine, known| {
            let replay = replay(engine, known, &test.limits, &ways);
            (!test.interrupt.is_set()).then_some(replay)
        },
    );
    drop(bar);
    let replays = replays.unwrap_or_default();
    for line in replays.iter().flat_map(|replay| &replay.text) {
        writeln!(out, "{line}")?;
    }
    Ok(write_table(&ways, &replays, out)?)
}

/// Returns the ways to search, with their names.
fn ways(settings: &Settings) -> Vec<(String, Settings)> {
    let named = |(name, techniques)| {
        (
            name,
            Settings {
                techniques,
                ..settings.clone()
            },
        )
    };
    let proved = Techniques::TABLE | Techniques::ETC | Techniques::STABILITY;
    let one = without_each(Techniques::FORWARD_PRUNING | proved).map(named);
    let surer = Selectivity::ALL
        .into_iter()
        .filter(|&level| level > settings.selectivity && level < Selectivity::P100);
    let surer = surer.map(|level| {
        (
            format!("at {level}"),
            settings.clone().with_selectivity(level),
        )
    });
    let all = ("all".to_owned(), settings.clone());
    std::iter::once(all).chain(one).chain(surer).collect()
}

/// Searches a position in all ways.
fn replay(
    engine: &mut Engine,
    known: &ScoredPosition,
    limits: &Limits,
    ways: &[(String, Settings)],
) -> Replay {
    let (board, all) = (&known.position.board, &ways[0].1);
    // A limit of depth cannot repeat a selective stage of a solve.
    let mut depth = 1;
    let to_the_end = board.empty_count();
    let mut report = EachLine(|_, line: &Line| {
        let plies = line.depth.plies(to_the_end);
        depth = if plies < to_the_end { plies } else { depth };
    });
    search(engine, all, board, limits, &mut report);
    let limits = Limits::depth(depth);
    let to_depth = |(_, way): &(_, Settings)| search(engine, way, board, &limits, &mut Silent);
    let lines: Vec<Line> = ways.iter().map(to_depth).collect();
    let scored = |line: &Line| {
        let mut scored = known.moves.iter();
        scored.find(|&&(mv, _)| Some(mv) == line.best_move())
    };
    let is_best = |line: &Line| scored(line).is_some_and(|&(_, score)| score == known.label);
    let is_missed = !is_best(&lines[0]);
    let mut text = Vec::new();
    if is_missed && let Some(&(mv, score)) = scored(&lines[0]) {
        let (position, lost) = (known.position, (known.label - score).discs());
        text.push(format!(
            "{position}  depth {depth}: {mv} loses {lost} discs"
        ));
    }
    let searches = lines.iter().zip(ways).map(|(line, (name, way))| {
        let mut cut = None;
        if is_missed && is_best(line) {
            let searches = [(all, &lines[0]), (way, line)];
            let (path, left) = cutting_node(engine, board, depth, searches);
            let (plies, path) = (
                left.map_or("?".to_owned(), |left| left.to_string()),
                moves(&path),
            );
            text.push(format!(
                "  {name}: {}, {plies} plies left after {path}",
                line.value
            ));
            cut = left;
        }
        Replayed {
            is_best: is_best(line),
            nodes: line.nodes,
            cut,
        }
    });
    Replay {
        searches: searches.collect(),
        text,
    }
}

/// Searches `board` with an empty table.
fn search(
    engine: &mut Engine,
    way: &Settings,
    board: &Board,
    limits: &Limits,
    report: &mut dyn Report,
) -> Line {
    let configured = engine.configure(way.clone());
    configured.expect("the size of the table stays the same");
    engine.clear();
    engine.search(board, limits, report)
}

/// Descends to the node where two searches to the same depth begin to disagree.
///
/// Follows the best move of the search that has the greater value, as long as their values of the
/// position after it still lie on both sides of the smaller value at the root. Returns the moves,
/// and the plies left after them. There the first search, given the node as its root, agrees with
/// the second: it cuts the node in a null window only. The plies are `None` if instead the second
/// search changes its value, or if the values are equal at the root.
fn cutting_node(
    engine: &mut Engine,
    board: &Board,
    depth: u32,
    searches: [(&Settings, &Line); 2],
) -> (Vec<Move>, Option<u32>) {
    let (mut board, mut depth, mut path) = (*board, depth, Vec::new());
    let mut lines = searches.map(|(_, line)| line.clone());
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
        let limits = Limits::depth(depth);
        lines = searches.map(|(way, _)| search(engine, way, &board, &limits, &mut Silent));
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

/// Writes a row for each way.
fn write_table(
    ways: &[(String, Settings)],
    replays: &[Replay],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let columns = "best,found,lost,nodes %".split(',');
    let columns = columns.chain(PLIES_LEFT.map(|(name, _)| name)).chain(["?"]);
    let columns = columns.map(|name| (name, Align::Right));
    let mut table = Table::new([("search", Align::Left)].into_iter().chain(columns));
    let nodes = |at: usize| -> u64 { replays.iter().map(|one| one.searches[at].nodes).sum() };
    for (at, (name, _)) in ways.iter().enumerate() {
        let count = |is_counted: &dyn Fn(&[Replayed]) -> bool| {
            let counted = replays.iter().filter(|one| is_counted(&one.searches));
            counted.count().to_string()
        };
        let is_found = |all: &[Replayed]| !all[0].is_best && all[at].is_best;
        let mut row = vec![
            name.clone(),
            count(&|all| all[at].is_best),
            count(&is_found),
            count(&|all| all[0].is_best && !all[at].is_best),
            format!("{:.0}", 100.0 * nodes(at) as f64 / nodes(0) as f64),
        ];
        let mut least = 1;
        for (_, most) in PLIES_LEFT {
            let range = least..=most;
            row.push(count(&|all| {
                all[at].cut.is_some_and(|left| range.contains(&left))
            }));
            least = most.saturating_add(1);
        }
        row.push(count(&|all| is_found(all) && all[at].cut.is_none()));
        table.row(row);
    }
    let missed = replays.iter().filter(|one| !one.searches[0].is_best);
    let never = missed
        .clone()
        .filter(|one| one.searches.iter().all(|one| !one.is_best));
    writeln!(out, "\n{}", table.fitted(width()))?;
    let (missed, never) = (missed.count(), never.count());
    writeln!(
        out,
        "explain: {} positions, {missed} missed, {never} of them by every search",
        replays.len()
    )
}
