//! Dialogue of a session: an exercise is shown, an answer is read and graded.

use std::io::{BufRead, Write};
use std::time::SystemTime;

use super::Failure;
use crate::play::watch;
use emilia_core::board::{Move, Position, Square, excerpt, printable};
use emilia_core::search::Engine;
use emilia_player::people::{Human, PeopleView};
use emilia_review::practice::{
    Answer, AnswerKey, Exercise, Graded, SearchLimits, Store, days_until,
};
use emilia_view::{BoardView, width, wrapped};

/// Maximum number of moves shown of a line.
const LINE_MOVES: usize = 10;

/// Indent of continuation lines of an answer.
const LABEL: usize = 12;

/// Dialogue of a session: where its exercises, searches and lines come from.
pub(super) struct Dialogue<'a, I> {
    pub(super) store: &'a mut Store,
    pub(super) engine: &'a mut Engine,
    /// Level of the people that an exercise is said to be hard for, and the engine of their model.
    pub(super) people: (Human, Engine),
    pub search: &'a SearchLimits,
    pub(super) colored: bool,
    /// Whether to print a prompt before each answer.
    pub(super) prompts: bool,
    pub input: I,
    pub(super) out: &'a mut dyn Write,
}

/// What the user typed.
enum Reply {
    Move(Square),
    Skip,
    /// `q`, or the end of the input.
    Stop,
}

impl<I: BufRead> Dialogue<'_, I> {
    /// Asks the exercises one after the other and writes the total.
    pub(super) fn run(&mut self, exercises: &[&Exercise]) -> Result<(), Failure> {
        let (mut answers, mut best, mut lost) = (0_u32, 0_u32, 0.0);
        for (number, exercise) in (1..).zip(exercises) {
            let (position, source) = (exercise.position, &exercise.source);
            let heading = format!("{number} of {}: {}", exercises.len(), printable(source));
            writeln!(self.out, "{}", wrapped(&heading, 4))?;
            self.draw(position, None)?;
            let known = self.store.answer_key(exercise.id, &self.search.in_words)?;
            // The search runs while the user thinks.
            let search = known.is_none().then(|| {
                self.engine.clear();
                (self.engine).start(&position.board, usize::MAX, &self.search.limits)
            });
            let search = search.transpose()?;
            let mut hints = 0;
            let square = match self.reply(exercise, &mut hints)? {
                Reply::Move(square) => square,
                Reply::Skip => continue,
                Reply::Stop => break,
            };
            let key = match (known, search) {
                (Some(key), _) => key,
                (None, search) => {
                    let lines = search.map_or_else(Vec::new, |search| watch(search, ""));
                    let empties = position.board.empty_count();
                    let key = AnswerKey::new(&self.search.in_words, &lines, empties);
                    self.store.set_answer_key(exercise.id, &key)?;
                    key
                }
            };
            let Some(graded) = key.grade(square) else {
                continue;
            };
            let answer = Answer::new(square, &graded, hints > 0, SystemTime::now());
            let due = self.store.answer(exercise.id, &answer)?;
            self.explain(exercise, &key, &graded, due)?;
            answers += 1;
            best += u32::from(graded.is_best());
            lost += graded.lost;
        }
        if answers == 0 {
            return Ok(());
        }
        let mean = lost / f64::from(answers);
        let total =
            format!("{best} of {answers} answers are best, {mean:.2} discs lost per answer.");
        writeln!(self.out, "{}\n", wrapped(&total, 0))?;
        Ok(())
    }

    fn draw(&mut self, position: Position, last_move: Option<Move>) -> Result<(), Failure> {
        let view = BoardView {
            position,
            last_move,
            colored: self.colored,
        };
        writeln!(self.out, "{}", view.fitted(width()))?;
        Ok(())
    }

    /// Reads lines up to an answer. Counts the hints that were given.
    fn reply(&mut self, exercise: &Exercise, hints: &mut u32) -> Result<Reply, Failure> {
        let legal = exercise.position.board.legal_moves();
        loop {
            if self.prompts {
                write!(self.out, "move (? hint, s skip, q stop): ")?;
            }
            self.out.flush()?;
            let mut line = Vec::new();
            let read = self.input.read_until(b'\n', &mut line);
            if read.map_err(|error| super::refused(format!("stdin: {error}")))? == 0 {
                return Ok(Reply::Stop);
            }
            let word = String::from_utf8_lossy(&line).trim().to_lowercase();
            match word.as_str() {
                "" => {}
                "q" => return Ok(Reply::Stop),
                "s" => return Ok(Reply::Skip),
                "?" => {
                    *hints += 1;
                    let hint = hint(exercise, *hints);
                    writeln!(self.out, "{}", wrapped(&hint, 0))?;
                }
                word => match word.parse::<Square>() {
                    Ok(square) if legal.contains(square) => return Ok(Reply::Move(square)),
                    _ => {
                        let legal = legal.squares().map(|square| format!(" {square}"));
                        let (word, legal) = (excerpt(word), legal.collect::<String>());
                        let sentence = format!("'{word}' is no legal move:{legal}");
                        writeln!(self.out, "{}", wrapped(&sentence, 4))?;
                    }
                },
            }
        }
    }

    /// Shows the loss of an answer, the lines, and when the exercise returns.
    fn explain(
        &mut self,
        exercise: &Exercise,
        key: &AnswerKey,
        graded: &Graded,
        due: SystemTime,
    ) -> Result<(), Failure> {
        let (own, best) = (graded.own, graded.best);
        let name = own.line.first().map_or("", String::as_str);
        let certain = if best.exact {
            "solved".to_owned()
        } else {
            format!("searched to depth {}", best.reach)
        };
        let line = |line: &[String]| line[..line.len().min(LINE_MOVES)].join(" ");
        let (own_score, best_score) = (own.score, best.score);
        let mut lines = if graded.is_best() {
            vec![
                format!("{name} is best: {own_score:+.1}, {certain}"),
                format!("line        {}", line(&own.line)),
            ]
        } else {
            let lost = graded.lost;
            vec![
                format!(
                    "{name} loses {lost:.1} discs: {own_score:+.1} instead of {best_score:+.1}, \
                     {certain}"
                ),
                format!("refutation  {}", line(&own.line)),
                format!("best        {}", line(&best.line)),
            ]
        };
        let mistake = exercise.mistake.to_string();
        if let Some(other) = key.grade(exercise.mistake).filter(|_| mistake != name) {
            let lost = other.lost;
            lines.push(format!("mistake     {mistake} loses {lost:.1} discs"));
        }
        let (level, engine) = &mut self.people;
        let view = PeopleView::of(engine, &exercise.position, &key.losses(), *level);
        let (grade, found) = (view.difficulty.grade(), view.difficulty.found_in_words());
        lines.push(format!(
            "people      {grade}: {found} players of level {level} find a best move"
        ));
        lines.push(format!("themes      {}", exercise.themes.join(", ")));
        let left = days(days_until(due, SystemTime::now()));
        lines.push(format!("returns     in {left}"));
        for line in lines {
            writeln!(self.out, "{}", wrapped(&line, LABEL))?;
        }
        if graded.is_best() {
            writeln!(self.out)?;
            return Ok(());
        }
        let (mut position, mut last) = (exercise.position, None);
        for mv in (own.line.iter().take(LINE_MOVES)).map_while(|mv| mv.parse().ok()) {
            let Ok(next) = position.play(mv) else { break };
            (position, last) = (next, Some(mv));
        }
        writeln!(self.out, "after the refutation:")?;
        self.draw(position, last)
    }
}

/// Returns a hint: first the themes, and then the row of the best move.
fn hint(exercise: &Exercise, number: u32) -> String {
    match number {
        1 => format!(
            "Themes: {}. Another ? shows more.",
            exercise.themes.join(", ")
        ),
        _ => format!("The best move is in row {}.", exercise.best.rank() + 1),
    }
}

/// Formats a number of days.
pub(super) fn days(count: u64) -> String {
    format!("{count} day{}", if count == 1 { "" } else { "s" })
}
