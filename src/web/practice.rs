//! Requests of the Practice page. It uses the same file of exercises as `emilia practice`. The
//! request `key` returns the answer key of an exercise: all its moves with their scores.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::games::{GameRecord, parse, position};
#[cfg(not(target_family = "wasm"))]
use super::my_games::UserFiles;
use super::{App, Refusal, Search, event_of};
use emilia_core::board::{Color, Square};
use emilia_games::Game;
use emilia_review::practice::{
    Answer, Exercise, MIN_LOSS, PuzzleSkill, Rating, SearchLimits, Store, THEMES, Theme,
    days_until, due_after, due_count, session,
};
use emilia_review::report::AnalysedGame;

/// Number of exercises in a session.
const SESSION: usize = 10;

/// State of the Practice page.
#[derive(Debug)]
pub struct Practice {
    /// Files with the user's exercises and games.
    #[cfg(not(target_family = "wasm"))]
    pub files: UserFiles,
    /// Exercises and answers. WebAssembly has no files.
    #[cfg(target_family = "wasm")]
    pub store: Store,
    /// Limits of the searches for exercises.
    pub search: SearchLimits,
    /// Returns the current time. This is a function because WebAssembly has no system clock.
    pub now: fn() -> SystemTime,
}

impl Practice {
    #[cfg(not(target_family = "wasm"))]
    fn store(&self) -> Result<Store, Refusal> {
        self.files.exercises()
    }

    #[cfg(target_family = "wasm")]
    #[expect(clippy::unnecessary_wraps, reason = "a file may fail")]
    fn store(&self) -> Result<Store, Refusal> {
        Ok(self.store.clone())
    }
}

#[derive(Debug, Deserialize)]
struct SessionRequest {
    /// Name of a theme. Empty: all themes.
    #[serde(default)]
    theme: String,
}

/// Returns the exercises of a session, the names of all themes, the number of exercises that are
/// due, and the user's rating.
pub(super) fn exercises(app: &App, body: &[u8]) -> Result<String, Refusal> {
    #[derive(Serialize)]
    struct Asked {
        #[serde(flatten)]
        exercise: Exercise,
        /// Share of players who find the best move, in percent. `None` if the exercise is not a
        /// puzzle.
        found: Option<u8>,
    }
    let request: SessionRequest = parse(body)?;
    let all = app.practice.store()?.all()?;
    let now = (app.practice.now)();
    let since_epoch = now.duration_since(SystemTime::UNIX_EPOCH);
    let seed = since_epoch.unwrap_or_default().as_millis() as u64;
    let exercises = session(&all, Theme::named(&request.theme), now, SESSION, seed);
    let asked = exercises.into_iter().map(|exercise| Asked {
        found: exercise.puzzle().map(|puzzle| puzzle.found),
        exercise,
    });
    let session = json!({
        "exercises": asked.collect::<Vec<_>>(),
        "themes": THEMES.map(|theme| theme.name),
        "due": due_count(&all, now),
        "skill": PuzzleSkill::of(&all),
    });
    Ok(session.to_string())
}

/// Returns all exercises and answers as JSON lines, for a file.
pub(super) fn export(app: &App) -> Result<String, Refusal> {
    Ok(app.practice.store()?.export()?)
}

/// Adds the exercises and answers of a file from [`export`]. Returns the numbers of new exercises
/// and answers.
pub(super) fn import(app: &App, body: &[u8]) -> Result<String, Refusal> {
    let added = app.practice.store()?.import(body)?;
    Ok(serde_json::to_string(&added)?)
}

/// Request for the scores of all moves in an exercise.
#[derive(Debug, Deserialize)]
struct KeyRequest {
    position: String,
}

/// Sends the scores of all moves in an exercise, best first. Runs a search unless the scores are
/// stored.
pub(super) fn key(app: &App, body: &[u8]) -> Result<Search, Refusal> {
    let request: KeyRequest = parse(body)?;
    let mut store = app.practice.store()?;
    let exercise = store.exercise(&position(&request.position)?)?;
    let search = app.practice.search.clone();
    Ok(Box::new(move |player, events| {
        let engine = player.stop_pondering();
        // A write error is not reported here. The next request `answer` meets the same error and
        // reports it.
        if let Ok(Some(key)) = search.key(&mut store, engine, &exercise) {
            events.result(event_of("key", &json!({ "lines": key.lines })));
        }
    }))
}

#[derive(Debug, Deserialize)]
struct AnswerRequest {
    position: String,
    r#move: String,
    hinted: bool,
}

/// Grades and stores an answer. Returns the number of days until the exercise is asked again, the
/// number of exercises that are due, and the user's rating.
pub(super) fn answer(app: &App, body: &[u8]) -> Result<String, Refusal> {
    let request: AnswerRequest = parse(body)?;
    let practice = &app.practice;
    let mut store = practice.store()?;
    let position = position(&request.position)?;
    let known = store.answer_key(&position.board.canonical(), &practice.search.in_words)?;
    let key = known.ok_or("the exercise is not searched yet")?;
    let square: Square = request.r#move.parse()?;
    let graded = key.grade(square).ok_or("this move is illegal")?;
    let now = (practice.now)();
    let answer = Answer::new(square, &graded, request.hinted, now);
    let due = store.answer(&position, answer)?.due();
    let all = store.all()?;
    let answered = json!({
        "days": due.map_or(0, |due| days_until(due, now)),
        "due": due_count(&all, now),
        "skill": PuzzleSkill::of(&all),
    });
    Ok(answered.to_string())
}

#[derive(Debug, Deserialize)]
struct DueRequest {
    /// Answers to the questions of a drill, one list per question. An answer is (time in seconds
    /// since 1970, whether it was right).
    answers: Vec<Vec<(u32, bool)>>,
}

/// Returns the number of days until each question is asked again. 0: the question is due.
pub(super) fn when_due(app: &App, body: &[u8]) -> Result<String, Refusal> {
    let (request, now): (DueRequest, _) = (parse(body)?, (app.practice.now)());
    let days_of = |mut answers: Vec<(u32, bool)>| {
        answers.sort_unstable();
        let rated = answers.into_iter().map(|(seconds, is_known)| {
            let at = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.into());
            (at, [Rating::Again, Rating::Good][usize::from(is_known)])
        });
        due_after(rated).map_or(0, |due| days_until(due, now))
    };
    let days: Vec<u64> = request.answers.into_iter().map(days_of).collect();
    Ok(json!({ "days": days }).to_string())
}

#[derive(Debug, Deserialize)]
struct MistakesRequest {
    game: GameRecord,
    analysis: AnalysedGame,
    /// Side whose mistakes become exercises.
    side: Color,
}

/// Creates exercises from the mistakes of one side in a game that the page has analysed already.
pub(super) fn practise(app: &App, body: &[u8]) -> Result<String, Refusal> {
    let request: MistakesRequest = parse(body)?;
    let game = request.game.game()?;
    let indices = (0..game.moves().len()).filter(|&at| game.moves()[at].mv.square().is_some());
    let judged = indices.zip(&request.analysis.moves);
    let own = judged.filter(|(_, one)| one.side == request.side && one.lost >= MIN_LOSS);
    let exercises: Vec<Exercise> = own
        .filter_map(|(index, one)| {
            let (mistake, best) = (one.r#move.parse().ok()?, one.best.parse().ok()?);
            Exercise::of(&game, index, mistake, best, one.lost)
        })
        .collect();
    app.practice.store()?.add(&exercises)?;
    Ok(json!({ "mistakes": exercises.len() }).to_string())
}

#[derive(Debug, Deserialize)]
struct CollectRequest {
    games: Vec<GameRecord>,
    /// Name of the player whose mistakes become exercises.
    player: String,
}

/// Analyses games and creates exercises from the mistakes of one player. Sends the number of
/// analysed games as progress. The result is the number of mistakes.
pub(super) fn collect(app: &App, body: &[u8]) -> Result<Search, Refusal> {
    let request: CollectRequest = parse(body)?;
    let records = request.games.into_iter();
    let games = records
        .map(GameRecord::game)
        .collect::<Result<Vec<Game>, Refusal>>()?;
    let mut store = app.practice.store()?;
    let search = app.practice.search.clone();
    Ok(Box::new(move |player, events| {
        let all = games.len();
        let is_own = |name: &str| name == request.player;
        let done =
            |done| events.progress(event_of("progress", &json!({ "done": done, "all": all })));
        let using = (&mut store, player.stop_pondering());
        if let Ok(Some(mistakes)) = search.collect(using, &games, None, is_own, done) {
            events.result(event_of("mistakes", &json!({ "mistakes": mistakes })));
        }
    }))
}
