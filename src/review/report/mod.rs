//! Reports of analysed games: tables for terminals, JSON objects, SVG charts and an HTML page.
//!
//! [`AnalysedGame`] is the result of a game as one JSON object, which every report shows.
//! `table` formats a game. `page` fills the templates of `web/`.

mod chart;
mod game;
mod page;
mod table;
pub mod web;

pub use chart::chart;
pub use game::{ANALYSIS, AnalysedGame, JudgedMove};
pub use page::page;
pub use table::{legend, line, write};
