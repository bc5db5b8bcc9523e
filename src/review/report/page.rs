//! HTML page of an analysed game.
//!
//! The template `web/page.html` has all markup. Text from a game record is escaped, so that it
//! cannot add markup. The page is a single file: it loads no other files.

use std::io;

use super::{AnalysedGame, web};
use emilia_core::board::{Color, printable};

/// Template of the page.
const PAGE: &str = include_str!("web/page.html");

/// Module of a game's page.
const GAME_SCRIPT: &str = include_str!("web/page.js");

/// Fills a template: `{{ name }}` stands for the value of this name, which is markup. Values are
/// not searched for names.
pub(super) fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut parts = template.split("{{ ");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for (name, rest) in parts.filter_map(|part| part.split_once(" }}")) {
        let value = values.iter().find(|(own, _)| *own == name);
        page.extend([value.map_or("", |(_, value)| value), rest]);
    }
    page
}

/// Returns the HTML page of a game.
///
/// # Errors
/// If the game cannot be serialised.
pub fn page(game: &AnalysedGame) -> io::Result<String> {
    let [black, white] = [Color::Black, Color::White].map(|side| escaped(name(game, side)));
    let margin = game.result.map(|result| format!(", {}", signed(result)));
    let outcome = escaped(game.outcome().as_deref().unwrap_or("No result"));
    let opening = game.opening.as_deref().unwrap_or_default();
    let about = [game.event.as_str(), &game.date, opening].map(|text| match text {
        "" => String::new(),
        text => format!(" · {}", escaped(text)),
    });
    let style = [web::STYLE, web::REPORT_STYLE].concat();
    let script = web::inlined(web::board().chain([GAME_SCRIPT]));
    let values = [
        ("black", &*black),
        ("white", &white),
        ("margin", margin.as_deref().unwrap_or_default()),
        ("outcome", &outcome),
        ("about", &about.concat()),
        ("board", web::BOARD_PICTURE.trim_end()),
        ("style", style.trim_end()),
        ("game", &web::script_data(game)?),
        ("script", script.trim_end()),
    ];
    Ok(filled(PAGE, &values))
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

/// Escapes text for the content and attributes of HTML and SVG.
pub(super) fn escaped(text: &str) -> String {
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
