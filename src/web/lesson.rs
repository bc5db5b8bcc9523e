//! Request of the Learn page: runs a search algorithm on a game tree, step by step.

use serde::Serialize;

use super::Refusal;
use super::games::parse;
use emilia_review::json::tagged;
use emilia_textbook::lesson::{Lesson, Request};

/// Answers `POST lesson` with the steps of an algorithm and a picture of the tree.
pub(super) fn lesson(body: &[u8]) -> Result<String, Refusal> {
    #[derive(Serialize)]
    struct Drawn {
        #[serde(flatten)]
        lesson: Lesson,
        svg: String,
    }
    let lesson = parse::<Request>(body)?.lesson()?;
    let svg = lesson.svg();
    Ok(serde_json::to_string(&tagged(
        "lesson",
        &Drawn { lesson, svg },
    ))?)
}
