//! Reports of analysed games: tables for terminals, JSON objects, SVG charts and an HTML page.
//!
//! [`AnalysedGame`] is an analysed game as a JSON object. The other modules write reports from it:
//! `table` as text, `chart` as SVG, and `page` as HTML from the templates in `web/`.

mod chart;
mod game;
mod page;
mod table;
pub mod web;

pub use chart::chart;
pub use game::{ANALYSIS, AnalysedGame, JudgedMove};
pub use page::page;
pub use table::{legend, line, write};
