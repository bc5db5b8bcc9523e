//! Searches of the page: the move to play, values of all moves, and the analysis of a game.
//! A search ends as soon as its client closes the connection.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::UnboundedSender;

use super::events::{EventSender, Events};
use super::games::{GameRecord, parse, position};
use super::{Gui, Refusal};
use emilia_book::Book;
use emilia_core::board::Position;
use emilia_core::search::{Depth, Engine, Limits, Line, Settings, TimeControl};
use emilia_core::work::{StopFlag, spawn_thread};
use emilia_player::people::{Human, small_engine};
use emilia_player::{Level, PlaySettings, Player};
use emilia_review::json::ScoredLine;
use emilia_review::report::AnalysedGame;
use emilia_review::{ANALYSIS_DEPTH, AnalysisEvent, EachLine, HintedPosition, Watched, analyze};

/// Maximum number of searches at the same time.
pub const MAX_SEARCHES: usize = 4;

/// Maximum wait for the end of another search. A search that is aborted ends within milliseconds.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// How long the moves of a position are searched.
const LOOK_TIME: Duration = Duration::from_secs(120);

/// Maximum depth of an analysis in plies.
const MAX_ANALYSIS_DEPTH: u32 = 24;

/// Longest time of a move or of a clock in seconds.
const MAX_SECONDS: f64 = 86_400.0;

/// Request for a move.
#[derive(Debug, Deserialize)]
struct MoveRequest {
    position: String,
    /// A level of play, as `--level` has it.
    level: Option<String>,
    /// Seconds for the move.
    seconds: Option<f64>,
    /// Seconds left on the clock of the side to move.
    clock: Option<f64>,
    /// Seconds that the clock adds for a move.
    #[serde(default)]
    increment: f64,
    /// Seed of the draws of human levels and of the book.
    seed: u64,
}

/// Searches the move to play. Sends each iteration, and at last the move.
pub(super) async fn choose_move(gui: Arc<Gui>, body: &[u8]) -> Result<Events, Refusal> {
    let request: MoveRequest = parse(body)?;
    let position = unfinished(&request.position)?;
    let mut settings = PlaySettings {
        seed: request.seed,
        book: gui.book.clone(),
        ..PlaySettings::default()
    };
    let mut limits = Limits::default();
    if let Some(level) = &request.level {
        let level: Level = level.parse()?;
        level.apply(&mut limits, &mut settings);
    }
    limits.time = (request.seconds.map(seconds).transpose()?).map(TimeControl::PerMove);
    let left = request.clock.map(seconds).transpose()?;
    let increment = seconds(request.increment)?;
    let clock = left.map(|left| TimeControl::Clock { left, increment });
    start(gui, move |player, events| {
        player.set_play_settings(settings);
        let empties = position.board.empty_count();
        let mut report = EachLine(|count: usize, line: &Line| {
            if count == 1 {
                events.progress("line", &ScoredLine::new(line, empties));
            }
        });
        let line = player.choose(&position, &limits, clock, &mut report);
        let chosen = ChosenMove {
            line: ScoredLine::new(&line, empties),
            book: matches!(line.depth, Depth::Book(_)),
        };
        events.result("move", &chosen);
    })
    .await
}

/// The move to play.
#[derive(Serialize)]
struct ChosenMove {
    #[serde(flatten)]
    line: ScoredLine,
    /// Whether it is from the opening book.
    book: bool,
}

/// Request for the values of all moves.
#[derive(Debug, Deserialize)]
struct LookRequest {
    position: String,
}

/// Searches all moves of a position, deeper and deeper. Sends the object of `hint --json` after
/// each iteration.
pub(super) async fn look(gui: Arc<Gui>, body: &[u8]) -> Result<Events, Refusal> {
    let request: LookRequest = parse(body)?;
    let position = unfinished(&request.position)?;
    let book = gui.book.clone();
    start(gui, move |player, events| {
        let book = book.moves_if_readable(&position.board);
        let count = position.moves().len();
        let limits = Limits {
            time: Some(TimeControl::PerMove(LOOK_TIME)),
            ..Limits::default()
        };
        let mut lines: Vec<Line> = Vec::new();
        let mut report = EachLine(|number: usize, line: &Line| {
            lines.truncate(number - 1);
            lines.push(line.clone());
            if number == count {
                events.progress("hint", &HintedPosition::new(&position, &lines, &book, None));
            }
        });
        let engine = player.stop_pondering();
        let lines = engine.multi_pv(&position.board, count, &limits, &mut report);
        events.result("hint", &HintedPosition::new(&position, &lines, &book, None));
    })
    .await
}

/// Request for the analysis of a game.
#[derive(Debug, Deserialize)]
struct AnalysisRequest {
    game: GameRecord,
    depth: Option<u32>,
}

/// Progress of an analysis.
#[derive(Serialize)]
pub(super) struct AnalysedMoves {
    pub(super) done: usize,
    pub(super) all: usize,
}

/// Analyses a game. Sends the number of analysed moves, and at last the object of
/// `analyze --json`.
pub(super) async fn analyze_game(gui: Arc<Gui>, body: &[u8]) -> Result<Events, Refusal> {
    let request: AnalysisRequest = parse(body)?;
    let game = request.game.game()?;
    if game.placed() == 0 {
        return Err("the game has no moves".into());
    }
    let depth = request.depth.unwrap_or(ANALYSIS_DEPTH);
    let depth = depth.clamp(1, MAX_ANALYSIS_DEPTH);
    let book = gui.book.clone();
    let mut small = small_engine()?;
    start(gui, move |player, events| {
        let engine = player.stop_pondering();
        engine.clear();
        let all = game.moves().len();
        let watch = |event: AnalysisEvent| {
            if let AnalysisEvent::Scored { moves_made } = event {
                let done = all - moves_made;
                events.progress("progress", &AnalysedMoves { done, all });
            }
        };
        let limits = Limits::depth(depth).at_level();
        let analysis = analyze(&mut Watched { engine, watch }, &game, &book, &limits);
        let Some(analysis) = analysis.filter(|analysis| analysis.is_complete) else {
            return;
        };
        let limits = format!("depth={depth}");
        let mut analysed = |book: &Book| {
            let people = (Human::AVERAGE, &mut small);
            AnalysedGame::new(1, &game, &limits, &analysis, book, people)
        };
        if let Ok(analysed) = analysed(&book).or_else(|_| analysed(&Book::Off)) {
            events.result("analysis", &analysed);
        }
    })
    .await
}

/// # Errors
/// If the number is negative or no number.
fn seconds(number: f64) -> Result<Duration, Refusal> {
    let time = Duration::try_from_secs_f64(number.min(MAX_SECONDS));
    Ok(time.map_err(|_| "expected a number of seconds")?)
}

/// # Errors
/// If the text is no position, or the game is over there.
fn unfinished(text: &str) -> Result<Position, Refusal> {
    let position = position(text)?;
    if position.is_over() {
        return Err("the game is over in this position".into());
    }
    Ok(position)
}

/// Runs `search` in a thread with an idle player, whose searches end when the client leaves.
///
/// # Errors
/// If too many searches run, or threads are short.
pub(crate) async fn start(
    gui: Arc<Gui>,
    search: impl FnOnce(&mut Player, &EventSender) + Send + 'static,
) -> Result<Events, Refusal> {
    let idle = async { gui.idle.lock().await.recv().await };
    let player = tokio::time::timeout(MAX_WAIT, idle).await.ok().flatten();
    let busy = "as many searches as possible are running: stop one in another tab";
    let mut player = player.ok_or(busy)?;
    let stop = StopFlag::default();
    let at_end = stop.clone();
    let (sender, events) = Events::channel(move || at_end.set());
    let used = gui.used.clone();
    spawn_thread("gui", move || {
        player.stop_pondering().set_interrupt(stop);
        search(&mut player, &sender);
        let _ = used.send(player);
    })?;
    Ok(events)
}

/// Makes the players of the second search and the following ones.
pub(super) fn prepare(settings: Settings, used: UnboundedSender<Player>) {
    let prepared = spawn_thread("gui", move || {
        for _ in 1..MAX_SEARCHES {
            match Engine::try_new(settings.clone()) {
                Ok(engine) => drop(used.send(Player::new(engine))),
                Err(error) => return log::warn!("fewer searches at the same time: {error}"),
            }
        }
    });
    if let Err(error) = prepared {
        log::warn!("one search at a time: {error}");
    }
}
