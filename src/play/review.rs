//! Review of a finished game: a quick analysis that lists the most costly moves.

use super::input::Input;
use super::players::Humans;
use super::state::GameState;
use super::thinking::ENDLESS;
use emilia_core::search::{Engine, Limits, StopFlag};
use emilia_review::{AnalysisEvent, Grade, Judgement, Watched, analyze};
use emilia_view::SearchStatus;

/// Search depth in plies. The review of a game takes a second or two.
const DEPTH: u32 = 10;

/// Number of empties from which positions are solved.
const EXACT: u32 = 14;

/// Maximum number of moves listed.
const MAX_LISTED: usize = 3;

/// Returns a sentence about the most costly moves of people, or `None` if interrupted.
pub(super) fn review(engine: &mut Engine, state: &GameState, input: &Input) -> Option<String> {
    let stop = StopFlag::default();
    engine.set_interrupt(stop.clone());
    engine.clear();
    input.watch(stop);
    let status = SearchStatus::new();
    status.begin(&format!("Looking back. {ENDLESS}"));
    let limits = Limits::depth(DEPTH).with_solve_from_empties(EXACT);
    let mut analyst = Watched {
        engine,
        watch: |_: AnalysisEvent<'_>| (),
    };
    let book = &state.play_settings.book;
    let analysis = analyze(&mut analyst, &state.game, book, &limits);
    drop(status);
    engine.set_interrupt(StopFlag::default());
    let mut moves = analysis.filter(|analysis| analysis.is_complete)?.moves;
    // In games without people the moves of both sides are reviewed.
    moves.retain(|judgement| {
        let side = judgement.position.mover;
        let is_own = state.humans == Humans::None || state.humans.play(side);
        is_own && judgement.grade() != Grade::Good
    });
    moves.sort_by(|a, b| b.loss().total_cmp(&a.loss()));
    moves.truncate(MAX_LISTED);
    if moves.is_empty() {
        let least = Grade::Inaccuracy.least_loss();
        return Some(format!("No move cost {least} discs or more."));
    }
    let named: Vec<String> = moves.iter().map(describe).collect();
    Some(format!("Most costly: {}.", named.join("; ")))
}

/// Formats a costly move: `23. b2, 14 discs (g7 was better)`.
fn describe(judgement: &Judgement) -> String {
    let (number, played, best) = (judgement.number, judgement.played, judgement.best_move());
    format!(
        "{number}. {played}, {:.0} discs ({best} was better)",
        judgement.loss()
    )
}
