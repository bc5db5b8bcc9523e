//! Analysed game as text: one text line, or a table of all moves.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::{AnalysedGame, JudgedMove};
use crate::Grade;
use emilia_core::board::{Color, printable};
use emilia_games::Opening;
use emilia_player::people::{DifficultyGrade, Human};
use emilia_view::{Align, Columns, Table, width, wrapped};

/// Maximum number of moves shown from the PV of a better move.
const LINE_MOVES: usize = 8;

/// Mark of a brilliant move.
const BRILLIANT: &str = "!!";

/// Explanations of the reports: a text that a report with the explanation has, and after a tab the
/// explanation.
const LEGEND: &str = "\
score	score: for Black under best play
@	depth 16@73%: 16 plies ahead, forward pruning at 73 % confidence
100%	100%: solved, so the score is certain
book 	book 20: value of the opening book by longer searches, of level 20, so that the score may change \
without a loss where the book ends
lost	lost: discs that a move cost against the best one; lost a move: the mean
?	?! marks a loss of 2 discs or more, ? 4, ?? 10
blunders	blunders: moves that lost 10 discs or more
only	only: the only legal move
choices	best: share of the moves that lost less than half a disc; choices: moves that were not forced
decided by	decided by: the last move that changed who wins
level	level: the human level that fits the moves best, from h0 (a first game) to h14 (the best of a club); \
the first 4 moves of a game, moves of the book and forced moves do not count
(h	level in brackets: the range that holds the true level in about 9 of 10 cases
found	found: share of players of level LEVEL that find a move within half a disc of the best, estimated by a \
model of how people choose moves; the move played, the best one and the next lose what the analysis finds, and \
any other its distance from the best in the model's search
!!	!! loses less than half a disc, and fewer than MOST % find it";

/// Returns the explanations of the marks and columns that the text of a report has. The difficulties
/// of moves are those for players of `level`.
pub fn legend(report: &str, level: Human) -> Vec<String> {
    let people = format!("{level} ({})", level.help());
    let most = format!("{:.0}", 100.0 * DifficultyGrade::Hard.min_found());
    let all = LEGEND.lines().filter_map(|line| line.split_once('\t'));
    let shown = all.filter(|(text, _)| report.contains(text));
    let filled = shown.map(|(_, what)| what.replace("LEVEL", &people).replace("MOST", &most));
    filled.collect()
}

/// Formats a game as one text line: players, result, number of moves, mean loss and blunders of
/// both sides, and the move that decided the game.
pub fn line(game: &AnalysedGame) -> String {
    let [black, white] = [Color::Black, Color::White].map(|side| game.summary(side));
    let line = format!(
        "#{} {}: {} moves, lost a move {:.2} - {:.2}, blunders {} - {}{}",
        game.game,
        game.title(),
        game.moves.len(),
        black.mean_loss,
        white.mean_loss,
        black.blunders,
        white.blunders,
        decided_by(game).map_or(String::new(), |turn| format!(", {turn}")),
    );
    wrapped(&line, 4)
}

/// Formats the move that decided the game: `decided by 31. g2??`.
pub(super) fn decided_by(game: &AnalysedGame) -> Option<String> {
    game.turn().map(|turn| format!("decided by {turn}"))
}

/// Writes the analysis of a game: heading, table of moves, move that decided the game, table of
/// both sides.
pub fn write(
    game: &AnalysedGame,
    opening: Option<Opening>,
    colored: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let heading = format!("#{} {}", game.game, game.title());
    writeln!(out, "{}", wrapped(&heading, 4))?;
    let mut texts = vec![printable(&game.event), printable(&game.date)];
    texts.retain(|text| !text.is_empty());
    let place = texts.join(", ");
    if !place.is_empty() {
        writeln!(out, "{}", wrapped(&place, 4))?;
    }
    if let Some(Opening { name, moves }) = opening {
        writeln!(out, "opening: {name}, to move {moves}")?;
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
    for judged in &game.moves {
        let row = columns.row(row(judged));
        if colored && let Some(style) = style(judged.grade) {
            writeln!(out, "{style}{row}{style:#}")?;
        } else {
            writeln!(out, "{row}")?;
        }
    }
    writeln!(out, "{}", columns.note())?;
    if let Some(turn) = decided_by(game) {
        writeln!(out, "{turn}\n")?;
    }
    write!(out, "{}", table_of_sides(game).fitted(width()))
}

fn table_of_sides(game: &AnalysedGame) -> Table {
    // The columns `??`, `?` and `?!` count blunders, mistakes and inaccuracies.
    let names = "lost a move,best,??,?,?!,choices".split(',');
    let numbers = names.map(|name| (name, Align::Right));
    let columns = [("player", Align::Left)].into_iter().chain(numbers);
    let mut table = Table::new(columns.chain([("level", Align::Left)]));
    for side in [Color::Black, Color::White] {
        let name = match game.name(side).as_str() {
            "" => side.to_string(),
            name => format!("{side}, {}", printable(name)),
        };
        let summary = game.summary(side);
        table.row([
            name,
            format!("{:.2}", summary.mean_loss),
            format!("{:.0} %", 100.0 * summary.accuracy()),
            summary.blunders.to_string(),
            summary.mistakes.to_string(),
            summary.inaccuracies.to_string(),
            summary.choices.to_string(),
            game.level_of_play(side).to_owned(),
        ]);
    }
    table
}

/// Formats the cells of a row in the table of moves.
fn row(judged: &JudgedMove) -> [String; 8] {
    let lost = if judged.forced {
        "only".to_owned()
    } else if judged.better.is_empty() {
        String::new()
    } else {
        format!("{:.1}", judged.lost)
    };
    let mark = if judged.brilliant {
        BRILLIANT
    } else {
        judged.grade.mark()
    };
    let found = judged.found;
    [
        judged.number.to_string(),
        judged.side.to_string(),
        format!("{}{mark}", judged.r#move),
        format!("{:+.1}", judged.score),
        lost,
        found.map_or_else(String::new, |found| format!("{:.0} %", 100.0 * found)),
        judged.depth(),
        judged.better[..judged.better.len().min(LINE_MOVES)].join(" "),
    ]
}

/// Returns the text colour of a graded move. `None` for a good move.
fn style(grade: Grade) -> Option<Style> {
    let color = match grade {
        Grade::Good => return None,
        Grade::Inaccuracy => AnsiColor::Cyan,
        Grade::Mistake => AnsiColor::Yellow,
        Grade::Blunder => AnsiColor::Red,
    };
    Some(color.on_default())
}
