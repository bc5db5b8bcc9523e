//! A node of the search tree: its position, depth and search window (alpha, beta).

use super::ordering::LegalMove;
use super::window::Window;
use crate::board::{Bitboard, Board};

/// Node of the search tree, as seen by the side to move.
/// `S` is the incremental state of the evaluation for `board`, or a reference to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<S> {
    pub(super) board: Board,
    pub(super) state: S,
    /// Distance from the root in plies.
    pub(super) ply: usize,
    /// Depth to search in plies. In a search to the end of the game, it is the number of empties.
    pub(super) depth: u32,
    pub(super) window: Window,
    /// Legal moves of `board`.
    pub(super) moves: Bitboard,
}

impl<S> Node<S> {
    /// Returns whether the search of this node reaches the end of the game. Its phase is then
    /// `Endgame`.
    #[inline]
    pub(super) fn is_endgame(&self) -> bool {
        self.depth >= self.board.empty_count()
    }

    /// Returns the node for a search to the end of the game. The depth becomes the number of
    /// empties, and the bounds of the window become whole discs.
    #[inline]
    pub(super) fn as_endgame(&self) -> Self
    where
        S: Copy,
    {
        Node {
            depth: self.board.empty_count(),
            window: self.window.in_discs(),
            ..*self
        }
    }

    /// Returns the node after the move `mv`, with one ply less to search and with the evaluation
    /// state `state`. The window of the child is this window as the opponent sees it.
    #[inline]
    pub(super) fn child<T>(&self, mv: &LegalMove, state: T) -> Node<T> {
        Node {
            board: mv.child,
            state,
            ply: self.ply + 1,
            depth: self.depth - 1,
            window: -self.window,
            moves: mv.replies,
        }
    }

    /// Returns the same node with `state` as its evaluation state. Callers use it to replace a
    /// reference to the state by the state itself, or the reverse.
    #[inline]
    pub(super) fn with_state<T>(&self, state: T) -> Node<T> {
        Node {
            board: self.board,
            state,
            ply: self.ply,
            depth: self.depth,
            window: self.window,
            moves: self.moves,
        }
    }
}
