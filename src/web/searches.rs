//! Requests that run a search: the move to play, the values of all moves, a random opening, and the
//! analysis of a game.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::games::{GameRecord, parse, position};
use super::{App, Refusal, Search, event_of};
use emilia_core::board::{Position, Sentence, Transcript};
use emilia_core::search::{Depth, Limits, Line, TimeControl};
use emilia_player::people::Human;
use emilia_player::{Level, PlaySettings, RandomOpenings};
use emilia_review::json::ScoredLine;
use emilia_review::report::AnalysedGame;
use emilia_review::{ANALYSIS_DEPTH, AnalysisEvent, HintedPosition, Watched, analyze};

/// Default time limit of a search for the values of all moves.
const LOOK_TIME: Duration = Duration::from_secs(120);

/// Maximum depth of an analysis in plies. A larger depth in a request is reduced to this depth.
const MAX_ANALYSIS_DEPTH: u32 = 24;

/// Maximum time for a move or on a clock, in seconds. A longer time in a request is reduced to this
/// time.
const MAX_SECONDS: f64 = 86_400.0;

/// Request for the engine's move.
#[derive(Debug, Deserialize)]
struct MoveRequest {
    position: String,
    /// Level of play, in the format of the option `--level`.
    level: Option<String>,
    /// Time for the move in seconds.
    seconds: Option<f64>,
    /// Time left on the engine's clock in seconds.
    clock: Option<f64>,
    /// Increment of the clock per move in seconds.
    #[serde(default)]
    increment: f64,
    /// Random seed for the moves of human levels and for the choice among book moves.
    seed: u64,
}

/// Searches the engine's move. Sends each iteration as progress. The result is the move.
pub(super) fn choose_move(app: &App, body: &[u8]) -> Result<Search, Refusal> {
    let request: MoveRequest = parse(body)?;
    let position = unfinished(&request.position)?;
    let mut settings = PlaySettings {
        seed: request.seed,
        book: app.book.clone(),
        ..PlaySettings::default()
    };
    let mut of_player = Limits::default();
    if let Some(level) = &request.level {
        Level::from_str(level)?.apply(&mut of_player, &mut settings);
    }
    of_player.time = (request.seconds.map(seconds).transpose()?).map(TimeControl::PerMove);
    let left = request.clock.map(seconds).transpose()?;
    let increment = seconds(request.increment)?;
    let limits = of_player.with_clock(left.map(|left| TimeControl::Clock { left, increment }));
    Ok(Box::new(move |player, events| {
        player.set_play_settings(settings);
        let empties = position.board.empty_count();
        let mut report = |rank: usize, line: &Line| {
            if rank == 1 {
                events.progress(event_of("line", &ScoredLine::new(line, empties)));
            }
        };
        let line = player.choose(&position, &limits, &mut report);
        let chosen = ChosenMove {
            line: ScoredLine::new(&line, empties),
            book: matches!(line.depth, Depth::Book(_)),
        };
        events.result(event_of("move", &chosen));
    }))
}

/// Move of the engine.
#[derive(Serialize)]
struct ChosenMove {
    #[serde(flatten)]
    line: ScoredLine,
    /// Whether the move is from the opening book.
    book: bool,
}

/// Request for the values of the moves in a position.
#[derive(Debug, Deserialize)]
struct LookRequest {
    position: String,
    /// Maximum search depth in plies. `None`: limited by time only.
    depth: Option<u32>,
    /// Time limit in seconds. `None`: [`LOOK_TIME`].
    seconds: Option<f64>,
    /// Maximum number of empties at which the position is solved exactly.
    exact: Option<u32>,
    /// Number of moves to show, best first. `None`: all moves.
    lines: Option<usize>,
}

/// Searches the values of the moves in a position by iterative deepening. After each iteration it
/// sends the object that `emilia hint --json` prints.
pub(super) fn look(app: &App, body: &[u8]) -> Result<Search, Refusal> {
    let request: LookRequest = parse(body)?;
    let position = unfinished(&request.position)?;
    if request.depth == Some(0) || request.lines == Some(0) {
        return Err("expected a depth and a number of lines from 1".into());
    }
    let time = request.seconds.map_or(Ok(LOOK_TIME), seconds)?;
    let limits = Limits {
        depth: request.depth,
        time: Some(TimeControl::PerMove(time)),
        solve_from_empties: request.exact,
        ..Limits::default()
    };
    let moves = position.moves().len();
    let count = request.lines.map_or(moves, |lines| lines.min(moves));
    let book = app.book.clone();
    Ok(Box::new(move |player, events| {
        let book_moves = book.moves_if_readable(&position.board);
        let hinted = |lines: &[Line]| {
            let hinted = HintedPosition::new(&position, lines, &book_moves, None);
            event_of("hint", &hinted)
        };
        let mut lines: Vec<Line> = Vec::new();
        let mut report = |rank: usize, line: &Line| {
            lines.truncate(rank - 1);
            lines.push(line.clone());
            if rank == count {
                events.progress(hinted(&lines));
            }
        };
        let engine = player.stop_pondering();
        let last = engine.multi_pv(&position.board, count, &limits, &mut report);
        events.result(hinted(&last));
    }))
}

/// Possible numbers of discs in a random opening.
const DRAWN_DISCS: RangeInclusive<u32> = 5..=54;

/// Request for a random opening.
#[derive(Debug, Deserialize)]
struct DrawRequest {
    seed: u64,
    discs: u32,
    /// Minimum and maximum score for Black in discs.
    score: (i32, i32),
}

/// Sends a random opening with `discs` discs and a score in the range `score`, from the generator
/// of `emilia openings`. Sends nothing if the generator finds no such opening.
pub(super) fn draw(body: &[u8]) -> Result<Search, Refusal> {
    let DrawRequest { seed, discs, score } = parse(body)?;
    if !DRAWN_DISCS.contains(&discs) {
        let (least, most) = DRAWN_DISCS.into_inner();
        return Err(format!("expected a number of discs from {least} to {most}").into());
    }
    let plies = discs - 4;
    Ok(Box::new(move |player, events| {
        let engine = player.stop_pondering();
        let openings = RandomOpenings {
            score: Some(score.0..=score.1),
            ..RandomOpenings::new(plies..=plies)
        };
        let Ok(mut scorer) = openings.scorer(engine.settings().clone()) else {
            return;
        };
        if let Some(scorer) = &mut scorer {
            scorer.set_interrupt(engine.interrupt().clone());
        }
        let mut random = fastrand::Rng::with_seed(seed);
        let mut drawn = openings.draw(&mut random, &mut scorer);
        // An opening with a pass has fewer discs than plies + 4.
        let has_discs = |game: &Transcript| 64 - game.end().board.empty_count() == discs;
        if let Some((game, score)) = drawn.find(|(game, _)| has_discs(game)) {
            // `score` is in discs for Black.
            let drawn = json!({ "transcript": game.to_string(), "score": score });
            events.result(event_of("opening", &drawn));
        }
    }))
}

/// Request for the analysis of a game.
#[derive(Debug, Deserialize)]
struct AnalysisRequest {
    game: GameRecord,
    depth: Option<u32>,
}

/// Analyses a game. Sends the number of analysed moves as progress. The result is the object that
/// `emilia analyze --json` prints. An interrupted analysis has no result.
pub(super) fn analyze_game(app: &App, body: &[u8]) -> Result<Search, Refusal> {
    let request: AnalysisRequest = parse(body)?;
    let game = request.game.game()?;
    if game.placed() == 0 {
        return Err(Sentence::new("no-moves", "the game has no moves").into());
    }
    let asked = request.depth.unwrap_or(ANALYSIS_DEPTH);
    let depth = asked.clamp(1, MAX_ANALYSIS_DEPTH);
    let book = app.book.clone();
    let mut small = (app.people)()?;
    Ok(Box::new(move |player, events| {
        let engine = player.stop_pondering();
        engine.clear();
        let all = game.moves().len();
        let watch = |event: AnalysisEvent| {
            if let AnalysisEvent::Scored { moves_made } = event {
                let done = all - moves_made;
                events.progress(event_of("progress", &json!({ "done": done, "all": all })));
            }
        };
        let limits = Limits::depth(depth).at_level();
        let analysis = analyze(&mut Watched { engine, watch }, &game, &book, &limits);
        let Some(analysis) = analysis.filter(|analysis| analysis.is_complete) else {
            return;
        };
        let limits = format!("depth={depth}");
        let people = (Human::AVERAGE, &mut small);
        let analysed = AnalysedGame::new(1, &game, &limits, &analysis, people);
        events.result(event_of("analysis", &analysed));
    }))
}

/// Converts seconds to a duration. Times above [`MAX_SECONDS`] are reduced to it.
///
/// # Errors
/// If `number` is negative or NaN.
fn seconds(number: f64) -> Result<Duration, Refusal> {
    let time = Duration::try_from_secs_f64(number.min(MAX_SECONDS));
    Ok(time.map_err(|_| "expected a number of seconds")?)
}

/// Parses a position in which the game is not over.
///
/// # Errors
/// If the text is not a position, or if the game is over in this position.
fn unfinished(text: &str) -> Result<Position, Refusal> {
    let position = position(text)?;
    if position.is_over() {
        return Err("the game is over in this position".into());
    }
    Ok(position)
}
