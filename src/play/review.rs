//! Review of a finished game: a quick analysis that lists the most costly moves.

use super::input::Input;
use super::players::Humans;
use super::state::GameState;
use emilia_core::search::{Engine, Limits, StopFlag};
use emilia_review::{AnalysisEvent, Grade, Judgement, Watched, analyze};
use emilia_view::ProgressBar;

/// Depth of the searches in plies. A game takes a second or two.
const DEPTH: u32 = 10;

/// Number of empties from which positions are solved.
const EXACT: u32 = 14;

/// Maximum number of moves listed.
const MAX_LISTED: usize = 3;

/// Returns a sentence about the most costly moves of people, or `None` if interrupted.
pub(super) fn review(engine: &mut Engine, state: &GameState, input: &Input) -> Option<String> {
    let (game, humans) = (&state.game, state.humans);
    let stop = StopFlag::default();
    engine.set_interrupt(stop.clone());
    engine.clear();
    let watch = input.watch(stop, true);
    let bar = ProgressBar::new("moves");
    let all = game.moves().len();
    let show = |event: AnalysisEvent| {
        if let AnalysisEvent::Scored { moves_made } = event {
            bar.update(all - moves_made, all);
            bar.set_message(SKIP);
        }
    };
    let limits = Limits::depth(DEPTH).with_solve_from_empties(EXACT);
    let mut analyst = Watched {
        engine,
        watch: show,
    };
    let analysis = analyze(&mut analyst, game, &state.play_settings.book, &limits);
    let analysis = analysis.filter(|analysis| analysis.is_complete);
    drop((bar, watch));
    engine.set_interrupt(StopFlag::default());
    // In games without people the moves of both sides are reviewed.
    let mut moves = analysis?.moves;
    moves.retain(|judgement| {
        let is_own = humans == Humans::None || humans.play(judgement.position.mover);
        is_own && judgement.grade() != Grade::Good
    });
    moves.sort_by(|a, b| b.loss().total_cmp(&a.loss()));
    moves.truncate(MAX_LISTED);
    let least = Grade::Inaccuracy.least_loss();
    if moves.is_empty() {
        return Some(format!("No move cost {least} discs or more."));
    }
    let named: Vec<String> = moves.iter().map(describe).collect();
    let plural = if moves.len() == 1 {
        "move that"
    } else {
        "moves that"
    };
    Some(format!("The {plural} cost most: {}.", named.join("; ")))
}

/// Formats a costly move: `23. b2, 14 discs (g7 was better)`.
fn describe(judgement: &Judgement) -> String {
    format!(
        "{}. {}, {:.0} discs ({} was better)",
        judgement.number,
        judgement.played,
        judgement.loss(),
        judgement.best_move()
    )
}

/// Note below the progress bar.
const SKIP: &str = if cfg!(unix) {
    "Looking back; Enter skips it."
} else {
    "Looking back; Ctrl-C skips it."
};
