//! Requests of the page of exercises, and exercises from a game in review.
//! They use the file of `emilia practice`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use emilia_games::match_log::ColorName;
use serde::{Deserialize, Serialize};

use super::events::Events;
use super::games::{GameRecord, parse};
use super::searches::{AnalysedMoves, start};
use super::{Gui, blocking};
use emilia_core::board::{Color, Square};
use emilia_games::Game;
use emilia_review::json::ScoredLine;
use emilia_review::practice::page::ShownExercise;
use emilia_review::practice::{
    Answer, Exercise, MIN_LOSS, Mistake, SearchLimits, Store, ThemeProgress, days_until, due,
    progress,
};
use emilia_review::report::AnalysedGame;

/// Number of exercises of a session.
const SESSION: usize = 10;

/// What the exercises need.
#[derive(Debug)]
pub struct Practice {
    /// File of exercises and answers. `None` if the user has no home folder.
    pub path: Option<PathBuf>,
    /// Limits of the searches, those of the command.
    pub search: SearchLimits,
}

impl Practice {
    fn store(&self) -> Result<Store, String> {
        let path = self.path.as_ref();
        let path = path.ok_or("there is no home folder for exercises: start with --state FILE")?;
        Store::open(path).map_err(|error| error.to_string())
    }
}

/// Answer to `exercises`.
#[derive(Serialize)]
struct Session<'a> {
    exercises: Vec<ShownExercise<'a>>,
    progress: Vec<ThemeProgress>,
    /// Which rows of the file cannot be read.
    unread: Option<String>,
}

/// Returns the exercises of a session as JSON.
pub(super) fn exercises(gui: &Gui) -> Result<String, String> {
    let read = (gui.practice.store()?.all()).map_err(|error| error.to_string())?;
    let now = SystemTime::now();
    let due = due(&read.all, now, SESSION).into_iter();
    let session = Session {
        exercises: due.map(|one| ShownExercise::new(one, None)).collect(),
        progress: progress(&read.all, now),
        unread: read.unread.map(|error| error.to_string()),
    };
    serde_json::to_string(&session).map_err(|error| error.to_string())
}

#[derive(Debug, Deserialize)]
struct KeyRequest {
    id: i64,
}

/// Values of all moves.
#[derive(Serialize)]
struct Key<'a> {
    lines: &'a [ScoredLine],
}

/// Searches all moves of an exercise, unless that was done before. Sends them best first.
pub(super) async fn key(gui: Arc<Gui>, body: &[u8]) -> Result<Events, String> {
    let KeyRequest { id } = parse(body)?;
    let shared = Arc::clone(&gui);
    let read = move || {
        let store = shared.practice.store()?;
        let all = store.all().map_err(|error| error.to_string())?.all;
        let practised = all.into_iter().find(|one| one.id == id);
        Ok((store, practised.ok_or("there is no such exercise")?))
    };
    let (mut store, practised) = blocking(read).await?;
    let shared = Arc::clone(&gui);
    start(gui, move |player, events| {
        let (engine, search) = (player.stop_pondering(), &shared.practice.search);
        // A file that cannot be written is reported with the answer.
        if let Ok(Some(key)) = search.key(&mut store, engine, &practised) {
            events.result("key", &Key { lines: &key.lines });
        }
    })
    .await
}

#[derive(Debug, Deserialize)]
struct AnswerRequest {
    id: i64,
    r#move: String,
    hinted: bool,
}

/// Answer to `answer`.
#[derive(Serialize)]
struct Answered {
    /// Days until the exercise returns.
    days: u64,
    progress: Vec<ThemeProgress>,
}

/// Grades and stores an answer.
pub(super) fn answer(gui: &Gui, body: &[u8]) -> Result<String, String> {
    let request: AnswerRequest = parse(body)?;
    let practice = &gui.practice;
    let mut store = practice.store()?;
    let key = store.answer_key(request.id, &practice.search.in_words);
    let key = key.map_err(|error| error.to_string())?;
    let key = key.ok_or("the exercise is not searched yet")?;
    let square: Square = (request.r#move.parse()).map_err(|error| format!("{error}"))?;
    let graded = key.grade(square).ok_or("this move is illegal")?;
    let answer = Answer::now(square, &graded, request.hinted);
    let due = store.answer(request.id, &answer);
    let due = due.map_err(|error| error.to_string())?;
    let all = store.all().map_err(|error| error.to_string())?;
    let answered = Answered {
        days: days_until(due, answer.at),
        progress: progress(&all.all, answer.at),
    };
    serde_json::to_string(&answered).map_err(|error| error.to_string())
}

#[derive(Debug, Deserialize)]
struct MistakesRequest {
    game: GameRecord,
    analysis: AnalysedGame,
    /// Side whose mistakes become exercises.
    #[serde(with = "ColorName")]
    side: Color,
}

/// Answer to `practise`, and last event of `collect`.
#[derive(Serialize)]
struct Added {
    /// Number of mistakes of the side or player.
    mistakes: usize,
}

/// Makes exercises from the mistakes of a side in an analysed game.
pub(super) fn practise(gui: &Gui, body: &[u8]) -> Result<String, String> {
    let request: MistakesRequest = parse(body)?;
    let game = request.game.game()?;
    let found = mistakes(&game, &request.analysis, request.side);
    let added = gui.practice.store()?.add(&found);
    added.map_err(|error| error.to_string())?;
    let added = Added {
        mistakes: found.len(),
    };
    serde_json::to_string(&added).map_err(|error| error.to_string())
}

#[derive(Debug, Deserialize)]
struct CollectRequest {
    games: Vec<GameRecord>,
    /// Name of the player whose mistakes become exercises.
    player: String,
}

/// Analyses games and makes exercises from the mistakes of a player. Sends the number of analysed
/// games, and at last the number of mistakes.
pub(super) async fn collect(gui: Arc<Gui>, body: &[u8]) -> Result<Events, String> {
    let request: CollectRequest = parse(body)?;
    let games = request.games.iter().map(GameRecord::game);
    let games = games.collect::<Result<Vec<Game>, String>>()?;
    let shared = Arc::clone(&gui);
    let mut store = blocking(move || shared.practice.store()).await?;
    let shared = Arc::clone(&gui);
    start(gui, move |player, events| {
        let engine = player.stop_pondering();
        let (mut mistakes, all) = (0, games.len());
        for (done, game) in (1..).zip(&games) {
            let found = (shared.practice.search).mistakes(&mut store, engine, game, None);
            let Ok(Some(found)) = found else { return };
            let exercises = found.iter().filter_map(|one| Exercise::of(game, one));
            let is_own = |one: &Exercise| match one.position.mover {
                Color::Black => game.tags.black == request.player,
                Color::White => game.tags.white == request.player,
            };
            let own: Vec<Exercise> = exercises.filter(is_own).collect();
            if store.add(&own).is_err() {
                return;
            }
            mistakes += own.len();
            events.progress("progress", &AnalysedMoves { done, all });
        }
        events.result("mistakes", &Added { mistakes });
    })
    .await
}

/// Returns the exercises of the mistakes of a side in the analysis of a game.
fn mistakes(game: &Game, analysis: &AnalysedGame, side: Color) -> Vec<Exercise> {
    let indices = (0..game.moves().len()).filter(|&at| game.moves()[at].mv.square().is_some());
    let judged = indices.zip(&analysis.moves);
    let of_side = judged.filter(|(_, one)| one.side == side && one.lost >= MIN_LOSS);
    let mistake = |(index, one): (usize, &emilia_review::report::JudgedMove)| {
        Exercise::of(
            game,
            &Mistake {
                index,
                mistake: one.r#move.parse().ok()?,
                best: one.best.parse().ok()?,
                lost: one.lost,
            },
        )
    };
    of_side.filter_map(mistake).collect()
}
