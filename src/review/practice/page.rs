//! Page of exercises in a browser: as one file with its exercises, or served by `emilia gui`.

use serde::Serialize;

use super::{AnswerKey, Exercise};
use crate::json::ScoredLine;
use crate::report::web;

const PAGE: &str = include_str!("web/page.html");

/// Module of the page.
pub const MODULE: web::Module = ("practice.js", include_str!("web/practice.js"));

/// Exercise in a file, with the lines of all moves. The page of `emilia gui` requests the lines
/// later, when the exercise is shown.
#[derive(Serialize)]
struct ExportedExercise<'a> {
    #[serde(flatten)]
    exercise: &'a Exercise,
    lines: &'a [ScoredLine],
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
pub fn exported<'a>(
    exercises: impl Iterator<Item = (&'a Exercise, &'a AnswerKey)>,
) -> std::io::Result<String> {
    let exercises = exercises.map(|(exercise, key)| ExportedExercise {
        exercise,
        lines: &key.lines,
    });
    let data = web::script_data(&exercises.collect::<Vec<_>>())?;
    let head = format!("<style>\n{}{}</style>", web::STYLE, web::APP_STYLE);
    let script = web::inlined(web::board().chain([MODULE.1]));
    let end = format!(
        "<script type=\"application/json\" id=\"exercises\">{data}</script>\n\
         <script type=\"module\">\n{script}</script>"
    );
    Ok(page(&head, &end))
}
