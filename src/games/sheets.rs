//! Scoresheets with a line of moves for each side.

use super::Game;
use super::reading::{Reading, Span};
use super::tokens::Token;
use emilia_core::board::Position;

/// Reads two lines next to each other, one with the moves of each side.
pub(super) fn two_lines(out: &mut Reading, tokens: &[Token], start: Position) {
    let text = out.text;
    let is_square = |token: &Token| token.square().is_some();
    let squares: Vec<Token> = tokens.iter().copied().filter(Token::is_move).collect();
    let lines = squares.chunk_by(|left, right| left.line == right.line);
    let lines: Vec<&[Token]> = lines.collect();
    let is_whole = |pair: &&[&[Token]]| pair.iter().all(|line| line.iter().all(is_square));
    let games = lines.windows(2).filter(is_whole).filter_map(|pair| {
        let mut sides = [pair[0], pair[1]].map(|line| line.iter().filter_map(Token::square));
        let mut game = Game::new(start);
        loop {
            game.hand_over_to(!game.position().mover);
            let side = usize::from(game.position().mover != start.mover);
            match sides[side].next() {
                Some(square) => game.play_next(square).ok()?,
                None => break,
            }
        }
        let is_read = sides.iter_mut().all(|side| side.next().is_none());
        let last = pair[1].last().unwrap_or(&pair[1][0]);
        // The name of the first side is before its moves.
        let first = text[..pair[0][0].span().start].rfind('\n');
        let first = first.map_or(0, |end| end + 1);
        is_read.then_some((game, first..last.span().end))
    });
    let longest = games.max_by_key(|(game, _)| game.placed());
    if let Some((game, range)) = longest.filter(|(game, _)| game.placed() >= super::lists::FEWEST) {
        out.add(range, Span::Moves, game, None);
    }
}
