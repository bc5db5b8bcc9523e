//! Page of exercises in a browser: as one file with its exercises, or served by `emilia gui`.

use serde::Serialize;

use super::{AnswerKey, Practised};
use crate::json::ScoredLine;
use crate::report::web;

const PAGE: &str = include_str!("web/page.html");

/// Script of the page, after the scripts that all boards share.
pub const SCRIPT: &str = include_str!("web/practice.js");

/// Exercise as the page takes it.
#[derive(Debug, Serialize)]
pub struct ShownExercise<'a> {
    id: i64,
    position: String,
    source: &'a str,
    themes: Vec<&'static str>,
    mistake: String,
    best: String,
    /// Values of all moves. `None` if the page asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<&'a [ScoredLine]>,
}

impl<'a> ShownExercise<'a> {
    /// The exercise as the page shows it; `key` once it has been answered.
    pub fn new(practised: &'a Practised, key: Option<&'a AnswerKey>) -> ShownExercise<'a> {
        let exercise = &practised.exercise;
        ShownExercise {
            id: practised.id,
            position: exercise.position.to_string(),
            source: &exercise.source,
            themes: exercise.themes().map(|theme| theme.name).collect(),
            mistake: exercise.mistake.to_string(),
            best: exercise.best.to_string(),
            lines: key.map(|key| &key.lines[..]),
        }
    }
}

/// Returns the page with these elements at the ends of its head and its body.
pub fn page(head: &str, end: &str) -> String {
    PAGE.replace("<!-- head -->", head)
        .replace("<!-- end -->", end)
}

/// Returns the page as one file with these exercises. It needs no other file and no network.
///
/// # Errors
/// If an exercise cannot be serialised.
pub fn exported(exercises: &[ShownExercise]) -> std::io::Result<String> {
    // A `</script` in the data would end the script element.
    let data = serde_json::to_string(exercises)?.replace('<', "\\u003c");
    let head = format!("<style>\n{}{}</style>", web::STYLE, web::SQUARES_STYLE);
    let end = format!(
        "<script type=\"application/json\" id=\"exercises\">{data}</script>\n\
         <script type=\"module\">\n{}{}{SCRIPT}</script>",
        web::BOARD_SCRIPT,
        web::SQUARES_SCRIPT
    );
    Ok(page(&head, &end))
}
