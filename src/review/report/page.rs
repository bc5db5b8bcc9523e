//! HTML page of an analysed game.
//!
//! The template `web/page.html` has all markup. Text from a game record is escaped, so that it
//! cannot add markup. The page is a single file: it loads no other files.

use std::io;
use std::sync::LazyLock;

use minijinja::Environment;
use serde_json::{Value, json};

use super::{AnalysedGame, web};
use emilia_core::board::{Color, printable};

/// Script of the page.
const GAME_SCRIPT: &str = include_str!("web/page.js");

/// Templates by name. The script and the style sheet are template variables.
static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    for (name, source) in [
        ("game.html", include_str!("web/page.html")),
        ("chart.svg", include_str!("web/chart.svg")),
        ("board.svg", web::BOARD_PICTURE),
    ] {
        let added = templates.add_template(name, source);
        added.expect("a test renders every embedded template");
    }
    let style = [web::STYLE, web::REPORT_STYLE].concat();
    templates.add_global("style", style.trim_end());
    let script = web::inlined(web::board().chain([GAME_SCRIPT]));
    templates.add_global("game_script", script.trim_end());
    templates.set_formatter(|out, _, value| {
        let text = value.to_string();
        let text = if value.is_safe() {
            text
        } else {
            escaped(&text)
        };
        Ok(out.write_str(&text)?)
    });
    templates
});

/// Renders a template with `values`.
pub(super) fn render(template: &str, values: &Value) -> io::Result<String> {
    let found = TEMPLATES.get_template(template);
    let page = found.and_then(|found| found.render(minijinja::value::Serde(values)));
    page.map(|page| page + "\n").map_err(io::Error::other)
}

/// Returns the HTML page of a game.
///
/// # Errors
/// If the game cannot be serialised.
pub fn page(game: &AnalysedGame) -> io::Result<String> {
    let outcome = game.outcome();
    let values = json!({
        "black": name(game, Color::Black),
        "white": name(game, Color::White),
        "margin": game.result.map_or(String::new(), |result| format!(", {}", signed(result))),
        "outcome": outcome.as_deref().unwrap_or("No result"),
        "about": [&game.event, &game.date, game.opening.as_deref().unwrap_or("")],
        "game": web::script_data(game)?,
    });
    render("game.html", &values)
}

/// Formats a number with a sign, except zero: `+4`, `−2`, `0`.
fn signed(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    format!("{number:+}").replace('-', "\u{2212}")
}

/// Returns the recorded name of the player of `side`. Without a recorded name: `Black` or `White`.
fn name(game: &AnalysedGame, side: Color) -> &str {
    match (game.name(side).as_str(), side) {
        ("", Color::Black) => "Black",
        ("", Color::White) => "White",
        (name, _) => name,
    }
}

/// Escapes text for use in HTML content and attributes.
fn escaped(text: &str) -> String {
    printable(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn numbers_have_a_sign_except_zero() {
        let shown = [0.0, -0.0, 0.5, -0.5, 10.0, -4.0].map(signed);
        assert_eq!(shown, ["0", "0", "+0.5", "\u{2212}0.5", "+10", "\u{2212}4"]);
    }
}
