//! Commands for GoGui: board display, game rules, and entries of its analyze menu.
//! The commands read the game of the session and change nothing.

use super::GtpSession;
use super::play::{row, vertex};
use emilia_core::board::Color;

/// GoGui menu entries: type, label and command.
pub(super) const ANALYZE_COMMANDS: &str = "string/Evaluation/emilia-eval
hstring/Best Move/emilia-hint 1
hstring/All Moves/emilia-hint 64
string/Legal Moves/gogui-rules_legal_moves
string/Final Result/gogui-rules_final_result
none/Set Depth/emilia-set depth %s
none/Set Time/emilia-set time %s";

impl GtpSession {
    pub(super) fn showboard(&self) -> String {
        let position = self.game.position();
        let rows = (0..8).map(|rank| format!("\n {} {}", rank + 1, row(&position, rank)));
        let [black, white] = self.counts();
        let turn = if self.game.is_over() {
            "game over".to_owned()
        } else {
            format!("{} to move", position.mover)
        };
        format!(
            "\n   A B C D E F G H{}\n X Black {black}, O White {white}, {turn}",
            rows.collect::<String>()
        )
    }

    fn counts(&self) -> [u32; 2] {
        [Color::Black, Color::White].map(|color| self.game.position().discs(color).count())
    }

    /// Returns the rows of the board, row 8 first as GoGui expects.
    pub(super) fn rules_board(&self) -> String {
        let position = self.game.position();
        let rows: Vec<String> = (0..8).rev().map(|rank| row(&position, rank)).collect();
        rows.join("\n")
    }

    /// Returns the legal moves, separated by spaces. The text is empty if the game is over.
    pub(super) fn rules_legal_moves(&self) -> String {
        let moves = self.game.position().moves();
        let names: Vec<String> = moves.into_iter().map(vertex).collect();
        names.join(" ")
    }

    pub(super) fn rules_final_result(&self) -> String {
        let [black, white] = self.counts();
        match self.game.score() {
            None => "The game is not over".to_owned(),
            Some(0) => format!("Draw, {black} to {white} discs"),
            Some(score) if score > 0 => format!("Black wins, {black} to {white} discs"),
            Some(_) => format!("White wins, {white} to {black} discs"),
        }
    }
}
