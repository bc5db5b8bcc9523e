//! [`MoveCounts`]: the moves played from a position, with their results and players.

use std::collections::HashMap;

use crate::outcome::of_mover;
use crate::replay::Replay;
use crate::{Outcome, PackedGame};
use emilia_core::board::{Board, Color, Position, Square, Symmetry};

/// Position to find in games. A symmetric image of the position matches, too, and so does the same
/// board with exchanged colours.
#[derive(Clone, Copy, Debug)]
pub struct ReachedPosition {
    /// The position to find. If its side to move had to pass, the position after this pass.
    pub position: Position,
    canonical: Board,
}

impl ReachedPosition {
    /// Creates the search for `position`. If its side to move must pass, the search is for the
    /// position after the pass.
    pub fn new(position: &Position) -> ReachedPosition {
        let position = Replay::new(*position).position;
        ReachedPosition {
            position,
            canonical: position.board.canonical(),
        }
    }

    /// Returns whether the game reaches the position.
    pub fn is_in(&self, game: &PackedGame) -> bool {
        self.reached(game).is_some()
    }

    /// Returns the position of `game` that is a symmetric image of `self.position`, and the number
    /// of moves before it. Every move adds a disc, so at most one position of a game can be the
    /// image.
    fn reached(&self, game: &PackedGame) -> Option<(Position, usize)> {
        let placed = game.start().board.empty_count();
        let placed = placed.checked_sub(self.position.board.empty_count())? as usize;
        let (mut replay, mut squares) = (Replay::new(game.start()), game.squares());
        for _ in 0..placed {
            replay.play(squares.next()?).then_some(())?;
        }
        let board = replay.position.board;
        (board.canonical() == self.canonical).then_some((replay.position, placed))
    }

    /// Returns the side to move at the image of `self.position` in `game`, and the next move, in
    /// the orientation of `self.position`. The move is `None` if the game ends there.
    fn continuation(&self, game: &PackedGame) -> Option<(Color, Option<Square>)> {
        let (position, placed) = self.reached(game)?;
        let is_image = |symmetry: &Symmetry| symmetry.board(&position.board) == self.position.board;
        let symmetry = Symmetry::all().find(is_image)?;
        let square = game.squares().nth(placed);
        let square = square.map(|square| symmetry.square(square));
        Some((position.mover, square))
    }
}

/// Number of games in which a move was played, and their results for the side that moved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveCount {
    /// Games in which the move was played.
    pub games: u32,
    /// Games that the side to move won.
    pub won: u32,
    /// Drawn games.
    pub drawn: u32,
    /// Games that the side to move lost.
    pub lost: u32,
    /// Number of games whose score in discs is known. `margins` is the sum of these scores, from
    /// the view of the side that moved.
    counted: u32,
    margins: f64,
    /// Number of games by name of the player who moved.
    players: HashMap<String, u32>,
}

impl MoveCount {
    fn add(&mut self, player: &str, outcome: Option<Outcome>) {
        self.games += 1;
        if let Some(discs) = outcome.and_then(Outcome::discs) {
            self.counted += 1;
            self.margins += discs;
        }
        if let Some(Outcome { margin, .. }) = outcome {
            self.won += u32::from(margin > 0.0);
            self.drawn += u32::from(margin == 0.0);
            self.lost += u32::from(margin < 0.0);
        }
        match self.players.get_mut(player) {
            Some(games) => *games += 1,
            None => _ = self.players.insert(player.to_owned(), 1),
        }
    }

    fn merge(&mut self, other: MoveCount) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.counted += other.counted;
        self.margins += other.margins;
        for (player, games) in other.players {
            *self.players.entry(player).or_default() += games;
        }
    }

    /// Returns the mean score in discs, from the view of the side that moved, over the games whose
    /// score is known. Returns `None` if there is no such game.
    pub fn mean(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.margins / f64::from(self.counted))
    }

    /// Returns each player of the move with the player's number of games, the largest number first.
    /// Games without the player's name do not count.
    pub fn players(&self) -> Vec<(&str, u32)> {
        let players = self.players.iter();
        let players = players.map(|(name, &games)| (name.as_str(), games));
        let mut players: Vec<_> = players.filter(|(name, _)| !name.is_empty()).collect();
        players.sort_unstable_by_key(|&(name, games)| (std::cmp::Reverse(games), name));
        players
    }
}

/// Counts of the moves from a position, by square. The key `None` counts the games that end at the
/// position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveCounts(HashMap<Option<Square>, MoveCount>);

impl MoveCounts {
    /// If `game` reaches `position`, counts the move that was played there.
    pub fn add(&mut self, position: &ReachedPosition, game: &PackedGame) {
        if let Some((mover, square)) = position.continuation(game) {
            let count = self.0.entry(square).or_default();
            let of_mover = |own: Outcome| Outcome {
                margin: of_mover(own.margin, mover),
                ..own
            };
            count.add(game.player(mover), game.outcome().map(of_mover));
        }
    }

    /// Adds up `counts`, one for each block of games, and returns the moves, the most frequent
    /// first.
    ///
    /// If the position is symmetric, its symmetric moves count as one move. The square of this move
    /// is the square that was played most.
    pub fn total(
        position: &ReachedPosition,
        counts: impl IntoIterator<Item = MoveCounts>,
    ) -> Vec<(Option<Square>, MoveCount)> {
        let mut total: HashMap<Option<Square>, MoveCount> = HashMap::new();
        for (square, count) in counts.into_iter().flat_map(|counts| counts.0) {
            total.entry(square).or_default().merge(count);
        }
        let board = &position.position.board;
        let is_own = |symmetry: &Symmetry| symmetry.board(board) == *board;
        let own: Vec<Symmetry> = Symmetry::all().filter(is_own).collect();
        let mut moves: Vec<(Option<Square>, MoveCount)> = Vec::new();
        for (square, count) in in_order(total) {
            let is_image = |other: Option<Square>| {
                let image = |symmetry: &Symmetry| other.map(|one| symmetry.square(one));
                own.iter().any(|symmetry| image(symmetry) == square)
            };
            match moves.iter_mut().find(|(other, _)| is_image(*other)) {
                Some((_, first)) => first.merge(count),
                None => moves.push((square, count)),
            }
        }
        in_order(moves)
    }
}

/// Sorts moves by their number of games, the most frequent first.
fn in_order(
    moves: impl IntoIterator<Item = (Option<Square>, MoveCount)>,
) -> Vec<(Option<Square>, MoveCount)> {
    let mut moves: Vec<_> = moves.into_iter().collect();
    moves.sort_by_key(|(square, count)| (std::cmp::Reverse(count.games), *square));
    moves
}
