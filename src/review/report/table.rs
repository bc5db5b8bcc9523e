//! Analysis of a game as text: a one-line summary, or a table of its moves.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::{Analysis, Grade, Judgement, PeopleAnalysis, SideSummary, is_brilliant};
use emilia_core::board::{Color, Move};
use emilia_games::Game;
use emilia_player::people::{Difficulty, DifficultyGrade, Human, SkillLikelihood};
use emilia_view::{Align, Columns, Table, moves, printable, width, wrapped};

/// Maximum number of moves shown of a better line.
const LINE_MOVES: usize = 8;

/// Legend of the table of moves.
pub const LEGEND_OF_MOVES: &str = "\
score: for Black under best play; depth 16@73%: 16 plies ahead, forward pruning at 73 % \
confidence; book 20: value of the opening book at level 20; 100%: solved, so the score is certain";

/// Mark of a brilliant move.
const BRILLIANT: &str = "!!";

/// Returns the legend of the difficulties of moves, for players of this level.
pub fn legend_of_found(level: Human) -> String {
    format!(
        "found: share of players of level {level} ({}) that find a move within half a disc of the \
         best, estimated by a model of how people choose moves; {BRILLIANT} loses less than half \
         a disc, and fewer than {:.0} % find it",
        level.help(),
        100.0 * DifficultyGrade::Hard.min_found()
    )
}

/// Legend of the marks and of the tables of players.
pub const LEGEND: [&str; 3] = [
    "lost: discs that a move cost against the best one; ?! is 2 or more, ? 4, ?? 10; only: the \
     only legal move; lost a move: the mean; best: share of the moves that lost less than half a \
     disc; choices: moves that were not forced",
    "decided by: the last move that changed who wins",
    "level: the human level that fits the moves best, from h1 (a beginner) to h14 (the best of a \
     club), and in brackets the range that holds the true level in about 9 of 10 cases; the first \
     4 moves of a game, moves of the book and forced moves do not count",
];

/// Formats a game as one line: players, result, mean losses, blunders.
pub fn line(number: usize, game: &Game, analysis: &Analysis) -> String {
    let [black, white] = [Color::Black, Color::White].map(|color| analysis.summary(color));
    let [[.., black_blunders], [.., white_blunders]] = [black.bad(), white.bad()];
    let line = format!(
        "#{number} {}: {} moves, lost a move {:.2} - {:.2}, \
         blunders {black_blunders} - {white_blunders}{}",
        title(game),
        analysis.moves.len(),
        black.mean_loss(),
        white.mean_loss(),
        turn(analysis).map_or(String::new(), |turn| format!(", {turn}")),
    );
    wrapped(&line, 4)
}

/// Formats the names of both players and the result.
pub(super) fn title(game: &Game) -> String {
    let name = |name: &str, color: Color| {
        if name.is_empty() {
            color.to_string()
        } else {
            printable(name)
        }
    };
    let tags = &game.tags;
    let margin = tags.outcome.map(|outcome| outcome.margin);
    let margin = margin.or_else(|| game.score().map(f64::from));
    let margin = margin.map_or(String::new(), |margin| format!(", {margin:+}"));
    format!(
        "{} - {}{margin}",
        name(&tags.black, Color::Black),
        name(&tags.white, Color::White)
    )
}

/// Formats the turning point: the last move that changed the winner.
fn turn(analysis: &Analysis) -> Option<String> {
    let turn = analysis.turning_point()?;
    Some(format!("decided by {}", numbered(turn)))
}

/// Formats a move with its number and mark: `31. g2??`.
pub(super) fn numbered(judgement: &Judgement) -> String {
    format!(
        "{}. {}{}",
        judgement.number,
        judgement.played,
        judgement.grade().mark()
    )
}

/// Writes the analysis of a game: heading, table of moves, turning point, table of both sides.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(
    number: usize,
    game: &Game,
    analysis: &Analysis,
    people: &PeopleAnalysis,
    colored: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let heading = format!("#{number} {}", title(game));
    writeln!(out, "{}", wrapped(&heading, 4))?;
    let place = [&game.tags.event, &game.tags.date].map(|text| printable(text));
    let place: Vec<&str> = place
        .iter()
        .map(String::as_str)
        .filter(|text| !text.is_empty())
        .collect();
    if !place.is_empty() {
        writeln!(out, "{}", wrapped(&place.join(", "), 4))?;
    }
    if let Some(opening) = game.opening() {
        writeln!(out, "opening: {}, to move {}", opening.name, opening.moves)?;
    }
    writeln!(out)?;
    let columns = [
        ("#", Align::Right, 2),
        ("side", Align::Left, 5),
        ("move", Align::Left, 4),
        ("score", Align::Right, 6),
        ("lost", Align::Right, 5),
        ("found", Align::Right, 5),
        ("depth", Align::Right, 7),
        ("better", Align::Line, 0),
    ];
    let columns = Columns::new(columns, width());
    writeln!(out, "{}", columns.heading())?;
    for (judgement, difficulty) in people.with_judgements(analysis) {
        let row = columns.row(row(judgement, difficulty));
        if colored && let Some(style) = style(judgement.grade()) {
            writeln!(out, "{style}{row}{style:#}")?;
        } else {
            writeln!(out, "{row}")?;
        }
    }
    writeln!(out, "{}", columns.note())?;
    if let Some(turn) = turn(analysis) {
        writeln!(out, "{turn}\n")?;
    }
    write!(out, "{}", summaries(game, analysis, people).fitted(width()))
}

/// Returns the cells of a move.
fn row(judgement: &Judgement, difficulty: Option<Difficulty>) -> [String; 8] {
    let better = judgement.better.as_ref().map_or(String::new(), |better| {
        let line: Vec<Move> = better.line.iter().copied().take(LINE_MOVES).collect();
        moves(&line)
    });
    let lost = if judgement.is_forced() {
        "only".to_owned()
    } else if judgement.better.is_none() {
        String::new()
    } else {
        format!("{:.1}", judgement.loss())
    };
    let mark = if is_brilliant(judgement, difficulty) {
        BRILLIANT
    } else {
        judgement.grade().mark()
    };
    [
        judgement.number.to_string(),
        judgement.position.mover.to_string(),
        format!("{}{mark}", judgement.played),
        format!("{:+.1}", judgement.score_for_black().discs() + 0.0),
        lost,
        difficulty.map_or_else(String::new, |one| format!("{:.0} %", 100.0 * one.found)),
        judgement.best().depth.to_string(),
        better,
    ]
}

/// Returns the colour of an inaccuracy, mistake or blunder, or `None` for a good move.
fn style(grade: Grade) -> Option<Style> {
    let color = match grade {
        Grade::Good => return None,
        Grade::Inaccuracy => AnsiColor::Cyan,
        Grade::Mistake => AnsiColor::Yellow,
        Grade::Blunder => AnsiColor::Red,
    };
    Some(color.on_default())
}

/// Returns the table of both sides: mean loss, share of best moves, number of bad moves.
fn summaries(game: &Game, analysis: &Analysis, people: &PeopleAnalysis) -> Table {
    let mut table = Table::new(HEADING);
    for color in [Color::Black, Color::White] {
        let name = match color {
            Color::Black => &game.tags.black,
            Color::White => &game.tags.white,
        };
        let name = if name.is_empty() {
            color.to_string()
        } else {
            format!("{color}, {}", printable(name))
        };
        let likelihood = &people.likelihoods[color as usize];
        table.row(summary_row(name, &analysis.summary(color), likelihood));
    }
    table
}

/// Columns of the table of sides or players.
pub(super) const HEADING: [(&str, Align); 8] = [
    ("player", Align::Left),
    ("lost a move", Align::Right),
    ("best", Align::Right),
    (Grade::Blunder.mark(), Align::Right),
    (Grade::Mistake.mark(), Align::Right),
    (Grade::Inaccuracy.mark(), Align::Right),
    ("choices", Align::Right),
    ("level", Align::Left),
];

/// Returns the cells of a side or a player, in the order of [`HEADING`].
pub(super) fn summary_row(
    name: String,
    summary: &SideSummary,
    likelihood: &SkillLikelihood,
) -> [String; 8] {
    let [inaccuracies, mistakes, blunders] = summary.bad().map(|count| count.to_string());
    [
        name,
        format!("{:.2}", summary.mean_loss()),
        format!("{:.0} %", 100.0 * summary.accuracy()),
        blunders,
        mistakes,
        inaccuracies,
        summary.choices.to_string(),
        skill(likelihood),
    ]
}

/// Formats the level of play that fits the moves best.
pub(super) fn skill(likelihood: &SkillLikelihood) -> String {
    let estimate = likelihood.estimate();
    estimate.map_or_else(|| "no moves".to_owned(), |estimate| estimate.to_string())
}
